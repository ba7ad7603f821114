import { enqueueRequestedMail } from "../emails/requested-mail-job.ts";
import { clientNetwork } from "#platform/client-address";
import { type Db, isUniqueViolation, maybeOne, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { addPerson, parseLocale } from "../registration/add-person.ts";
import { dailyAccountLimit } from "../account-limits.ts";
import type { ProviderAccountOptions, ClientInfo } from "../types.ts";
import { DisplayName, Email } from "../account-forms.ts";
import { assertCanRegister } from "../registration/registration-gate.ts";
import { convertGuestToMember } from "../lifecycle/guest-accounts.ts";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { activateOrQueueAccount } from "../registration/open-account.ts";
import { sealPendingRegistration } from "../registration/pending-registration.ts";
import { suggestUsername } from "../registration/usernames.ts";

/**
 * Claims of a sign-in provider about a person. `raw` has all claims under the provider's names, for API
 * clients that store some of them.
 */
export type ProviderClaims = {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  locale: string | null;
  raw: Record<string, unknown>;
};

type ProviderAccountResult =
  | { kind: "came"; personId: string; isNew: boolean }
  | { kind: "confirm-address"; pending: string };

/**
 * Finds the account of a person who signs in through a provider: first, the linked account; second, the
 * account with the verified address, if the admin lets the provider link by address; else a new account (or
 * a converted guest), after the registration checks.
 */
export async function findOrCreateProviderAccount(
  app: Pick<
    AccountsContext,
    "database" | "limits" | "settings" | "now" | "sealer" | "signInProviders" | "accountHooks"
  >,
  provider: string,
  claims: ProviderClaims,
  from: ClientInfo,
  coming: ProviderAccountOptions = {},
): Promise<ProviderAccountResult> {
  const known = await findPersonByIdentity(app.database.db, provider, claims.subject);
  if (known) return { kind: "came", personId: known, isNew: false };
  const email = Email.safeParse(claims.email).data ?? null;
  const name =
    DisplayName.safeParse(claims.name ?? "").data ?? email?.split("@")[0]?.slice(0, 50) ?? "Member";
  const username = await suggestUsername(app.database.db, name);
  const newcomer = {
    provider,
    claims,
    email,
    name,
    username,
    locale: parseLocale(claims.locale ?? from.acceptLanguage),
    place: clientNetwork(from.address),
    address: from.address,
    guestId: coming.guestId,
    invitation: coming.invitation,
  };
  try {
    return await inAccountTransaction(app, (tx) => resolveProviderAccount(app, tx, newcomer));
  } catch (error) {
    // The same person signed in from two tabs: the second request finds the account that the first has
    // created.
    if (!isUniqueViolation(error)) throw error;
    return inAccountTransaction(app, (tx) =>
      resolveProviderAccount(app, tx, {
        ...newcomer,
        username: `${username.slice(0, 14)}${tx.newId().slice(-6)}`,
      }),
    );
  }
}

const findPersonByIdentity = async (db: Db, provider: string, subject: string): Promise<string | undefined> =>
  (
    await maybeOne(
      db,
      sql<{
        id: string;
      }>`select person_id as id from provider_identities
        where provider = ${provider} and subject = ${subject}`,
    )
  )?.id;

type ProviderNewcomer = {
  provider: string;
  claims: ProviderClaims;
  email: string | null;
  name: string;
  username: string;
  locale: string;
  place: string;
  address: string;
  guestId: string | undefined;
  invitation: string | undefined;
};
type AddressHolder = { id: string; state: string; role: string; confirmed: boolean };

async function resolveProviderAccount(
  app: Pick<AccountsContext, "limits" | "now" | "sealer" | "signInProviders" | "accountHooks">,
  tx: AccountTx,
  providerNewcomer: ProviderNewcomer,
): Promise<ProviderAccountResult> {
  const known = await findPersonByIdentity(tx, providerNewcomer.provider, providerNewcomer.claims.subject);
  if (known) return { kind: "came", personId: known, isNew: false };
  const holder = providerNewcomer.email
    ? await maybeOne(
        tx,
        sql<AddressHolder>`select id, state, site_role as role, email_confirmed_at is not null as confirmed
          from people where lower(email) = lower(${providerNewcomer.email}) for update`,
      )
    : undefined;
  if (holder && canLinkByEmail(app, holder, providerNewcomer)) {
    await insertIdentity(tx, holder.id, providerNewcomer.provider, providerNewcomer.claims);
    return { kind: "came", personId: holder.id, isNew: false };
  }
  return createProviderAccount(app, tx, providerNewcomer, holder);
}

/**
 * Staff must link a provider themselves: a provider's operator could otherwise become staff by naming their
 * address.
 */
const canLinkByEmail = (
  { signInProviders }: Pick<AccountsContext, "signInProviders">,
  holder: AddressHolder,
  { provider, claims }: ProviderNewcomer,
): boolean =>
  holder.confirmed &&
  claims.emailVerified &&
  holder.role === "member" &&
  signInProviders.get(provider)?.linksByEmail === true;

async function createProviderAccount(
  app: Pick<AccountsContext, "limits" | "now" | "sealer" | "accountHooks">,
  tx: AccountTx,
  providerNewcomer: ProviderNewcomer,
  holder: AddressHolder | undefined,
): Promise<ProviderAccountResult> {
  const { invitation, email } = providerNewcomer;
  const newId = providerNewcomer.guestId ?? tx.newId();
  await assertCanRegister(app, tx, {
    invitation,
    email,
    who: email ?? `${providerNewcomer.provider} ${providerNewcomer.claims.subject}`,
    personId: newId,
    address: providerNewcomer.address,
  });
  if (tx.site.accountsPerAddress > 0)
    await app.limits.take("accounts", dailyAccountLimit(tx.site.accountsPerAddress), providerNewcomer.place);
  const taken = holder !== undefined && holder.state !== "unverified";
  // As in registration, an unconfirmed account holds no claim on the address.
  if (holder && !taken)
    await run(tx, sql`delete from people where id = ${holder.id} and state = 'unverified'`);
  const vouched = providerNewcomer.claims.emailVerified && !taken;
  const person = {
    ...providerNewcomer,
    id: newId,
    email: taken ? null : providerNewcomer.email,
    emailConfirmed: vouched,
    state: "unverified",
  } as const;
  const id = providerNewcomer.guestId
    ? await convertGuestToMember(tx, providerNewcomer.guestId, person)
    : await addPerson(tx, person);
  await insertIdentity(tx, id, providerNewcomer.provider, providerNewcomer.claims);
  if (providerNewcomer.email && (vouched || (!taken && !tx.site.confirmAddress))) {
    await activateOrQueueAccount(tx, id);
    if (vouched) await app.accountHooks.afterConfirming?.(tx, id);
    return { kind: "came", personId: id, isNew: true };
  }
  // Only an email to the owner reveals that the address is taken; the page asks for confirmation in both
  // cases.
  if (providerNewcomer.email)
    await enqueueRequestedMail(tx, {
      kind: "registered",
      email: providerNewcomer.email,
      personId: id,
      provider: providerNewcomer.provider,
    });
  const { username, name, locale } = providerNewcomer;
  const writtenAt = providerNewcomer.email ? tx.now.getTime() : null;
  return {
    kind: "confirm-address",
    pending: sealPendingRegistration(app, {
      id,
      email: providerNewcomer.email ?? "",
      username,
      name,
      locale,
      invitation,
      passwordHash: null,
      writtenAt,
    }),
  };
}

const insertIdentity = (tx: Tx, personId: string, provider: string, { subject, email }: ProviderClaims) =>
  run(
    tx,
    sql`insert into provider_identities (provider, subject, person_id, email, linked_at)
      values (${provider}, ${subject}, ${personId}, ${email}, ${tx.now})`,
  );

/**
 * Links a provider identity to an account.
 * @throws `conflict` when it is linked to another account
 */
export const linkIdentity = (
  app: Pick<AccountsContext, "database" | "settings">,
  personId: string,
  provider: string,
  claims: ProviderClaims,
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    const known = await findPersonByIdentity(tx, provider, claims.subject);
    if (known === personId) return;
    // An earlier attempt may have left an unconfirmed registration with this identity.
    const left =
      known && (await run(tx, sql`delete from people where id = ${known} and state = 'unverified'`));
    if (known && !left) throw new Refusal("conflict", "That account is already connected to another member.");
    await insertIdentity(tx, personId, provider, claims);
  });

import { writeAccountMailLater } from "./account-mail.ts";
import { type Db, isUniqueViolation, maybeOne, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { addPerson, localeOf } from "./add-person.ts";
import { accountsPerDay, placeOf } from "./allowances.ts";
import type { Coming, From } from "./door.ts";
import { DisplayName, Email } from "./forms.ts";
import { passGate } from "./gate.ts";
import { becomeMember } from "./guests.ts";
import type { AccountTx, House } from "./house.ts";
import { openAccount } from "./open-account.ts";
import { sealPending } from "./pending.ts";
import { suggestUsername } from "./usernames.ts";

/**
 * Claims of a sign-in provider about a person; `told` has all of them in the provider's terms, for API
 * clients that keep some.
 */
export type Claims = {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  locale: string | null;
  told: Record<string, unknown>;
};

type Came = { kind: "came"; personId: string; isNew: boolean } | { kind: "confirm-address"; pending: string };

/**
 * The account of a person who comes from a provider: the linked one; else the one with the verified address,
 * where the admin lets the provider link by address; else a new one (or a converted guest), through the
 * registration checks.
 */
export async function comeFrom(house: House, provider: string, claims: Claims, from: From, coming: Coming = {}): Promise<Came> {
  const known = await knownAs(house.database.db, provider, claims.subject);
  if (known) return { kind: "came", personId: known, isNew: false };
  const email = Email.safeParse(claims.email).data ?? null;
  const name = DisplayName.safeParse(claims.name ?? "").data ?? email?.split("@")[0]?.slice(0, 50) ?? "Member";
  const username = await suggestUsername(house.database.db, name);
  const newcomer = {
    provider,
    claims,
    email,
    name,
    username,
    locale: localeOf(claims.locale ?? from.acceptLanguage),
    place: placeOf(from.address),
    guestId: coming.guestId,
    invitation: coming.invitation,
  };
  try {
    return await house.inTransaction((tx) => welcome(house, tx, newcomer));
  } catch (error) {
    // The same person in two tabs: the second finds what the first has created.
    if (!isUniqueViolation(error)) throw error;
    return house.inTransaction((tx) => welcome(house, tx, { ...newcomer, username: `${username.slice(0, 14)}${tx.newId().slice(-6)}` }));
  }
}

const knownAs = async (db: Db, provider: string, subject: string): Promise<string | undefined> =>
  (await maybeOne(db, sql<{ id: string }>`select person_id as id from identities where provider = ${provider} and subject = ${subject}`))
    ?.id;

type Newcomer = {
  provider: string;
  claims: Claims;
  email: string | null;
  name: string;
  username: string;
  locale: string;
  place: string;
  guestId: string | undefined;
  invitation: string | undefined;
};
type Holder = { id: string; state: string; role: string; confirmed: boolean };

async function welcome(house: House, tx: AccountTx, it: Newcomer): Promise<Came> {
  const known = await knownAs(tx, it.provider, it.claims.subject);
  if (known) return { kind: "came", personId: known, isNew: false };
  const holder = it.email
    ? await maybeOne(
        tx,
        sql<Holder>`select id, state, site_role as role, email_confirmed_at is not null as confirmed from people where lower(email) = lower(${it.email}) for update`,
      )
    : undefined;
  if (holder && mayLinkByEmail(house, holder, it)) {
    await writeIdentity(tx, holder.id, it.provider, it.claims);
    return { kind: "came", personId: holder.id, isNew: false };
  }
  return newAccount(house, tx, it, holder);
}

/**
 * Staff must link a provider themselves: a provider's operator could otherwise become staff by naming their
 * address.
 */
const mayLinkByEmail = ({ providers }: House, holder: Holder, { provider, claims }: Newcomer): boolean =>
  holder.confirmed && claims.emailVerified && holder.role === "member" && providers.get(provider)?.linksByEmail === true;

async function newAccount(house: House, tx: AccountTx, it: Newcomer, holder: Holder | undefined): Promise<Came> {
  const { invitation, email } = it;
  const newId = it.guestId ?? tx.newId();
  await passGate(tx, { invitation, email, who: email ?? `${it.provider} ${it.claims.subject}`, personId: newId });
  if (tx.site.accountsPerAddress > 0) await house.limits.take("accounts", accountsPerDay(tx.site.accountsPerAddress), it.place);
  const taken = holder !== undefined && holder.state !== "unverified";
  // As in registration, an unconfirmed account holds no claim on the address.
  if (holder && !taken) await run(tx, sql`delete from people where id = ${holder.id} and state = 'unverified'`);
  const vouched = it.claims.emailVerified && !taken;
  const person = { ...it, id: newId, email: taken ? null : it.email, emailConfirmed: vouched, state: "unverified" } as const;
  const id = it.guestId ? await becomeMember(tx, it.guestId, person) : await addPerson(tx, person);
  await writeIdentity(tx, id, it.provider, it.claims);
  if (it.email && (vouched || (!taken && !tx.site.confirmAddress))) {
    await openAccount(tx, id);
    if (vouched) await tx.confirmed(id);
    return { kind: "came", personId: id, isNew: true };
  }
  // Only the owner learns that the address is taken; here it must be confirmed in either case.
  if (it.email) await writeAccountMailLater(tx, { kind: "registered", email: it.email, personId: id, provider: it.provider });
  const { username, name, locale } = it;
  const writtenAt = it.email ? tx.now.getTime() : null;
  return {
    kind: "confirm-address",
    pending: sealPending(house, { id, email: it.email ?? "", username, name, locale, invitation, passwordHash: null, writtenAt }),
  };
}

const writeIdentity = (tx: Tx, personId: string, provider: string, { subject, email }: Claims) =>
  run(
    tx,
    sql`insert into identities (provider, subject, person_id, email, linked_at) values (${provider}, ${subject}, ${personId}, ${email}, ${tx.now})`,
  );

/**
 * Links a provider identity to an account.
 * @throws `conflict` when it is linked to another account
 */
export const linkIdentity = (house: House, personId: string, provider: string, claims: Claims): Promise<void> =>
  house.inTransaction(async (tx) => {
    const known = await knownAs(tx, provider, claims.subject);
    if (known === personId) return;
    // An earlier attempt may have left an unconfirmed registration.
    const left = known && (await run(tx, sql`delete from people where id = ${known} and state = 'unverified'`));
    if (known && !left) throw new Refusal("conflict", "That account leads to another member already.");
    await writeIdentity(tx, personId, provider, claims);
  });

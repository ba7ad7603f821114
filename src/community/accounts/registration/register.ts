import { clientNetwork } from "#platform/client-address";
import { DAY, SECOND } from "#platform/clock";
import { type Db, isUniqueViolation, maybeOne, run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { assertNoWatchedWords } from "#community/prevention";
import { assertNoRegisteredNameLink } from "../profiles/profile-approval.ts";
import { enqueueRequestedMail } from "../emails/requested-mail-job.ts";
import { addPerson, parseLocale } from "./add-person.ts";
import { dailyAccountLimit, registrationAttemptLimit } from "../account-limits.ts";
import type { SessionKind, ClientInfo, RegistrationResult, RegistrationStatement } from "../types.ts";
import type { NewAccount } from "../account-forms.ts";
import { registrationClosed, assertCanRegister } from "./registration-gate.ts";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { convertGuestToMember } from "../lifecycle/guest-accounts.ts";
import { assertApiPasswordAllowed, assertPasswordAllowed } from "../sign-in/password-rules.ts";
import { hashPassword } from "../sign-in/password-hashing.ts";
import { type PendingRegistration, sealPendingRegistration } from "./pending-registration.ts";
import { activateOrQueueAccount } from "./open-account.ts";
import { suggestUsername, filterTakenUsernames } from "./usernames.ts";
import { recordRegistrationStatement } from "./onboarding.ts";

/** Protection of the form against bots: a honeypot field, and the time at which the form was rendered. */
export type BotCheck = { honeypot: string; started: string };
/**
 * `invitation` is the token of the invitation link. It must be valid where registration needs an invitation.
 */
type RegistrationOptions = {
  botCheck?: BotCheck;
  guestId?: string | undefined;
  invitation?: string | undefined;
  /** The account waits for approval, whatever the settings say. */
  needsApproval?: boolean;
  properties?: Record<string, unknown>;
  statement?: RegistrationStatement;
  /** Path that the confirmation link leads to afterwards. */
  returnTo?: string | undefined;
  /** `api` for API clients. A site setting defines their password rules. */
  sessionKind?: SessionKind;
};

const MIN_FORM_TIME = 2 * SECOND;

/**
 * Registers a person. With `guestId` that guest account becomes the new account.
 * @throws `not-allowed` for a blocked address, and when registration is closed and no valid `invitation` is
 * given (`gone` once it is over), `invalid` by field, `conflict` on `username`
 */
export async function register(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "sealer" | "accountHooks">,
  input: NewAccount,
  from: ClientInfo,
  options: RegistrationOptions = {},
): Promise<RegistrationResult> {
  const {
    botCheck,
    guestId,
    invitation,
    needsApproval,
    properties,
    statement,
    returnTo,
    sessionKind = "web",
  } = options;
  const site = await app.settings.get();
  if (site.registration === "closed" && invitation === undefined) throw registrationClosed();
  if (botCheck) assertFormAge(app, botCheck);
  assertNoRegisteredNameLink(site, input.name);
  await assertNoWatchedWords(app.database.db, { name: input.name, username: input.username ?? "" });
  const network = clientNetwork(from.address);
  if (site.registrationTries > 0 && !from.trusted)
    await app.limits.take("register", registrationAttemptLimit(site.registrationTries), network);
  const username = await chooseUsername(app.database.db, input, guestId);
  await (sessionKind === "api"
    ? assertApiPasswordAllowed(site, input.password, { username, email: input.email })
    : assertPasswordAllowed(input.password, { username, email: input.email }));
  if (site.accountsPerAddress > 0 && !from.trusted)
    await app.limits.take("accounts", dailyAccountLimit(site.accountsPerAddress), network);
  // The password is hashed whether or not the address is free, so that both cases take the same time.
  const passwordHash = await hashPassword(input.password);
  const wanted = {
    email: input.email,
    username,
    name: input.name,
    passwordHash,
    locale: parseLocale(from.acceptLanguage),
    invitation,
    needsApproval,
    properties,
  };
  if (botCheck && botCheck.honeypot !== "") return pretendRegistration(app, wanted);
  const profile = sessionKind === "api" && site.apiDefaults === "hosted" ? ("everyone" as const) : undefined;
  return startRegistration(app, wanted, {
    free: input.username === undefined,
    guestId,
    statement,
    profile,
    returnTo,
    ...(!from.trusted && { address: from.address }),
  });
}

/**
 * Value of the hidden field `started` of the registration form. It reveals bots, which submit a form
 * immediately or submit an old stored form.
 */
export const createFormToken = (app: Pick<AccountsContext, "now" | "sealer">): string =>
  app.sealer.seal("form", {}, app.now());

function assertFormAge(app: Pick<AccountsContext, "now" | "sealer">, { started }: BotCheck) {
  const now = app.now();
  const form = app.sealer.unseal("form", started, now, 7 * DAY);
  if (!form) throw new Refusal("invalid", "The form has expired. Send it again.");
  if (now.getTime() - form.sealedAt < MIN_FORM_TIME)
    throw new Refusal("invalid", "The form was sent too fast. Send it again.");
}

async function chooseUsername(
  db: Db,
  { username, name }: NewAccount,
  guestId: string | undefined,
): Promise<string> {
  if (username === undefined) return suggestUsername(db, name);
  const own =
    guestId &&
    (await maybeOne(db, sql`select 1 from people where id = ${guestId} and username = ${username}`));
  if (!own && (await filterTakenUsernames(db, [username])).has(username)) throw usernameTaken();
  return username;
}

export const usernameTaken = () =>
  new Refusal("conflict", "This name is already taken.", {
    fields: { username: "This name is already taken." },
    kind: "identity-taken",
  });

type NewRegistration = Omit<PendingRegistration, "id" | "writtenAt">;

/** A bot gets the usual success response. */
const pretendRegistration = (
  app: Pick<AccountsContext, "database" | "settings" | "now" | "sealer">,
  registration: NewRegistration,
): Promise<RegistrationResult> =>
  inAccountTransaction(app, async (tx) => {
    const id = tx.newId();
    return {
      id,
      username: registration.username,
      state: "unverified",
      pending: sealPendingRegistration(app, { id, ...registration, writtenAt: tx.now.getTime() }),
    };
  });

/**
 * Options that are left out of the sealed cookie, because it would get too long. The form asks for them again
 * when the address is corrected.
 */
type UnsealedOptions = {
  guestId?: string | undefined;
  statement?: RegistrationStatement | undefined;
  /** Audience of the new profile, where it differs from the default. */
  profile?: "everyone" | undefined;
  returnTo?: string | undefined;
};

/**
 * Starts a registration. Unique indexes decide between concurrent requests for one name or address; the
 * refused request tries again.
 */
async function startRegistration(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "sealer" | "accountHooks">,
  registration: NewRegistration,
  options: UnsealedOptions & { free: boolean; address?: string },
  tries = 3,
): Promise<RegistrationResult> {
  try {
    return await inAccountTransaction(app, (tx) => startRegistrationWithin(app, tx, registration, options));
  } catch (error) {
    if (!isUniqueViolation(error) || tries === 1) throw error;
    if (!isUniqueViolation(error, "people_username"))
      return startRegistration(app, registration, options, tries - 1);
    if (!options.free) throw usernameTaken();
    const username = await suggestUsername(app.database.db, registration.name);
    return startRegistration(app, { ...registration, username }, options, tries - 1);
  }
}

async function startRegistrationWithin(
  app: Pick<AccountsContext, "now" | "sealer" | "accountHooks">,
  tx: AccountTx,
  registration: NewRegistration,
  by: UnsealedOptions & { address?: string },
): Promise<RegistrationResult> {
  const id = tx.newId();
  await assertCanRegister(app, tx, {
    invitation: registration.invitation,
    email: registration.email,
    who: registration.email,
    personId: by.guestId ?? id,
    address: by.address,
  });
  return createAccountOrNotifyAddressOwner(app, tx, { id, ...registration }, by);
}

type AddressOwner = { id: string; state: string };

/**
 * Creates an account. If the address is taken, the account is created without it and the owner is notified:
 * the caller sees no difference in the result, in reserved names, or in the time it takes.
 */
export async function createAccountOrNotifyAddressOwner(
  app: Pick<AccountsContext, "now" | "sealer">,
  tx: AccountTx,
  wanted: NewRegistration & { id: string },
  { guestId, statement, profile, returnTo }: UnsealedOptions = {},
): Promise<RegistrationResult> {
  const owner = await maybeOne(
    tx,
    sql<AddressOwner>`select id, state from people where lower(email) = lower(${wanted.email}) for update`,
  );
  const taken = owner !== undefined && owner.state !== "unverified";
  if (taken && !tx.site.confirmAddress) throw addressTaken();
  // An unconfirmed account does not reserve the address: the latest registration replaces the account and
  // its link.
  await run(tx, sql`delete from people where lower(email) = lower(${wanted.email}) and state = 'unverified'`);
  const guest = taken ? undefined : guestId;
  const id = guest ?? wanted.id;
  const person = { ...wanted, id, email: taken ? null : wanted.email };
  await (guest ? convertGuestToMember(tx, guest, person) : addPerson(tx, { ...person, state: "unverified" }));
  if (statement) await recordRegistrationStatement(tx, id, statement);
  if (wanted.needsApproval)
    await run(tx, sql`update people set needs_approval = true where id = ${id} and state = 'unverified'`);
  if (profile)
    await run(
      tx,
      sql`update people set privacy = privacy || jsonb_build_object('profile', ${profile}::text)
        where id = ${id}`,
    );
  const answer = {
    id,
    username: wanted.username,
    pending: sealPendingRegistration(app, { ...wanted, id, writtenAt: tx.now.getTime() }),
  };
  if (!tx.site.confirmAddress) return { ...answer, state: await activateOrQueueAccount(tx, id) };
  await enqueueRequestedMail(tx, { kind: "registered", email: wanted.email, personId: id, returnTo });
  return { ...answer, state: "unverified" };
}

export const addressTaken = () =>
  new Refusal("conflict", "An account with this email address already exists.", {
    fields: { email: "An account with this email address already exists." },
    kind: "identity-taken",
  });

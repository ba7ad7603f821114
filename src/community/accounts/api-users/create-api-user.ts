import { clientNetwork } from "#platform/client-address";
import { type Db, isUniqueViolation, maybeOne, sql, type Tx } from "#platform/database";
import { issueMessage, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { personRules, type Viewer } from "#community/rules";
import { HOSTED_DEFAULTS_HINT } from "#community/settings";
import { parseLocale } from "../registration/add-person.ts";
import { dailyAccountLimit, registrationAttemptLimit } from "../account-limits.ts";
import type { ClientInfo } from "../types.ts";
import { type NewAccount, newAccountForm } from "../account-forms.ts";
import { assertCanRegister } from "../registration/registration-gate.ts";
import { toAccountTx, type AccountsContext } from "../accounts-context.ts";
import { assertApiPasswordAllowed } from "../sign-in/password-rules.ts";
import { hashPassword } from "../sign-in/password-hashing.ts";
import { addressTaken, createAccountOrNotifyAddressOwner, usernameTaken } from "../registration/register.ts";
import { suggestUsername, filterTakenUsernames } from "../registration/usernames.ts";
import { normalizeProperties } from "./user-properties.ts";

/** A user record from an API client, with or without custom properties. */
export type ApiUserInput = {
  email: string | undefined;
  password: string | undefined;
  name: string | undefined;
  username: string | undefined;
};

/** A checked record with its password hashed. */
export type PreparedUser = { account: NewAccount; passwordHash: string };

/**
 * Reads a new account from a record. `hosted` accepts any address with an `@`.
 * @throws `invalid` with the error kind of the API
 */
export function readNewAccount(
  { email, password, name, username }: ApiUserInput,
  hosted: boolean,
): NewAccount {
  if (password === undefined)
    throw new Refusal("invalid", "A password is needed to register.", { kind: "no-password" });
  if (email === undefined)
    throw new Refusal("invalid", "An email address is needed to register.", { kind: "no-identity" });
  const parsed = newAccountForm(hosted).safeParse({
    email,
    password,
    name: name ?? nameFromEmail(email),
    username,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const { path } = issue!;
  const message = issueMessage(issue!);
  const kind = path[0] === "email" ? "bad-email" : path[0] === "password" ? "no-password" : "user-invalid";
  throw new Refusal("invalid", message, { kind, fields: { [String(path[0])]: message } });
}

const nameFromEmail = (email: string) => email.split("@")[0]!.slice(0, 50) || email.slice(0, 50);

/**
 * Checks a new user and hashes the password. Hashing takes 30 ms of a core and happens before the transaction
 * of `createApiUser`.
 * @throws `not-allowed` unless the API has the hosted defaults, `invalid`, `too-many` where registrations are
 * limited
 */
export async function prepareApiUser(
  app: Pick<AccountsContext, "limits" | "settings">,
  input: ApiUserInput,
  from: ClientInfo,
): Promise<PreparedUser> {
  const site = await app.settings.get();
  if (site.apiDefaults !== "hosted")
    throw new Refusal(
      "not-allowed",
      msg("Users create accounts by registering. {hint}", { hint: HOSTED_DEFAULTS_HINT }),
    );
  const account = readNewAccount(input, true);
  const network = clientNetwork(from.address);
  if (site.registrationTries > 0 && !from.trusted)
    await app.limits.take("register", registrationAttemptLimit(site.registrationTries), network);
  await assertApiPasswordAllowed(site, account.password, {
    username: account.username ?? "",
    email: account.email,
  });
  if (site.accountsPerAddress > 0 && !from.trusted)
    await app.limits.take("accounts", dailyAccountLimit(site.accountsPerAddress), network);
  return { account, passwordHash: await hashPassword(account.password) };
}

export type NewApiUserOptions = {
  properties: Record<string, unknown>;
  canAddColumns: boolean;
  acceptLanguage: string;
};

/**
 * Stores a prepared user in the caller's transaction; returns the id. Registration rules apply, but the
 * server key can create users while registration is closed.
 * @throws `conflict` for a taken address or username
 */
export async function createApiUser(
  app: Pick<AccountsContext, "settings" | "now" | "sealer" | "accountHooks">,
  tx: Tx,
  viewer: Viewer,
  { account, passwordHash }: PreparedUser,
  options: NewApiUserOptions,
) {
  const accounts = toAccountTx(tx, await app.settings.get());
  const id = tx.newId();
  const { email, name } = account;
  if (!personRules.actAs(viewer))
    await assertCanRegister(app, accounts, { invitation: undefined, email, who: email, personId: id });
  const username = await chooseApiUsername(tx, account);
  const properties = await normalizeProperties(tx, options.properties, options.canAddColumns);
  const locale = parseLocale(options.acceptLanguage);
  try {
    const wanted = { id, email, name, username, passwordHash, locale, invitation: undefined, properties };
    return (await createAccountOrNotifyAddressOwner(app, accounts, wanted, { profile: "everyone" })).id;
  } catch (error) {
    if (isUniqueViolation(error, "people_username")) throw usernameTaken();
    if (isUniqueViolation(error, "people_email")) throw addressTaken();
    throw error;
  }
}

async function chooseApiUsername(db: Db, { username, name }: NewAccount): Promise<string> {
  if (username === undefined) {
    // Users of the same name, in one request or concurrently, must not get the same username.
    await maybeOne(db, sql`select pg_advisory_xact_lock(hashtextextended('usernames', 0))`);
    return suggestUsername(db, name);
  }
  if ((await filterTakenUsernames(db, [username])).has(username)) throw usernameTaken();
  return username;
}

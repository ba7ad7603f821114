import { clientNetwork } from "#platform/client-address";
import { type Db, maybeOne, sql } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { invalid, Refusal } from "#platform/refusal";
import { toStorableText } from "#community/common";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import { beginSignInAttempt, clearFailedAttempts } from "./back-off.ts";
import { isKnownBrowser, isKnownDevice } from "../sessions/known-devices.ts";
import type { SessionKind, ClientInfo, SignInResult } from "../types.ts";
import type { AccountsContext } from "../accounts-context.ts";
import { continueSignIn, type AccountOwner, accountOwnerColumns } from "./complete-sign-in.ts";
import { assertNotLocked, resetWrongPasswords, recordWrongPassword } from "../api-users/account-lockout.ts";
import { isPasswordCorrect } from "./password-hashing.ts";

type SignInInput = { login: string; password: string; stay?: boolean };

/**
 * Signs in with name or address and password.
 * @throws `invalid` for any wrong combination, `SignInRefusal` for accounts that are pending or suspended
 */
export async function signIn(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "origin" | "sealer">,
  { login, password, stay = false }: SignInInput,
  from: ClientInfo,
  sessionKind: SessionKind,
): Promise<SignInResult> {
  const owner = await findOwnerByLogin(app.database.db, login);
  if (owner) assertNotLocked(app, owner);
  const attempt = (await isBackedOff(app, owner, sessionKind))
    ? await countAttempts(app, owner?.id ?? null, login, from)
    : null;
  const fits = await isPasswordCorrect(password.slice(0, 1_000), owner?.passwordHash ?? null);
  // The statement runs for an unknown account too, so that the work is the same for every input.
  if (!fits) await recordWrongPassword(app, owner?.id ?? UNKNOWN_PERSON);
  if (!owner || !fits) throw wrongCredentials();
  await attempt?.giveBack();
  await resetWrongPasswords(app, owner);
  return continueSignIn(app, owner, { stay, from, sessionKind });
}

/**
 * Whether a sign-in has pauses after failures. The settings can exempt API sign-ins of members, never those
 * of staff.
 */
const isBackedOff = async (
  app: Pick<AccountsContext, "settings">,
  owner: OwnerWithPassword | undefined,
  sessionKind: SessionKind,
): Promise<boolean> =>
  sessionKind !== "api" || (owner?.role ?? "member") !== "member" || (await app.settings.get()).signInBackoff;

const UNKNOWN_PERSON = "00000000-0000-0000-0000-000000000000";
const unknownLoginKey = (login: string) =>
  `nobody:${hashSecret(login.trim().toLowerCase()).toString("base64url")}`;

const wrongCredentials = () =>
  new Refusal("invalid", "Wrong username or password. Check both.", {
    fields: { password: "Wrong username or password." },
    kind: "wrong-login",
  });

type OwnerWithPassword = AccountOwner & {
  role: "member" | "moderator" | "admin";
  passwordHash: string | null;
  wrongPasswords: number;
  lockedUntil: Date | null;
};

const findOwnerByLogin = (db: Db, login: string) => {
  const name = toStorableText(login).trim().toLowerCase().slice(0, 400);
  const column = name.includes("@") ? sql`lower(email) = ${name}` : sql`username = ${name}`;
  return maybeOne(
    db,
    sql<OwnerWithPassword>`
    select ${accountOwnerColumns}, site_role as role, password_hash as "passwordHash",
      wrong_passwords as "wrongPasswords", locked_until as "lockedUntil" from people
      where ${column} and state not in ('erased', 'ghost', 'guest', 'bot')`,
  );
};

/**
 * Counts an attempt against every limit on guessing, before the result is known; `giveBack` refunds it after
 * a success.
 *
 * - One account from one network: growing pauses (`back-off.ts`). A known browser has its own count, so that
 * others cannot delay it.
 * - All accounts from one network: a number per minute and hour, which stops trying one password on all
 * members. It counts accounts, not attempts: six typos of one person delay no one else at the address.
 * - One account from all networks: known devices have attempts of their own.
 *
 * Unknown accounts are counted and looked up the same way. Email links are not limited by this.
 */
async function countAttempts(
  app: Pick<AccountsContext, "database" | "limits" | "now">,
  ownerId: string | null,
  login: string,
  from: ClientInfo,
) {
  const { database, limits } = app;
  const account = ownerId ?? unknownLoginKey(login);
  const network = clientNetwork(from.address);
  const knowsBoth = [
    isKnownDevice(database.db, ownerId ?? UNKNOWN_PERSON, from),
    isKnownBrowser(database.db, ownerId ?? UNKNOWN_PERSON, from),
  ] as const;
  const [isKnown, isOwnBrowser] = await Promise.all(knowsBoth);
  const pair = isOwnBrowser ? `${account}|${from.deviceSecret}` : `${account}|${network}`;
  const taken: (() => Promise<unknown>)[] = [];
  if (!from.trusted) {
    const failures = await beginSignInAttempt(database.db, app.now(), pair);
    taken.push(() => clearFailedAttempts(database.db, pair));
    if (failures === 1 && !isOwnBrowser) taken.push(await countAccountOfNetwork(app, network, taken[0]!));
  }
  const counter = isKnown ? `${account}|${network}` : account;
  await limits.take("sign-in-account", ACCOUNT_LIMITS.signInAccount, counter);
  taken.push(() => limits.take("sign-in-account", ACCOUNT_LIMITS.signInAccount, counter, -1));
  return { giveBack: () => Promise.all(taken.map((giveBack) => giveBack())) };
}

/**
 * Counts one more account for a network. A refused account does not count as an attempt. Returns the refund
 * function.
 */
async function countAccountOfNetwork(
  { limits }: Pick<AccountsContext, "limits">,
  network: string,
  untry: () => Promise<unknown>,
) {
  try {
    // The limit per minute is taken first: an account that it refuses must not count toward the hour.
    await limits.take("sign-in-minute", ACCOUNT_LIMITS.signInMinute, network);
    await limits.take("sign-in-hour", ACCOUNT_LIMITS.signInHour, network);
  } catch (refusal) {
    await untry();
    throw refusal;
  }
  return () =>
    Promise.all([
      limits.take("sign-in-hour", ACCOUNT_LIMITS.signInHour, network, -1),
      limits.take("sign-in-minute", ACCOUNT_LIMITS.signInMinute, network, -1),
    ]);
}

/**
 * Asks for the password again before something critical.
 * @throws `invalid` on `field`
 */
export async function assertPassword(
  app: Pick<AccountsContext, "database" | "limits">,
  personId: string,
  password: string,
  field: string,
): Promise<void> {
  await app.limits.take("own-password", ACCOUNT_LIMITS.ownPassword, personId);
  const row = await maybeOne(
    app.database.db,
    sql<{ hash: string | null }>`select password_hash as hash from people where id = ${personId}`,
  );
  if (!row?.hash)
    throw invalid(
      field,
      "You have no password yet. Request a link to set one, on the page for forgotten passwords.",
    );
  if (!(await isPasswordCorrect(password.slice(0, 1_000), row.hash)))
    throw invalid(field, "This is not your password.");
}

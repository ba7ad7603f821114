import { type Db, maybeOne, sql } from "#platform/database";
import { hashOf } from "#platform/ids";
import { invalid, Refusal } from "#platform/refusal";
import { storable } from "#community/common";
import { ALLOWANCES, placeOf } from "./allowances.ts";
import { beginTry, forgiveTry } from "./back-off.ts";
import { knowsBrowser, knowsDevice } from "./devices.ts";
import type { Door, From, SignIn } from "./door.ts";
import type { House } from "./house.ts";
import { enter, type Owner, ownerColumns, type Way } from "./enter.ts";
import { assertUnlocked, noteRight, noteWrong } from "./programs/locks.ts";
import { passwordFits } from "./passwords.ts";

type Input = { login: string; password: string; stay?: boolean };

export async function signIn(house: House, { login, password, stay = false }: Input, from: From, door: Door): Promise<SignIn> {
  const owner = await ownerOf(house.database.db, login);
  const { signInBackoff } = await house.settings.get();
  const slowed = signInBackoff || door !== "wire";
  if (!slowed && (owner?.role ?? "member") === "member") return signInAtOnce(house, owner, password, { stay, from, door });
  if (owner) assertUnlocked(house, owner);
  const tries = await takeTries(house, owner?.id ?? null, login, from);
  const fits = await passwordFits(password.slice(0, 1_000), owner?.passwordHash ?? null);
  if (owner && !fits) await noteWrong(house, owner.id);
  if (!owner || !fits) throw doesNotFit();
  await tries.giveBack();
  await noteRight(house, owner);
  return enter(house, owner, { stay, from, door });
}

/** Signs a member in where wrong passwords cause no pauses. They still count towards locking the account. */
async function signInAtOnce(house: House, owner: WithPassword | undefined, password: string, way: Way): Promise<SignIn> {
  if (owner) assertUnlocked(house, owner);
  const fits = await passwordFits(password.slice(0, 1_000), owner?.passwordHash ?? null);
  if (owner && !fits) await noteWrong(house, owner.id);
  if (!owner || !fits) throw doesNotFit();
  await noteRight(house, owner);
  return enter(house, owner, way);
}

const NOBODY = "00000000-0000-0000-0000-000000000000";
const nobody = (login: string) => `nobody:${hashOf(login.trim().toLowerCase()).toString("base64url")}`;

const doesNotFit = () =>
  new Refusal("invalid", "That does not fit together. Please check your name and your password.", {
    fields: { password: "That does not fit together." },
    kind: "wrong-login",
  });

type WithPassword = Owner & {
  role: "member" | "moderator" | "admin";
  passwordHash: string | null;
  wrongPasswords: number;
  lockedUntil: Date | null;
};

const ownerOf = (db: Db, login: string) => {
  const name = storable(login).trim().toLowerCase().slice(0, 400);
  const column = name.includes("@") ? sql`lower(email) = ${name}` : sql`username = ${name}`;
  return maybeOne(
    db,
    sql<WithPassword>`
    select ${ownerColumns}, site_role as role, password_hash as "passwordHash", wrong_passwords as "wrongPasswords", locked_until as "lockedUntil" from people where ${column} and state not in ('erased', 'ghost', 'guest')`,
  );
};

/**
 * Counts an attempt against every limit on guessing, before the result is known; `giveBack` refunds it after
 * a success.
 *
 * - One account from one network: growing pauses (`back-off.ts`). A known browser has its own, so that others
 * cannot delay it.
 * - All accounts from one network: a number per minute and hour, which stops trying one password on all
 * members. It counts accounts, not attempts: six typos of one person delay no one else at the address.
 * - One account from everywhere: known devices have attempts of their own.
 *
 * Unknown accounts are counted and looked up the same way. Email links are not limited by this.
 */
async function takeTries(house: House, ownerId: string | null, login: string, from: From) {
  const { database, limits } = house;
  const account = ownerId ?? nobody(login);
  const place = placeOf(from.address);
  const knowsBoth = [knowsDevice(database.db, ownerId ?? NOBODY, from), knowsBrowser(database.db, ownerId ?? NOBODY, from)] as const;
  const [isKnown, isOwnBrowser] = await Promise.all(knowsBoth);
  const pair = isOwnBrowser ? `${account}|${from.deviceSecret}` : `${account}|${place}`;
  const taken: (() => Promise<unknown>)[] = [];
  if (!from.trusted) {
    const failures = await beginTry(database.db, house.now(), pair);
    taken.push(() => forgiveTry(database.db, pair));
    if (failures === 1 && !isOwnBrowser) taken.push(await takePlace(house, place, taken[0]!));
  }
  const counter = isKnown ? `${account}|${place}` : account;
  await limits.take("sign-in-account", ALLOWANCES.signInAccount, counter);
  taken.push(() => limits.take("sign-in-account", ALLOWANCES.signInAccount, counter, -1));
  return { giveBack: () => Promise.all(taken.map((giveBack) => giveBack())) };
}

/**
 * Counts one more account for a network; a refused one does not count as an attempt. Returns the refund
 * function.
 */
async function takePlace({ limits }: House, place: string, untry: () => Promise<unknown>) {
  try {
    await limits.take("sign-in-hour", ALLOWANCES.signInHour, place);
    await limits.take("sign-in-minute", ALLOWANCES.signInMinute, place);
  } catch (refusal) {
    await untry();
    throw refusal;
  }
  return () =>
    Promise.all([
      limits.take("sign-in-hour", ALLOWANCES.signInHour, place, -1),
      limits.take("sign-in-minute", ALLOWANCES.signInMinute, place, -1),
    ]);
}

/**
 * Asks for the password again before something critical.
 * @throws `invalid` on `field`
 */
export async function provePassword(house: House, personId: string, password: string, field: string): Promise<void> {
  await house.limits.take("own-password", ALLOWANCES.ownPassword, personId);
  const row = await maybeOne(
    house.database.db,
    sql<{ hash: string | null }>`select password_hash as hash from people where id = ${personId}`,
  );
  if (!row?.hash) throw invalid(field, "You have no password yet. Ask for a link to set one, on the page for forgotten passwords.");
  if (!(await passwordFits(password.slice(0, 1_000), row.hash))) throw invalid(field, "That is not your password.");
}

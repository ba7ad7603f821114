import { type Db, maybeOne, sql } from "#platform/database";
import { hashOf } from "#platform/ids";
import { invalid, Refusal } from "#platform/refusal";
import { storable } from "#community/common";
import { ALLOWANCES, placeOf } from "./allowances.ts";
import { knowsDevice } from "./devices.ts";
import type { Door, From, SignIn } from "./door.ts";
import type { House } from "./house.ts";
import { enter, type Owner, ownerColumns } from "./enter.ts";
import { assertUnlocked, noteRight, noteWrong } from "./programs/locks.ts";
import { passwordFits } from "./passwords.ts";

type Input = { login: string; password: string; stay?: boolean };

export async function signIn(house: House, { login, password, stay = false }: Input, from: From, door: Door): Promise<SignIn> {
  const place = placeOf(from.address);
  if (!from.trusted) await takeTry(house, place);
  const owner = await ownerOf(house.database.db, login);
  // Asked for nobody too: the answer takes as long as for somebody.
  const known = await knowsDevice(house.database.db, owner?.id ?? NOBODY, from);
  if (owner) assertUnlocked(house, owner);
  const tries = await triesOf(house, { account: owner?.id ?? nobody(login), place, known, patient: !from.trusted });
  const fits = await passwordFits(password.slice(0, 1_000), owner?.passwordHash ?? null);
  if (owner && !fits) await noteWrong(house, owner.id);
  if (!owner || !fits) throw doesNotFit();
  await tries.forgive();
  if (!from.trusted) await giveTryBack(house, place);
  await noteRight(house, owner);
  return enter(house, owner, { stay, from, door });
}

const NOBODY = "00000000-0000-0000-0000-000000000000";
const nobody = (login: string) => `nobody:${hashOf(login.trim().toLowerCase()).toString("base64url")}`;

const doesNotFit = () =>
  new Refusal("invalid", "That does not fit together. Please check your name and your password.", {
    fields: { password: "That does not fit together." },
    kind: "wrong-login",
  });

type WithPassword = Owner & { passwordHash: string | null; wrongPasswords: number; lockedUntil: Date | null };

const ownerOf = (db: Db, login: string) => {
  const name = storable(login).trim().toLowerCase().slice(0, 400);
  const column = name.includes("@") ? sql`lower(email) = ${name}` : sql`username = ${name}`;
  return maybeOne(
    db,
    sql<WithPassword>`
    select ${ownerColumns}, password_hash as "passwordHash", wrong_passwords as "wrongPasswords", locked_until as "lockedUntil" from people where ${column} and state not in ('erased', 'ghost', 'guest')`,
  );
};

/** Each place has so many failed tries. Taken before the answer is known, given back when it was right. */
async function takeTry({ limits }: House, place: string) {
  await limits.take("sign-in-hour", ALLOWANCES.signInHour, place);
  await limits.take("sign-in-minute", ALLOWANCES.signInMinute, place);
}

async function giveTryBack({ limits }: House, place: string) {
  await limits.take("sign-in-hour", ALLOWANCES.signInHour, place, -1);
  await limits.take("sign-in-minute", ALLOWANCES.signInMinute, place, -1);
}

type Trying = { account: string; place: string; known: boolean; patient: boolean };

/**
 * What an account allows: tries of all the world together, and the patience of one place. A device that has signed
 * the person in before has tries of its own, so that strangers cannot use up the owner's. An account that does not
 * exist is counted in the same way.
 */
async function triesOf({ limits, patience }: House, { account, place, known, patient }: Trying) {
  const key = known ? `${account}|${place}` : account;
  if (patient) patience.begin(`${account}|${place}`);
  await limits.take("sign-in-account", ALLOWANCES.signInAccount, key);
  return {
    forgive: async () => {
      patience.forgive(`${account}|${place}`);
      await limits.take("sign-in-account", ALLOWANCES.signInAccount, key, -1);
    },
  };
}

/** Asks for the password again before something that matters. Throws `invalid` on `field`. */
export async function provePassword(house: House, personId: string, password: string, field: string): Promise<void> {
  await house.limits.take("own-password", ALLOWANCES.ownPassword, personId);
  const row = await maybeOne(
    house.database.db,
    sql<{ hash: string | null }>`select password_hash as hash from people where id = ${personId}`,
  );
  if (!row?.hash) throw invalid(field, "You have no password yet. Ask for a link to set one, on the page for forgotten passwords.");
  if (!(await passwordFits(password.slice(0, 1_000), row.hash))) throw invalid(field, "That is not your password.");
}

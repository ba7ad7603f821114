import { DAY, later, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { House } from "../house.ts";

/** Until someone unlocks it. */
const FOREVER = 36_500 * DAY;

type Lockable = { id: string; wrongPasswords: number; lockedUntil: Date | null };

/** An account locked by wrong passwords refuses even the right one. */
export function assertUnlocked(house: House, { lockedUntil }: Lockable): void {
  if (lockedUntil === null || lockedUntil <= house.now()) return;
  throw new Refusal("not-allowed", "This account is locked: there were too many wrong passwords. Please try again later.", {
    kind: "account-locked",
  });
}

/** Counts a wrong password, where the settings lock accounts after some. */
export async function noteWrong(house: House, personId: string): Promise<void> {
  const { wrongPasswordsLock: most, lockMinutes } = await house.settings.get();
  if (most === 0) return;
  const until = later(house.now(), lockMinutes === 0 ? FOREVER : lockMinutes * MINUTE);
  await run(
    house.database.db,
    sql`
    update people set wrong_passwords = case when wrong_passwords + 1 >= ${most} then 0 else wrong_passwords + 1 end,
      locked_until = case when wrong_passwords + 1 >= ${most} then ${until}::timestamptz else locked_until end
    where id = ${personId}`,
  );
}

/** A right password resets the count. */
export async function noteRight(house: House, { id, wrongPasswords, lockedUntil }: Lockable): Promise<void> {
  if (wrongPasswords > 0 || lockedUntil !== null)
    await run(house.database.db, sql`update people set wrong_passwords = 0, locked_until = null where id = ${id}`);
}

import { DAY, addMilliseconds, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { AccountsContext, SessionsContext } from "../accounts-context.ts";

/** Lock duration when `lockMinutes` is 0: in effect, until someone unlocks the account. */
const INDEFINITELY = 36_500 * DAY;

type LockableAccount = { id: string; wrongPasswords: number; lockedUntil: Date | null };

/** Refuses an account that is locked after too many wrong passwords, even with the right password. */
export function assertNotLocked(app: Pick<AccountsContext, "now">, { lockedUntil }: LockableAccount): void {
  if (lockedUntil === null || lockedUntil <= app.now()) return;
  throw new Refusal(
    "not-allowed",
    "This account is locked after too many wrong passwords. Try again later.",
    {
      kind: "account-locked",
    },
  );
}

/** Counts a wrong password. Locks the account at the number in the settings; 0 disables locking. */
export async function recordWrongPassword(app: SessionsContext, personId: string): Promise<void> {
  const { wrongPasswordsLock: most, lockMinutes } = await app.settings.get();
  if (most === 0) return;
  const until = addMilliseconds(app.now(), lockMinutes === 0 ? INDEFINITELY : lockMinutes * MINUTE);
  await run(
    app.database.db,
    sql`
    update people set wrong_passwords = case when wrong_passwords + 1 >= ${most} then 0
      else wrong_passwords + 1 end,
      locked_until = case when wrong_passwords + 1 >= ${most} then ${until}::timestamptz else locked_until end
    where id = ${personId}`,
  );
}

/** Resets the count of wrong passwords and unlocks the account, after a right password. */
export async function resetWrongPasswords(
  app: Pick<AccountsContext, "database">,
  { id, wrongPasswords, lockedUntil }: LockableAccount,
): Promise<void> {
  if (wrongPasswords > 0 || lockedUntil !== null)
    await run(
      app.database.db,
      sql`update people set wrong_passwords = 0, locked_until = null where id = ${id}`,
    );
}

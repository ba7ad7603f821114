import { DAY, addMilliseconds, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { AccountsContext, SessionsContext } from "../accounts-context.ts";

/** Until someone unlocks it. */
const INDEFINITELY = 36_500 * DAY;

type LockableAccount = { id: string; wrongPasswords: number; lockedUntil: Date | null };

/** An account locked by wrong passwords refuses even the right one. */
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

/** Counts a wrong password, where the settings lock accounts after some. */
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

/** A right password resets the count. */
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

import { HOUR, later, SECOND } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashOf } from "#platform/ids";
import { tooMany } from "#platform/limits";

/** How long failures are remembered. */
const REMEMBERED = HOUR;

type Failures = { failures: number; lastAt: Date };

/**
 * Counts a try to sign in as failed until `forgiveTry` is called, so that a hundred tries at the same moment
 * do not all slip through, and returns how many there were within an hour. The first two come without a
 * pause; then each wants ten seconds after the one before, and twenty after six. Throws `too-many` with the
 * seconds to wait for a try that comes too early, which does not count.
 */
export async function beginTry(db: Db, now: Date, key: string): Promise<number> {
  const keyHash = hashOf(key);
  const isOld = sql`f.last_at <= ${later(now, -REMEMBERED)}`;
  const counted = await maybeOne(
    db,
    sql<Failures>`
    insert into sign_in_failures as f (key_hash, failures, last_at) values (${keyHash}, 1, ${now})
    on conflict (key_hash) do update set failures = case when ${isOld} then 1 else f.failures + 1 end, last_at = excluded.last_at
    where ${isOld} or f.last_at + make_interval(secs => case when f.failures < 2 then 0 when f.failures < 6 then 10 else 20 end) <= ${now}
    returning failures, last_at as "lastAt"`,
  );
  if (counted) return counted.failures;
  const known = await maybeOne(db, sql<Failures>`select failures, last_at as "lastAt" from sign_in_failures where key_hash = ${keyHash}`);
  throw tooMany(known ? Math.ceil((known.lastAt.getTime() + pauseAfter(known.failures) - now.getTime()) / SECOND) : 1);
}

const pauseAfter = (failures: number) => (failures < 2 ? 0 : failures < 6 ? 10 * SECOND : 20 * SECOND);

/** The try went well: nothing is held against this key any more. */
export const forgiveTry = (db: Db, key: string): Promise<number> =>
  run(db, sql`delete from sign_in_failures where key_hash = ${hashOf(key)}`);

/** Removes what is no longer remembered, for the clock. */
export const purgeSignInFailures = (tx: Tx): Promise<number> =>
  run(tx, sql`delete from sign_in_failures where last_at < ${later(tx.now, -REMEMBERED)}`);

import { HOUR, later, SECOND } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashOf } from "#platform/ids";
import { tooMany } from "#platform/limits";

const REMEMBERED = HOUR;

type Failures = { failures: number; lastAt: Date };

/**
 * Counts a sign-in attempt as failed until it is forgiven, so that concurrent attempts do not all pass;
 * returns the attempts within an hour. The first two have no pause; later ones need ten seconds after the
 * previous one, and twenty after six.
 * @throws `too-many` with the seconds to wait for an early attempt, which does not count
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

/** Clears the failures of a key after a success. */
export const forgiveTry = (db: Db, key: string): Promise<number> =>
  run(db, sql`delete from sign_in_failures where key_hash = ${hashOf(key)}`);

/** Deletes old failures, for jobs. */
export const purgeSignInFailures = (tx: Tx): Promise<number> =>
  run(tx, sql`delete from sign_in_failures where last_at < ${later(tx.now, -REMEMBERED)}`);

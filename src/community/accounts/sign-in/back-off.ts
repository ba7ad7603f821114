import { HOUR, addMilliseconds } from "#platform/clock";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { tooManyRequests } from "#platform/limits";

const FAILURE_LIFETIME = HOUR;

/** Pause before the next attempt, by the number of failures `f`. */
const pause = sql`make_interval(secs => case when f.failures < 2 then 0 when f.failures < 6 then 10 else 20
  end)`;

/**
 * Counts a sign-in attempt as failed until `clearFailedAttempts` clears it, so that concurrent attempts do
 * not all pass; returns the number of attempts within an hour. The first two have no pause; a later one must
 * come ten seconds after the previous one, and twenty after six attempts.
 * @throws `too-many` with the seconds to wait for an early attempt, which does not count
 */
export async function beginSignInAttempt(db: Db, now: Date, key: string): Promise<number> {
  const keyHash = hashSecret(key);
  const isOld = sql`f.last_at <= ${addMilliseconds(now, -FAILURE_LIFETIME)}`;
  const counted = await maybeOne(
    db,
    sql<{ failures: number }>`
    insert into sign_in_failures as f (key_hash, failures, last_at) values (${keyHash}, 1, ${now})
    on conflict (key_hash) do update set failures = case when ${isOld} then 1 else f.failures + 1
      end, last_at = excluded.last_at
    where ${isOld} or f.last_at + ${pause} <= ${now}
    returning failures`,
  );
  if (counted) return counted.failures;
  const wait = await maybeOne(
    db,
    sql<{ seconds: number }>`
    select ceil(extract(epoch from f.last_at + ${pause} - ${now}::timestamptz))::int as seconds
    from sign_in_failures f where key_hash = ${keyHash}`,
  );
  throw tooManyRequests(wait?.seconds ?? 1);
}

/** Clears the failures of a key after a success. */
export const clearFailedAttempts = (db: Db, key: string): Promise<number> =>
  run(db, sql`delete from sign_in_failures where key_hash = ${hashSecret(key)}`);

/** Deletes old failures, for jobs. */
export const purgeSignInFailures = (tx: Tx): Promise<number> =>
  run(tx, sql`delete from sign_in_failures where last_at < ${addMilliseconds(tx.now, -FAILURE_LIFETIME)}`);

import { MINUTE, SECOND } from "#platform/clock";
import { type Db, isUnavailable, many, run, sql } from "#platform/database";
import type { Log } from "#platform/log";

/** Milliseconds between heartbeats of a worker. */
const HEARTBEAT_INTERVAL = 30 * SECOND;
/** Seconds without a heartbeat, seen in two consecutive checks, after which a worker counts as dead. */
const DEAD_AFTER = (3 * MINUTE) / SECOND;

/**
 * Records heartbeats of the named workers. Releases the jobs of workers that are silent now and were silent
 * (`silent`) at the last check; one check is not enough, because after a database outage all workers are
 * silent. Returns the workers that are silent now.
 */
export async function recordHeartbeat(
  db: Db,
  here: readonly string[],
  silent: readonly string[],
): Promise<string[]> {
  await run(
    db,
    sql`with left_long_ago as (delete from worker_heartbeats
      where seen_at < now() - interval '1 day' and id <> all(${here}))
        insert into worker_heartbeats (id, seen_at) select id, now() from unnest(${here}::text[]) id
        on conflict (id) do update set seen_at = excluded.seen_at`,
  );
  const found = await many(
    db,
    sql<{ id: string }>`select distinct j.locked_by as id from graphile_worker.jobs j
      where j.locked_at < ${recently}
        and not exists (select from worker_heartbeats w
          where w.id = j.locked_by and w.seen_at >= ${recently})`,
  );
  const ids = found.map(({ id }) => id);
  const dead = ids.filter((id) => silent.includes(id));
  if (dead.length > 0) await run(db, sql`select graphile_worker.force_unlock_workers(${dead})`);
  return ids;
}

const recently = sql`now() - ${DEAD_AFTER} * interval '1 second'`;

/**
 * Records heartbeats regularly for the workers that are in `here` at that time. Returns the stop function.
 */
export function startHeartbeat(db: Db, here: ReadonlySet<string>, log: Log): () => Promise<void> {
  let silent: string[] = [];
  const call = async () => {
    try {
      const before = silent;
      silent = await recordHeartbeat(db, [...here], before);
      const dead = silent.filter((id) => before.includes(id));
      if (dead.length > 0) log.warn({ workers: dead }, "jobs of a stopped process are retried");
    } catch (err) {
      // An outage recovers automatically, and the next heartbeat replaces this one.
      if (!isUnavailable(err)) log.error({ err }, "active workers could not be read");
    }
  };
  let calling = call();
  const timer = setInterval(() => (calling = calling.then(call)), HEARTBEAT_INTERVAL).unref();
  return async () => {
    clearInterval(timer);
    await calling;
  };
}

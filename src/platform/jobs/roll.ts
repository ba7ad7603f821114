import { MINUTE, SECOND } from "#platform/clock";
import { type Db, isUnavailable, many, run, sql } from "#platform/database";
import type { Log } from "#platform/log";

/** So often whoever works through jobs says so, in milliseconds. */
const EVERY = 30 * SECOND;
/** Of whom nothing was heard for so long, in seconds, and at two looks in a row, is dead. */
const SILENCE = (3 * MINUTE) / SECOND;

/**
 * Says that the workers of these names are at work, and gives back, for others to take up, what those have begun who are silent now and
 * were at the last look (`silent`): a database that was away for a while has heard of nobody, and so one more look is waited for. Returns
 * who is silent now.
 */
export async function callRoll(db: Db, here: readonly string[], silent: readonly string[]): Promise<string[]> {
  await run(
    db,
    sql`with left_long_ago as (delete from workers where seen_at < now() - interval '1 day' and id <> all(${here}))
        insert into workers (id, seen_at) select id, now() from unnest(${here}::text[]) id
        on conflict (id) do update set seen_at = excluded.seen_at`,
  );
  const found = await many(
    db,
    sql<{ id: string }>`select distinct j.locked_by as id from graphile_worker.jobs j
      where j.locked_at < ${lately} and not exists (select from workers w where w.id = j.locked_by and w.seen_at >= ${lately})`,
  );
  const ids = found.map(({ id }) => id);
  const dead = ids.filter((id) => silent.includes(id));
  if (dead.length > 0) await run(db, sql`select graphile_worker.force_unlock_workers(${dead})`);
  return ids;
}

const lately = sql`now() - ${SILENCE} * interval '1 second'`;

/** Calls the roll again and again, for the workers that `here` names at that moment. Returns how to end it. */
export function keepRoll(db: Db, here: ReadonlySet<string>, log: Log): () => Promise<void> {
  let silent: string[] = [];
  const call = async () => {
    try {
      const before = silent;
      silent = await callRoll(db, [...here], before);
      const dead = silent.filter((id) => before.includes(id));
      if (dead.length > 0) log.warn({ workers: dead }, "what a process had begun that died is taken up again");
    } catch (err) {
      // It comes back by itself, and the next look says all that this one would have said.
      if (!isUnavailable(err)) log.error({ err }, "could not see who works through jobs");
    }
  };
  let calling = call();
  const timer = setInterval(() => (calling = calling.then(call)), EVERY).unref();
  return async () => {
    clearInterval(timer);
    await calling;
  };
}

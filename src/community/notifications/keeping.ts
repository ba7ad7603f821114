import { DAY, later } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";

/** How long a notification is kept, and how many of one person at most. */
const KEPT = 365 * DAY;
const MOST = 10_000;
/** Rows that one run lets go of at most. */
const SHARE = 5_000;

/** For the clock: lets go of what is older than a year, and of what somebody has beyond ten thousand. Returns how many. */
export async function purgeNotifications(tx: Tx): Promise<number> {
  const old = await run(
    tx,
    sql`delete from notifications where id in (
          select id from notifications where updated_at < ${later(tx.now, -KEPT)} order by updated_at ${limit(SHARE)})`,
  );
  const beyond = await run(
    tx,
    sql`delete from notifications where id in (
          select n.id from (select person_id from notifications group by person_id having count(*) > ${MOST}) hoarder
          cross join lateral (
            select id from notifications where person_id = hoarder.person_id order by updated_at desc, id desc offset ${MOST}) n
          ${limit(SHARE)})`,
  );
  return old + beyond;
}

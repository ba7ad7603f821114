import { DAY, later } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";

/** Retention of a notification, and the maximum per person. */
const KEPT = 365 * DAY;
const MOST = 10_000;
/** Rows deleted per run at most. */
const SHARE = 5_000;

/**
 * Scheduled job: deletes notifications older than a year and those beyond ten thousand per person. Returns
 * the number.
 */
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

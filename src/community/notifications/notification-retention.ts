import { DAY, addMilliseconds } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";

/** Time after which a notification is deleted. */
const RETENTION = 365 * DAY;
/** Maximum number of notifications per person. */
const MAX_PER_PERSON = 10_000;
/** Maximum number of rows deleted per run. */
const ROWS_PER_RUN = 5_000;

/**
 * Scheduled job: deletes notifications older than a year and those beyond ten thousand per person. Returns
 * the number.
 */
export async function deleteOldNotifications(tx: Tx): Promise<number> {
  const old = await run(
    tx,
    sql`delete from notifications where id in (
          select id from notifications where updated_at < ${addMilliseconds(tx.now, -RETENTION)}
          order by updated_at ${limit(ROWS_PER_RUN)})`,
  );
  const beyond = await run(
    tx,
    sql`delete from notifications where id in (
          select n.id from (select person_id from notifications group by person_id
            having count(*) > ${MAX_PER_PERSON}) hoarder
          cross join lateral (
            select id from notifications where person_id = hoarder.person_id order by updated_at desc, id desc
              offset ${MAX_PER_PERSON}) n
          ${limit(ROWS_PER_RUN)})`,
  );
  return old + beyond;
}

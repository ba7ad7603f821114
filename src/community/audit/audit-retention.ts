import { DAY, addMilliseconds } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";

/**
 * Retention of audit entries: two years (product rules, 4.8). The pages with these entries state this
 * period.
 */
const RETENTION_DAYS = 730;
/** Maximum number of rows per transaction, so that each transaction is short. */
const BATCH_SIZE = 1_000;

/** For jobs: deletes entries after the retention period. Returns how many. */
export const purgeAuditEvents = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from audit_events where id in (
      select id from audit_events where at < ${addMilliseconds(tx.now, -RETENTION_DAYS * DAY)}
      order by at, id ${limit(BATCH_SIZE)} for update skip locked)`,
  );

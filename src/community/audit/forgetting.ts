import { DAY, later } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";

/** Retention of audit entries: two years (product rules, 4.8). The pages that show them say so. */
const KEPT_DAYS = 730;
/** Rows per transaction, which bounds its duration. */
const SHARE = 1_000;

/** For jobs: deletes entries after the retention period. Returns how many. */
export const forgetActs = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from audit_events where id in (
      select id from audit_events where at < ${later(tx.now, -KEPT_DAYS * DAY)} order by at, id ${limit(SHARE)} for update skip locked)`,
  );

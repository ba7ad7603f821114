import { DAY, later } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";

/** How long it stands written down who did what: two years (product rules, 4.8). Pages that show it say so. */
const KEPT_DAYS = 730;
/** So many go at once, so that no transaction grows without bounds. */
const SHARE = 1_000;

/** What was done two years ago; for jobs. Returns how many went. */
export const forgetActs = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from audit_events where id in (
      select id from audit_events where at < ${later(tx.now, -KEPT_DAYS * DAY)} order by at, id ${limit(SHARE)} for update skip locked)`,
  );

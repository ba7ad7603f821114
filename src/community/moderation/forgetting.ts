import { DAY, later } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";
import { LIMITS } from "#community/rules";

/** How long it stands written down who did what (product rules, 4.8). */
const INSPECTION_DAYS = 730;
/** So many at a time: what a housekeeping does in one go has its bounds. */
const SHARE = 300;

/**
 * Of reports that ended a year ago the words go, and what stood around them; whose they were stays, so that nobody comes to read about
 * themselves. After two years the report goes, too. For jobs; returns how many lost something.
 */
export async function forgetReports(tx: Tx): Promise<number> {
  const { evidenceDays, keptDays } = LIMITS.reports;
  const over = (days: number) => sql`r.resolved_at < ${later(tx.now, -days * DAY)}`;
  const gone = await run(
    tx,
    sql`delete from reports where id in (
          select r.id from reports r where ${over(keptDays)} order by r.resolved_at ${limit(SHARE)} for update skip locked)`,
  );
  const emptied = await run(
    tx,
    sql`with old as (
          select r.id from reports r where ${over(evidenceDays)} and exists (select from reported_messages m where m.report_id = r.id and m.body_html <> '')
          order by r.resolved_at ${limit(SHARE)} for update skip locked),
        around as (delete from reported_messages m using old where m.report_id = old.id and not m.chosen)
        update reported_messages m set body_html = '' from old where m.report_id = old.id and m.chosen`,
  );
  return gone + emptied;
}

/** What was asked of a sanction that has come to its end by itself concerns nobody any more. For jobs; returns how many went. */
export const forgetAppeals = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from reports r using people p
        where r.resolved_at is null and r.appeal and p.id = r.person_id and r.reporter_id = p.id and p.state = 'active'`,
  );

/** Who looked into a group two years ago; for jobs. Returns how many went. */
export const forgetInspections = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from inspections where id in (
          select id from inspections where ends_at < ${later(tx.now, -INSPECTION_DAYS * DAY)} order by ends_at ${limit(SHARE)} for update skip locked)`,
  );

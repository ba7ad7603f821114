import { DAY, addMilliseconds } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";
import { SERVER_LIMITS } from "#community/rules";
import { undoableSince } from "./cases/find-case.ts";

/** Days for which inspections are stored: the same as for audit entries (product rules, 4.8). */
const INSPECTION_DAYS = 730;
/** Maximum number of rows per run, so that housekeeping does not take long. */
const ROWS_PER_RUN = 300;

/**
 * Removes texts and context of reports a year after their resolution, and the reports themselves after two
 * years. Authors stay recorded until then, so that no one gets to read reports about themselves. Called by a
 * job; returns the number of changed rows.
 */
export async function purgeReports(tx: Tx): Promise<number> {
  const { evidenceDays, keptDays } = SERVER_LIMITS.reports;
  const over = (days: number) => sql`r.resolved_at < ${addMilliseconds(tx.now, -days * DAY)}`;
  const gone = await run(
    tx,
    sql`delete from reports where id in (
          select r.id from reports r where ${over(keptDays)} order by r.resolved_at ${limit(ROWS_PER_RUN)}
          for update skip locked)`,
  );
  const emptied = await run(
    tx,
    sql`with old as (
          select r.id from reports r
          where ${over(evidenceDays)}
            and exists (select from reported_messages m where m.report_id = r.id and m.body_html <> '')
          order by r.resolved_at ${limit(ROWS_PER_RUN)} for update skip locked),
        around as (delete from reported_messages m using old where m.report_id = old.id and not m.chosen)
        update reported_messages m set body_html = '' from old where m.report_id = old.id and m.chosen`,
  );
  return gone + emptied;
}

/** Deletes appeals against sanctions that have expired. Called by a job; returns the number. */
export const purgeSanctionAppeals = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from reports r using people p
        where r.resolved_at is null and r.appeal and p.id = r.person_id and r.reporter_id = p.id
          and p.state = 'active'`,
  );

/** Deletes inspections older than two years. Called by a job; returns the number. */
export const purgeInspections = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from inspections where id in (
          select id from inspections where ends_at < ${addMilliseconds(tx.now, -INSPECTION_DAYS * DAY)}
          order by ends_at ${limit(ROWS_PER_RUN)} for update skip locked)`,
  );

/** Deletes what the undo of a decision needs once it can no longer be undone. Called by a job; returns the number. */
export const purgeUndoStates = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`update cases set state_before = null where id in (
          select id from cases where state_before is not null and resolved_at <= ${undoableSince(tx.now)}
          order by resolved_at ${limit(ROWS_PER_RUN)} for update skip locked)`,
  );

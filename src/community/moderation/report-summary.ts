import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { joinReportedContent } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { reportRules, type Viewer } from "#community/rules";
import { joinReportPlaces, reportColumns, type ReportRow } from "./list-reports.ts";

/**
 * A report as the list shows it, without the reported texts. Reading it is not logged.
 * @throws `not-found` for people who do not moderate its place, and for those involved
 */
export async function getReportSummary(db: Db, viewer: Viewer, reportId: string): Promise<ReportRow> {
  const me = requireSignedIn(viewer);
  const row = isId(reportId)
    ? await maybeOne(
        db,
        sql<ReportRow & { resolved: boolean }>`
          select ${reportColumns(me)}, r.resolved_at is not null as resolved
          from reports r ${joinReportPlaces(me)} where r.id = ${reportId}`,
      )
    : null;
  if (!row || !reportRules.read(me, row)) throw notFound();
  return row;
}

/** Id of the group in which something was reported; null for other reports. */
export const findReportGroup = async (db: Db, reportId: string): Promise<string | null> =>
  (
    await maybeOne(
      db,
      sql<{ id: string | null }>`
        select case when r.group_id is null then g.id end as id
        from reports r ${joinReportedContent}
        where r.id = ${reportId}`,
    )
  )?.id ?? null;

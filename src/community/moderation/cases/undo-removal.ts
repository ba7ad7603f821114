import { type Database, type Db, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { joinReportedContent, removerId, restoreReportedPost } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { restoreReportedResource } from "#community/resources";
import { SERVER_LIMITS, type Viewer } from "#community/rules";
import type { RemovalUndo, SpamRemoval } from "../report-forms.ts";
import { findCase, lockCase, undoableSince } from "./find-case.ts";

/**
 * Undoes the viewer's removal of reported content within an hour: restores what they removed, also that of
 * duplicates, and opens the case with its reports again. The authors read the reason.
 * @throws `not-found` as `viewCase`, `conflict` for other decisions, after an hour, and after an appeal; `gone`
 * if the text is no longer stored
 */
export async function undoRemoval(
  tx: Tx,
  viewer: Viewer,
  { caseId, reason }: z.output<typeof RemovalUndo>,
): Promise<void> {
  await lockCase(tx, caseId);
  const it = await findCase(tx, viewer, caseId);
  if (!it.canUndoRemoval) throw new Refusal("conflict", "This removal can no longer be undone.");
  const me = requireSignedIn(viewer);
  const reopened = await many(
    tx,
    sql<{ id: string; reporterId: string | null }>`
      update reports set resolved_at = null, resolved_by = null, outcome = null, note = '', answer = ''
      where case_id = ${it.caseId} and not appeal
        and resolved_at = (select resolved_at from cases where id = ${it.caseId})
      returning id, reporter_id as "reporterId"`,
  );
  const removed = await many(
    tx,
    sql<{ postId: string | null; resourceId: string | null }>`
      select distinct r.post_id as "postId", r.resource_id as "resourceId" from reports r ${joinReportedContent}
      where r.case_id = ${it.caseId} and r.resolved_at is null and ${removerId} = ${me.id}::uuid`,
  );
  for (const { postId, resourceId } of removed) {
    if (postId) await restoreReportedPost(tx, me, { postId, reason });
    else if (resourceId) await restoreReportedResource(tx, me, { resourceId, reason });
  }
  await run(
    tx,
    sql`update cases set state = case when assignee_id is null then 'open' else 'in_progress' end,
      action = null, rule = '', reason = '', resolved_at = null, resolved_by = null where id = ${it.caseId}`,
  );
  await writeAudit(tx, viewer, {
    act: "case.removal_undone",
    kind: "case",
    id: it.caseId,
    reason,
    details: { groupId: it.groupId, removedAt: it.resolvedAt!.toISOString() },
  });
  for (const { id, reporterId } of reopened)
    await emit(tx, { type: "report.reopened", reportId: id, personId: reporterId, by: me.id });
}

/**
 * Undoes several removals, one transaction per case: those that can no longer be undone stay.
 * @throws like `undoRemoval` if only one case is given
 */
export async function undoRemovals(
  database: Pick<Database, "inTransaction">,
  viewer: Viewer,
  { caseIds, reason }: z.output<typeof SpamRemoval>,
): Promise<void> {
  for (const caseId of new Set(caseIds))
    try {
      await database.inTransaction((tx) => undoRemoval(tx, viewer, { caseId, reason }));
    } catch (error) {
      if (!(error instanceof Refusal) || caseIds.length === 1) throw error;
    }
}

/** Lists those of the given cases whose removal the viewer can undo. */
export async function listUndoableRemovals(
  db: Db,
  viewer: Viewer,
  caseIds: string[],
  now: Date,
): Promise<string[]> {
  const rows = await many(
    db,
    sql<{ id: string }>`select id from cases
      where id = any(${caseIds.slice(0, SERVER_LIMITS.reports.bulk)}::uuid[]) and resolved_by = ${viewer.id}::uuid
        and action = 'removed' and not appeal
        and resolved_at > ${undoableSince(now)} order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Whether the moderator undid the removal of the audit event `e`. */
export const isRemovalUndone = sql<boolean>`exists (
  select from audit_events undo where undo.act = 'case.removal_undone' and undo.actor_id = e.actor_id
    and (undo.details->>'removedAt')::timestamptz = e.at)`;

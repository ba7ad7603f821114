import { type Database, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { joinReportedContent, removerId, restoreReportedPost } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { restoreReportedResource } from "#community/resources";
import type { SignedIn, Viewer } from "#community/rules";
import type { DecisionUndo, SpamRemoval } from "../report-forms.ts";
import { type Case, findCase, lockCase } from "./find-case.ts";
import { restoreStateBefore, type StateBefore } from "./state-before.ts";

/**
 * Undoes the viewer's decision on reports within an hour: restores what it removed, also that of duplicates,
 * reverses its measure, withdraws the notifications about it, and opens the case with its reports again. Authors
 * of restored content, and readers of the log and the discussion, read the reason.
 * @throws `not-found` as `viewCase`, `conflict` for other decisions, after an hour, after an appeal, and if
 * something has replaced the measure since; `gone` if the text is no longer stored
 */
export async function undoDecision(
  tx: Tx,
  viewer: Viewer,
  { caseId, reason }: z.output<typeof DecisionUndo>,
): Promise<void> {
  await lockCase(tx, caseId);
  const it = await findCase(tx, viewer, caseId);
  if (!it.canUndo) throw new Refusal("conflict", "This decision can no longer be undone.");
  const me = requireSignedIn(viewer);
  const decidedAt = it.resolvedAt!;
  const reopened = await reopenReports(tx, it);
  await restoreRemovedContent(tx, me, it, reason);
  const before = await readStoredState(tx, it);
  if (before) await restoreStateBefore(tx, me, it, before, { decidedAt, reason });
  await run(
    tx,
    sql`update cases set state = case when assignee_id is null then 'open' else 'in_progress' end,
      action = null, rule = '', reason = '', state_before = null, resolved_at = null, resolved_by = null
      where id = ${it.caseId}`,
  );
  await writeAudit(tx, viewer, {
    act: "case.decision_undone",
    kind: "case",
    id: it.caseId,
    reason,
    details: { groupId: it.groupId, action: it.action, decidedAt: decidedAt.toISOString() },
  });
  for (const { id, reporterId } of reopened)
    await emit(tx, { type: "report.reopened", reportId: id, personId: reporterId, by: me.id });
  await emit(tx, {
    type: "case.decision_undone",
    caseId: it.caseId,
    measure: it.action,
    decidedAt: decidedAt.toISOString(),
    by: me.id,
  });
}

/** Opens the reports of the decision again. */
const reopenReports = (tx: Tx, it: Case) =>
  many(
    tx,
    sql<{ id: string; reporterId: string | null }>`
      update reports set resolved_at = null, resolved_by = null, outcome = null, note = '', answer = ''
      where case_id = ${it.caseId} and not appeal
        and resolved_at = (select resolved_at from cases where id = ${it.caseId})
      returning id, reporter_id as "reporterId"`,
  );

/** Restores content of the reopened reports that the viewer removed. */
async function restoreRemovedContent(tx: Tx, me: SignedIn, it: Case, reason: string): Promise<void> {
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
}

const readStoredState = async (tx: Tx, it: Case): Promise<StateBefore | null> =>
  (
    await maybeOne(
      tx,
      sql<{ before: StateBefore | null }>`select state_before as before from cases where id = ${it.caseId}`,
    )
  )?.before ?? null;

/**
 * Undoes several decisions, one transaction per case: those that can no longer be undone stay.
 * @throws like `undoDecision` if only one case is given
 */
export async function undoDecisions(
  database: Pick<Database, "inTransaction">,
  viewer: Viewer,
  { caseIds, reason }: z.output<typeof SpamRemoval>,
): Promise<void> {
  for (const caseId of new Set(caseIds))
    try {
      await database.inTransaction((tx) => undoDecision(tx, viewer, { caseId, reason }));
    } catch (error) {
      if (!(error instanceof Refusal) || caseIds.length === 1) throw error;
    }
}

/** Whether the moderator undid the decision to which the audit event `e` belongs. */
export const isDecisionUndone = (event: string) => {
  const e = sql.ref(event);
  return sql<boolean>`exists (
  select from audit_events undo where undo.act = 'case.decision_undone' and undo.actor_id = ${e}.actor_id
    and (undo.details->>'decidedAt')::timestamptz = ${e}.at)`;
};

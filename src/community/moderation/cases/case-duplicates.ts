import { run, sql, type Tx } from "#platform/database";
import { invalid } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import type { Viewer } from "#community/rules";
import type { Duplicate } from "../report-forms.ts";
import { lockPendingReports } from "../report-locks.ts";
import { assertCaseOpen, findCase, lockCase } from "./find-case.ts";

/**
 * Closes an open case as a duplicate of another open case of the same place. The reports of the duplicate
 * move to the other case and are decided there; later reports of its subject are added to the other case.
 * @throws `not-found` as `viewCase`, `conflict` if it is closed, `invalid` on `originalId` for other cases
 */
export async function markDuplicate(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof Duplicate>,
): Promise<{ id: string }> {
  await lockPendingReports(tx, { reportId: input.caseId });
  for (const id of [input.caseId, input.originalId].sort()) await lockCase(tx, id);
  const it = await findCase(tx, viewer, input.caseId);
  assertCaseOpen(it);
  const original = await findCase(tx, viewer, input.originalId);
  const fits = ({ appeal, kind }: typeof it) => !appeal && kind !== "group" && kind !== null;
  if (
    original.resolved ||
    original.caseId === it.caseId ||
    original.groupId !== it.groupId ||
    !fits(it) ||
    !fits(original)
  )
    throw invalid("originalId", "Choose another open case of the same group.");
  await run(tx, sql`update reports set case_id = ${original.caseId} where case_id = ${it.caseId}`);
  await run(
    tx,
    sql`update cases set reports_count = reports_count
      + (select reports_count from cases where id = ${it.caseId}) where id = ${original.caseId}`,
  );
  await run(
    tx,
    sql`update cases set state = 'duplicate', duplicate_of = ${original.caseId}, assignee_id = null,
      resolved_at = ${tx.now}, resolved_by = ${viewer.id}::uuid where id = ${it.caseId}`,
  );
  // Earlier duplicates of this case become duplicates of the other one.
  await run(tx, sql`update cases set duplicate_of = ${original.caseId} where duplicate_of = ${it.caseId}`);
  await writeAudit(tx, viewer, {
    act: "case.merged",
    kind: "case",
    id: original.caseId,
    details: { groupId: it.groupId, from: it.caseId },
  });
  return { id: original.caseId };
}

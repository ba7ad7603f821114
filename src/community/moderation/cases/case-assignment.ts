import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import type { Viewer } from "#community/rules";
import type { CaseInput, Handover } from "../report-forms.ts";
import { listCaseModerators } from "./case-notes.ts";
import { assertCaseOpen, findCase, lockCase } from "./find-case.ts";

/**
 * Assigns an open case to the viewer, even if it is assigned to someone else.
 * @throws `not-found` as `viewCase`, `conflict` if it is closed
 */
export const claimCase = (tx: Tx, viewer: Viewer, input: z.output<typeof CaseInput>): Promise<void> =>
  assign(tx, viewer, input.caseId, "case.claimed", () => Promise.resolve(viewer.id));

/**
 * Removes the assignee of an open case.
 * @throws as `claimCase`
 */
export const releaseCase = (tx: Tx, viewer: Viewer, input: z.output<typeof CaseInput>): Promise<void> =>
  assign(tx, viewer, input.caseId, "case.released", () => Promise.resolve(null));

/**
 * Hands an open case over to another moderator who may decide it, and notifies them.
 * @throws as `claimCase`; `invalid` on `personId` for anyone else
 */
export const handOverCase = (tx: Tx, viewer: Viewer, input: z.output<typeof Handover>): Promise<void> =>
  assign(tx, viewer, input.caseId, "case.handed_over", async (caseId) => {
    if (!(await listCaseModerators(tx, caseId)).some(({ id }) => id === input.personId))
      throw invalid("personId", "Choose a moderator who can decide this case.");
    return input.personId;
  });

async function assign(
  tx: Tx,
  viewer: Viewer,
  id: string,
  act: string,
  choose: (caseId: string) => Promise<string | null>,
): Promise<void> {
  await lockCase(tx, id);
  const it = await findCase(tx, viewer, id);
  assertCaseOpen(it);
  const personId = await choose(it.caseId);
  if (personId === (it.assignee?.id ?? null)) return;
  if (act === "case.released" && it.assignee?.id !== viewer.id)
    throw new Refusal("not-allowed", "This case is assigned to someone else.");
  await run(
    tx,
    sql`update cases set assignee_id = ${personId}::uuid,
      claimed_at = coalesce(claimed_at, case when ${personId}::uuid is not null then ${tx.now}::timestamptz end),
      state = ${personId === null ? "open" : "in_progress"} where id = ${it.caseId}`,
  );
  const given = act === "case.handed_over";
  await writeAudit(tx, viewer, {
    act,
    kind: "case",
    id: it.caseId,
    details: { groupId: it.groupId, ...(given && { personId }) },
  });
  if (given && personId !== viewer.id)
    await emit(tx, { type: "case.handed_over", reportId: it.id, personId: personId!, by: viewer.id });
}

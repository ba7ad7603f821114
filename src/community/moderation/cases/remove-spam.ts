import type { Database } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import type { Viewer } from "#community/rules";
import type { SpamRemoval } from "../report-forms.ts";
import { resolveCase } from "./resolve-case.ts";

/**
 * Removes the content of each case as spam, one transaction per case: cases that the viewer may not decide,
 * or that others decided first, stay as they are. Returns the cases
 * whose content was removed.
 * @throws like `resolveCase` if only one case is given
 */
export async function removeSpam(
  database: Pick<Database, "inTransaction">,
  viewer: Viewer,
  { caseIds, reason }: z.output<typeof SpamRemoval>,
): Promise<string[]> {
  const removed: string[] = [];
  for (const caseId of new Set(caseIds))
    try {
      await database.inTransaction((tx) =>
        resolveCase(tx, viewer, { caseId, outcome: "removed", reason, note: "" }),
      );
      removed.push(caseId);
    } catch (error) {
      if (!(error instanceof Refusal) || caseIds.length === 1) throw error;
    }
  return removed;
}

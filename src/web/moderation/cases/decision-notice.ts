import type { Resolution } from "#community/moderation";
import { isUndoable } from "#community/rules";
import { type Message, msg } from "#platform/messages";
import type { z } from "zod";
import type { Notice } from "../../notices/notice.ts";
import type { RequestContext } from "../../request-context.ts";
import { translateFor } from "../../translate-for.ts";

const MISTAKE = msg("The decision was a mistake.");

const MESSAGES: Partial<Record<z.output<typeof Resolution>["outcome"], Message>> = {
  returned: msg("The author was asked for changes."),
  warned: msg("The author was warned."),
  locked: msg("The discussion was locked."),
  slowed: msg("Slow mode was turned on."),
  banned: msg("The author was banned from the group."),
};

/** Notice after the decision of a case, with an undo where the decision can be undone. */
export const createDecisionNotice = (
  ctx: RequestContext,
  { caseId, outcome }: Pick<z.output<typeof Resolution>, "caseId" | "outcome">,
): Notice =>
  outcome === "removed"
    ? createRemovalNotice(ctx, [caseId])
    : {
        message: MESSAGES[outcome] ?? msg("The case was closed."),
        undo: isUndoable(outcome)
          ? { command: "undo-decision", fields: { caseId, reason: translateFor(ctx, MISTAKE) } }
          : undefined,
      };

/** Notice after the content of some cases was removed, with an undo. */
export const createRemovalNotice = (ctx: RequestContext, caseIds: string[]): Notice => ({
  message: msg(
    "{count, plural, one {Removed the content of # case.} other {Removed the content of # cases.}}",
    {
      count: caseIds.length,
    },
  ),
  undo: { command: "undo-decisions", fields: { "caseIds[]": caseIds, reason: translateFor(ctx, MISTAKE) } },
});

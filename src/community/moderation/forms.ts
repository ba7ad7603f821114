import { z } from "zod";
import { id, neededText, optionalText } from "#community/common";
import { LIMITS } from "#community/rules";

export const NewReport = z.object({
  conversationId: id,
  messageIds: z
    .array(id)
    .default([])
    .pipe(
      z
        .array(id)
        .min(1, "Choose the messages it is about.")
        .max(LIMITS.reports.chosen, `Choose ${LIMITS.reports.chosen} messages at most.`),
    ),
  reason: neededText("The reason", "Say what is wrong with them.", LIMITS.reports.reason),
});
export const NewPostReport = z.object({
  postId: id,
  reason: neededText("The reason", "Say what is wrong with it.", LIMITS.reports.reason),
});

/** `removed`: it was right to report the post, and the post goes, for `reason`. */
export const Resolution = z.object({
  reportId: id,
  outcome: z.enum(["upheld", "rejected", "removed"], "Say how it ends."),
  reason: optionalText("The reason", LIMITS.reason),
  note: optionalText("The note", LIMITS.reports.reason),
});

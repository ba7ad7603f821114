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
export const Resolution = z.object({
  reportId: id,
  outcome: z.enum(["upheld", "rejected"], "Say how it ends."),
  note: optionalText("The note", LIMITS.reports.reason),
});

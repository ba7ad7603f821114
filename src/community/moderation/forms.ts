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
const wrong = neededText("The reason", "Say what is wrong.", LIMITS.reports.reason);
export const NewPersonReport = z.object({ personId: id, reason: wrong });
export const NewResourceReport = z.object({ resourceId: id, reason: wrong });
export const NewGroupReport = z.object({ groupId: id, reason: wrong });

export const NewInspection = z.object({
  groupId: id,
  reason: neededText("The reason", "Say why you have to read it: its owners will read that.", LIMITS.reason),
});

/** That a post of one's own comes back, which was removed. */
const plea = neededText("What you say", "Say why it should come back.", LIMITS.appeal.text);
export const NewRemovalAppeal = z.object({ postId: id, text: plea });
/** And a resource that one keeps. */
export const NewResourceAppeal = z.object({ resourceId: id, text: plea });

/** That what was decided about one's account is looked at again. */
export const NewSanctionAppeal = z.object({
  text: neededText("What you say", "Say why it should be decided otherwise.", LIMITS.appeal.text),
});

/** `removed`: it was right to report the post, or the resource, and it goes, for `reason`. `archived`: of a group, and it is archived, for `reason`. `restored`: of an appeal, what was removed comes back, or what was put upon an account is lifted, for `reason`. */
export const Resolution = z.object({
  reportId: id,
  outcome: z.enum(["upheld", "rejected", "removed", "archived", "restored"], "Say how it ends."),
  reason: optionalText("The reason", LIMITS.reason),
  note: optionalText("The note", LIMITS.reports.reason),
});

import { z } from "zod";
import { id, requiredText, optionalText } from "#community/common";
import { ILLEGAL_CATEGORY, LIMITS, SERVER_LIMITS, OTHER_CATEGORY } from "#community/rules";
import type { ReportCategory } from "./report-categories.ts";

/**
 * Fields of a report: its category, which must be turned on, and the law that illegal content breaks. Only
 * pages have these fields, not API clients.
 */
export const reportDetails = (categories: ReportCategory[]) => ({
  category: z
    .string("Choose a category.")
    .refine((chosen) => categories.some((it) => it.id === chosen && !it.off), "Choose a category."),
  law: optionalText("The law", LIMITS.reports.law),
});

export type ReportDetails = { category?: string | undefined; law?: string | undefined };

/** Stored values of these fields. A law is stored only for the category of illegal content. */
export const toStoredDetails = ({ category = OTHER_CATEGORY, law = "" }: ReportDetails) => ({
  category,
  law: category === ILLEGAL_CATEGORY ? law : "",
});

export const reportReason = requiredText("The reason", "Describe what is wrong.", LIMITS.reports.reason);

export const NewReport = z.object({
  conversationId: id,
  messageIds: z
    .array(id)
    .default([])
    .pipe(
      z
        .array(id)
        .min(1, "Select the messages to report.")
        .max(SERVER_LIMITS.reports.chosen, "Choose at most {count, number} messages."),
    ),
  reason: reportReason,
});
export const NewPostReport = z.object({
  postId: id,
  reason: reportReason,
});
/** A report of a post and, with the same reason, of further ones. */
export const NewPostReports = NewPostReport.extend({
  furtherIds: z
    .array(id)
    .max(SERVER_LIMITS.reports.chosen, "Choose at most {count, number} posts.")
    .default([]),
});
export const NewPersonReport = z.object({ personId: id, reason: reportReason });
export const NewResourceReport = z.object({ resourceId: id, reason: reportReason });
export const NewGroupReport = z.object({ groupId: id, reason: reportReason });

export const NewInspection = z.object({
  groupId: id,
  reason: requiredText("The reason", "Enter a reason. The group's owners will read it.", LIMITS.reason),
});

const appealText = requiredText("Your text", "Say why it should be restored.", LIMITS.appeal.text);
export const NewRemovalAppeal = z.object({ postId: id, text: appealText });
export const NewResourceAppeal = z.object({ resourceId: id, text: appealText });

export const NewSanctionAppeal = z.object({
  text: requiredText("Your text", "Say why the decision should change.", LIMITS.appeal.text),
});

export const CaseInput = z.object({ caseId: id });
export const Handover = z.object({ caseId: id, personId: id });
export const Duplicate = z.object({ caseId: id, originalId: id });
export const NewCaseNote = z.object({
  caseId: id,
  text: requiredText("The note", "Write a note.", LIMITS.reports.caseNote),
});
export const SpamRemoval = z.object({
  caseIds: z
    .array(id)
    .default([])
    .pipe(
      z
        .array(id)
        .min(1, "Select cases first.")
        .max(SERVER_LIMITS.reports.bulk, "Select at most {count, number} cases."),
    ),
  reason: requiredText("The reason", "Enter a reason. The author will read it.", LIMITS.reason),
});
export const DecisionUndo = z.object({ caseId: id, reason: SpamRemoval.shape.reason });

/**
 * `removed`: the reports of a post or resource are upheld and it is removed for `reason`. `archived`: the
 * reported group is archived for `reason`. `limited` and `suspended`: the author is restricted for `days`, or
 * without an end, and their post or resource removed. `noted`: the reports are upheld, and the note is stored
 * as a note on the author, without further consequences. `warned`: the author is warned for `reason`. `returned`:
 * the post is hidden until its author has changed it. `locked` and `slowed`: the discussion is locked, or
 * `seconds` pass between two replies of a person, for `days` or without an end. `banned`: the author is banned
 * from the group, and their content removed. `restored`: the appeal is upheld, so the content is
 * restored or the sanction lifted for `reason`. `rule`: a rule of the group that the decision cites.
 */
export const Resolution = z.object({
  caseId: id,
  outcome: z.enum(
    [
      "upheld",
      "rejected",
      "noted",
      "warned",
      "returned",
      "slowed",
      "locked",
      "banned",
      "removed",
      "archived",
      "limited",
      "suspended",
      "restored",
    ],
    "Choose a decision.",
  ),
  reason: optionalText("The reason", LIMITS.reason),
  note: optionalText("The note", LIMITS.reports.reason),
  rule: optionalText("The rule", LIMITS.reports.rule).optional(),
  days: z
    .union([
      z.literal("").transform(() => undefined),
      z.coerce.number().int().min(1).max(SERVER_LIMITS.reports.restrictedDays),
    ])
    .optional(),
  seconds: z.coerce.number().int().min(1).max(SERVER_LIMITS.reports.slowSeconds).optional(),
});
/** A decision of an API client, which names a report instead of its case. Notes on people are for pages only. */
export const ReportResolution = Resolution.omit({ caseId: true }).extend({
  reportId: id,
  outcome: Resolution.shape.outcome.exclude(["noted"]),
});

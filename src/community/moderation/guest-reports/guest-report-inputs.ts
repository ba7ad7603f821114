import { z } from "zod";
import { id, requiredText } from "#community/common";
import { Email } from "#community/accounts";
import { LIMITS } from "#community/rules";
import { reportReason } from "../report-forms.ts";

/** Kinds of content that guests can report. A discussion and an event are reported with their first post. */
export const GUEST_REPORT_KINDS = ["post", "person", "resource", "group"] as const;
export type GuestReportKind = (typeof GUEST_REPORT_KINDS)[number];

/** The form of a guest; `reportDetails` adds category and law. */
export const NewGuestReport = z.object({
  kind: z.enum(GUEST_REPORT_KINDS),
  subjectId: id,
  name: requiredText("Your name", "Enter your name.", LIMITS.displayName),
  email: Email,
  reason: reportReason,
});

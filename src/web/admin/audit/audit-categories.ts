import type { LogPart } from "#community/moderation";

/** Categories of the audit log, in the order of the filter. */
export const AUDIT_CATEGORIES = [
  "people",
  "groups",
  "words",
  "reports",
  "place",
  "programs",
] as const satisfies LogPart[];

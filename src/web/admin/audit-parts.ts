import type { LogPart } from "#community/moderation";

/** What of the log can be looked at by itself, in the order in which it is offered. */
export const LOG_PARTS = ["people", "groups", "words", "reports", "place", "programs"] as const satisfies LogPart[];

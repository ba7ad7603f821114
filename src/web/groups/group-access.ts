import type { GroupFacts } from "#community/rules";
import { isOneOf } from "#platform/objects";

export type GroupAccess = Pick<GroupFacts, "visibility" | "joinPolicy" | "historyPolicy">;

const VISIBILITIES: GroupAccess["visibility"][] = ["public", "private", "secret"];
const JOIN_POLICIES: GroupAccess["joinPolicy"][] = ["open", "request", "invite"];
const HISTORY_POLICIES: GroupAccess["historyPolicy"][] = ["shared", "from_joining"];

/** Reads who can find, join and read a group from a form or a log entry, whose names may have an ending. */
export function readAccess(
  fields: Readonly<Record<string, unknown>>,
  ending: "" | "Before" = "",
): Partial<GroupAccess> {
  const visibility = fields[`visibility${ending}`];
  const joinPolicy = fields[`joinPolicy${ending}`];
  const historyPolicy = fields[`historyPolicy${ending}`];
  return {
    ...(isOneOf(VISIBILITIES, visibility) && { visibility }),
    ...(isOneOf(JOIN_POLICIES, joinPolicy) && { joinPolicy }),
    ...(isOneOf(HISTORY_POLICIES, historyPolicy) && { historyPolicy }),
  };
}

/** Whether an access is whole: older log entries lack some of it. */
export const isWholeAccess = (access: Partial<GroupAccess>): access is GroupAccess =>
  access.visibility !== undefined && access.joinPolicy !== undefined && access.historyPolicy !== undefined;

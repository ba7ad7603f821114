import type { z } from "zod";
import type { Group, GroupChange } from "#community/groups";

/** Fields of the group's description, in the order of the form. */
export const FIELDS = ["name", "purpose", "topic", "about", "rules", "questions", "repliesBy", "startsBy", "invitesBy"] as const;
type Change = z.output<typeof GroupChange>;

/** Fields that differ from the current ones: the form sends all, and the log lists only the changed ones. */
export function changedIn(wanted: Change, group: Pick<Group, "aboutMd" | Exclude<(typeof FIELDS)[number], "about">>): Change {
  const now: Record<(typeof FIELDS)[number], unknown> = { ...group, about: group.aboutMd };
  const same = FIELDS.filter((field) => JSON.stringify(wanted[field]) === JSON.stringify(now[field]));
  return Object.fromEntries(Object.entries(wanted).filter(([field]) => !same.some((it) => it === field))) as Change;
}

import type { z } from "zod";
import type { Group, GroupChange } from "#community/groups";

/** What a group says of itself, as the form has it. */
export const FIELDS = ["name", "purpose", "topic", "about", "rules", "questions", "repliesBy", "startsBy", "invitesBy"] as const;
type Change = z.output<typeof GroupChange>;

/** What the form wants otherwise than it is: it sends all of its fields, and the log names those that were changed. */
export function changedIn(wanted: Change, group: Pick<Group, "aboutMd" | Exclude<(typeof FIELDS)[number], "about">>): Change {
  const now: Record<(typeof FIELDS)[number], unknown> = { ...group, about: group.aboutMd };
  const same = FIELDS.filter((field) => JSON.stringify(wanted[field]) === JSON.stringify(now[field]));
  return Object.fromEntries(Object.entries(wanted).filter(([field]) => !same.some((it) => it === field))) as Change;
}

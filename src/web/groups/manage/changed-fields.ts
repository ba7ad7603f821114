import type { z } from "zod";
import type { Group, GroupChange } from "#community/groups";

/** Fields of the group's description, in the order of the form. */
export const DESCRIPTION_FIELDS = [
  "name",
  "purpose",
  "topic",
  "about",
  "rules",
  "questions",
  "repliesBy",
  "startsBy",
  "eventsBy",
  "invitesBy",
] as const;
type GroupUpdate = z.output<typeof GroupChange>;

/**
 * Returns the fields that differ from the stored ones: the form submits all fields, but the log lists only
 * changed ones.
 */
export function findChangedFields(
  groupUpdate: GroupUpdate,
  group: Pick<Group, "aboutMd" | Exclude<(typeof DESCRIPTION_FIELDS)[number], "about">>,
): GroupUpdate {
  const now: Record<(typeof DESCRIPTION_FIELDS)[number], unknown> = { ...group, about: group.aboutMd };
  const same = DESCRIPTION_FIELDS.filter(
    (field) => JSON.stringify(groupUpdate[field]) === JSON.stringify(now[field]),
  );
  const changed = { ...groupUpdate };
  for (const field of same) delete changed[field];
  return changed;
}

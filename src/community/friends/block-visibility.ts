import { sql } from "#platform/database";
import { type PersonCard, personCard } from "#community/common";
import { isStaff, type SignedIn, type Viewer } from "#community/rules";

type SkipBlocks = boolean | ReturnType<typeof sql<boolean>>;
const NO_IDS = sql<string[]>`'{}'::uuid[]`;

/**
 * Ids of people who block the viewer, computed once per statement. Empty for staff, and if `past` is true:
 * for moderators of the group in question (`groupRules.pastBlocks` or its SQL equivalent).
 */
export function blockerIds(viewer: Viewer, past: SkipBlocks = false) {
  if (isStaff(viewer) || past === true) return NO_IDS;
  const blockers = sql<string[]>`array(select blocker_id from blocks where blocked_id = ${viewer.id}::uuid)`;
  return past === false ? blockers : sql<string[]>`case when ${past} then ${NO_IDS} else ${blockers} end`;
}

export const blockedIds = (viewer: Viewer) =>
  sql<string[]>`array(select blocked_id from blocks where blocker_id = ${viewer.id}::uuid)`;

/**
 * Ids of people blocked either way, whatever the viewer's role. For personal actions, in which staff have no
 * special rights.
 */
export const blockedEitherWayIds = (viewer: Viewer) => sql<string[]>`
  array(select blocked_id from blocks where blocker_id = ${viewer.id}::uuid union all select blocker_id
  from blocks where blocked_id = ${viewer.id}::uuid)`;

/**
 * Person card as the viewer may see it: null for people who block the viewer. `alias` is a row of people,
 * which may be missing; `past` as in `blockerIds`.
 */
export const visiblePersonCard = (viewer: Viewer, alias: string, past: SkipBlocks = false) => {
  const p = sql.ref(alias);
  return sql<PersonCard | null>`case when ${p}.id is not null
    and ${p}.id <> all(${blockerIds(viewer, past)}) then ${personCard(alias)} end`;
};

/** SQL subquery: ids of a person's friends. */
export const friendIds = (person: ReturnType<typeof sql>) => sql`
  select high_id as id from friendships where low_id = ${person} and state = 'friends'
  union all
  select low_id from friendships where high_id = ${person} and state = 'friends'`;

/** Condition for the friendship row of two people. The smaller id is `low_id`. */
export const friendshipPair = (me: SignedIn, other: string) =>
  sql`low_id = least(${me.id}::uuid, ${other}::uuid) and high_id = greatest(${me.id}::uuid, ${other}::uuid)`;

import { sql } from "#platform/database";
import { type PersonCard, personCard } from "#community/common";
import { isStaff, type SignedIn, type Viewer } from "#community/rules";

type Past = boolean | ReturnType<typeof sql<boolean>>;
const NOBODY = sql<string[]>`'{}'::uuid[]`;

/**
 * Ids of those who block the viewer, computed once per statement. Staff see them all the same, and so does who looks after
 * the group that the statement is about: `past` says so, as `groupRules.pastBlocks` or as its twin.
 */
export function blockersOf(viewer: Viewer, past: Past = false) {
  if (isStaff(viewer) || past === true) return NOBODY;
  const blockers = sql<string[]>`array(select blocker_id from blocks where blocked_id = ${viewer.id}::uuid)`;
  return past === false ? blockers : sql<string[]>`case when ${past} then ${NOBODY} else ${blockers} end`;
}

/** Ids of those whom the viewer blocks. */
export const blockedOf = (viewer: Viewer) => sql<string[]>`array(select blocked_id from blocks where blocker_id = ${viewer.id}::uuid)`;

/** Ids of all from whom a block parts the viewer, whoever said so and whoever they are: for what one does as oneself. */
export const partedFrom = (viewer: Viewer) => sql<string[]>`
  array(select blocked_id from blocks where blocker_id = ${viewer.id}::uuid union all select blocker_id from blocks where blocked_id = ${viewer.id}::uuid)`;

/** The card of a person as this viewer may see it: null for who blocks the viewer. `alias` is a row of people, or none; `past` as above. */
export const cardFor = (viewer: Viewer, alias: string, past: Past = false) => {
  const p = sql.ref(alias);
  return sql<PersonCard | null>`case when ${p}.id is not null and ${p}.id <> all(${blockersOf(viewer, past)}) then ${personCard(alias)} end`;
};

/** A subquery: the ids of a person's friends. */
export const friendIds = (person: ReturnType<typeof sql>) => sql`
  select high_id as id from friendships where low_id = ${person} and state = 'friends'
  union all
  select low_id from friendships where high_id = ${person} and state = 'friends'`;

/** The row of two people; the smaller id stands first. */
export const between = (me: SignedIn, other: string) =>
  sql`low_id = least(${me.id}::uuid, ${other}::uuid) and high_id = greatest(${me.id}::uuid, ${other}::uuid)`;

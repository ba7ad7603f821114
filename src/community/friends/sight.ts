import { sql } from "#platform/database";
import { type PersonCard, personCard } from "#community/common";
import { isStaff, type SignedIn, type Viewer } from "#community/rules";

/** Ids of those who block the viewer, computed once per statement. Staff see them all the same. */
export const blockersOf = (viewer: Viewer) =>
  isStaff(viewer) ? sql<string[]>`'{}'::uuid[]` : sql<string[]>`array(select blocker_id from blocks where blocked_id = ${viewer.id}::uuid)`;

/** Ids of those whom the viewer blocks. */
export const blockedOf = (viewer: Viewer) => sql<string[]>`array(select blocked_id from blocks where blocker_id = ${viewer.id}::uuid)`;

/** The card of a person as this viewer may see it: null for who blocks the viewer. `alias` is a row of people, or none. */
export const cardFor = (viewer: Viewer, alias: string) => {
  const p = sql.ref(alias);
  return sql<PersonCard | null>`case when ${p}.id is not null and ${p}.id <> all(${blockersOf(viewer)}) then ${personCard(alias)} end`;
};

/** A subquery: the ids of a person's friends. */
export const friendIds = (person: ReturnType<typeof sql>) => sql`
  select high_id as id from friendships where low_id = ${person} and state = 'friends'
  union all
  select low_id from friendships where high_id = ${person} and state = 'friends'`;

/** The row of two people; the smaller id stands first. */
export const between = (me: SignedIn, other: string) =>
  sql`low_id = least(${me.id}::uuid, ${other}::uuid) and high_id = greatest(${me.id}::uuid, ${other}::uuid)`;

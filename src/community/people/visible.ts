import { sql } from "#platform/database";
import { isStaff, type Viewer } from "#community/rules";

/** A person as lists show them. */
export type PersonSummary = { id: string; username: string; name: string; photoId: string | null };

const PRESENT = ["active", "limited", "suspended", "ghost"];

type Condition = ReturnType<typeof sql<boolean>>;
const idOf = (alias: string) => sql.ref(`${alias}.id`);

/**
 * Who the viewer may know of, as a condition on the table `people` under `alias`: `personRules.see` in SQL. A test
 * compares the two for every kind of viewer and person.
 */
export function visiblePeople(viewer: Viewer, alias = "p"): Condition {
  if (isStaff(viewer)) return sql<boolean>`true`;
  const present = sql<boolean>`${sql.ref(`${alias}.state`)} = any(${PRESENT})`;
  if (viewer.id === null) return present;
  const blocksViewer = sql`exists (select 1 from blocks b where b.blocker_id = ${idOf(alias)} and b.blocked_id = ${viewer.id})`;
  return sql<boolean>`(${idOf(alias)} = ${viewer.id} or (${present} and not ${blocksViewer}))`;
}

/** Whether the viewer and the person under `alias` have nothing to do with each other, whoever of them said so. */
export const blockedEitherWay = (viewer: Viewer, alias = "p"): Condition =>
  viewer.id === null
    ? sql<boolean>`false`
    : sql<boolean>`exists (select 1 from blocks b where (b.blocker_id = ${idOf(alias)} and b.blocked_id = ${viewer.id})
        or (b.blocker_id = ${viewer.id} and b.blocked_id = ${idOf(alias)}))`;

/** The columns of a `PersonSummary`. */
export const personColumns = (alias = "p") =>
  sql`${idOf(alias)}, ${sql.ref(`${alias}.username`)}, ${sql.ref(`${alias}.display_name`)} as name, ${sql.ref(`${alias}.photo_id`)} as "photoId"`;

/** The same as one JSON value, for rows that are about something else: `${personJson("a")} as author`. */
export const personJson = (alias = "p") =>
  sql<PersonSummary>`json_build_object('id', ${idOf(alias)}, 'username', ${sql.ref(`${alias}.username`)},
    'name', ${sql.ref(`${alias}.display_name`)}, 'photoId', ${sql.ref(`${alias}.photo_id`)})`;

import { sql } from "#platform/database";
import { isSignedIn, isStaff, privacyDefaults, type Viewer } from "#community/rules";
import { defaultSettings, type SiteSettings } from "#community/settings";

/** A person as lists show them. */
export type PersonSummary = { id: string; username: string; name: string; photoId: string | null };

const VISIBLE_STATES = ["active", "limited", "suspended", "ghost"];

type Condition = ReturnType<typeof sql<boolean>>;
const idColumn = (alias: string) => sql.ref(`${alias}.id`);

/**
 * `personRules.see` in SQL: a condition on the table `people` under `alias`. A test compares the two for
 * every kind of viewer and person.
 */
export function visiblePeople(viewer: Viewer, alias = "p"): Condition {
  if (isStaff(viewer)) return sql<boolean>`true`;
  const present = sql<boolean>`${sql.ref(`${alias}.state`)} = any(${VISIBLE_STATES})`;
  if (viewer.id === null) return present;
  const blocksViewer = sql`exists (select 1 from blocks b
    where b.blocker_id = ${idColumn(alias)} and b.blocked_id = ${viewer.id})`;
  return sql<boolean>`(${idColumn(alias)} = ${viewer.id} or (${present} and not ${blocksViewer}))`;
}

/** Either of the viewer and the person under `alias` has blocked the other. */
export const blockedEitherWay = (viewer: Viewer, alias = "p"): Condition =>
  viewer.id === null
    ? sql<boolean>`false`
    : sql<boolean>`exists (select 1 from blocks b
      where (b.blocker_id = ${idColumn(alias)} and b.blocked_id = ${viewer.id})
        or (b.blocker_id = ${viewer.id} and b.blocked_id = ${idColumn(alias)}))`;

/** Visibility of people to guests, by the current site setting. */
export const guestVisibilitySetting = sql<SiteSettings["guestsSeePeople"]>`
  coalesce((select value #>> '{}' from settings where key = 'guestsSeePeople'),
  ${defaultSettings.guestsSeePeople})`;

type TextExpression = ReturnType<typeof sql<string>>;

/** The viewer belongs to this audience of the person under `alias`. */
const audienceIncludes = (viewer: Viewer, alias: string, audience: TextExpression): Condition =>
  isSignedIn(viewer)
    ? sql<boolean>`(${audience} in ('everyone', 'members') or (${audience} = 'friends' and exists (
        select 1 from friendships fs where fs.low_id = least(${idColumn(alias)}, ${viewer.id}::uuid)
          and fs.high_id = greatest(${idColumn(alias)}, ${viewer.id}::uuid) and fs.state = 'friends')))`
    : sql<boolean>`(${audience} = 'everyone' and ${guestVisibilitySetting} = 'public')`;

/** `personRules.readField` in SQL, for people the viewer may know of and a field with this `audience`. */
export function fieldReadable(viewer: Viewer, audience: TextExpression, alias = "p"): Condition {
  const own = viewer.id === null ? sql<boolean>`false` : sql<boolean>`${idColumn(alias)} = ${viewer.id}`;
  if (isStaff(viewer)) return sql<boolean>`(${own} or ${audience} <> 'nobody')`;
  const profile = sql<string>`coalesce(${sql.ref(`${alias}.privacy`)} ->> 'profile',
    ${privacyDefaults.profile})`;
  return sql<boolean>`(${own}
    or (${sql.ref(`${alias}.state`)} <> 'suspended' and not ${blockedEitherWay(viewer, alias)}
    and ${audienceIncludes(viewer, alias, profile)} and ${audienceIncludes(viewer, alias, audience)}))`;
}

export const personColumns = (alias = "p") =>
  sql`${idColumn(alias)}, ${sql.ref(`${alias}.username`)}, ${sql.ref(`${alias}.display_name`)} as name,
    ${sql.ref(`${alias}.photo_id`)} as "photoId"`;

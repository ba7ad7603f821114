import { sql } from "#platform/database";
import { isSignedIn, isStaff, privacyDefaults, type Viewer } from "#community/rules";
import { defaultSettings, type SiteSettings } from "#community/settings";

/** A person as lists show them. */
export type PersonSummary = { id: string; username: string; name: string; photoId: string | null };

const VISIBLE_STATES = ["active", "limited", "suspended", "ghost"];

type Condition = ReturnType<typeof sql<boolean>>;

/**
 * `personRules.see` in SQL: a condition on the person `p`. A test compares the two for every
 * kind of viewer and person.
 */
export function visiblePeople(viewer: Viewer): Condition {
  if (isStaff(viewer)) return sql<boolean>`true`;
  const present = sql<boolean>`p.state = any(${VISIBLE_STATES})`;
  if (viewer.id === null) return present;
  const blocksViewer = sql`exists (select 1 from blocks b
    where b.blocker_id = p.id and b.blocked_id = ${viewer.id})`;
  return sql<boolean>`(p.id = ${viewer.id} or (${present} and not ${blocksViewer}))`;
}

/** Either of the viewer and the person `p` has blocked the other. */
export const blockedEitherWay = (viewer: Viewer): Condition =>
  viewer.id === null
    ? sql<boolean>`false`
    : sql<boolean>`exists (select 1 from blocks b
      where (b.blocker_id = p.id and b.blocked_id = ${viewer.id})
        or (b.blocker_id = ${viewer.id} and b.blocked_id = p.id))`;

/** Visibility of people to guests, by the current site setting. */
export const guestVisibilitySetting = sql<SiteSettings["guestsSeePeople"]>`
  coalesce((select value #>> '{}' from settings where key = 'guestsSeePeople'),
  ${defaultSettings.guestsSeePeople})`;

type TextExpression = ReturnType<typeof sql<string>>;

/** The viewer belongs to this audience of the person `p`. */
const audienceIncludes = (viewer: Viewer, audience: TextExpression): Condition =>
  isSignedIn(viewer)
    ? sql<boolean>`(${audience} in ('everyone', 'members') or (${audience} = 'friends' and exists (
        select 1 from friendships fs where fs.low_id = least(p.id, ${viewer.id}::uuid)
          and fs.high_id = greatest(p.id, ${viewer.id}::uuid) and fs.state = 'friends')))`
    : sql<boolean>`(${audience} = 'everyone' and ${guestVisibilitySetting} = 'public')`;

/** `personRules.readField` in SQL, for people the viewer may know of and a field with this `audience`. */
export function fieldReadable(viewer: Viewer, audience: TextExpression): Condition {
  const own = viewer.id === null ? sql<boolean>`false` : sql<boolean>`p.id = ${viewer.id}`;
  if (isStaff(viewer)) return sql<boolean>`(${own} or ${audience} <> 'nobody')`;
  const profile = sql<string>`coalesce(p.privacy ->> 'profile',
    ${privacyDefaults.profile})`;
  return sql<boolean>`(${own}
    or (p.state <> 'suspended' and not ${blockedEitherWay(viewer)}
    and ${audienceIncludes(viewer, profile)} and ${audienceIncludes(viewer, audience)}))`;
}

/** Columns of `PersonSummary`; the person is `p`. */
export const personColumns = sql`p.id, p.username, p.display_name as name, p.photo_id as "photoId"`;

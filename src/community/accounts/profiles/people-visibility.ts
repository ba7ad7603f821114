import { sql } from "#platform/database";
import { isSignedIn, isStaff, privacyDefaults, type Viewer } from "#community/rules";
import { defaultSettings, type SiteSettings } from "#community/settings";

const VISIBLE_STATES = ["active", "limited", "suspended", "ghost"];

type Condition = ReturnType<typeof sql<boolean>>;

/**
 * `personRules.see` as an SQL condition on the person. A test compares the two for every kind of viewer and
 * person.
 */
export function isPersonVisible(viewer: Viewer, person: string): Condition {
  const p = sql.ref(person);
  // A bot has no profile: its name is content of its group, which staff may not know.
  if (isStaff(viewer)) return sql<boolean>`${p}.state <> 'bot'`;
  const present = sql<boolean>`${p}.state = any(${VISIBLE_STATES})`;
  if (viewer.id === null) return present;
  const blocksViewer = sql`exists (select 1 from blocks b
    where b.blocker_id = ${p}.id and b.blocked_id = ${viewer.id})`;
  return sql<boolean>`(${p}.id = ${viewer.id} or (${present} and not ${blocksViewer}))`;
}

/** Condition: the viewer has blocked the person, or the person has blocked the viewer. */
export const blockedEitherWay = (viewer: Viewer, person: string): Condition => {
  const p = sql.ref(person);
  return viewer.id === null
    ? sql<boolean>`false`
    : sql<boolean>`exists (select 1 from blocks b
      where (b.blocker_id = ${p}.id and b.blocked_id = ${viewer.id})
        or (b.blocker_id = ${viewer.id} and b.blocked_id = ${p}.id))`;
};

/** SQL: current value of the site setting `guestsSeePeople`. */
export const guestVisibilitySetting = sql<SiteSettings["guestsSeePeople"]>`
  coalesce((select value #>> '{}' from settings where key = 'guestsSeePeople'),
  ${defaultSettings.guestsSeePeople})`;

type TextExpression = ReturnType<typeof sql<string>>;

/** Condition: the viewer belongs to this audience of the person. */
const audienceIncludes = (viewer: Viewer, audience: TextExpression, person: string): Condition => {
  const p = sql.ref(person);
  return isSignedIn(viewer)
    ? sql<boolean>`(${audience} in ('everyone', 'members') or (${audience} = 'friends' and exists (
        select 1 from friendships fs where fs.low_id = least(${p}.id, ${viewer.id}::uuid)
          and fs.high_id = greatest(${p}.id, ${viewer.id}::uuid) and fs.state = 'friends')))`
    : sql<boolean>`(${audience} = 'everyone' and ${guestVisibilitySetting} = 'public')`;
};

/**
 * `personRules.readField` as an SQL condition, for a field with this `audience` of a person the viewer may
 * see.
 */
export function isFieldReadable(viewer: Viewer, audience: TextExpression, person: string): Condition {
  const p = sql.ref(person);
  const own = viewer.id === null ? sql<boolean>`false` : sql<boolean>`${p}.id = ${viewer.id}`;
  if (isStaff(viewer)) return sql<boolean>`(${own} or ${audience} <> 'nobody')`;
  const profile = sql<string>`coalesce(${p}.privacy ->> 'profile',
    ${privacyDefaults.profile})`;
  return sql<boolean>`(${own}
    or (${p}.state <> 'suspended' and not ${blockedEitherWay(viewer, person)}
    and ${audienceIncludes(viewer, profile, person)} and ${audienceIncludes(viewer, audience, person)}))`;
}

import { limit, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { isStaff, type Viewer } from "#community/rules";

// Each fragment is given the alias of the group, and of the membership of its reader, if there is one.

type Sql = ReturnType<typeof sql>;

/** Joins the membership of a person in the group. */
export const joinMembership = (personId: Sql, group: string, membership: string) => {
  const m = sql.ref(membership);
  return sql`left join memberships ${m} on ${m}.group_id = ${sql.ref(group)}.id
    and ${m}.person_id = ${personId}`;
};

/** Joins the viewer's membership in the group. */
export const viewerMembership = (viewer: Viewer, group: string, membership: string) =>
  joinMembership(sql`${viewer.id}::uuid`, group, membership);

/** The group with this id or slug. */
export const groupMatches = (idOrSlug: string, group: string) =>
  isId(idOrSlug)
    ? sql<boolean>`${sql.ref(group)}.id = ${idOrSlug}`
    : sql<boolean>`${sql.ref(group)}.slug = ${idOrSlug.slice(0, 100).replaceAll("\0", "")}`;

/** `groupRules.see` in SQL. */
export const groupVisible = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql<boolean>`
  (${g}.state <> 'deleted' and (coalesce(${m}.state = 'member', false)
    or (${g}.state <> 'pending'
      and (${g}.visibility <> 'secret' or coalesce(${m}.state = 'invited', false)))))`;
};

/** `groupRules.read` in SQL. */
export const groupReadable = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql<boolean>`
  (${g}.state <> 'deleted' and (coalesce(${m}.state = 'member', false)
    or (${g}.state <> 'pending' and ${g}.visibility = 'public' and ${m}.state is distinct from 'banned')))`;
};

const isOpenContent = (x: string, group: string) => {
  const g = sql.ref(group);
  return sql<boolean>`(${g}.state <> 'pending' and ${g}.visibility = 'public'
    and ${sql.ref(x)}.audience = 'group')`;
};

/** Time from which a plain member reads members-only content: null for all of it. */
const memberReadsFrom = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql<Date | null>`
  case when ${g}.history_policy = 'from_joining' then ${m}.joined_at
    when ${g}.shared_from is not null then least(${m}.joined_at, ${g}.shared_from) end`;
};

/** `groupRules.readsFrom` in SQL, for content `x` of the group: null where all of it is readable. */
export const contentReadsFrom = (x: string, group: string, membership: string) => {
  const m = sql.ref(membership);
  return sql<Date | null>`
  case when ${m}.state = 'member' and ${m}.role = 'member'
    and not ${isOpenContent(x, group)} then ${memberReadsFrom(group, membership)} end`;
};

/** Members-only content of the time `at` is readable. */
export const isReadableAsMember = (at: Sql, group: string, membership: string) => {
  const m = sql.ref(membership);
  return sql<boolean>`
  coalesce(${m}.state = 'member'
    and (${m}.role <> 'member' or coalesce(${at} >= ${memberReadsFrom(group, membership)}, true)),
  false)`;
};

/** `groupRules.readContent` in SQL, for content `x` whose last change is in the column `at`. */
export const contentReadable = (x: string, at: string, group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql<boolean>`
  (${g}.state <> 'deleted' and case when ${isOpenContent(x, group)} then ${m}.state is distinct from 'banned'
    else ${isReadableAsMember(sql.ref(`${x}.${at}`), group, membership)} end)`;
};

/** The same for a discussion. */
export const discussionReadable = (discussion: string, group: string, membership: string) =>
  contentReadable(discussion, "last_post_at", group, membership);

/** Days after a declined request until another one is possible. */
const DECLINED_DAYS = 30;
/**
 * When a declined viewer may ask again; null for others. A declined or expired invitation does not clear an
 * earlier decline; a membership since then does.
 */
export const askAgainAt = (membership: string) => {
  const m = sql.ref(membership);
  return sql<Date | null>`
  (case when ${m}.state = 'declined' then ${m}.changed_at
    when ${m}.state in ('refused', 'expired') then (
      select max(r.decided_at) from decided_join_requests r
      where r.person_id = ${m}.person_id and r.group_id = ${m}.group_id and r.outcome = 'declined'
        and r.decided_at > coalesce(${m}.joined_at, '-infinity'))
        end + ${DECLINED_DAYS}::int * interval '1 day')`;
};

/** The time from which the member reads, in milliseconds. */
export const viewerReadsFrom = (group: string, membership: string) => {
  const m = sql.ref(membership);
  return sql<number | null>`
  case
    when ${m}.state = 'member' then (extract(epoch from ${memberReadsFrom(group, membership)}) * 1000)::float8
    end`;
};
/** `groupRules.admit` in SQL, and `groupRules.pastBlocks` for people who are not staff: moderators and owners. */
export const isGroupModerator = (membership: string) => {
  const m = sql.ref(membership);
  return sql<boolean>`coalesce(${m}.state = 'member' and ${m}.role <> 'member', false)`;
};
/**
 * The report concerns a group that `who` moderates, and other staff exist who do not: they should decide.
 */
export const isAboutOwnGroup = (who: Sql, report: string) => {
  const r = sql.ref(report);
  return sql<boolean>`exists (
  select from memberships own
  where own.group_id = ${r}.group_id and own.person_id = ${who} and own.state = 'member'
    and own.role <> 'member'
    and exists (select from people other where other.site_role <> 'member' and other.state = 'active'
      and not exists (
      select from memberships led where led.group_id = ${r}.group_id and led.person_id = other.id
        and led.state = 'member' and led.role <> 'member')))`;
};
/** `groupRules.moderate` in SQL. */
export const canModerateGroup = (viewer: Viewer, group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql<boolean>`(${g}.state = 'active' and (${isGroupModerator(membership)}
  or (${isStaff(viewer)} and ${g}.visibility = 'public' and ${m}.state is distinct from 'banned')))`;
};

export const groupFactsColumns = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql`
  ${g}.visibility, ${g}.join_policy as "joinPolicy", ${g}.history_policy as "historyPolicy", ${g}.state,
  ${m}.state as "viewerState",
  case when ${m}.state = 'member' then ${m}.role
    end as "viewerRole", ${g}.replies_by as "repliesBy", ${g}.starts_by as "startsBy",
    ${g}.invites_by as "invitesBy",
    ${viewerReadsFrom(group, membership)} as "viewerSince"`;
};

/** The same as one JSON value, for content rows. */
export const groupFactsJson = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql`json_build_object('id', ${g}.id, 'slug', ${g}.slug, 'name', ${g}.name, 'visibility',
  ${g}.visibility, 'joinPolicy', ${g}.join_policy, 'historyPolicy', ${g}.history_policy,
  'state', ${g}.state, 'viewerState', ${m}.state, 'viewerRole', case when ${m}.state = 'member' then ${m}.role
    end, 'repliesBy', ${g}.replies_by, 'startsBy', ${g}.starts_by, 'invitesBy', ${g}.invites_by,
    'viewerSince',
    ${viewerReadsFrom(group, membership)},
  'membersCount', ${g}.members_count, 'headerStyle', ${g}.header_style, 'headerId', ${g}.header_id)`;
};

/**
 * Joins the viewer's read position in the discussions. A lateral join with limit 1: readers vary so much that
 * PostgreSQL otherwise chose a plan that scanned all positions for each discussion.
 */
export const viewerReadPositions = (viewer: Viewer, discussion: string, position: string) => {
  const d = sql.ref(discussion);
  return sql`
  left join lateral (
    select r.person_id, r.last_read_number, r.level from read_positions r
    where r.person_id = ${viewer.id}::uuid and r.discussion_id = ${d}.id limit 1
  ) ${sql.ref(position)} on true`;
};

/** The discussion has unread posts beyond the viewer's read position, if there is one. */
export const isDiscussionUnread = (discussion: string, position: string) => {
  const [d, rs] = [sql.ref(discussion), sql.ref(position)];
  return sql<boolean>`(${d}.last_number > coalesce(${rs}.last_read_number, 0)
  and coalesce(${rs}.level, 'normal') <> 'muted')`;
};

/** How many discussions back unread ones are counted: a badge, not an audit. */
export const UNREAD_LOOK_BACK = 100;

/**
 * The latest discussions of the group since the viewer joined; only columns of the index
 * discussions_of_group.
 */
export const latestGroupDiscussions = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql`(
  select id, group_id, last_number, last_post_at from discussions
  where group_id = ${g}.id and state = 'open' and last_post_at >= ${m}.joined_at
  order by last_post_at desc, id desc ${limit(UNREAD_LOOK_BACK)})`;
};

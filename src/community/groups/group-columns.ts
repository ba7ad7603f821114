import { sql } from "#platform/database";
import { isId } from "#platform/ids";
import { friendIds } from "#community/friends";
import { type GroupFacts, isStaff, type Viewer } from "#community/rules";
import { viewerReadableSince } from "./content-visibility.ts";
import { unreadDiscussionsCount } from "./unread-discussions.ts";

// Each function takes the alias of the group and, if needed, of the reader's membership.

type Sql = ReturnType<typeof sql>;

/** A group with the columns of its card, which are sufficient for `groupRules`. */
export type GroupCard = GroupFacts & {
  id: string;
  slug: string;
  name: string;
  purpose: string;
  topic: string;
  headerStyle: string;
  headerId: string | null;
  membersCount: number;
  createdAt: Date;
  lastActiveAt: Date;
  /** Number of unread discussions, at most 100. Counted only in the viewer's own groups. */
  unread: number;
  /** Whether the viewer has pinned or muted the group. */
  pinned: boolean;
  muted: boolean;
  /** Number of the viewer's friends among the members, where the viewer may see members. */
  friendsInside: number;
  /** For a declined viewer: time from which they may ask again. */
  askAgainAt: Date | null;
};

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
export const groupMatchesSearch = (idOrSlug: string, group: string) =>
  isId(idOrSlug)
    ? sql<boolean>`${sql.ref(group)}.id = ${idOrSlug}`
    : sql<boolean>`${sql.ref(group)}.slug = ${idOrSlug.slice(0, 100).replaceAll("\0", "")}`;

/** `groupRules.see` in SQL. */
export const isGroupVisible = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql<boolean>`
  (${g}.state <> 'deleted' and (coalesce(${m}.state = 'member', false)
    or (${g}.state <> 'pending'
      and (${g}.visibility <> 'secret' or coalesce(${m}.state = 'invited', false)))))`;
};

/** `groupRules.read` in SQL. */
export const isGroupReadable = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql<boolean>`
  (${g}.state <> 'deleted' and (coalesce(${m}.state = 'member', false)
    or (${g}.state <> 'pending' and ${g}.visibility = 'public' and ${m}.state is distinct from 'banned')))`;
};

/** Days after a declined request until another request is possible. */
const DECLINED_DAYS = 30;

/**
 * Time from which a declined viewer may ask again; null for others. An invitation that was declined or has
 * expired does not cancel an earlier decline; a membership since then does.
 */
export const canRequestAgainAt = (membership: string) => {
  const m = sql.ref(membership);
  return sql<Date | null>`
  (case when ${m}.state = 'declined' then ${m}.changed_at
    when ${m}.state in ('refused', 'expired') then (
      select max(r.decided_at) from decided_join_requests r
      where r.person_id = ${m}.person_id and r.group_id = ${m}.group_id and r.outcome = 'declined'
        and r.decided_at > coalesce(${m}.joined_at, '-infinity'))
        end + ${DECLINED_DAYS}::int * interval '1 day')`;
};

/**
 * Condition: the membership is a moderator's or an owner's. SQL equivalent of `groupRules.approveMembers`,
 * and for people who are not staff also of `groupRules.pastBlocks`.
 */
export const isGroupModerator = (membership: string) => {
  const m = sql.ref(membership);
  return sql<boolean>`coalesce(${m}.state = 'member' and ${m}.role <> 'member', false)`;
};

/** `groupRules.moderate` in SQL: whether the viewer moderates the group. */
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
    ${g}.events_by as "eventsBy", ${g}.invites_by as "invitesBy",
    ${viewerReadableSince(group, membership)} as "viewerSince"`;
};

/** The facts for `groupRules` as one JSON value, for content rows. */
export const groupFactsJson = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql`json_build_object('id', ${g}.id, 'slug', ${g}.slug, 'name', ${g}.name, 'visibility',
  ${g}.visibility, 'joinPolicy', ${g}.join_policy, 'historyPolicy', ${g}.history_policy,
  'state', ${g}.state, 'viewerState', ${m}.state, 'viewerRole', case when ${m}.state = 'member' then ${m}.role
    end, 'repliesBy', ${g}.replies_by, 'startsBy', ${g}.starts_by, 'eventsBy', ${g}.events_by,
    'invitesBy', ${g}.invites_by,
    'viewerSince',
    ${viewerReadableSince(group, membership)},
  'membersCount', ${g}.members_count, 'headerStyle', ${g}.header_style, 'headerId', ${g}.header_id)`;
};

export const groupCardColumns = (viewer: Viewer, group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql`
  ${g}.id, ${g}.slug, ${g}.name, ${g}.purpose, ${g}.topic, ${g}.header_style as "headerStyle",
  ${g}.header_id as "headerId",
  ${g}.members_count as "membersCount", ${g}.created_at as "createdAt", ${g}.last_active_at as "lastActiveAt",
  ${groupFactsColumns(group, membership)}, ${canRequestAgainAt(membership)} as "askAgainAt",
  case when ${m}.state = 'member' then ${unreadDiscussionsCount(viewer, group, membership)} else 0
    end as unread,
  coalesce(${m}.state = 'member' and ${m}.pinned_at is not null, false) as pinned,
  coalesce(${m}.state = 'member' and ${m}.notify_level = 'mute', false) as muted,
  case when ${isGroupReadable(group, membership)} then ${friendsInsideCount(viewer, group)} else 0
    end as "friendsInside"`;
};

const friendsInsideCount = (viewer: Viewer, group: string) => {
  const g = sql.ref(group);
  return sql`
  (select count(*)::int from memberships f
  where f.group_id = ${g}.id and f.state = 'member'
    and f.person_id = any(array(${friendIds(sql`${viewer.id}::uuid`)})))`;
};

/**
 * Condition: the report concerns a group that `who` moderates, and there are staff who do not moderate it.
 * Those staff should decide the report.
 */
export const isReportAboutOwnGroup = (who: Sql, report: string) => {
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

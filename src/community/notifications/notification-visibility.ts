import { sql } from "#platform/database";
import { isDatePollVisible } from "#community/calendar";
import { hasPendingPost, hasPendingForStaff, isReportPending } from "#community/discussions";
import {
  joinMembership,
  isOwnerRequested,
  isContentReadable,
  isDiscussionReadable,
  isGroupModerator,
  isGroupVisible,
  isReadableAsMember,
  contentReadableSince,
  isGroupPendingApproval,
} from "#community/groups";
import { keysOf } from "#platform/objects";

// SQL fragments about a notification `n`. The viewer is the recipient of `n`.

/**
 * Whether the row stays visible without its latest post: true for a grouped row, false for a row about a
 * single post.
 */
const isGrouped = sql`(n.count > 1 or n.latest_id is null)`;

/**
 * Whether the row has a stored name. It then shows only that name, because the recipient can no longer see
 * the subject.
 */
const isByKeptName = sql`n.stored_name is not null`;

const discussionVisible = sql`(${isByKeptName} or exists (
  select from discussions d join groups g on g.id = d.group_id ${joinMembership(sql`n.person_id`, "g", "m")}
  where d.id = n.object_id and d.state <> 'deleted' and ${isDiscussionReadable("d", "g", "m")}
    and (${isGrouped} or exists (
      select from posts x where x.id = n.latest_id and x.discussion_id = d.id and x.state = 'published'
        and coalesce(x.created_at >= ${contentReadableSince("d", "g", "m")}, true)))))`;

const conversationVisible = sql`exists (
  select from participants o where o.conversation_id = n.object_id and o.person_id = n.person_id
    and o.state in ('accepted', 'request')
    and (${isGrouped} or exists (select from messages x
      where x.id = n.latest_id and x.deleted_at is null and x.seq > o.joined_seq)))`;

/** Whether a notification about a group still applies, for people who may know of the group. */
const stillTrue = sql`case n.kind
  when 'group_request' then ${isGroupModerator("m")}
  when 'group_appeal' then ${isGroupModerator("m")}
  when 'post_waits' then ${isGroupModerator("m")} and g.state = 'active'
  and ${hasPendingPost(sql`n.object_id`, sql`n.person_id`)}
  when 'group_decision' then case n.detail when 'join_approved' then coalesce(m.state = 'member', false)
  when 'owner_request_declined' then coalesce(m.state = 'member', false) when 'inspected' then ${isGroupModerator("m")}
  else true end
  when 'group_role' then coalesce(m.state not in ('removed', 'banned'), true)
  when 'group_opening' then coalesce(m.state = 'member', false)
  and (coalesce(g.wider_at = n.moment, false) or g.visibility = n.detail)
  else true end`;

/**
 * Whether the group is pending. Staff are notified of pending groups even if they may otherwise not know of
 * them.
 */
const groupPending = sql`exists (
  select from groups g join people me on me.id = n.person_id
  where g.id = n.object_id and me.site_role <> 'member'
    and case n.detail when 'owner_requested' then me.site_role = 'admin' and ${isOwnerRequested("g")}
    else ${isGroupPendingApproval("g")} end)`;

const groupVisibleToPerson = sql`(${isByKeptName} or case n.kind when 'group_waits' then ${groupPending}
  else exists (
  select from groups g ${joinMembership(sql`n.person_id`, "g", "m")}
    where g.id = n.object_id and ${isGroupVisible("g", "m")} and ${stillTrue}) end)`;

/**
 * Whether a notification about pending posts still applies under a resource outside groups: staff approve
 * these posts.
 */
const pendingPostCondition = sql`(n.kind <> 'post_waits'
  or (exists (select from people me where me.id = n.person_id and me.site_role <> 'member')
  and ${hasPendingPost(sql`n.object_id`, sql`n.person_id`)}))`;

const resourceVisibleToPerson = sql`(${isByKeptName} or (${pendingPostCondition} and exists (
  select from resources r left
  join groups g on g.id = r.group_id ${joinMembership(sql`n.person_id`, "g", "m")}
  where r.id = n.object_id and (r.state = 'published'
      or (r.state <> 'removed' and (r.owner_id = n.person_id or n.kind = 'post_waits')))
    and (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})
    and (${isGrouped} or exists (select from posts x where x.id = n.latest_id and x.state = 'published')))))`;

/**
 * Whether the announcement `x` is readable. In the group `g` it requires the membership `m`, and for some
 * members that they joined before the announcement.
 */
export const isAnnouncementReadable = (announcement: string, group: string, membership: string) => {
  const [x, g] = [sql.ref(announcement), sql.ref(group)];
  return sql<boolean>`
  (${x}.withdrawn_at is null and (${x}.group_id is null
    or (${g}.state <> 'deleted' and ${isReadableAsMember(sql`${x}.created_at`, group, membership)})))`;
};

/**
 * Whether the event is visible. Notifications about its location and reminders also require that the person
 * has answered "going" or "maybe".
 */
const eventVisible = sql`exists (
  select from calendar_events e join groups g on g.id = e.group_id ${joinMembership(sql`n.person_id`, "g", "m")}
  where e.id = n.object_id and ${isContentReadable("e", "ends_at", "g", "m")}
    and (n.kind not in ('event_place', 'event_tomorrow', 'event_soon')
      or (e.cancelled_at is null and e.postponed_at is null and exists (
        select from attendances a where a.occurrence_id = n.latest_id and a.person_id = n.person_id
          and a.answer in ('going', 'maybe')))))`;

/** Whether the date poll is visible. A poll that someone closed needs no answer. */
const datePollNotified = sql`exists (
  select from date_polls dp join groups g on g.id = dp.group_id ${joinMembership(sql`n.person_id`, "g", "m")}
  where dp.id = n.object_id and ${isDatePollVisible("dp", "g", "m")} and dp.closed_at is null)`;

const announcementVisible = sql`exists (
  select from announcements x left
  join groups g on g.id = x.group_id ${joinMembership(sql`n.person_id`, "g", "m")}
  where x.id = n.object_id and ${isAnnouncementReadable("x", "g", "m")})`;

const reportVisible = sql`exists (
  select from reports r join people me on me.id = n.person_id where r.id = n.object_id
    and case when n.kind = 'report_decision' then r.reporter_id = me.id and r.resolved_at is not null
    else ${isReportPending(sql`me`)} end)`;

/** Whether the person exists and is not blocked either way. */
export const isPersonVisibleTo = (id: ReturnType<typeof sql>, notification: string) => {
  const n = sql.ref(notification);
  return sql`exists (
  select from people who where who.id = ${id}
    and (who.id = ${n}.person_id or (who.state in ('active', 'limited', 'suspended', 'ghost', 'bot') and not exists (
    select from blocks b where (b.blocker_id = ${n}.person_id and b.blocked_id = who.id)
      or (b.blocker_id = who.id and b.blocked_id = ${n}.person_id)))))`;
};

/** Whether a site-wide resource or a profile is pending and its viewer is staff. */
const pendingForStaff = sql`(exists (
  select from people me where me.id = n.person_id and me.site_role <> 'member')
  and ${hasPendingForStaff(sql`n.person_id`)})`;

/** Whether an account is pending and its viewer is staff. */
const accountPending = sql`exists (
  select from people me join people it on it.id = n.object_id
  where me.id = n.person_id and me.site_role <> 'member' and it.state = 'pending_approval')`;

/**
 * Whether notifications of this kind are sent to moderators in their role, or are about changes by
 * moderators. Blocks do not apply to them, but a blocked actor is not named.
 */
export const isExemptFromBlocks = (kind: ReturnType<typeof sql>) =>
  sql<boolean>`(${kind} in ('group_request', 'changed'))`;

/** The visibility condition of each kind of subject. */
const VISIBILITY_BY_KIND = {
  discussion: discussionVisible,
  conversation: conversationVisible,
  person: sql`case n.kind when 'account_waits' then ${accountPending}
    when 'post_waits' then ${pendingForStaff}
    else ${isPersonVisibleTo(sql`n.object_id`, "n")} end`,
  group: groupVisibleToPerson,
  resource: resourceVisibleToPerson,
  announcement: announcementVisible,
  report: reportVisible,
  event: eventVisible,
  date_poll: datePollNotified,
  search: sql`exists (select from saved_searches s where s.id = n.object_id and s.person_id = n.person_id)`,
};
type ObjectKindName = keyof typeof VISIBILITY_BY_KIND;
const OBJECT_KINDS = keysOf(VISIBILITY_BY_KIND);
/** The kinds of subjects that most notifications have. */
const COMMON_KINDS = ["discussion", "conversation", "person"] satisfies ObjectKindName[];

const visibilityOf = (objectKindNames: ObjectKindName[]) => sql<boolean>`(
  case n.object_kind ${sql.join(
    objectKindNames.map((it) => sql`when ${sql.lit(it)} then ${VISIBILITY_BY_KIND[it]}`),
    sql` `,
  )} else false end
  and (n.actors = '{}' or ${isExemptFromBlocks(sql`n.kind`)}
    or exists (select from unnest(n.actors) actor (id) where ${isPersonVisibleTo(sql`actor.id`, "n")})))`;

/**
 * Whether the recipient may still know about the subject. Checked when a notification is shown, counted and
 * sent.
 */
export const isNotificationVisible = visibilityOf(OBJECT_KINDS);

/** Whether the notification is listed and counted, provided that it is visible. */
export const isNotificationListed = (notification: string) => {
  const n = sql.ref(notification);
  return sql<boolean>`(${n}.withdrawn_at is null and ${n}.shown and not ${n}.filtered)`;
};

const unseenCondition = (personId: string) =>
  sql`n.person_id = ${personId}::uuid and n.read_at is null and n.seen_at is null
    and ${isNotificationListed("n")}`;

/** A row per unseen notification, 100 at most. */
export const unseenRows = (personId: string) =>
  sql`select n.id from notifications n where ${unseenCondition(personId)} and ${isNotificationVisible}
    limit 100`;

/**
 * The rows of `unseenRows` in two parts, common kinds and all others, for the query that runs on every page.
 * PostgreSQL plans every table that a statement may touch, and uncommon kinds add a hundred tables.
 */
export const unseenRowsOfCommonKinds = (personId: string) =>
  sql`select n.id from notifications n where ${unseenCondition(personId)} and ${visibilityOf(COMMON_KINDS)}
    limit 100`;
const isCommonKind = sql`n.object_kind in (${sql.join(COMMON_KINDS.map((it) => sql.lit(it)))})`;
export const unseenRowsOfOtherKinds = (personId: string) =>
  sql`select n.id from notifications n
    where ${unseenCondition(personId)} and not ${isCommonKind} and ${isNotificationVisible} limit 100`;
/** Whether unseen notifications of uncommon kinds exist, visible or not. */
export const hasUnseenOfOtherKinds = (personId: string) =>
  sql<boolean>`exists (select from notifications n
    where ${unseenCondition(personId)} and not ${isCommonKind})`;

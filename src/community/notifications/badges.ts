import { type Db, one, sql } from "#platform/database";
import { personCard, type PersonCard } from "#community/common";
import { unreadConversationIds } from "#community/conversations";
import {
  canApprovePost,
  isReportPending,
  joinPendingPostContainer,
  unreadDiscussionRows,
} from "#community/discussions";
import { visiblePersonCard } from "#community/friends";
import { hasOtherModerators, viewerMembership, approvalQueueGroupIds } from "#community/groups";
import { isSignedIn, isStaff, type SignedIn, type Viewer } from "#community/rules";
import { unseenRows } from "./notification-visibility.ts";

export type Badges = {
  unreadConversations: number;
  messageRequests: number;
  friendRequests: number;
  groupInvitations: number;
  requestsToDecide: number;
  unreadDiscussions: number;
  /** Unseen notifications, shown on the bell. */
  notifications: number;
};
const EMPTY_BADGES: Badges = {
  unreadConversations: 0,
  messageRequests: 0,
  friendRequests: 0,
  groupInvitations: 0,
  requestsToDecide: 0,
  unreadDiscussions: 0,
  notifications: 0,
};

/**
 * All badges in one query. Each is counted from the rows, so that it is never outdated, up to 100. All are 0
 * for a guest.
 */
export async function getBadges(db: Db, viewer: Viewer): Promise<Badges> {
  if (!isSignedIn(viewer)) return EMPTY_BADGES;
  return one(db, sql<Badges>`select ${badgeColumns(viewer)}`);
}

const badgeColumns = (viewer: SignedIn) => sql`
        ${relationshipCounts(viewer)}, ${countRows(sql`
          select d.id ${unreadDiscussionRows(viewer)} limit 100`)} as "unreadDiscussions",
        ${countRows(unseenRows(viewer.id))} as notifications`;

/** The badges about people and groups: unread messages and requests to the viewer. */
export const relationshipCounts = (viewer: SignedIn) => sql`
        ${countRows(unreadConversationIds(viewer))} as "unreadConversations",
        ${countRows(messageRequestRows(viewer))} as "messageRequests",
        ${countRows(friendRequestRows(viewer))} as "friendRequests",
        ${countRows(invitationRows(viewer))} as "groupInvitations",
        ${countRows(joinRequestRows(viewer))} as "requestsToDecide"`;

export const countRows = (rows: ReturnType<typeof sql>) => sql`(select count(*)::int from (${rows}) few)`;

const messageRequestRows = (me: SignedIn) =>
  sql`select conversation_id from participants where person_id = ${me.id} and state = 'request' limit 100`;

const friendRequestRows = (me: SignedIn) => sql`
  select f.low_id, f.high_id, f.requested_by, f.note, f.requested_at from friendships f
  join people p on p.id = f.requested_by and p.state in ('active', 'limited', 'suspended', 'ghost')
  where (f.low_id = ${me.id} or f.high_id = ${me.id}) and f.state = 'pending' and f.requested_by <> ${me.id}
  order by f.requested_at desc limit 100`;

const invitationRows = (me: SignedIn) => sql`
  select m.group_id, m.invited_by, m.changed_at from memberships m
  join groups g on g.id = m.group_id and g.state = 'active'
  where m.person_id = ${me.id} and m.state = 'invited' order by m.changed_at desc limit 100`;

const joinRequestRows = (me: SignedIn) => sql`
  select r.group_id, r.person_id from memberships m
  join groups g on g.id = m.group_id and g.state <> 'deleted'
  join memberships r on r.group_id = g.id and r.state = 'requested'
  where m.person_id = ${me.id} and m.state = 'member' and m.role in ('owner', 'moderator') limit 100`;

/** Whether the viewer moderates anything. For all others, counts for moderators are skipped. */
const moderatesAnything = (me: SignedIn) =>
  sql<boolean>`(${isStaff(me)}
    or exists (select from memberships l
      where l.person_id = ${me.id} and l.state = 'member' and l.role <> 'member'))`;

/**
 * Rows of open reports: the reports of a case are one row. Empty for a viewer who is neither
 * staff nor a moderator.
 */
const openReportRows = (me: SignedIn) => sql`
  select distinct r.case_id from reports r join people me on me.id = ${me.id}
  where ${moderatesAnything(me)}
    and ${isReportPending(sql`me`)} limit 100`;

/**
 * Pending posts in groups that the viewer moderates; for staff also those in public groups.
 * `listPendingPosts` lists the same posts.
 */
const pendingPostRows = (me: SignedIn) => sql`
  select h.id from pending_posts h ${joinPendingPostContainer("h", "d", "s", "g")}
  ${viewerMembership(me, "g", "m")}
  where ${moderatesAnything(me)} and ${canApprovePost(me, "h", "d", "s", "g", "m")} limit 100`;

/** Accounts awaiting approval. Empty for everyone but staff, who decide on them. */
const pendingAccountRows = (me: SignedIn) => sql`
  select p.id from people p where ${isStaff(me)}::boolean and p.state = 'pending_approval' limit 100`;

/** Ban appeals in groups that the viewer moderates, without appeals against bans that the viewer imposed. */
const appealRows = (me: SignedIn) => sql`
  select m.group_id, m.person_id from memberships led
  join groups g on g.id = led.group_id and g.state <> 'deleted'
  join memberships m on m.group_id = g.id and m.state = 'banned' and m.appealed_at is not null
    and m.appeal_declined_at is null
  where led.person_id = ${me.id} and led.state = 'member' and led.role in ('owner', 'moderator')
    and (m.banned_by is distinct from ${me.id} or not ${hasOtherModerators}) limit 100`;

export type PendingTasks = {
  friendRequests: { person: PersonCard; note: string; at: Date }[];
  groupInvitations: {
    group: { id: string; slug: string; name: string; purpose: string };
    by: PersonCard | null;
    at: Date;
  }[];
  requestsToDecide: { group: { id: string; slug: string; name: string }; count: number }[];
  messageRequests: number;
  /** Number of banned people who appeal, by group that the viewer moderates. */
  appealsToAnswer: { group: { id: string; slug: string; name: string }; count: number }[];
  /** Step of onboarding at which the viewer stopped; null if onboarding is finished or not started. */
  arriving: number | null;
  /** For admins: accounts awaiting approval. */
  accounts: number;
  /** For staff: groups awaiting approval, and groups with a request for a new owner. */
  atTheDesk: number;
  /** For staff and moderators: open reports that do not involve them. */
  reports: number;
  /** Pending posts, for those who approve them. */
  firstPosts: number;
};

/** Columns of `PendingTasks`: pending tasks of the viewer, three of each kind. Times are text. */
export const pendingTaskColumns = (viewer: SignedIn) => sql<PendingTasks>`
        ${countRows(messageRequestRows(viewer))} as "messageRequests",
        ${countRows(pendingAccountRows(viewer))} as accounts,
        (select p.welcome_step from people p where p.id = ${viewer.id} and p.welcomed_at is null) as arriving,
        ${countRows(approvalQueueGroupIds(viewer))} as "atTheDesk",
        ${countRows(openReportRows(viewer))} as reports,
        ${countRows(pendingPostRows(viewer))} as "firstPosts",
        ${jsonList(sql`select json_build_object('person', ${personCard("p")}, 'note', f.note, 'at',
          f.requested_at) as it
          from (${friendRequestRows(viewer)}) f join people p on p.id = f.requested_by
          order by f.requested_at desc limit 3`)} as "friendRequests",
        ${jsonList(sql`select json_build_object('group',
          json_build_object('id', g.id, 'slug', g.slug, 'name', g.name, 'purpose', g.purpose), 'by',
            ${visiblePersonCard(viewer, "p")}, 'at', i.changed_at) as it
          from (${invitationRows(viewer)}) i join groups g on g.id = i.group_id left
          join people p on p.id = i.invited_by order by i.changed_at desc limit 3`)} as "groupInvitations",
        ${countByGroup(joinRequestRows(viewer))} as "requestsToDecide",
        ${countByGroup(appealRows(viewer))} as "appealsToAnswer"`;

/** Row counts by group, for the three groups with the most rows. */
const countByGroup = (rows: ReturnType<typeof sql>) =>
  jsonList(sql`select json_build_object('group',
    json_build_object('id', g.id, 'slug', g.slug, 'name', g.name), 'count', count(*)) as it
          from (${rows}) r join groups g on g.id = r.group_id group by g.id order by count(*) desc limit 3`);

/** SQL: the column `it` of these rows as one JSON array. */
export const jsonList = (rows: ReturnType<typeof sql>) =>
  sql`(select coalesce(json_agg(it), '[]') from (${rows}) list)`;

import { many, sql, type Tx } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import {
  clearJoinRequests,
  clearAppeals,
  clearPendingPosts,
  clearApprovalQueue,
  clearPendingAccount,
  type EventEnding,
} from "./clear-moderator-notifications.ts";
import { clearReadPosts, markRowsRead, withdrawRows } from "./mark-read.ts";
import { isNotificationVisible } from "./notification-visibility.ts";
import {
  withdrawBan,
  withdrawCaseMeasure,
  withdrawPostRemoval,
  withdrawResourceRemoval,
} from "./withdraw-decisions.ts";

type Sql = ReturnType<typeof sql>;

/** Withdraws the matching notifications that their recipients can no longer see. */
const withdrawInvisible = (tx: Tx, which: Sql) =>
  withdrawRows(tx, sql`${which} and not ${isNotificationVisible}`);

const aboutGroup = ({ groupId }: DomainEvent) => sql`n.object_id in (
  select ${groupId}::uuid union all select id from discussions where group_id = ${groupId}
  union all select id from resources where group_id = ${groupId}
  union all select id from calendar_events where group_id = ${groupId}
  union all select id from date_polls where group_id = ${groupId}
  union all select id from announcements where group_id = ${groupId})`;

const withdrawForGroup: EventEnding = (tx, it) => withdrawInvisible(tx, aboutGroup(it));
const withdrawForMember =
  (who: "by" | "personId"): EventEnding =>
  (tx, it) =>
    withdrawInvisible(tx, sql`n.person_id = ${it[who]}::uuid and ${aboutGroup(it)}`);
const withdrawForDiscussion: EventEnding = (tx, { discussionId }) =>
  withdrawInvisible(tx, sql`n.object_id = ${discussionId}::uuid`);
const withdrawForResource: EventEnding = (tx, { resourceId }) =>
  withdrawInvisible(tx, sql`n.object_id = ${resourceId}::uuid`);
const withdrawForEvent: EventEnding = (tx, { eventId }) =>
  withdrawInvisible(tx, sql`n.object_id = ${eventId}::uuid`);
const withdrawForSeries: EventEnding = (tx, { seriesId }) =>
  withdrawInvisible(
    tx,
    sql`n.object_id in (select id from calendar_events where series_id = ${seriesId}::uuid)`,
  );

const withdrawForDatePoll: EventEnding = (tx, { datePollId }) =>
  withdrawInvisible(tx, sql`n.object_id = ${datePollId}::uuid`);

/** Withdraws notifications between two people, in both directions. */
const withdrawBetweenTwo: EventEnding = (tx, { by, personId }) =>
  withdrawInvisible(
    tx,
    sql`((n.person_id = ${by}::uuid and ${personId}::uuid = any(n.actors))
      or (n.person_id = ${personId}::uuid and ${by}::uuid = any(n.actors)))`,
  );

/**
 * Moves the notifications of posts that were moved to another discussion, unless an equal notification
 * exists there.
 */
async function moveNotifications(tx: Tx, domainEvent: DomainEvent): Promise<void> {
  const places = [
    domainEvent["discussionId"],
    domainEvent["fromDiscussionId"],
    domainEvent["to"],
    domainEvent["from"],
  ].filter((id) => typeof id === "string");
  await many(
    tx,
    sql`update notifications n set object_id = x.discussion_id from posts x
        where n.object_id = any(${places}::uuid[]) and n.object_kind = 'discussion' and n.read_at is null
          and n.withdrawn_at is null
          and x.id = n.latest_id and x.discussion_id <> n.object_id
          and not exists (select from notifications o
            where o.person_id = n.person_id and o.object_id = x.discussion_id and o.kind = n.kind
            and o.filtered = n.filtered and o.read_at is null and o.withdrawn_at is null)`,
  );
  for (const id of places) await withdrawInvisible(tx, sql`n.object_id = ${id}::uuid`);
}

/** Marks notifications about a decided link suggestion as read, for all recipients. */
const clearLinkSuggestions: EventEnding = (tx, { resourceId }) =>
  markRowsRead(
    tx,
    sql`n.object_id = ${resourceId}::uuid and (
      (n.kind = 'new_address' and n.detail = 'suggested'
        and not exists (select from link_suggestions s
          where s.resource_id = n.object_id and s.decided_at is null))
      or (n.kind = 'dead_link' and exists (select from resources r
        where r.id = n.object_id and r.health <> 'dead')))`,
  );

/** Marks the notification about an accepted or declined friend request as read. */
const clearFriendRequest: EventEnding = (tx, { by, personId }) =>
  markRowsRead(
    tx,
    sql`n.person_id = ${by}::uuid and n.object_id = ${personId}::uuid and n.kind = 'friend_request'`,
  );
const withdrawFriendRequest: EventEnding = (tx, { by, personId }) =>
  withdrawRows(
    tx,
    sql`n.person_id = ${personId}::uuid and n.object_id = ${by}::uuid
      and n.kind in ('friend_request', 'friend_accepted')`,
  );

const clearInvitation: EventEnding = (tx, { by, groupId }) =>
  markRowsRead(
    tx,
    sql`n.person_id = ${by}::uuid and n.object_id = ${groupId}::uuid and n.kind = 'group_invitation'`,
  );

/**
 * Marks notifications as read that joining makes obsolete: an invitation, and a former rejection or removal.
 */
const clearOnJoin: EventEnding = async (tx, domainEvent) => {
  await clearInvitation(tx, domainEvent);
  await markRowsRead(
    tx,
    sql`n.person_id = ${domainEvent["by"]}::uuid and n.object_id = ${domainEvent["groupId"]}::uuid
      and n.kind = 'group_decision' and n.detail <> 'join_approved'`,
  );
};

/** Marks the rejection of a group as read for the founder, who has edited the group. */
const clearRejection: EventEnding = (tx, { by, groupId }) =>
  markRowsRead(
    tx,
    sql`n.person_id = ${by}::uuid and n.object_id = ${groupId}::uuid and n.kind = 'group_decision'
      and n.detail = 'rejected'`,
  );

const withdrawGroupDeletion: EventEnding = (tx, { groupId }) =>
  withdrawRows(
    tx,
    sql`n.object_id = ${groupId}::uuid and n.kind = 'group_archived' and n.detail = 'deleted'`,
  );

/** Ends the notifications of a conversation that was accepted, deleted, muted or left. */
async function clearConversation(tx: Tx, { by, conversationId }: DomainEvent): Promise<void> {
  await markRowsRead(
    tx,
    sql`n.person_id = ${by}::uuid and n.object_id = ${conversationId}::uuid and exists (
      select from participants o where o.conversation_id = n.object_id and o.person_id = n.person_id
        and (o.archived_at is not null or o.muted_until > ${tx.now}
          or (n.kind = 'message_request' and o.state <> 'request')))`,
  );
  await withdrawInvisible(tx, sql`n.person_id = ${by}::uuid and n.object_id = ${conversationId}::uuid`);
}

const withdrawForConversation: EventEnding = (tx, { conversationId, personId }) =>
  withdrawInvisible(
    tx,
    sql`n.object_id = ${conversationId}::uuid ${personId ? sql`and n.person_id = ${personId}::uuid` : sql``}`,
  );

/**
 * Domain events that end notifications, because the subject was read, dealt with, or is no longer visible.
 */
export const NOTIFICATION_ENDINGS_BY_EVENT: Record<string, EventEnding> = {
  "discussion.read": (tx, { discussionId, by }) => clearReadPosts(tx, String(discussionId), [String(by)]),
  "conversation.read": (tx, { conversationId, by }) =>
    clearReadPosts(tx, String(conversationId), [String(by)]),
  "conversation.accepted": clearConversation,
  "conversation.participant_changed": clearConversation,
  "conversation.left": clearConversation,
  "conversation.removed": withdrawForConversation,
  "message.deleted": withdrawForConversation,
  "friend.accepted": clearFriendRequest,
  "friend.declined": clearFriendRequest,
  "friend.cancelled": withdrawFriendRequest,
  "friend.removed": withdrawFriendRequest,
  "person.blocked": withdrawBetweenTwo,
  "person.joined": clearPendingAccount,
  "person.turned-away": clearPendingAccount,
  "group.joined": clearOnJoin,
  "group.invitation_declined": clearInvitation,
  "group.join_approved": clearJoinRequests,
  "group.join_declined": clearJoinRequests,
  "group.request_withdrawn": clearJoinRequests,
  "group.left": withdrawForMember("by"),
  "group.removed": withdrawForMember("personId"),
  "group.banned": async (tx, domainEvent) => {
    await withdrawForMember("personId")(tx, domainEvent);
    await clearAppeals(tx, domainEvent);
  },
  "group.ban_ended": clearAppeals,
  "group.ban_undone": withdrawBan,
  "group.appeal_declined": clearAppeals,
  "group.role_changed": async (tx, domainEvent) => {
    await withdrawForMember("personId")(tx, domainEvent);
    await clearApprovalQueue(tx, domainEvent);
  },
  "group.pending": clearRejection,
  "group.approved": clearApprovalQueue,
  "group.rejected": clearApprovalQueue,
  "group.owner_request_declined": clearApprovalQueue,
  "group.deleted": withdrawForGroup,
  "group.purged": withdrawForGroup,
  "group.restored": withdrawGroupDeletion,
  "group.changed": withdrawForGroup,
  "group.opening_cancelled": withdrawForGroup,
  "discussion.deleted": withdrawForDiscussion,
  "discussion.restored": (tx, { discussionId }) =>
    withdrawRows(
      tx,
      sql`n.object_id = ${discussionId}::uuid and n.kind = 'post_removed' and n.detail = 'discussion'`,
    ),
  "discussion.moved": withdrawForDiscussion,
  "discussion.merged": moveNotifications,
  "discussion.split": moveNotifications,
  "post.approved": clearPendingPosts,
  "resource.approved": clearPendingPosts,
  "profile.approved": clearPendingPosts,
  "post.returned": clearPendingPosts,
  "post.withdrawn": clearPendingPosts,
  "post.deleted": withdrawForDiscussion,
  "post.removed": withdrawForDiscussion,
  "post.restored": withdrawPostRemoval,
  "post.hidden": withdrawForDiscussion,
  "post.unhidden": withdrawPostRemoval,
  "calendar.postponed": withdrawForEvent,
  "calendar.cancelled": withdrawForEvent,
  "calendar.series-changed": withdrawForSeries,
  "calendar.series-cancelled": withdrawForSeries,
  "calendar.poll-answered": (tx, { datePollId, by }) =>
    markRowsRead(tx, sql`n.object_id = ${datePollId}::uuid and n.person_id = ${by}::uuid`),
  "calendar.poll-closed": withdrawForDatePoll,
  "calendar.poll-deleted": withdrawForDatePoll,
  "calendar.answered": (tx, { eventId, by }) =>
    withdrawInvisible(tx, sql`n.object_id = ${eventId}::uuid and n.person_id = ${by}::uuid`),
  "comment.deleted": withdrawForResource,
  "comment.removed": withdrawForResource,
  "comment.restored": withdrawPostRemoval,
  "comment.hidden": withdrawForResource,
  "comment.unhidden": withdrawPostRemoval,
  "resource.removed": withdrawForResource,
  "resource.hidden": withdrawForResource,
  "resource.unhidden": withdrawResourceRemoval,
  "resource.restored": withdrawResourceRemoval,
  "resource.moved": withdrawForResource,
  "resource.link-revived": (tx, { resourceId }) =>
    markRowsRead(tx, sql`n.object_id = ${resourceId}::uuid and n.kind = 'dead_link'`),
  "resource.address-accepted": clearLinkSuggestions,
  "resource.address-declined": clearLinkSuggestions,
  "report.resolved": (tx, { reportId }) =>
    markRowsRead(tx, sql`n.object_id = ${reportId}::uuid and n.kind = 'report'`),
  "report.reopened": (tx, { reportId }) =>
    withdrawRows(tx, sql`n.object_id = ${reportId}::uuid and n.kind = 'report_decision'`),
  "case.decision_undone": withdrawCaseMeasure,
  "announcement.withdrawn": (tx, { announcementId }) =>
    withdrawInvisible(tx, sql`n.object_id = ${announcementId}::uuid`),
};

import { type Database, maybeOne, sql, type Tx } from "#platform/database";
import { enqueueJob as enqueue } from "#platform/jobs";
import type { DomainEvent } from "#platform/outbox";
import { clearReadPosts } from "./mark-read.ts";
import { NOTIFICATION_ENDINGS_BY_EVENT } from "./withdraw-notifications.ts";
import { createNotifications } from "./create-notifications.ts";
import * as accounts from "./triggers/account-triggers.ts";
import * as events from "./triggers/event-triggers.ts";
import { caseMeasureTrigger } from "./triggers/case-measure-triggers.ts";
import * as changed from "./triggers/edit-triggers.ts";
import * as firstPosts from "./triggers/pending-post-triggers.ts";
import * as groups from "./triggers/group-triggers.ts";
import * as library from "./triggers/resource-triggers.ts";
import * as links from "./triggers/link-suggestion-triggers.ts";
import * as messageTriggers from "./triggers/message-and-report-triggers.ts";
import * as talk from "./triggers/discussion-triggers.ts";
import * as taken from "./triggers/removal-triggers.ts";
import { domainEventItemId, type NotificationTrigger } from "./triggers/notification-trigger.ts";
import * as ties from "./triggers/relationship-triggers.ts";

type TriggerItem = NotificationTrigger["item"];
/**
 * Gives the payload of a domain event the type that its trigger expects; only one command emits each event
 * type.
 */
type DefineTrigger = <It>(
  make: (it: It, item: TriggerItem, now: Date) => NotificationTrigger,
) => (domainEvent: DomainEvent, item: TriggerItem, now: Date) => NotificationTrigger;
const defineTrigger: DefineTrigger = (make) => (domainEvent, item, now) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one command emits each event type
  make(domainEvent as never, item, now);
/** Type of the payload that a trigger expects. */
type PayloadFor<Make extends (it: never, ...more: never[]) => NotificationTrigger> = Parameters<Make>[0];
const joinDecisionTrigger = (answer: "join_approved" | "declined") =>
  defineTrigger<PayloadFor<typeof ties.joinDecisionTrigger>>((it, item) =>
    ties.joinDecisionTrigger(it, answer, item),
  );

/** Triggers by domain event type. */
const TRIGGERS: Record<
  string,
  (domainEvent: DomainEvent, item: TriggerItem, now: Date) => NotificationTrigger
> = {
  "discussion.started": defineTrigger(talk.discussionStartedTrigger),
  "post.written": defineTrigger(talk.replyTrigger),
  "post.mentioned": defineTrigger(talk.mentionTrigger),
  "post.reacted": defineTrigger(talk.reactionTrigger),
  "discussion.restored": defineTrigger(changed.discussionRestoredTrigger),
  "post.edited": defineTrigger(changed.postEditedTrigger),
  "post.restored": defineTrigger(changed.postRestoredTrigger),
  "discussion.deleted": defineTrigger(taken.discussionDeletedTrigger),
  "post.removed": defineTrigger(taken.postRemovedTrigger),
  "post.hidden": defineTrigger(taken.postHiddenTrigger),
  "post.pending": defineTrigger(firstPosts.postPendingTrigger),
  "post.approved": defineTrigger(firstPosts.postApprovedTrigger),
  "resource.approved": defineTrigger(firstPosts.resourceApprovedTrigger),
  "profile.approved": defineTrigger(firstPosts.profileApprovedTrigger),
  "post.returned": defineTrigger(firstPosts.postReturnedTrigger),
  "bookmark.due": defineTrigger(talk.bookmarkDueTrigger),
  "calendar.created": defineTrigger(events.eventCreatedTrigger),
  "calendar.poll-created": defineTrigger(events.datePollCreatedTrigger),
  "calendar.changed": defineTrigger(events.eventEditedTrigger),
  "calendar.postponed": defineTrigger(events.eventPostponedTrigger),
  "calendar.cancelled": defineTrigger(events.eventCancelledTrigger),
  "calendar.series-changed": defineTrigger(events.seriesEditedTrigger),
  "calendar.series-cancelled": defineTrigger(events.seriesCancelledTrigger),
  "calendar.hosts-changed": defineTrigger(events.hostsChangedTrigger),
  "calendar.host-left": defineTrigger(events.hostLeftTrigger),
  "calendar.moved-up": defineTrigger(events.waitingListTrigger),
  "calendar.reminder": defineTrigger(events.reminderTrigger),
  "message.written": defineTrigger<PayloadFor<typeof messageTriggers.messageTrigger>>((it, _item, now) =>
    messageTriggers.messageTrigger(it, now),
  ),
  "comment.written": defineTrigger(library.commentCreatedTrigger),
  "comment.mentioned": defineTrigger(library.commentMentionTrigger),
  "comment.reacted": defineTrigger(library.commentReactionTrigger),
  "comment.edited": defineTrigger(changed.commentEditedTrigger),
  "comment.restored": defineTrigger(changed.commentRestoredTrigger),
  "comment.removed": defineTrigger(taken.commentRemovedTrigger),
  "comment.hidden": defineTrigger(taken.commentHiddenTrigger),
  "resource.removed": defineTrigger(taken.resourceRemovedTrigger),
  "resource.hidden": defineTrigger(taken.resourceHiddenTrigger),
  "resource.edited": defineTrigger(changed.resourceEditedTrigger),
  "resource.moved": defineTrigger(changed.resourceMovedTrigger),
  "resource.version": defineTrigger(library.resourceVersionTrigger),
  "resource.link-died": defineTrigger(library.linkDeadTrigger),
  "announcement.created": defineTrigger(messageTriggers.announcementTrigger),
  "friend.requested": defineTrigger(ties.friendRequestTrigger),
  "friend.accepted": defineTrigger(ties.friendAcceptedTrigger),
  "group.invited": defineTrigger(ties.invitationTrigger),
  "group.requested": defineTrigger(ties.joinRequestTrigger),
  "group.join_approved": joinDecisionTrigger("join_approved"),
  "group.join_declined": joinDecisionTrigger("declined"),
  "group.removed": defineTrigger(groups.memberRemovedTrigger),
  "group.banned": defineTrigger(groups.memberBannedTrigger),
  "group.ban_ended": defineTrigger(groups.banLiftedTrigger),
  "group.appealed": defineTrigger(groups.banAppealedTrigger),
  "group.appeal_declined": defineTrigger(groups.banAppealDeclinedTrigger),
  "group.role_changed": defineTrigger(ties.roleChangedTrigger),
  "group.opening_scheduled": defineTrigger(groups.visibilityChangeTrigger),
  "group.pending": defineTrigger(groups.groupPendingTrigger),
  "group.approved": defineTrigger(groups.groupApprovedTrigger),
  "group.rejected": defineTrigger(groups.groupRejectedTrigger),
  "group.owner_requested": defineTrigger(groups.ownerRequestedTrigger),
  "group.owner_request_declined": defineTrigger(groups.ownerDeclinedTrigger),
  "group.inspected": defineTrigger(groups.groupInspectedTrigger),
  "group.deleted": defineTrigger(groups.groupDeletedTrigger),
  "group.archived": defineTrigger(ties.groupArchivedTrigger),
  "resource.address-suggested": defineTrigger(links.linkSuggestedTrigger),
  "resource.address-accepted": defineTrigger(links.linkAcceptedTrigger),
  "report.created": defineTrigger(messageTriggers.reportCreatedTrigger),
  "report.resolved": defineTrigger(messageTriggers.reportResolvedTrigger),
  "case.measure": defineTrigger(caseMeasureTrigger),
  "case.handed_over": defineTrigger(messageTriggers.caseTrigger),
  "case.mentioned": defineTrigger(messageTriggers.caseTrigger),
  "search.found": defineTrigger(messageTriggers.searchResultsTrigger),
  "person.awaits-approval": defineTrigger(accounts.accountPendingTrigger),
  "person.status-changed": defineTrigger(accounts.statusChangedTrigger),
  "person.security": defineTrigger(ties.ownAccountTrigger),
  "webhook.paused": defineTrigger(accounts.webhookPausedTrigger),
};

/** Domain event types with notifications. */
export const NOTIFYING_EVENTS = Object.keys(TRIGGERS);

type StoredEvent = { id: string; payload: DomainEvent };

/**
 * Notifies people of a domain event, starting after person `after`. Each person is notified once, however
 * often this runs. Processes one batch; a job continues, so that a large audience does not delay other
 * events.
 */
export async function notifyOfEvent(
  database: Database,
  storedEvent: StoredEvent,
  after: string | null = null,
): Promise<void> {
  const { next, objectId, people } = await database.inTransaction((tx) =>
    notifyOfEventWithin(tx, storedEvent, after),
  );
  // If the process ends before this line, the batch is repeated. That is safe: people who were already
  // notified are skipped.
  if (next)
    await enqueue(database.db, { task: "notify", payload: { outboxId: storedEvent.id, after: next } });
  // Marks notifications as read for people who read the post during processing, when their rows did not
  // exist yet.
  if (objectId) await database.inTransaction((tx) => clearReadPosts(tx, objectId, people));
}

/** Notifies one batch of people in the caller's transaction, which can be rolled back. */
export const notifyOfEventWithin = (tx: Tx, { id, payload }: StoredEvent, after: string | null = null) =>
  createNotifications(tx, TRIGGERS[payload.type]!(payload, domainEventItemId(id), tx.now), after);

/** Job: notifies the next batch. Does nothing if the domain event is no longer stored. */
export async function notifyNextBatch(
  database: Database,
  { outboxId, after }: { outboxId: string; after: string },
): Promise<void> {
  const storedEvent = await maybeOne(
    database.db,
    sql<StoredEvent>`select id, payload from outbox where id = ${outboxId}`,
  );
  if (storedEvent) await notifyOfEvent(database, storedEvent, after);
}

/**
 * Ends notifications that the domain event makes obsolete: their subject was read, dealt with, or is no
 * longer visible.
 */
export const endNotificationsForEvent = (database: Database, domainEvent: DomainEvent): Promise<void> =>
  database.inTransaction((tx) => NOTIFICATION_ENDINGS_BY_EVENT[domainEvent.type]!(tx, domainEvent));
export const NOTIFICATION_ENDING_EVENTS = Object.keys(NOTIFICATION_ENDINGS_BY_EVENT);

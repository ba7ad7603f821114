import { many, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { muteConversation } from "#community/conversations";
import { setFollowLevel } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { setNotifyLevel } from "#community/groups";
import { followResource } from "#community/resources";
import type { SignedIn, Viewer } from "#community/rules";
import { markRowsRead, publishCountChanges } from "./mark-read.ts";
import { type NotificationItem, getNotification } from "./notification-list.ts";
import { isNotificationListed } from "./notification-visibility.ts";

type NotificationRef = { id: string };
const ownCondition = (me: SignedIn) => sql`n.person_id = ${me.id}`;

/**
 * Opens a notification: all notifications about the same subject become read, in every tab.
 * @throws `not-signed-in`, `not-found`
 */
export async function openNotification(
  tx: Tx,
  viewer: Viewer,
  { id }: NotificationRef,
): Promise<NotificationItem> {
  const me = requireSignedIn(viewer);
  const line = await getNotification(tx, me, id);
  await markRowsRead(tx, sql`${ownCondition(me)} and n.object_id = ${line.object.id}::uuid`);
  return line;
}

/**
 * Marks notifications about a discussion without a specific post as read, because the viewer sees the
 * discussion.
 */
export async function markDiscussionSeen(
  tx: Tx,
  viewer: Viewer,
  { discussionId }: { discussionId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  await markRowsRead(
    tx,
    sql`${ownCondition(me)} and n.object_id = ${discussionId}::uuid and n.kind in ('reaction', 'bookmark')`,
  );
}

/** Marks notifications about a resource as read, because the viewer sees the resource. */
export async function markResourceSeen(
  tx: Tx,
  viewer: Viewer,
  { resourceId }: { resourceId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  await markRowsRead(
    tx,
    sql`${ownCondition(me)} and n.object_kind = 'resource' and n.object_id = ${resourceId}::uuid`,
  );
}

/** Marks notifications about an event as read, because the viewer sees the event. */
export async function markEventSeen(tx: Tx, viewer: Viewer, { eventId }: { eventId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  await markRowsRead(
    tx,
    sql`${ownCondition(me)} and n.object_kind = 'event' and n.object_id = ${eventId}::uuid`,
  );
}

/** Marks notifications about a date poll as read, because the viewer sees the poll. */
export async function markDatePollSeen(
  tx: Tx,
  viewer: Viewer,
  { datePollId }: { datePollId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  await markRowsRead(
    tx,
    sql`${ownCondition(me)} and n.object_kind = 'date_poll' and n.object_id = ${datePollId}::uuid`,
  );
}

/**
 * Marks a notification as read.
 * @throws `not-found`
 */
export async function markNotificationRead(tx: Tx, viewer: Viewer, { id }: NotificationRef): Promise<void> {
  const me = requireSignedIn(viewer);
  const line = await getNotification(tx, me, id);
  await markRowsRead(tx, sql`${ownCondition(me)} and n.id = ${line.id}::uuid`);
}

/** Unique index that allows one unread row per person, kind and subject. */
const UNREAD_CONSTRAINT = "notifications_open";
const isUnreadConflict = (error: unknown) =>
  typeof error === "object" &&
  error !== null &&
  "constraint" in error &&
  error.constraint === UNREAD_CONSTRAINT;

/**
 * Runs an update that makes rows unread. Repeats it if a concurrent update violates the unique index; the
 * second attempt sees the other row.
 */
async function retryOnUnreadConflict(tx: Tx, work: () => Promise<unknown>): Promise<void> {
  for (let more = 3; ; more--) {
    await run(tx, sql`savepoint beside`);
    try {
      await work();
      return void (await run(tx, sql`release savepoint beside`));
    } catch (error) {
      if (more === 0 || !isUnreadConflict(error)) throw error;
      await run(tx, sql`rollback to savepoint beside`);
    }
  }
}

/**
 * Marks a notification as unread, without mailing it again. If an equal notification is already unread, that
 * one stays.
 * @throws `not-found`
 */
export async function markNotificationUnread(tx: Tx, viewer: Viewer, { id }: NotificationRef): Promise<void> {
  const me = requireSignedIn(viewer);
  const line = await getNotification(tx, me, id);
  await retryOnUnreadConflict(tx, () =>
    run(
      tx,
      sql`update notifications n set read_at = null, mail_at = null, push_at = null
          where n.id = ${line.id}::uuid and not exists (
            select from notifications o where o.person_id = n.person_id and o.object_id = n.object_id
              and o.kind = n.kind and o.filtered = n.filtered
              and o.read_at is null and o.withdrawn_at is null)`,
    ),
  );
  await publishCountChanges(tx, [{ personId: me.id, id: line.id }]);
}

/** Marks all notifications as read except those in the sender folder. */
export async function markAllNotificationsRead(tx: Tx, viewer: Viewer): Promise<void> {
  await markRowsRead(tx, sql`${ownCondition(requireSignedIn(viewer))} and ${isNotificationListed("n")}`);
}

/** Marks all listed notifications as seen, which resets the bell. Called when the viewer opens the list. */
export async function markNotificationsSeen(tx: Tx, viewer: Viewer): Promise<void> {
  const me = requireSignedIn(viewer);
  const seen = await many(
    tx,
    sql<{ id: string; personId: string }>`
      update notifications n set seen_at = ${tx.now}
      where ${ownCondition(me)} and n.seen_at is null and n.read_at is null and ${isNotificationListed("n")}
      returning n.id, n.person_id as "personId"`,
  );
  await publishCountChanges(tx, seen);
}

/**
 * Mutes the subject of a notification.
 * @throws `not-found`; `not-allowed` if it cannot be muted
 */
export async function muteNotificationSource(tx: Tx, viewer: Viewer, { id }: NotificationRef): Promise<void> {
  const me = requireSignedIn(viewer);
  const { object } = await getNotification(tx, me, id);
  if (object.kind === "discussion") await setFollowLevel(tx, me, { discussionId: object.id, level: "muted" });
  else if (object.kind === "conversation")
    await muteConversation(tx, me, { conversationId: object.id, until: FOREVER });
  else if (object.kind === "group") await setNotifyLevel(tx, me, { groupId: object.id, level: "mute" });
  else if (object.kind === "resource")
    await followResource(tx, me, { resourceId: object.id, level: "muted" });
  else if (object.kind === "search")
    await run(
      tx,
      sql`update saved_searches set notified_until = null, next_run_at = null
        where id = ${object.id}::uuid and person_id = ${me.id}`,
    );
  else
    throw new Refusal("not-allowed", "This cannot be muted here. Choose your notifications in the settings.");
  await markRowsRead(tx, sql`${ownCondition(me)} and n.object_id = ${object.id}::uuid`);
}
const FOREVER = new Date("9999-01-01T00:00:00Z");

/**
 * Permanently moves the people of a notification out of the sender folder, with everything that only they
 * caused.
 * @throws `not-found`
 */
export async function allowSenders(tx: Tx, viewer: Viewer, { id }: NotificationRef): Promise<void> {
  const me = requireSignedIn(viewer);
  const { actors } = await getNotification(tx, me, id);
  const people = actors.map((actor) => actor.id).filter((actorId) => actorId !== me.id);
  await run(
    tx,
    sql`insert into notification_senders (person_id, sender_id, accepted_at)
        select ${me.id}, sender_id, ${tx.now} from unnest(${people}::uuid[]) sender_id
        on conflict do nothing`,
  );
  await retryOnUnreadConflict(tx, () =>
    run(
      tx,
      sql`update notifications n set filtered = false, seen_at = null
          where ${ownCondition(me)} and n.filtered and n.withdrawn_at is null
            and n.actors <@ ${people}::uuid[] and not exists (
            select from notifications o where o.person_id = n.person_id and o.object_id = n.object_id
              and o.kind = n.kind and not o.filtered
              and o.read_at is null and o.withdrawn_at is null)`,
    ),
  );
  await publishCountChanges(tx, [{ personId: me.id }]);
}

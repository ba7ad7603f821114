import { type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { enqueueJob } from "#platform/jobs";
import { msg } from "#platform/messages";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { getGroupToChange } from "#community/groups";
import { calendarRules, groupRules, SERVER_LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { removeEvents } from "./apply-import.ts";
import type { FileProblem, SkippedGroup } from "./import-entries.ts";
import type { NewSubscription, SubscriptionRemoval } from "./import-inputs.ts";

/** Why a calendar could not be read. */
export type SubscriptionProblem =
  | FileProblem
  | "forbidden"
  | "no-response"
  | "no-document"
  | "too-large"
  | "person-left";

/** A calendar to which a group subscribes, with the outcome of the last attempt to read it. */
export type CalendarSubscription = {
  id: string;
  url: string;
  /** Name from the calendar; empty if it has none or was not read yet. */
  name: string;
  readAt: Date | null;
  error: SubscriptionProblem | null;
  skipped: SkippedGroup[];
  /** Number of its events that have not ended. */
  events: number;
};

/** Task that reads one calendar. */
export const SUBSCRIPTION_TASK = "calendar";

/**
 * Subscribes a group to a calendar. A job reads it at once, and again every day.
 * @throws `not-found` for a group the viewer may not see, `not-allowed` for all but its moderators, `invalid` on
 * `url` for an address that the group has already, `conflict` above the maximum number
 */
export async function addSubscription(
  tx: Tx,
  viewer: Viewer,
  { groupId, url, timeZone }: z.output<typeof NewSubscription>,
): Promise<{ id: string }> {
  const me = await requireManager(tx, viewer, groupId);
  const { count, isKnown } = await one(
    tx,
    sql<{ count: number; isKnown: boolean }>`
      select count(*)::int as count, coalesce(bool_or(url = ${url}), false) as "isKnown"
      from calendar_subscriptions where group_id = ${groupId}`,
  );
  if (isKnown) throw invalid("url", "The group already subscribes to this calendar.");
  const most = SERVER_LIMITS.eventImports.subscriptions;
  if (count >= most)
    throw new Refusal(
      "conflict",
      msg("A group can subscribe to {count} calendars at most. Remove one first.", { count: most }),
    );
  const id = tx.newId();
  await run(
    tx,
    sql`insert into calendar_subscriptions (id, group_id, added_by, url, time_zone, due_at, created_at)
        values (${id}, ${groupId}, ${me.id}, ${url}, ${timeZone}, ${tx.now}, ${tx.now})`,
  );
  await writeAudit(tx, me, {
    act: "calendar.subscribed",
    kind: "group",
    id: groupId,
    details: { groupId, url },
  });
  await enqueueReading(tx, id);
  return { id };
}

const enqueueReading = (tx: Tx, subscriptionId: string) =>
  enqueueJob(tx, {
    task: SUBSCRIPTION_TASK,
    payload: { subscriptionId },
    key: `calendar:${subscriptionId}`,
    mostAttempts: 1,
  });

/** Locks the group, so that its number of calendars cannot exceed the limit. */
async function requireManager(tx: Tx, viewer: Viewer, groupId: string): Promise<SignedIn> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, groupId, "lock");
  if (!calendarRules.subscribe(me, group)) throw cannotSubscribeRefusal();
  return me;
}

const cannotSubscribeRefusal = () =>
  new Refusal("not-allowed", "Only the group's moderators can change its calendar subscriptions.");

/**
 * Calendars of a group, the oldest first.
 * @throws `not-found` for a group the viewer may not see, `not-allowed` for all but its moderators
 */
export async function listSubscriptions(
  db: Db,
  viewer: Viewer,
  groupId: string,
  now: Date,
): Promise<CalendarSubscription[]> {
  const group = await getGroupToChange(db, viewer, groupId, "read");
  if (!groupRules.moderate(viewer, group)) throw cannotSubscribeRefusal();
  return many(
    db,
    sql<CalendarSubscription>`
      select s.id, s.url, s.name, s.read_at as "readAt", s.error, s.skipped,
        (select count(*)::int from imported_events i join calendar_events e on e.id = i.event_id
          where i.subscription_id = s.id and e.ends_at > ${now} and e.cancelled_at is null) as events
      from calendar_subscriptions s where s.group_id = ${groupId} order by s.created_at, s.id`,
  );
}

/**
 * Reads a calendar again, for example after an error.
 * @throws like `removeSubscription`
 */
export async function requestReading(tx: Tx, viewer: Viewer, subscriptionId: string): Promise<void> {
  const { id } = await getSubscription(tx, viewer, subscriptionId);
  await run(tx, sql`update calendar_subscriptions set due_at = ${tx.now} where id = ${id}`);
  await enqueueReading(tx, id);
}

/**
 * Ends a subscription. Its events stay as events of the group, or its coming events are removed: those that
 * nobody has answered are deleted, the others cancelled.
 * @throws `not-found` for a missing subscription and one of a group the viewer may not see, `not-allowed` for
 * all but moderators
 */
export async function removeSubscription(
  tx: Tx,
  viewer: Viewer,
  { subscriptionId, removeEvents: removes }: z.output<typeof SubscriptionRemoval>,
): Promise<void> {
  const { id, groupId, url, me } = await getSubscription(tx, viewer, subscriptionId);
  if (removes) {
    const events = await many(
      tx,
      sql<{ eventId: string }>`
        select i.event_id as "eventId" from imported_events i join calendar_events e on e.id = i.event_id
        join calendar_occurrences o on o.event_id = e.id
        where i.subscription_id = ${id} and e.ends_at > ${tx.now} and e.cancelled_at is null
        order by o.id for no key update of o`,
    );
    await removeEvents(tx, me, events, groupId);
  }
  await run(tx, sql`delete from calendar_subscriptions where id = ${id}`);
  await writeAudit(tx, me, {
    act: "calendar.unsubscribed",
    kind: "group",
    id: groupId,
    details: { groupId, url },
  });
}

async function getSubscription(tx: Tx, viewer: Viewer, subscriptionId: string) {
  const found = await maybeOne(
    tx,
    sql<{ id: string; groupId: string; url: string }>`
      select id, group_id as "groupId", url from calendar_subscriptions where id = ${subscriptionId} for update`,
  );
  if (!found) throw notFound();
  return { ...found, me: await requireManager(tx, viewer, found.groupId) };
}

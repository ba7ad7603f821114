import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { NewDiscussion, startDiscussion } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { calendarRules, type SignedIn, type Viewer } from "#community/rules";
import { moveUpWaiting } from "./attendance.ts";
import type { EventCancellation, EventChange, NewEvent } from "./event-inputs.ts";
import type { CalendarEvent } from "./event-columns.ts";
import { type EventTimes, resolveEventTimes } from "./event-times.ts";
import { getEventForUpdate } from "./event.ts";

/**
 * Creates an event and its discussion, whose first post is the description; stored once per `clientId`.
 * @throws like `startDiscussion`, and `invalid` on the field of a time
 */
export async function createEvent(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewEvent>,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const times = resolveEventTimes(input, tx.now);
  const { groupId, title, body, clientId } = input;
  const { postId } = await startDiscussion(
    tx,
    me,
    NewDiscussion.parse({ groupId, title, body, ...(clientId && { clientId }) }),
  );
  const sent = await maybeOne(
    tx,
    sql<{ id: string }>`select id from calendar_events where post_id = ${postId}`,
  );
  if (sent) return sent;
  const id = tx.newId();
  await insertEvent(tx, me, { ...input, ...times, id, postId });
  await emit(tx, { type: "calendar.created", eventId: id, groupId, by: me.id });
  return { id };
}

type EventRow = Omit<z.output<typeof NewEvent>, "answersUntil"> & EventTimes & { id: string; postId: string };

const insertEvent = (tx: Tx, me: SignedIn, it: EventRow) =>
  run(
    tx,
    sql`with event as (
          insert into calendar_events (id, group_id, host_id, post_id, title, time_zone, all_day, ends_at,
            place, online_url, capacity, companions, answers_until, created_at)
          values (${it.id}, ${it.groupId}, ${me.id}, ${it.postId}, ${it.title}, ${it.timeZone}, ${it.allDay},
            ${it.endsAt}, ${it.place}, ${it.onlineUrl}, ${it.capacity}, ${it.companions},
            ${it.answersUntil}, ${tx.now}))
        insert into calendar_occurrences (id, event_id, starts_at, ends_at)
        values (${tx.newId()}, ${it.id}, ${it.startsAt}, ${it.endsAt})`,
  );

/**
 * Changes everything but the description, which is edited as a post. People who are going keep their place,
 * even above a lower capacity.
 * @throws `not-found`, `not-allowed` if the viewer may not change it, `conflict` when it is over or was
 * changed since `changes`, `invalid` on the field of a time
 */
export async function editEvent(tx: Tx, viewer: Viewer, input: z.output<typeof EventChange>): Promise<void> {
  const me = requireSignedIn(viewer);
  const event = await getEventToChange(tx, me, input.eventId);
  if (event.changes !== input.changes)
    throw new Refusal("conflict", "Someone else changed this event. Reload the page and try again.");
  const { startsAt, endsAt, answersUntil } = resolveEventTimes(input, tx.now);
  await run(
    tx,
    sql`with occurrence as (
          update calendar_occurrences set starts_at = ${startsAt}, ends_at = ${endsAt}
          where id = ${event.occurrenceId})
        update calendar_events set title = ${input.title}, time_zone = ${input.timeZone},
          all_day = ${input.allDay}, ends_at = ${endsAt}, place = ${input.place},
          ${input.onlineUrl === undefined ? sql`` : sql`online_url = ${input.onlineUrl},`}
          capacity = ${input.capacity}, companions = ${input.companions},
          answers_until = ${answersUntil}, changes = changes + 1
        where id = ${event.id}`,
  );
  await recordByModerator(tx, me, event, "event.changed", null);
  const moved =
    startsAt.getTime() !== event.startsAt.getTime() || endsAt.getTime() !== event.endsAt.getTime();
  await emit(tx, {
    type: "calendar.changed",
    eventId: event.id,
    groupId: event.group.id,
    moved: moved || input.place !== event.place,
    by: me.id,
  });
  await moveUpWaiting(tx, event, input.capacity);
}

/** @throws like `editEvent` */
export async function cancelEvent(
  tx: Tx,
  viewer: Viewer,
  { eventId, reason }: z.output<typeof EventCancellation>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const event = await getEventToChange(tx, me, eventId);
  await run(
    tx,
    sql`update calendar_events set cancelled_at = ${tx.now}, cancelled_by = ${me.id},
          cancelled_reason = ${reason}, changes = changes + 1
        where id = ${event.id}`,
  );
  await recordByModerator(tx, me, event, "event.cancelled", reason);
  await emit(tx, { type: "calendar.cancelled", eventId: event.id, groupId: event.group.id, by: me.id });
}

async function getEventToChange(tx: Tx, me: SignedIn, eventId: string): Promise<CalendarEvent> {
  const event = await getEventForUpdate(tx, me, { eventId });
  if (calendarRules.change(me, event, tx.now)) return event;
  if (!calendarRules.manage(me, event))
    throw new Refusal("not-allowed", "Only the host and the group's moderators can change this event.");
  throw event.cancelledAt
    ? new Refusal("conflict", "This event was cancelled.")
    : new Refusal("conflict", "This event is over.");
}

const recordByModerator = async (
  tx: Tx,
  me: SignedIn,
  event: CalendarEvent,
  act: "event.changed" | "event.cancelled",
  reason: string | null,
): Promise<void> => {
  if (event.hostId !== me.id)
    await writeAudit(tx, me, {
      act,
      kind: "event",
      id: event.id,
      reason,
      details: { groupId: event.group.id },
    });
};

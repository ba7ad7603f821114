import { type Database, many, one, sql, type Tx } from "#platform/database";
import { emit, type DomainEvent } from "#platform/outbox";
import { andIfGiven } from "#community/common";
import { type EventPlaces, promoteWaitingList } from "./attendance.ts";

/** Domain events after which people may have lost the right to attend. */
export const PLACE_RELEASING_EVENTS = [
  "group.left",
  "group.removed",
  "group.banned",
  "group.changed",
  "person.left",
] as const;

/**
 * Releases the places that people hold in future events they may no longer attend, and moves the waiting
 * lists up. `group.changed` concerns all people in the group.
 */
export const releasePlaces = (database: Database, { type, by, personId, groupId }: DomainEvent) =>
  database.inTransaction(async (tx) => {
    const who = type === "group.changed" ? null : type === "group.left" ? by : personId;
    const occurrences = await lockOccurrences(
      tx,
      sql`true ${andIfGiven(who, (id) => sql`a.person_id = ${id}::uuid`)}
        ${andIfGiven(groupId, (id) => sql`e.group_id = ${id}::uuid`)}`,
    );
    for (const { id } of occurrences) {
      const places = await deleteAnswers(tx, id);
      await emit(tx, {
        type: "calendar.places-released",
        eventId: places.id,
        groupId: places.groupId,
        occurrenceId: id,
        releasedIds: places.releasedIds,
        declinedIds: places.declinedIds,
      });
      await promoteWaitingList(tx, places);
    }
  });

/** Joins a future event to its occurrence's id, with its group and the membership of the person `p`. */
export const joinAttendanceFacts = (tx: Tx, occurrenceId: ReturnType<typeof sql>) => sql`
  join calendar_occurrences o on o.id = ${occurrenceId}
  join calendar_events e on e.id = o.event_id and e.cancelled_at is null
    and (o.ends_at > ${tx.now} or e.postponed_at is not null)
  join groups g on g.id = e.group_id left join memberships m on m.group_id = g.id and m.person_id = p.id`;

const fromComing = (tx: Tx) => sql`
  from attendances a join people p on p.id = a.person_id ${joinAttendanceFacts(tx, sql`a.occurrence_id`)}`;

/**
 * SQL equivalent of `calendarRules.decline` for the person `p`. Archived groups and limited accounts are not
 * considered.
 */
export const mayAttend = sql`(p.state not in ('deactivated', 'erased') and (coalesce(m.state = 'member', false)
  or (g.visibility = 'public' and e.audience = 'group' and m.state is distinct from 'banned'
    and (g.replies_by = 'readers' or p.site_role in ('moderator', 'admin')))))`;

/** Locks occurrences in id order, so that concurrent calls do not deadlock. */
const lockOccurrences = (tx: Tx, where: ReturnType<typeof sql>) =>
  many(
    tx,
    sql<{ id: string }>`
      select id from calendar_occurrences
      where id in (select o.id ${fromComing(tx)} where ${where} and not ${mayAttend})
      order by id for no key update`,
  );

/** Maximum number of people whom the domain event names. */
const MAX_NAMED = 500;
/** SQL: ids of the people whose released answers meet a condition, separated by commas. */
const namedIds = (holds: ReturnType<typeof sql>) => sql`(
  select string_agg(person_id::text, ',') from (
    select person_id from released where ${holds} limit ${MAX_NAMED}) named)`;

/** Deletes the answers of an occurrence and reads its capacity after the lock, since it may have changed. */
const deleteAnswers = (tx: Tx, occurrenceId: string) =>
  one(
    tx,
    sql<EventPlaces & { releasedIds: string | null; declinedIds: string | null }>`
      with released as (
        delete from attendances x where x.occurrence_id = ${occurrenceId} and x.person_id in (
          select p.id ${fromComing(tx)} where o.id = ${occurrenceId} and not ${mayAttend})
        returning x.person_id, x.answer)
      select o.id as "occurrenceId", e.id, e.group_id as "groupId", e.capacity,
        ${namedIds(sql`answer <> 'declined'`)} as "releasedIds",
        ${namedIds(sql`answer = 'declined'`)} as "declinedIds"
      from calendar_occurrences o join calendar_events e on e.id = o.event_id where o.id = ${occurrenceId}`,
  );

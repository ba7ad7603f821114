import { addMilliseconds, DAY, HOUR } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";
import type { SignedIn } from "#community/rules";
import type { TestUsers } from "../test-users.ts";
import { INSIDE_WORD } from "./marker-words.ts";

/**
 * Adds a past event by Mira in the group. Members who joined later may not read the event, because it is
 * part of the group's history.
 */
export async function addMarkedEvent(
  tx: Tx,
  { mira, tomas }: Pick<TestUsers, "mira" | "tomas">,
  group: { id: string },
) {
  const [eventId, occurrenceId, seriesId] = [tx.newId(), tx.newId(), tx.newId()];
  const endsAt = addMilliseconds(tx.now, -HOUR);
  await run(
    tx,
    sql`insert into event_series (id, group_id, host_id, frequency, every, weekdays, month_day, planned_until,
          title, time_zone, all_day, starts, ends, place, companions, created_at)
        values (${seriesId}, ${group.id}, ${tomas.id}, 'daily', 1, '{}', 'date', ${endsAt}, ${INSIDE_WORD},
          'UTC', false, ${endsAt}, ${endsAt}, ${INSIDE_WORD}, 2, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into calendar_events (id, group_id, host_id, title, time_zone, all_day, ends_at, place,
          online_url, capacity, companions, created_at, series_id, series_date)
        values (${eventId}, ${group.id}, ${tomas.id}, ${INSIDE_WORD}, 'UTC', false, ${endsAt}, ${INSIDE_WORD},
          ${`https://example.org/${INSIDE_WORD}`}, 10, 2, ${addMilliseconds(tx.now, -DAY)},
          ${seriesId}, ${endsAt})`,
  );
  await run(
    tx,
    sql`insert into calendar_occurrences (id, event_id, starts_at, ends_at)
        values (${occurrenceId}, ${eventId}, ${addMilliseconds(endsAt, -HOUR)}, ${endsAt})`,
  );
  await addAttendance(tx, mira, occurrenceId, INSIDE_WORD);
  const { importId } = await addMarkedImport(tx, tomas, group, eventId);
  const { datePollId, timeId } = await addMarkedDatePoll(tx, tomas, group, endsAt);
  await addDatePollAnswer(tx, mira, timeId);
  return { eventId, occurrenceId, seriesId, datePollId, timeId, importId };
}

/** Marks the event as one of a subscribed calendar, and adds a file that Tomas has uploaded but not imported. */
async function addMarkedImport(tx: Tx, by: SignedIn, group: { id: string }, eventId: string) {
  const [importId, subscriptionId] = [tx.newId(), tx.newId()];
  await run(
    tx,
    sql`insert into calendar_subscriptions (id, group_id, added_by, url, name, time_zone, due_at, created_at)
        values (${subscriptionId}, ${group.id}, ${by.id}, ${`https://calendar.example/${INSIDE_WORD}.ics`},
          ${INSIDE_WORD}, 'UTC', 'infinity', ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into imported_events (event_id, group_id, uid, date, digest, text, subscription_id)
        values (${eventId}, ${group.id}, 'marked', '', '', ${INSIDE_WORD}, ${subscriptionId})`,
  );
  const startsAt = addMilliseconds(tx.now, DAY);
  const entry = {
    uid: "preview",
    date: "",
    title: INSIDE_WORD,
    place: INSIDE_WORD,
    text: INSIDE_WORD,
    startsAt,
    endsAt: addMilliseconds(startsAt, HOUR),
    allDay: false,
    timeZone: "UTC",
    isCancelled: false,
    digest: "",
  };
  await run(
    tx,
    sql`insert into event_imports (id, group_id, person_id, file_name, entries, created_at)
        values (${importId}, ${group.id}, ${by.id}, ${INSIDE_WORD}, ${JSON.stringify([entry])}, ${tx.now})`,
  );
  return { importId };
}

/** A date poll by Tomas whose only time is over, so that it is part of the group's history. */
async function addMarkedDatePoll(tx: Tx, host: SignedIn, group: { id: string }, endsAt: Date) {
  const [datePollId, timeId] = [tx.newId(), tx.newId()];
  await run(
    tx,
    sql`insert into date_polls (id, group_id, host_id, title, time_zone, all_day, ends_at, created_at)
        values (${datePollId}, ${group.id}, ${host.id}, ${INSIDE_WORD}, 'UTC', false, ${endsAt},
          ${addMilliseconds(tx.now, -DAY)})`,
  );
  await run(
    tx,
    sql`insert into date_poll_times (id, poll_id, starts_at, ends_at)
        values (${timeId}, ${datePollId}, ${addMilliseconds(endsAt, -HOUR)}, ${endsAt})`,
  );
  return { datePollId, timeId };
}

export const addDatePollAnswer = (tx: Tx, who: SignedIn, timeId: string) =>
  run(
    tx,
    sql`insert into date_poll_answers (time_id, person_id, answer, answered_at)
        values (${timeId}, ${who.id}, 'yes', ${tx.now})`,
  );

/** Stores that the person attends, with a note. */
export const addAttendance = (tx: Tx, who: SignedIn, occurrenceId: string, note: string) =>
  run(
    tx,
    sql`insert into attendances (occurrence_id, person_id, answer, note, answered_at)
        values (${occurrenceId}, ${who.id}, 'going', ${note}, ${tx.now})`,
  );

/** Makes the person a host of the event beside its first one. */
export const addHost = (tx: Tx, who: SignedIn, eventId: string) =>
  run(
    tx,
    sql`insert into event_hosts (event_id, person_id, added_at) values (${eventId}, ${who.id}, ${tx.now})`,
  );

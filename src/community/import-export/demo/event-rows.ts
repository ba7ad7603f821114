import { addMilliseconds, HOUR } from "#platform/clock";
import { uuidv7 } from "#platform/ids";
import type { DemoEvent } from "./demo-data.ts";
import type { Row } from "../bulk-insert.ts";
import type { Seeding } from "./seeding-context.ts";

const ANSWERS = ["going", "maybe", "waiting", "declined"] as const;

/** The calendar's rows by table, with one event for each week of a weekly event. */
export function createEventRows(s: Seeding) {
  const events: Row[] = [];
  const occurrences: Row[] = [];
  const attendances: Row[] = [];
  for (const it of s.demo.events)
    for (const week of it.weeks) {
      const [id, occurrenceId] = [uuidv7(s.at(1).getTime()), uuidv7(s.at(1).getTime())];
      const startsAt = startOfWeekly(s.at(0), it, week);
      const endsAt = addMilliseconds(startsAt, it.hours * HOUR);
      events.push(createEventRow(s, it, { id, endsAt, week }));
      occurrences.push({ id: occurrenceId, event_id: id, starts_at: startsAt, ends_at: endsAt });
      attendances.push(...createAttendanceRows(s, it, occurrenceId));
    }
  return { events, occurrences, attendances };
}

function createEventRow(
  s: Seeding,
  demoEvent: DemoEvent,
  { id, endsAt, week }: { id: string; endsAt: Date; week: number },
): Row {
  const cancelled = demoEvent.except?.week === week;
  return {
    id,
    group_id: s.group(demoEvent.group),
    host_id: s.person(demoEvent.host),
    post_id: s.post(demoEvent.discussion, 1),
    title: demoEvent.title,
    time_zone: demoEvent.timeZone,
    all_day: false,
    ends_at: endsAt,
    place: demoEvent.place,
    capacity: demoEvent.capacity,
    companions: demoEvent.companions,
    created_at: s.at(1),
    cancelled_at: cancelled ? s.at(1) : null,
    cancelled_by: cancelled ? s.person(demoEvent.host) : null,
    cancelled_reason: cancelled ? demoEvent.except!.cancelled : "",
  };
}

const createAttendanceRows = (s: Seeding, demoEvent: DemoEvent, occurrenceId: string): Row[] =>
  ANSWERS.flatMap((answer) =>
    demoEvent[answer].map((who, position) => ({
      occurrence_id: occurrenceId,
      person_id: s.person(who),
      answer,
      waiting_number: answer === "waiting" ? position + 1 : null,
      answered_at: s.at(1),
    })),
  );

/**
 * Start of the event in a week. Week 0 contains the next such weekday from tomorrow on; negative weeks are
 * past.
 */
function startOfWeekly(now: Date, { weekday, starts, timeZone }: DemoEvent, week: number): Date {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const ahead = ((weekday - today.dayOfWeek + 6) % 7) + 1;
  const zoned = today
    .add({ days: ahead + 7 * week })
    .toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(starts) });
  return new Date(zoned.epochMilliseconds);
}

import { addMilliseconds, HOUR } from "#platform/clock";
import { uuidv7 } from "#platform/ids";
import type { DemoEvent } from "./demo-data.ts";
import type { Row } from "../bulk-insert.ts";
import type { SeedingContext } from "./seeding-context.ts";

const ANSWERS = ["going", "maybe", "waiting", "declined"] as const;

/** The calendar's rows by table, with one event for each week of a weekly event. */
export function createEventRows(s: SeedingContext) {
  const series: Row[] = [];
  const events: Row[] = [];
  const occurrences: Row[] = [];
  const attendances: Row[] = [];
  for (const it of s.demo.events) {
    const seriesId = it.weeks.length > 1 ? uuidv7(s.at(1).getTime()) : null;
    if (seriesId) series.push(createSeriesRow(s, it, seriesId));
    for (const week of it.weeks) {
      const [id, occurrenceId] = [uuidv7(s.at(1).getTime()), uuidv7(s.at(1).getTime())];
      const starts = it.moved?.week === week ? it.moved.starts : it.starts;
      const startsAt = startOfWeekly(s.at(0), { ...it, starts }, week);
      const endsAt = addMilliseconds(startsAt, it.hours * HOUR);
      events.push(createEventRow(s, it, { id, endsAt, week, seriesId }));
      occurrences.push({ id: occurrenceId, event_id: id, starts_at: startsAt, ends_at: endsAt });
      attendances.push(...createAttendanceRows(s, it, occurrenceId));
    }
  }
  return { series, events, occurrences, attendances };
}

function createEventRow(
  s: SeedingContext,
  demoEvent: DemoEvent,
  { id, endsAt, week, seriesId }: { id: string; endsAt: Date; week: number; seriesId: string | null },
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
    place: demoEvent.moved?.week === week ? demoEvent.moved.place : demoEvent.place,
    capacity: demoEvent.capacity,
    companions: demoEvent.companions,
    created_at: s.at(1),
    series_id: seriesId,
    series_date: seriesId && dateOfWeek(s.at(0), demoEvent, week).toString(),
    cancelled_at: cancelled ? s.at(1) : null,
    cancelled_by: cancelled ? s.person(demoEvent.host) : null,
    cancelled_reason: cancelled ? demoEvent.except!.cancelled : "",
  };
}

function createSeriesRow(s: SeedingContext, it: DemoEvent, id: string): Row {
  const [first, last] = [it.weeks[0]!, it.weeks.at(-1)!].map((week) => dateOfWeek(s.at(0), it, week));
  const starts = first!.toPlainDateTime(Temporal.PlainTime.from(it.starts));
  return {
    id,
    group_id: s.group(it.group),
    host_id: s.person(it.host),
    post_id: s.post(it.discussion, 1),
    frequency: "weekly",
    every: 1,
    weekdays: [it.weekday],
    month_day: "date",
    last_day: last!.toString(),
    planned_until: last!.toString(),
    title: it.title,
    time_zone: it.timeZone,
    all_day: false,
    starts: starts.toString(),
    ends: starts.add({ hours: it.hours }).toString(),
    place: it.place,
    capacity: it.capacity,
    companions: it.companions,
    created_at: s.at(1),
  };
}

const createAttendanceRows = (s: SeedingContext, demoEvent: DemoEvent, occurrenceId: string): Row[] =>
  ANSWERS.flatMap((answer) =>
    demoEvent[answer].map((who, position) => ({
      occurrence_id: occurrenceId,
      person_id: s.person(who),
      answer,
      waiting_number: answer === "waiting" ? position + 1 : null,
      answered_at: s.at(1),
    })),
  );

type WeeklyTime = Pick<DemoEvent, "weekday" | "timeZone" | "starts">;

/**
 * Date of the event in a week. Week 0 contains the next such weekday from tomorrow on; negative weeks are
 * past.
 */
function dateOfWeek(now: Date, { weekday, timeZone }: WeeklyTime, week: number): Temporal.PlainDate {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const ahead = ((weekday - today.dayOfWeek + 6) % 7) + 1;
  return today.add({ days: ahead + 7 * week });
}

export function startOfWeekly(now: Date, it: WeeklyTime, week: number): Date {
  const zoned = dateOfWeek(now, it, week).toZonedDateTime({
    timeZone: it.timeZone,
    plainTime: Temporal.PlainTime.from(it.starts),
  });
  return new Date(zoned.epochMilliseconds);
}

import { addMilliseconds } from "#platform/clock";
import type { EventTimes } from "../event-times.ts";

/** Times of a series' first date, by the clock of its zone, as its form shows them. */
export type ClockTimes = {
  starts: Temporal.PlainDateTime;
  /** Last day of an all-day event. */
  ends: Temporal.PlainDateTime;
  answersUntil: Temporal.PlainDateTime | null;
  allDay: boolean;
  timeZone: string;
};

/** Times of an event on one date of a series: the clock shows the same times as on the first date. */
export function timesOnDate(series: ClockTimes, date: Temporal.PlainDate): EventTimes {
  const { allDay, timeZone } = series;
  const days = series.starts.toPlainDate().until(date);
  const resolve = (local: Temporal.PlainDateTime) =>
    new Date(local.add(days).toZonedDateTime(timeZone).epochMilliseconds);
  const startOfDay = (local: Temporal.PlainDateTime) =>
    new Date(local.add(days).toPlainDate().toZonedDateTime(timeZone).epochMilliseconds);
  const answersUntil = series.answersUntil && resolve(series.answersUntil);
  if (allDay)
    return {
      startsAt: startOfDay(series.starts),
      endsAt: startOfDay(series.ends.add({ days: 1 })),
      answersUntil,
    };
  const startsAt = resolve(series.starts);
  const endsAt = resolve(series.ends);
  if (endsAt > startsAt) return { startsAt, endsAt, answersUntil };
  // Clocks skip the start, but not the end: the event keeps its length.
  const span = series.starts.until(series.ends).total({ unit: "milliseconds" });
  return { startsAt, endsAt: addMilliseconds(startsAt, span), answersUntil };
}

/**
 * What clocks do at a time: `skipped` if they jump over it, so that the event begins later by the clock;
 * `repeated` if they show it twice, where the first is meant; null on other days.
 */
export type ClockChange = "skipped" | "repeated" | null;

/** Clock change at a local time in a zone. */
export function clockChangeAt(local: Temporal.PlainDateTime, timeZone: string): ClockChange {
  const zoned = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (!zoned.toPlainDateTime().equals(local)) return "skipped";
  const later = local.toZonedDateTime(timeZone, { disambiguation: "later" });
  return later.epochMilliseconds === zoned.epochMilliseconds ? null : "repeated";
}

/** Clock change at the start of an event. `planned` is the local time that its series has for this date. */
export function getEventClockChange(
  { startsAt, allDay, timeZone }: { startsAt: Date; allDay: boolean; timeZone: string },
  planned: Temporal.PlainDateTime | null,
): ClockChange {
  if (allDay) return null;
  const start = Temporal.Instant.fromEpochMilliseconds(startsAt.getTime()).toZonedDateTimeISO(timeZone);
  const isAsPlanned = planned?.toZonedDateTime(timeZone).epochMilliseconds === startsAt.getTime();
  return clockChangeAt(isAsPlanned ? planned : start.toPlainDateTime(), timeZone);
}

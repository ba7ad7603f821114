import { type Db, limit, many, maybeOne, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import { type CalendarEvent, type OccurrenceRow, selectOccurrences } from "../event-columns.ts";
import { type ClockChange, getEventClockChange } from "./occurrence-times.ts";
import { type Recurrence, weekOfMonth } from "./recurrence.ts";

/** How an event repeats, as its page says it. */
export type EventSeries = Recurrence & {
  /** Last possible date, such as `2026-12-05`; null for a series without an end. */
  lastDay: string | null;
  /** First date. */
  firstDay: string;
  /** Position of the weekday in the month of the first date: 2 for the second Tuesday. */
  week: number;
};

type SeriesFacts = Omit<EventSeries, "week"> & { starts: string };

/**
 * The series of a loaded event (null if the event does not repeat), and how clocks change at the event's
 * start.
 */
export async function getEventSeries(
  db: Db,
  event: Pick<CalendarEvent, "seriesId" | "seriesDate" | "startsAt" | "allDay" | "timeZone">,
): Promise<{ series: EventSeries | null; clockChange: ClockChange }> {
  const row =
    event.seriesId === null
      ? null
      : await maybeOne(
          db,
          sql<SeriesFacts>`
            select frequency, every, weekdays, month_day as "monthDay", last_day::text as "lastDay",
              starts::date::text as "firstDay", starts::text as starts
            from event_series where id = ${event.seriesId}`,
        );
  if (!row) return { series: null, clockChange: getEventClockChange(event, null) };
  const { starts, ...series } = row;
  const first = Temporal.PlainDateTime.from(starts);
  const planned = Temporal.PlainDate.from(event.seriesDate!).toPlainDateTime(first.toPlainTime());
  return {
    series: { ...series, week: weekOfMonth(first.toPlainDate()) },
    clockChange: getEventClockChange(event, planned),
  };
}

/** Dates of a series that the viewer may see and that have not ended, in order. */
export const listSeriesDates = (
  db: Db,
  viewer: Viewer,
  { seriesId, now, most }: { seriesId: string; now: Date; most: number },
): Promise<OccurrenceRow[]> =>
  many(
    db,
    sql<OccurrenceRow>`
      ${selectOccurrences(viewer)} and e.series_id = ${seriesId} and o.ends_at > ${now}
      order by o.starts_at, o.id ${limit(most)}`,
  );

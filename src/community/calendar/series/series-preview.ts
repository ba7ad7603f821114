import type { z } from "zod";
import type { EventDates } from "../event-inputs.ts";
import { resolveEventTimes } from "../event-times.ts";
import { type ClockChange, clockChangeAt, timesOnDate } from "./occurrence-times.ts";
import { planSeries } from "./series-plan.ts";

/** Number of dates shown in a preview. */
const SHOWN = 8;

/** The first dates of a series, and the dates on which a clock change affects the time. */
export type SeriesPreview = {
  dates: { startsAt: Date; endsAt: Date; clockChange: ClockChange }[];
  /** Number of dates; null for a series without an end. */
  count: number | null;
  /** Later dates on which a clock change affects the time. */
  unusual: SeriesPreview["dates"];
  allDay: boolean;
  timeZone: string;
};

/**
 * The dates that a form describes; a single one for an event that does not repeat.
 * @throws `invalid` like `createEvent`
 */
export function previewSeries(input: z.output<typeof EventDates>, now: Date): SeriesPreview {
  const first = resolveEventTimes(input, now);
  const plan = planSeries(input, now);
  const { allDay, timeZone } = input;
  if (!plan) return { dates: [{ ...first, clockChange: null }], count: 1, unusual: [], allDay, timeZone };
  const dates = plan.dates.map((date) => {
    const { startsAt, endsAt } = timesOnDate(plan.times, date);
    const local = date.toPlainDateTime(plan.times.starts.toPlainTime());
    return { startsAt, endsAt, clockChange: allDay ? null : clockChangeAt(local, timeZone) };
  });
  return {
    dates: dates.slice(0, SHOWN),
    count: plan.lastDay === null ? null : dates.length,
    unusual: dates.slice(SHOWN).filter((it) => it.clockChange !== null),
    allDay,
    timeZone,
  };
}

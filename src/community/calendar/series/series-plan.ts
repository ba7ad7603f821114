import { addMilliseconds, DAY } from "#platform/clock";
import { msg } from "#platform/messages";
import { invalid } from "#platform/refusal";
import { LIMITS } from "#community/rules";
import type { EventTimesInput } from "../event-inputs.ts";
import type { ClockTimes } from "./occurrence-times.ts";
import { listRuleDates, type Recurrence } from "./recurrence.ts";
import { readRecurrence, type RecurrenceFields } from "./series-inputs.ts";

const { dates: MAX_DATES, planned: PLANNED_DAYS } = LIMITS.event.series;

/** A series and the dates that are stored as events. */
export type SeriesPlan = {
  recurrence: Recurrence;
  /** Times of the first date, by the clock. */
  times: ClockTimes;
  /** Last possible date; null for a series without an end. */
  lastDay: Temporal.PlainDate | null;
  /** Day up to which the dates are listed. */
  plannedUntil: Temporal.PlainDate;
  dates: Temporal.PlainDate[];
};

/**
 * Plans the series that a form describes; null for an event that does not repeat. The times of its first date
 * were checked by `resolveEventTimes`.
 * @throws `invalid` on the field of a rule without dates, with too many, or beyond the next three years
 */
export function planSeries(input: EventTimesInput & RecurrenceFields, now: Date): SeriesPlan | null {
  const times = readClockTimes(input);
  const anchor = times.starts.toPlainDate();
  const recurrence = readRecurrence(input, anchor);
  return recurrence && planDates(recurrence, times, { ...input, from: anchor, now });
}

type PlanOptions = Pick<RecurrenceFields, "lastDay" | "count"> & { from: Temporal.PlainDate; now: Date };

/** Lists the dates of a series from the day `from` on; `times` are those of one of its dates. */
export function planDates(
  recurrence: Recurrence,
  times: ClockTimes,
  { lastDay, count, from, now }: PlanOptions,
): SeriesPlan {
  if (lastDay !== null && count !== null)
    throw invalid("count", "Choose either a last day or a number of dates, not both.");
  const anchor = times.starts.toPlainDate();
  const today = toDate(now, times.timeZone);
  const latest = toDate(addMilliseconds(now, LIMITS.event.ahead * DAY), times.timeZone);
  const end = lastDay === null ? null : readLastDay(lastDay, latest);
  const list = (until: Temporal.PlainDate, most: number) =>
    listRuleDates(recurrence, anchor, { from, until, most });
  if (!list(anchor, Infinity).some((date) => date.equals(anchor)))
    throw invalid("starts", "The series has no date on this day. Change the day or how it repeats.");
  if (count !== null) {
    const dates = list(latest, count);
    if (dates.length < count)
      throw invalid("count", "That many dates go beyond the next three years. Choose fewer.");
    return { recurrence, times, lastDay: dates.at(-1)!, plannedUntil: dates.at(-1)!, dates };
  }
  const plannedUntil = end ?? planningEnd(Temporal.PlainDate.compare(from, today) > 0 ? from : today);
  const dates = list(plannedUntil, MAX_DATES + 1);
  if (dates.length > MAX_DATES) throw tooManyDates();
  if (end && dates.length < 2)
    throw invalid("lastDay", "The series would have only one date. Choose a later last day.");
  return { recurrence, times, lastDay: end, plannedUntil, dates };
}

const tooManyDates = () =>
  invalid(
    "lastDay",
    msg("A series has at most {count, number} dates. Choose an earlier day.", { count: MAX_DATES }),
  );

/** A series without an end is planned up to this day. */
export const planningEnd = (from: Temporal.PlainDate): Temporal.PlainDate => from.add({ days: PLANNED_DAYS });

function readLastDay(lastDay: string, latest: Temporal.PlainDate): Temporal.PlainDate {
  const day = parseDay(lastDay);
  if (!day) throw invalid("lastDay", "This day does not exist. Choose another.");
  if (Temporal.PlainDate.compare(day, latest) > 0)
    throw invalid("lastDay", "Choose a day within the next three years.");
  return day;
}

function parseDay(day: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(day);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Day of a moment in a zone. */
export const toDate = (moment: Date, timeZone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();

/** Times of a form, by the clock. Days of an all-day event are midnights. */
export function readClockTimes(input: EventTimesInput): ClockTimes {
  const { allDay, timeZone } = input;
  const read = (typed: string) => Temporal.PlainDateTime.from(allDay ? typed.slice(0, DAY_LENGTH) : typed);
  return {
    starts: read(input.starts),
    ends: read(input.ends),
    answersUntil: input.answersUntil === null ? null : Temporal.PlainDateTime.from(input.answersUntil),
    allDay,
    timeZone,
  };
}

const DAY_LENGTH = "2026-12-05".length;

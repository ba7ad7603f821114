import { z } from "zod";
import { LIMITS } from "#community/rules";
import { createTable } from "#platform/objects";
import { FREQUENCIES, MONTH_DAYS, type Recurrence } from "./recurrence.ts";

const { dates, every } = LIMITS.event.series;
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const isChosen = z.union([z.boolean(), z.literal("yes").transform(() => true)]).default(false);
const emptyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.null(), z.literal("").transform(() => null), schema]).default(null);
const wholeNumber = z.coerce.number("Enter a number.").int("Enter a whole number.");

/**
 * How an event repeats; `once` ends an existing series with the edited event, whereas `never` leaves its rule
 * as it is. The last day and the number of dates exclude each other; without either, the series
 * has no end.
 */
export const recurrenceFields = {
  repeats: z.enum(["never", "once", ...FREQUENCIES]).default("never"),
  every: wholeNumber.min(1, "At least 1.").max(every, "At most {count, number}.").default(1),
  ...createTable(WEEKDAYS, () => isChosen),
  monthDay: z.enum(MONTH_DAYS).default("date"),
  lastDay: emptyOr(z.string().regex(/^\d{4}-\d\d-\d\d$/, "Choose a day.")),
  count: emptyOr(
    wholeNumber.min(2, "At least two dates.").max(dates, "A series has at most {count, number} dates."),
  ),
};

const schema = z.object(recurrenceFields);
export type RecurrenceFields = z.output<typeof schema>;

/**
 * The recurrence of a form; null if the event does not repeat. If no weekdays are chosen, the weekday of
 * `start` is used.
 */
export function readRecurrence(input: RecurrenceFields, start: Temporal.PlainDate): Recurrence | null {
  const { repeats: frequency, every: interval, monthDay } = input;
  if (frequency === "never" || frequency === "once") return null;
  const chosen = WEEKDAYS.flatMap((day, index) => (input[day] ? [index + 1] : []));
  return {
    frequency,
    every: interval,
    weekdays: frequency === "weekly" ? (chosen.length > 0 ? chosen : [start.dayOfWeek]) : [],
    monthDay: frequency === "monthly" ? monthDay : "date",
  };
}

/** A recurrence as the form shows it: the inverse of `readRecurrence`. */
export const toRecurrenceFields = (
  { frequency, every: interval, weekdays, monthDay }: Recurrence,
  lastDay: string | null,
): RecurrenceFields =>
  schema.parse({
    ...Object.fromEntries(WEEKDAYS.map((day, index) => [day, weekdays.includes(index + 1)])),
    repeats: frequency,
    every: interval,
    monthDay,
    lastDay,
  });

/** Values of the form of an event that does not repeat. */
export const NO_RECURRENCE: RecurrenceFields = schema.parse({});

/** Days and months of a calendar in a reader's time zone, written `2026-12-05` and `2026-12`. */

const toZoned = (moment: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone);

export const dayInTimeZone = (moment: Date, timeZone: string): string =>
  toZoned(moment, timeZone).toPlainDate().toString();

const MONTH_LENGTH = "2026-12".length;
export const monthInTimeZone = (day: string): string => day.slice(0, MONTH_LENGTH);

/** Moment at which a day begins; null for a date that does not exist. */
export function startOfDay(day: string, timeZone: string): Date | null {
  const date = parse(() => Temporal.PlainDate.from(day));
  return date && toDate(date.toZonedDateTime(timeZone));
}

/** Last day of the week that contains `day`. `firstWeekday` is 1 for Monday to 7 for Sunday. */
export function lastDayOfWeek(day: string, firstWeekday: number): string {
  const date = Temporal.PlainDate.from(day);
  return date.add({ days: 6 - daysSince(firstWeekday, date) }).toString();
}

const daysSince = (firstWeekday: number, { dayOfWeek }: Temporal.PlainDate) =>
  (dayOfWeek - firstWeekday + 7) % 7;

/** Start and end of a month, and its neighbouring months; null for a month that does not exist. */
export function getMonthBounds(month: string, timeZone: string) {
  const it = parse(() => Temporal.PlainYearMonth.from(month));
  if (!it) return null;
  const next = it.add({ months: 1 });
  return {
    from: toDate(it.toPlainDate({ day: 1 }).toZonedDateTime(timeZone)),
    until: toDate(next.toPlainDate({ day: 1 }).toZonedDateTime(timeZone)),
    before: it.subtract({ months: 1 }).toString(),
    after: next.toString(),
  };
}

/** Days of a month in whole weeks, with days of the neighbouring months. */
export function listMonthDays(month: string, firstWeekday: number): string[][] {
  const it = Temporal.PlainYearMonth.from(month);
  const first = it.toPlainDate({ day: 1 });
  const blank = daysSince(firstWeekday, first);
  const weeks = Math.ceil((blank + it.daysInMonth) / 7);
  const start = first.subtract({ days: blank });
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => start.add({ days: 7 * week + day }).toString()),
  );
}

const toDate = (it: Temporal.ZonedDateTime) => new Date(it.epochMilliseconds);

function parse<Parsed>(read: () => Parsed): Parsed | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

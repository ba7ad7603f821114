import { RRuleTemporal } from "rrule-temporal";

export const FREQUENCIES = ["daily", "weekly", "monthly", "yearly"] as const;
/**
 * Day of a monthly series: the same day of the month, the same weekday (such as the second Tuesday), or the
 * last such weekday.
 */
export const MONTH_DAYS = ["date", "weekday", "last_weekday"] as const;

/** Days on which a series takes place. Monthly and yearly series take the day from their first date. */
export type Recurrence = {
  frequency: (typeof FREQUENCIES)[number];
  /** Interval in units of the frequency. */
  every: number;
  /** Weekly series: 1 for Monday to 7 for Sunday; empty in other series. */
  weekdays: number[];
  monthDay: (typeof MONTH_DAYS)[number];
};

const CODES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
/** Days of a week: the second Tuesday is the one from the 8th to the 14th. */
const WEEK = 7;

/**
 * Dates of a series from `from` to `until`, at most `most`. `anchor` is one of the dates: it determines the
 * day of the month, and for an interval above 1 which weeks or months count.
 */
export function listRuleDates(
  recurrence: Recurrence,
  anchor: Temporal.PlainDate,
  { from, until, most }: { from: Temporal.PlainDate; until: Temporal.PlainDate; most: number },
): Temporal.PlainDate[] {
  // The rule gets only days, as midnights in UTC: given times, the library would leave out those that clocks
  // skip, although an event on such a day takes place.
  const rule = new RRuleTemporal({
    freq: FREQUENCY_CODES[recurrence.frequency],
    interval: recurrence.every,
    ...dayRule(recurrence, anchor),
    wkst: "MO",
    dtstart: toUtc(startOfPeriod(recurrence, anchor, from)),
    temporal: Temporal,
    cache: false,
  });
  const moments = rule.between(toUtc(from), toUtc(until), true);
  return moments.slice(0, most).map((moment) => moment.toPlainDate());
}

const FREQUENCY_CODES = { daily: "DAILY", weekly: "WEEKLY", monthly: "MONTHLY", yearly: "YEARLY" } as const;

const toUtc = (date: Temporal.PlainDate) => date.toZonedDateTime("UTC");

function dayRule({ frequency, weekdays, monthDay }: Recurrence, anchor: Temporal.PlainDate) {
  const weekday = CODES[anchor.dayOfWeek - 1]!;
  if (frequency === "daily") return {};
  if (frequency === "weekly") return { byDay: weekdays.map((day) => CODES[day - 1]!) };
  if (frequency === "yearly") return { byMonth: [anchor.month], byMonthDay: [anchor.day] };
  if (monthDay === "date") return { byMonthDay: [anchor.day] };
  return { byDay: [monthDay === "last_weekday" ? `-1${weekday}` : `${weekOfMonth(anchor)}${weekday}`] };
}

/** Position of the date's weekday in its month: 2 for the second Tuesday. */
export const weekOfMonth = ({ day }: Temporal.PlainDate): number => Math.ceil(day / WEEK);

/**
 * Start of the anchor's week, month or year, moved back by whole intervals when `from` is before it. The rule
 * starts there.
 */
function startOfPeriod(
  { frequency, every }: Recurrence,
  anchor: Temporal.PlainDate,
  from: Temporal.PlainDate,
): Temporal.PlainDate {
  const unit = UNITS[frequency];
  const start = {
    daily: () => anchor,
    weekly: () => anchor.subtract({ days: anchor.dayOfWeek - 1 }),
    monthly: () => anchor.with({ day: 1 }),
    yearly: () => anchor.with({ month: 1, day: 1 }),
  }[frequency]();
  const back = Math.max(0, from.until(start, { largestUnit: unit })[unit]);
  return start.subtract({ [unit]: Math.ceil((back + 1) / every) * every });
}

const UNITS = { daily: "days", weekly: "weeks", monthly: "months", yearly: "years" } as const;

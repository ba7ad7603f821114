import ICAL from "ical.js";
import { RRuleTemporal } from "rrule-temporal";

export type Recurrence = {
  /** First start, by the clock of the event's zone. */
  start: Temporal.PlainDateTime;
  rule: ICAL.Recur | null;
  /** Last possible start of the rule, by the clock; null without an end, and for a rule with a count. */
  until: Temporal.PlainDateTime | null;
  added: Temporal.PlainDateTime[];
  isExcluded: (start: Temporal.PlainDateTime) => boolean;
};
export type RecurrenceBounds = {
  from: Temporal.PlainDateTime;
  until: Temporal.PlainDateTime;
  /** Latest start for a rule without an end. */
  plannedUntil: Temporal.PlainDateTime;
  most: number;
};

/** A rule that is not supported, or has too many dates. */
export class RecurrenceError extends Error {
  override name = "RecurrenceError";
  readonly reason: "unsupported-rule" | "too-many-dates";
  constructor(reason: "unsupported-rule" | "too-many-dates") {
    super(reason);
    this.reason = reason;
  }
}

/** Starts between two times, by the clock, in order. */
export function listStarts(it: Recurrence, bounds: RecurrenceBounds): Temporal.PlainDateTime[] {
  const starts = new Map<string, Temporal.PlainDateTime>();
  for (const start of [it.start, ...(it.rule ? listRuleStarts(it, it.rule, bounds) : []), ...it.added])
    if (isBetween(start, bounds) && !it.isExcluded(start)) starts.set(start.toString(), start);
  if (starts.size > bounds.most) throw new RecurrenceError("too-many-dates");
  return [...starts.values()].sort((a, b) => Temporal.PlainDateTime.compare(a, b));
}

const isBetween = (start: Temporal.PlainDateTime, { from, until }: RecurrenceBounds) =>
  Temporal.PlainDateTime.compare(start, from) >= 0 && Temporal.PlainDateTime.compare(start, until) <= 0;

const toList = (values: unknown): string[] => (Array.isArray(values) ? values.map(String) : [String(values)]);

const FREQUENCIES = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
const NUMBER_PARTS = {
  BYMONTHDAY: "byMonthDay",
  BYYEARDAY: "byYearDay",
  BYWEEKNO: "byWeekNo",
  BYMONTH: "byMonth",
  BYSETPOS: "bySetPos",
} as const;
const SUPPORTED_PARTS = new Set(["BYDAY", ...Object.keys(NUMBER_PARTS)]);
const WEEKDAYS = ["", "SU", "MO", "TU", "WE", "TH", "FR", "SA"];

function listRuleStarts({ start, until }: Recurrence, rule: ICAL.Recur, bounds: RecurrenceBounds) {
  const parts = new Map(Object.entries(rule.parts).map(([part, values]) => [part, toList(values)]));
  const frequency = FREQUENCIES.find((it) => it === rule.freq);
  const isSupported = frequency && [...parts.keys()].every((part) => SUPPORTED_PARTS.has(part));
  if (!isSupported || (rule.count !== null && rule.until !== null))
    throw new RecurrenceError("unsupported-rule");
  const numbers = Object.entries(NUMBER_PARTS).flatMap(([part, option]) =>
    parts.has(part) ? [[option, parts.get(part)!.map(Number)]] : [],
  );
  // The library gets times as those of UTC. Given the zone, it would leave out times that clocks skip, although
  // an event at such a time takes place.
  const dates = new RRuleTemporal({
    freq: frequency,
    interval: rule.interval,
    ...Object.fromEntries(numbers),
    ...(parts.has("BYDAY") && { byDay: parts.get("BYDAY")! }),
    ...(rule.count !== null && { count: rule.count }),
    ...(until && { until: until.toZonedDateTime("UTC") }),
    wkst: WEEKDAYS[rule.wkst] || "MO",
    dtstart: start.toZonedDateTime("UTC"),
    temporal: Temporal,
    cache: false,
  });
  const hasEnd = rule.count !== null || until !== null;
  const latest = hasEnd ? bounds.until : bounds.plannedUntil;
  try {
    return dates
      .between(bounds.from.toZonedDateTime("UTC"), latest.toZonedDateTime("UTC"), true)
      .map((date) => date.toPlainDateTime());
  } catch {
    // The library stops after 10 000 steps.
    throw new RecurrenceError("too-many-dates");
  }
}

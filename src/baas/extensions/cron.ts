import { msg } from "#platform/messages";
import { mapTuple } from "#platform/objects";
import { Refusal } from "#platform/refusal";

/** The parsed fields of a timer: minutes, hours, days, months and weekdays. */
export type Schedule = {
  minutes: Set<number>;
  hours: Set<number>;
  days: Set<number>;
  months: Set<number>;
  weekdays: Set<number>;
  anyDay: boolean;
};

const FIELDS = [
  ["minute", 0, 59],
  ["hour", 0, 23],
  ["day of the month", 1, 31],
  ["month", 1, 12],
  ["weekday", 0, 7],
] as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Days searched for the next occurrence. Eight years always contain a 29 February. */
const MAX_DAYS_AHEAD = 366 * 8;

/**
 * Parses `minute hour day month weekday` with `*`, numbers, `a-b`, `a-b/n` and lists of these.
 * @throws `invalid`
 */
export function readSchedule(text: string): Schedule {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== FIELDS.length)
    throw new Refusal(
      "invalid",
      msg("''{typed}'' is not a valid schedule. Use five fields: minute, hour, day, month and weekday.", {
        typed: text,
      }),
    );
  const [minutes, hours, days, months, weekdays] = mapTuple(FIELDS, (field, at) =>
    parseField(fields[at]!, field),
  );
  if (weekdays.has(7)) weekdays.add(0);
  // As in cron, if both the day of the month and the weekday are restricted, either one matching suffices.
  const anyDay = fields[2] !== "*" && fields[4] !== "*";
  const schedule = { minutes, hours, days, months, weekdays, anyDay };
  nextOccurrence(schedule, new Date(0));
  return schedule;
}

function parseField(field: string, [name, least, most]: (typeof FIELDS)[number]): Set<number> {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const read = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    const from = Number(read?.[1] ?? least);
    const to =
      read?.[2] !== undefined
        ? Number(read[2])
        : read?.[1] !== undefined && read[3] === undefined
          ? from
          : most;
    const step = Number(read?.[3] ?? 1);
    if (!read || from < least || to > most || from > to || step < 1)
      throw new Refusal("invalid", msg("''{typed}'' is not a valid {name}.", { typed: part, name }));
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

const matchesDay = ({ days, months, weekdays, anyDay }: Schedule, at: Date) => {
  if (!months.has(at.getUTCMonth() + 1)) return false;
  const [byDate, byWeekday] = [days.has(at.getUTCDate()), weekdays.has(at.getUTCDay())];
  return anyDay ? byDate || byWeekday : byDate && byWeekday;
};

/**
 * Returns the first scheduled time after `after`, in UTC.
 * @throws when there is none, as for 30 February
 */
export function nextOccurrence(schedule: Schedule, after: Date): Date {
  const first = Math.floor(after.getTime() / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  let day = Math.floor(first / DAY_MS) * DAY_MS;
  for (let tried = 0; tried < MAX_DAYS_AHEAD; tried++, day += DAY_MS) {
    if (!matchesDay(schedule, new Date(day))) continue;
    for (let at = Math.max(day, first); at < day + DAY_MS; at += MINUTE_MS) {
      const moment = new Date(at);
      if (schedule.hours.has(moment.getUTCHours()) && schedule.minutes.has(moment.getUTCMinutes()))
        return moment;
    }
  }
  throw new Refusal("invalid", "This schedule never runs: its day and month do not occur together.");
}

import ICAL from "ical.js";
import type { ImportSkipReason } from "./calendar-import.ts";
import { resolveTimeZone } from "./time-zone-names.ts";

/** An event that is left out. */
export class SkippedError extends Error {
  readonly reason: ImportSkipReason;
  readonly detail: string | undefined;
  constructor(reason: ImportSkipReason, detail?: string) {
    super(reason);
    this.reason = reason;
    this.detail = detail;
  }
}

/** A time by the clock of a zone. Days are midnights. */
export type Clock = { start: Temporal.PlainDateTime; timeZone: string; isDay: boolean };

/** Zone of times without one. */
type Zone = { timeZone: string };

/** A time of the file by the clock of its zone. Times in UTC are converted to the zone of the file. */
export function readMoment(property: ICAL.Property, zone: Zone, index = 0): Clock {
  const json: unknown = property.toJSON();
  const value: unknown = Array.isArray(json) ? json[VALUES + index] : null;
  // A period is its start and its end.
  const text = String(Array.isArray(value) ? value[0] : value);
  const isUtc = text.endsWith("Z");
  const start = toPlain(isUtc ? text.slice(0, -1) : text);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { start, timeZone: zone.timeZone, isDay: true };
  if (isUtc)
    return { start: toClock(toMoment(start, "UTC"), zone.timeZone), timeZone: zone.timeZone, isDay: false };
  const name = property.getParameter("tzid");
  if (typeof name !== "string") return { start, timeZone: zone.timeZone, isDay: false };
  const timeZone = resolveTimeZone(name);
  if (!timeZone) throw new SkippedError("unknown-zone", name.slice(0, MAX_ZONE));
  return { start, timeZone, isDay: false };
}
/** Position of the first value of a property in jCal (RFC 7265), where times are not normalized yet. */
const VALUES = 3;
/** Maximum characters of an unknown zone in a message. */
const MAX_ZONE = 60;

function toPlain(text: string): Temporal.PlainDateTime {
  try {
    return Temporal.PlainDateTime.from(text, { overflow: "reject" });
  } catch {
    throw new SkippedError("bad-time");
  }
}

/** Last possible start, by the clock: UNTIL is in UTC, or a day that is included. */
export function readUntil(until: ICAL.Time, timeZone: string): Temporal.PlainDateTime {
  const isUtc = until.zone === ICAL.Timezone.utcTimezone;
  const plain = toPlain(until.toString().replace(/Z$/, ""));
  if (until.isDate) return plain.add({ days: 1 }).subtract({ seconds: 1 });
  return isUtc ? toClock(toMoment(plain, "UTC"), timeZone) : plain;
}

/** End of the event; without one, an event lasts a day or an hour. */
export function readEnd(event: ICAL.Component, { start, timeZone, isDay }: Clock, zone: Zone): Date {
  const ends = event.getFirstProperty("dtend");
  if (ends) {
    const end = readMoment(ends, zone);
    const moment = toMoment(end.start, end.timeZone);
    const isSame = moment.getTime() === toMoment(start, timeZone).getTime();
    if (!isSame) return moment;
  }
  const duration = event.getFirstPropertyValue("duration");
  if (duration instanceof ICAL.Duration && duration.toSeconds() > 0) {
    const { weeks, days, hours, minutes, seconds } = duration;
    return toMoment(start.add({ days: weeks * 7 + days, hours, minutes, seconds }), timeZone);
  }
  return toMoment(start.add(isDay ? { days: 1 } : { hours: 1 }), timeZone);
}

export const toMoment = (start: Temporal.PlainDateTime, timeZone: string) =>
  new Date(start.toZonedDateTime(timeZone).epochMilliseconds);
export const toClock = (moment: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime();

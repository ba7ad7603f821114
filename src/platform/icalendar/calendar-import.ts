import { createHash } from "node:crypto";
import ICAL from "ical.js";
import { type EventBlock, splitCalendar } from "./event-blocks.ts";
import { listStarts, RecurrenceError } from "./recurrence-dates.ts";
import { resolveTimeZone } from "./time-zone-names.ts";
import {
  type Clock,
  readEnd,
  readMoment,
  readUntil,
  SkippedError,
  toClock,
  toMoment,
} from "./calendar-moments.ts";

/** One date of an event in a calendar file. */
export type ImportedEntry = {
  /** Id of the event in all versions of the file; the same for all its dates. */
  uid: string;
  /** Which date of a repeating event it is: its planned start or day; empty for a single event. */
  date: string;
  title: string;
  place: string;
  text: string;
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
  /** IANA name. */
  timeZone: string;
  isCancelled: boolean;
};
/** Why an event of a file is left out. */
export type ImportSkipReason =
  | "unreadable"
  | "too-large"
  | "no-title"
  | "bad-time"
  | "unknown-zone"
  | "ends-before-start"
  | "unsupported-rule"
  | "too-many-dates"
  | "past"
  | "from-import";
export type SkippedEvent = { title: string; reason: ImportSkipReason; detail?: string };
export type ImportedCalendar = { name: string; entries: ImportedEntry[]; skipped: SkippedEvent[] };

export type ImportBounds = {
  now: Date;
  /** Zone of times without one, and of whole days, unless the file names its zone. */
  timeZone: string;
  /** Maximum events of the file, dates of one event, and dates in total. */
  events: number;
  dates: number;
  total: number;
  /** Days ahead of the last start, and for a rule without an end. */
  ahead: number;
  planned: number;
  /** Maximum characters of texts; longer ones are cut. */
  lengths: { title: number; place: number; text: number };
};

/** A file that cannot be imported at all. */
export class CalendarFileError extends Error {
  override name = "CalendarFileError";
  readonly reason: "not-a-calendar" | "too-many-events" | "too-many-dates";
  constructor(reason: CalendarFileError["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Reads the events of a calendar file (RFC 5545) that have not ended, with each date of repeating events. A
 * definition of a zone in the file is not used: it may contradict the name, and is itself a rule without
 * bounds.
 * @throws `CalendarFileError`
 */
export function readCalendarFile(text: string, bounds: ImportBounds): ImportedCalendar {
  const blocks = splitCalendar(text, bounds.events);
  if (!blocks) throw new CalendarFileError("not-a-calendar");
  if (blocks.events.length > bounds.events) throw new CalendarFileError("too-many-events");
  const timeZone = resolveTimeZone(blocks.properties.get("X-WR-TIMEZONE") ?? "") ?? bounds.timeZone;
  const name = blocks.properties.get("NAME") ?? blocks.properties.get("X-WR-CALNAME") ?? "";
  const result: ImportedCalendar = { name: cut(name, bounds.lengths.title), entries: [], skipped: [] };
  for (const event of groupByUid(blocks.events, result.skipped).values()) {
    readEvent(event, { ...bounds, timeZone }, result);
    if (result.entries.length > bounds.total) throw new CalendarFileError("too-many-dates");
  }
  return result;
}

/** An event with its dates that differ. */
type EventVersions = { uid: string; main: ICAL.Component | null; changed: ICAL.Component[] };

function groupByUid(blocks: EventBlock[], skipped: SkippedEvent[]): Map<string, EventVersions> {
  const events = new Map<string, EventVersions>();
  for (const block of blocks) {
    const component = "text" in block ? parse(block.text) : null;
    if (!component) {
      const reason = "text" in block ? "unreadable" : block.reason;
      skipped.push({ title: "title" in block ? block.title : "", reason });
      continue;
    }
    const uid = readUid(component);
    const event = events.get(uid) ?? { uid, main: null, changed: [] };
    events.set(uid, event);
    if (component.hasProperty("recurrence-id")) event.changed.push(component);
    else if (!event.main || sequenceOf(component) >= sequenceOf(event.main)) event.main = component;
  }
  return events;
}

function parse(text: string): ICAL.Component | null {
  try {
    return ICAL.Component.fromString(text);
  } catch {
    return null;
  }
}

const MAX_UID = 200;
/** The UID, or a digest of it if it is long, or of title and start if it is missing. */
function readUid(event: ICAL.Component): string {
  const uid = textOf(event, "uid");
  if (uid !== "" && uid.length <= MAX_UID) return uid;
  const digest = createHash("sha256").update(
    uid || `${textOf(event, "summary")}\n${String(event.getFirstPropertyValue("dtstart"))}`,
  );
  return `digest-${digest.digest("hex")}`;
}

const sequenceOf = (event: ICAL.Component) => Number(event.getFirstPropertyValue("sequence") ?? 0) || 0;

function readEvent({ uid, main, changed }: EventVersions, bounds: ImportBounds, result: ImportedCalendar) {
  const title = cut(textOf(main ?? changed[0]!, "summary"), bounds.lengths.title);
  const skip = (error: unknown) => {
    if (!(error instanceof SkippedError) && !(error instanceof RecurrenceError)) throw error;
    const detail = error instanceof SkippedError ? error.detail : undefined;
    result.skipped.push({ title, reason: error.reason, ...(detail && { detail }) });
  };
  const before = result.entries.length;
  const overrides = new Map<string, ImportedEntry>();
  try {
    for (const component of changed) {
      const entry = toEntry(component, uid, bounds);
      const moment = readMoment(component.getFirstProperty("recurrence-id")!, bounds);
      overrides.set(dateKey(moment), entry);
    }
    if (!main) result.entries.push(...[...overrides].map(([date, entry]) => ({ ...entry, date })));
    else result.entries.push(...listDates(main, uid, bounds, overrides));
  } catch (error) {
    return skip(error);
  }
  const added = result.entries.splice(before).filter(({ endsAt }) => endsAt > bounds.now);
  if (added.length === 0) result.skipped.push({ title, reason: "past" });
  result.entries.push(...added);
}

/** All dates of an event; those in `overrides` replace the ones that the rule gives. */
function listDates(
  main: ICAL.Component,
  uid: string,
  bounds: ImportBounds,
  overrides: Map<string, ImportedEntry>,
): ImportedEntry[] {
  const entry = toEntry(main, uid, bounds);
  const clock = readMoment(main.getFirstProperty("dtstart")!, bounds);
  const rules = main
    .getAllProperties("rrule")
    .map((it) => it.getFirstValue())
    .filter((it) => it instanceof ICAL.Recur);
  const added = listMoments(main, "rdate", bounds);
  if (rules.length === 0 && added.length === 0) return [overrides.values().next().value ?? entry];
  if (rules.length > 1) throw new RecurrenceError("unsupported-rule");
  const rule = rules[0] ?? null;
  const excluded = new Set(listMoments(main, "exdate", bounds).map(dateKey));
  const zoned = (moment: Date) => toClock(moment, clock.timeZone);
  const length = entry.endsAt.getTime() - entry.startsAt.getTime();
  const starts = listStarts(
    {
      start: clock.start,
      rule,
      until: rule?.until ? readUntil(rule.until, clock.timeZone) : null,
      added: added.map((it) => zoned(new Date(it.start.toZonedDateTime(it.timeZone).epochMilliseconds))),
      isExcluded: (start) =>
        excluded.has(dateKey({ ...clock, start })) || excluded.has(start.toPlainDate().toString()),
    },
    {
      from: zoned(new Date(bounds.now.getTime() - length)),
      until: zoned(bounds.now).add({ days: bounds.ahead }),
      plannedUntil: zoned(bounds.now).add({ days: bounds.planned }),
      most: bounds.dates,
    },
  );
  return starts.map((start) => {
    const date = dateKey({ ...clock, start });
    return { ...(overrides.get(date) ?? moveTo(entry, clock, start)), date };
  });
}

/** The same event on another date: the clock shows the same times. */
function moveTo(entry: ImportedEntry, { start: first, timeZone }: Clock, start: Temporal.PlainDateTime) {
  const end = start.add(first.until(toClock(entry.endsAt, timeZone), { largestUnit: "days" }));
  const startsAt = toMoment(start, timeZone);
  const endsAt = toMoment(end, timeZone);
  // Clocks skip the start, but not the end: the event keeps its length.
  const length = entry.endsAt.getTime() - entry.startsAt.getTime();
  return { ...entry, startsAt, endsAt: endsAt > startsAt ? endsAt : new Date(startsAt.getTime() + length) };
}

function toEntry(event: ICAL.Component, uid: string, bounds: ImportBounds): ImportedEntry {
  const title = cut(textOf(event, "summary").replaceAll(/\s+/g, " "), bounds.lengths.title);
  if (title === "") throw new SkippedError("no-title");
  if (event.hasProperty("x-kith-imported")) throw new SkippedError("from-import");
  const starts = event.getFirstProperty("dtstart");
  if (!starts) throw new SkippedError("bad-time");
  const clock = readMoment(starts, bounds);
  const startsAt = toMoment(clock.start, clock.timeZone);
  const endsAt = readEnd(event, clock, bounds);
  if (endsAt <= startsAt) throw new SkippedError("ends-before-start");
  const url = textOf(event, "url");
  const text = [textOf(event, "description"), /^https?:\/\//i.test(url) ? url : ""]
    .filter(Boolean)
    .join("\n\n");
  return {
    uid,
    date: "",
    title,
    place: cut(textOf(event, "location").replaceAll(/\s+/g, " "), bounds.lengths.place),
    text: cut(text, bounds.lengths.text),
    startsAt,
    endsAt,
    allDay: clock.isDay,
    timeZone: clock.timeZone,
    isCancelled: textOf(event, "status").toUpperCase() === "CANCELLED",
  };
}

const listMoments = (event: ICAL.Component, name: string, bounds: ImportBounds): Clock[] =>
  event
    .getAllProperties(name)
    .flatMap((property) => property.getValues().map((_, index) => readMoment(property, bounds, index)));

/** Identifies a date of an event: the day, or the moment that the rule gives. */
function dateKey({ start, timeZone, isDay }: Clock): string {
  return isDay ? start.toPlainDate().toString() : toMoment(start, timeZone).toISOString();
}

const textOf = (event: ICAL.Component, name: string): string => {
  const value = event.getFirstPropertyValue(name);
  return typeof value === "string" ? value.toWellFormed().replaceAll("\u0000", "").trim() : "";
};

const cut = (text: string, most: number) =>
  text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, "")
        .trimEnd()}…`;

import { createHash } from "node:crypto";
import {
  type CalendarFileError,
  type ImportedCalendar,
  type ImportedEntry,
  type ImportSkipReason,
  readCalendarFile,
} from "#platform/icalendar";
import { addMilliseconds, DAY } from "#platform/clock";
import { LIMITS, SERVER_LIMITS } from "#community/rules";

/** Why an event of a calendar is left out. */
export type SkipReason =
  | ImportSkipReason
  | "cancelled"
  | "too-long"
  | "too-far"
  | "blocked-text"
  | "own-event"
  | "other-person"
  | "subscribed";
export type SkippedEntry = { title: string; reason: SkipReason; detail?: string };
export type FileProblem = CalendarFileError["reason"];

/** A date of an event that can be stored, with a digest of its values. */
export type CheckedEntry = Omit<ImportedEntry, "isCancelled"> & { digest: string; isCancelled: boolean };
export type CheckedCalendar = { name: string; entries: CheckedEntry[]; skipped: SkippedEntry[] };

const { title, place, days, ahead, series } = LIMITS.event;
const { eventImports: file } = SERVER_LIMITS;

/**
 * Reads a calendar within the limits of events. Times without a zone are in `timeZone`.
 * @throws `CalendarFileError`
 */
export function readEntries(
  text: string,
  { timeZone, now }: { timeZone: string; now: Date },
): CheckedCalendar {
  const calendar = readCalendarFile(text, {
    now,
    timeZone,
    events: file.events,
    dates: series.dates,
    total: file.dates,
    ahead,
    planned: series.planned,
    lengths: { title: title.max, place, text: file.text },
  });
  return checkTimes(calendar, now);
}

function checkTimes({ name, entries, skipped }: ImportedCalendar, now: Date): CheckedCalendar {
  const checked: CheckedCalendar = { name, entries: [], skipped: [...skipped] };
  for (const entry of entries) {
    const reason =
      entry.endsAt > addMilliseconds(entry.startsAt, days * DAY)
        ? "too-long"
        : entry.startsAt > addMilliseconds(now, ahead * DAY)
          ? "too-far"
          : null;
    if (reason) checked.skipped.push({ title: entry.title, reason });
    else checked.entries.push({ ...entry, digest: digestEntry(entry) });
  }
  return checked;
}

const digestEntry = ({ uid: _uid, date: _date, ...values }: ImportedEntry): string =>
  createHash("sha256").update(JSON.stringify(values)).digest("base64url");

/** Left out events with the same reason: their number, and the titles of the first ones. */
export type SkippedGroup = Omit<SkippedEntry, "title"> & { count: number; titles: string[] };

/** Groups left out events by reason, the most frequent reason last. */
export function groupSkipped(skipped: SkippedEntry[]): SkippedGroup[] {
  const groups = new Map<string, SkippedGroup>();
  for (const { title: name, ...why } of skipped) {
    const key = JSON.stringify(why);
    const group = groups.get(key) ?? { ...why, count: 0, titles: [] };
    groups.set(key, group);
    group.count += 1;
    if (
      name !== "" &&
      group.titles.length < SERVER_LIMITS.eventImports.titles &&
      !group.titles.includes(name)
    )
      group.titles.push(name);
  }
  return [...groups.values()].sort((a, b) => a.count - b.count).slice(-SERVER_LIMITS.eventImports.reasons);
}

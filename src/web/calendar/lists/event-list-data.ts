import {
  getMonthBounds,
  dayInTimeZone,
  listMonthDays,
  type EventsQuery,
  lastDayOfWeek,
  listEvents,
  listMonthEvents,
  listOpenDatePolls,
  listPastEvents,
  monthInTimeZone,
  type OccurrenceRow,
  startOfDay,
} from "#community/calendar";
import { isSignedIn, type Viewer } from "#community/rules";
import { addMilliseconds } from "#platform/clock";
import type { Db } from "#platform/database";
import { readQueryParam } from "../../form-parsing.ts";

const VIEWS = ["month", "past"] as const;

type Reader = { locale: string; timeZone: string; now: Date };
type Filter = Pick<EventsQuery, "group" | "mine">;

/** Loads the list that a URL asks for: events from now or from a day on, a month, or past events. */
export async function loadEventList(db: Db, viewer: Viewer, url: URL, reader: Reader, filter: Filter) {
  const view = VIEWS.find((name) => name === readQueryParam(url, "view")) ?? ("agenda" as const);
  const after = readQueryParam(url, "after", 1000) || undefined;
  const today = dayInTimeZone(reader.now, reader.timeZone);
  if (view === "month")
    return {
      view,
      today,
      ...(await loadMonth(db, viewer, readQueryParam(url, "month"), today, reader, filter)),
    };
  if (view === "past") {
    const { rows, next } = await listPastEvents(db, viewer, { ...filter, from: reader.now, after });
    return { view, today, rows, next };
  }
  const day = readQueryParam(url, "from");
  const from = day ? startOfDay(day, reader.timeZone) : null;
  const [{ rows, next }, polls] = await Promise.all([
    listEvents(db, viewer, { ...filter, from: from ?? reader.now, after }),
    day || after || !isSignedIn(viewer) ? [] : listOpenDatePolls(db, viewer, { ...filter, now: reader.now }),
  ]);
  return {
    view,
    today,
    /** First day of the list; null if it begins now. */
    from: from && day,
    next,
    polls,
    sections: from ? [{ name: "later" as const, rows }] : toSections(rows, today, reader),
  };
}

export type EventListData = Awaited<ReturnType<typeof loadEventList>>;
export type MonthData = Extract<EventListData, { view: "month" }>;

const SECTIONS = ["today", "week", "later"] as const;

/**
 * Splits events into today, the rest of the week, and later. An event that has begun is listed under today.
 */
function toSections(rows: OccurrenceRow[], today: string, { locale, timeZone }: Reader) {
  const sunday = lastDayOfWeek(today, firstWeekday(locale));
  const sectionOf = (row: OccurrenceRow): (typeof SECTIONS)[number] => {
    const { first } = daysOfEvent(row, timeZone);
    if (first <= today) return "today";
    return first <= sunday ? "week" : "later";
  };
  return SECTIONS.map((name) => ({ name, rows: rows.filter((row) => sectionOf(row) === name) })).filter(
    (section) => section.rows.length > 0,
  );
}

async function loadMonth(
  db: Db,
  viewer: Viewer,
  wanted: string,
  today: string,
  { locale, timeZone }: Reader,
  filter: Filter,
) {
  const asked = /^\d{4}-\d\d$/.test(wanted) ? getMonthBounds(wanted, timeZone) : null;
  const month = asked ? wanted : monthInTimeZone(today);
  const bounds = asked ?? getMonthBounds(month, timeZone)!;
  const { rows, next } = await listMonthEvents(db, viewer, { ...filter, ...bounds });
  const spans = rows.map((row) => daysOfEvent(row, timeZone));
  const weeks = listMonthDays(month, firstWeekday(locale)).map((week) =>
    week.map((day) => ({
      day,
      /** Indexes in `rows`. */
      events: spans.flatMap(({ first, last }, i) => (first <= day && day <= last ? [i] : [])),
    })),
  );
  return { month, before: bounds.before, after: bounds.after, rows, weeks, hasMore: next !== null };
}

/** First and last day of an event: in the reader's time zone, but in the event's own for an all-day event. */
function daysOfEvent({ startsAt, endsAt, allDay, timeZone }: OccurrenceRow, readerZone: string) {
  const zone = allDay ? timeZone : readerZone;
  return { first: dayInTimeZone(startsAt, zone), last: dayInTimeZone(addMilliseconds(endsAt, -1), zone) };
}

/** 1 for Monday to 7 for Sunday. */
const firstWeekday = (locale: string) => new Intl.Locale(locale).getWeekInfo().firstDay;

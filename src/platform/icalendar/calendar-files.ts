import { ICalCalendar, ICalEventStatus } from "ical-generator";

/** An event of an iCalendar file (RFC 5545). */
export type CalendarEntry = {
  /** Id that stays the same in all versions of the event. */
  uid: string;
  /** Number of changes to the event so far. */
  sequence: number;
  title: string;
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
  /** IANA name of the time zone in which an all-day event has its days. */
  timeZone: string;
  place: string;
  text: string;
  url: string;
  status: keyof typeof ICalEventStatus;
  /** Whether it comes from a subscribed calendar. Other communities then leave it out, so that none reads its own. */
  isImported?: boolean;
  createdAt: Date;
  changedAt: Date;
};

export const PRODUCT_ID = { company: "kith", product: "kith", language: "EN" };
/** Seconds after which calendar programs fetch the calendar again. */
const REFRESH = 3600;

/**
 * Writes a calendar. Times are in UTC, which needs no time zone definitions; all-day events are written as
 * dates.
 */
export function writeCalendar(name: string, entries: CalendarEntry[]): string {
  const calendar = new ICalCalendar({ name, prodId: PRODUCT_ID, ttl: REFRESH });
  for (const entry of entries) calendar.createEvent(toEvent(entry));
  return calendar.toString();
}

/** Converts an event to the form that the library writes. */
export const toEvent = ({
  uid,
  title,
  place,
  text,
  changedAt,
  createdAt,
  status,
  allDay,
  ...it
}: CalendarEntry) => ({
  id: uid,
  sequence: it.sequence,
  start: allDay ? toUtcMidnight(it.startsAt, it.timeZone) : it.startsAt,
  end: allDay ? toUtcMidnight(it.endsAt, it.timeZone) : it.endsAt,
  allDay,
  summary: title,
  location: place || null,
  description: text || null,
  url: it.url,
  status: ICalEventStatus[status],
  ...(it.isImported && { x: [{ key: "X-KITH-IMPORTED", value: "TRUE" }] }),
  created: createdAt,
  lastModified: changedAt,
  stamp: changedAt,
});

/** Converts a moment to midnight UTC of its day, because the writer reads the date from the UTC fields. */
const toUtcMidnight = (moment: Date, timeZone: string) =>
  new Date(
    Temporal.Instant.fromEpochMilliseconds(moment.getTime())
      .toZonedDateTimeISO(timeZone)
      .toPlainDate()
      .toZonedDateTime("UTC").epochMilliseconds,
  );

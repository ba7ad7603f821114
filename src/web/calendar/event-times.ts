import { dateFormat } from "../ui/text/intl-formats.ts";
import { useRootData } from "../ui/index.ts";
import { useLocale } from "../i18n/index.ts";

type Times = { startsAt: Date; endsAt: Date; allDay: boolean; timeZone: string };

const DAY: Intl.DateTimeFormatOptions = { weekday: "long", day: "numeric", month: "long", year: "numeric" };
const TIME: Intl.DateTimeFormatOptions = { hour: "numeric", minute: "2-digit" };

/** The last moment that belongs to an event: an all-day event ends where the next day starts. */
const lastMoment = ({ startsAt, endsAt, allDay }: Times) =>
  allDay ? new Date(Math.max(startsAt.getTime(), endsAt.getTime() - 1)) : endsAt;

/**
 * Formats a range of times with plain spaces. Servers write other spaces around the dash than browsers, for
 * which React would render the whole page again.
 */
export const formatTimeRange = (format: Intl.DateTimeFormat, from: Date, to: Date): string =>
  format.formatRange(from, to).replaceAll("\u2009", " ");

/**
 * Formats an event's times. Members read them in their own time zone, guests in the event's, since cached
 * pages are the same for all guests.
 */
export function useEventTimes() {
  const locale = useLocale();
  const { me, timeZone } = useRootData();
  const zoneFor = (it: Times) => (it.allDay || !me ? it.timeZone : timeZone);
  const range = (it: Times, zone = zoneFor(it), timeZoneName?: "short") =>
    formatTimeRange(
      dateFormat(locale, { ...DAY, ...(!it.allDay && TIME), timeZoneName, timeZone: zone }),
      it.startsAt,
      lastMoment(it),
    );
  const format = (it: Times, options: Intl.DateTimeFormatOptions) =>
    dateFormat(locale, { ...options, timeZone: zoneFor(it) }).format(it.startsAt);
  return {
    /** Day and time of an event. */
    when: (it: Times): string => range(it, zoneFor(it), me || it.allDay ? undefined : "short"),
    /** Day and time in the event's time zone. */
    whenInZone: (it: Times): string => range(it, it.timeZone),
    /** Day and time in the event's time zone; null if the clocks there show the reader's time. */
    whenThere: (it: Times): string | null =>
      range(it) === range(it, it.timeZone) ? null : range(it, it.timeZone, "short"),
    /** Only the hours of an event that begins and ends on one day; null for other events. */
    hours(it: Times): string | null {
      const zone = zoneFor(it);
      const day = dateFormat(locale, { dateStyle: "short", timeZone: zone });
      if (it.allDay || day.format(it.startsAt) !== day.format(it.endsAt)) return null;
      return formatTimeRange(dateFormat(locale, { ...TIME, timeZone: zone }), it.startsAt, it.endsAt);
    },
    /** Day and time in the reader's time zone, for a deadline. */
    moment: (at: Date): string =>
      dateFormat(locale, { ...DAY, year: undefined, ...TIME, timeZone }).format(at),
    startTime: (it: Times) => format(it, TIME),
    /** Day of the month, month and weekday of the event's start. */
    date: (it: Times) => ({
      day: format(it, { day: "numeric" }),
      month: format(it, { month: "short" }),
      weekday: format(it, { weekday: "short" }),
    }),
  };
}

/** Text of a day (`2026-12-05`) or month (`2026-12`). */
export function useDayText() {
  const locale = useLocale();
  return (day: string, options: Intl.DateTimeFormatOptions) =>
    dateFormat(locale, { ...options, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
}

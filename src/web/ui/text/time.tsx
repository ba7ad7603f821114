import { useEffect, useState } from "react";
import { dateFormat, formatDateTime, relativeFormat } from "./intl-formats.ts";
import { useLocale } from "../../i18n/index.ts";
import { useRootData } from "../hooks/use-root-data.ts";
import { useTimeZone } from "../hooks/use-time-zone.ts";

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const WEEK = 7 * 86_400;
/** Milliseconds after which a date is shown with its year. */
const YEAR_SHOWN_AFTER = 300 * 86_400_000;

const formatDate = (at: Date, now: number, locale: string, timeZone?: string) =>
  dateFormat(locale, {
    day: "numeric",
    month: "short",
    timeZone,
    ...(now - at.getTime() > YEAR_SHOWN_AFTER && { year: "numeric" }),
  }).format(at);

/** Formats a time within a week relative to now, other times as a date. */
export function formatRelativeTime(at: Date, now: number, locale: string, timeZone?: string): string {
  const seconds = Math.round((now - at.getTime()) / 1000);
  if (Math.abs(seconds) >= WEEK) return formatDate(at, now, locale, timeZone);
  const relative = relativeFormat(locale);
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relative.format(-Math.trunc(seconds / size), unit);
  return relative.format(0, "second");
}

/**
 * A time in the reader's language and time zone. Server and browser first render the same text, since both
 * use the time at which the page was rendered; later the text updates itself. On cached guest pages
 * `guest.js` has changed the text before hydration. React must not treat that as a mismatch, since it would
 * render the whole page again.
 */
export function Time({ at, className }: { at: Date | string | number; className?: string }) {
  const { now } = useRootData();
  const timeZone = useTimeZone();
  const locale = useLocale();
  const moment = new Date(at);
  const [count, setCount] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setCount(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time
      dateTime={moment.toISOString()}
      title={formatDateTime(moment, locale, timeZone)}
      className={className}
      data-moment
      suppressHydrationWarning
    >
      {formatRelativeTime(moment, Math.max(count, now), locale, timeZone)}
    </time>
  );
}

/** Seconds between two replies in slow mode, as forms offer them. */
export const SLOW_MODE_SECONDS = ["0", "30", "60", "300", "900", "3600", "86400"] as const;
/** Seconds until a scheduled change, as forms offer them. */
export const TIMER_SECONDS = [
  "3600",
  "14400",
  "86400",
  "259200",
  "604800",
  "1209600",
  "2592000",
  "7776000",
] as const;

/** Form value that leaves an existing reminder unchanged. */
export const UNCHANGED = "before";

/**
 * Whether a date is in a plausible range. In half of the time zones the end of 9999-12-31 is no valid time.
 */
export const isPlannableDate = (day: string) => day >= "2000" && day < "3000";

/** The last moment of a day (`2026-05-04`) in a time zone. */
export function endOfDay(day: string, timeZone: string): Date {
  const utc = Date.parse(`${day}T23:59:59Z`);
  // The zone's local time at `utc`, read as UTC, differs from `utc` by the zone's offset.
  const shown = new Date(utc).toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
  return new Date(2 * utc - Date.parse(`${shown}Z`));
}

/** Formats the date of a moment in a time zone for a date input. */
export const toDateString = (at: Date, timeZone: string) =>
  new Date(at).toLocaleDateString("sv-SE", { timeZone });

/**
 * Parses post numbers such as "4, 7-9, 12-" (from 12 to the last). Returns them sorted, each once, at most
 * `most`. Invalid parts are skipped.
 */
export function parsePostNumbers(text: string, last: number, most: number): number[] {
  const found = new Set<number>();
  for (const [, from, to, single] of text.matchAll(/(\d{1,6})\s*[-–]\s*(\d{1,6})?|(\d{1,6})/g)) {
    const end = Math.min(last, Number(single ?? to ?? last));
    for (let number = Math.max(1, Number(single ?? from)); number <= end && found.size < most; number++)
      found.add(number);
  }
  return [...found].toSorted((a, b) => a - b);
}

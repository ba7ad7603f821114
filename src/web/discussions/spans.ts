/** The spans that forms offer, in seconds: how long between two replies, and when something is to happen. */
export const SLOW = ["0", "30", "60", "300", "900", "3600", "86400"] as const;
export const IN_TIME = ["3600", "14400", "86400", "259200", "604800", "1209600", "2592000", "7776000"] as const;

/** For what is kept already: when it was to be reminded of. */
export const AS_BEFORE = "before";

/** Whether people plan that far: the end of the last day that can be written is no time any more in half of the world. */
export const isOnCalendars = (day: string) => day >= "2000" && day < "3000";

/** The last moment of a day (`2026-05-04`) where somebody lives. */
export function endOfDay(day: string, timeZone: string): Date {
  const utc = Date.parse(`${day}T23:59:59Z`);
  // What clocks there show at that moment, read as if it were UTC, is off by the zone's distance.
  const shown = new Date(utc).toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
  return new Date(2 * utc - Date.parse(`${shown}Z`));
}

/** The day of a moment where somebody lives, as fields for days have it. */
export const dayOf = (at: Date, timeZone: string) => new Date(at).toLocaleDateString("sv-SE", { timeZone });

/**
 * Numbers of posts as people write them: "4, 7-9, 12-" (from 12 to the last), in order, each once, `most` of them. What
 * cannot be read is left out.
 */
export function numbersOf(text: string, last: number, most: number): number[] {
  const found = new Set<number>();
  for (const [, from, to, single] of text.matchAll(/(\d{1,6})\s*[-–]\s*(\d{1,6})?|(\d{1,6})/g)) {
    const end = Math.min(last, Number(single ?? to ?? last));
    for (let number = Math.max(1, Number(single ?? from)); number <= end && found.size < most; number++) found.add(number);
  }
  return [...found].toSorted((a, b) => a - b);
}

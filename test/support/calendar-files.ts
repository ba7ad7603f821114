/** An event of a calendar file; further lines are properties. */
export const fileEvent = (uid: string, title: string, start: string, ...lines: string[]) =>
  ["BEGIN:VEVENT", `UID:${uid}`, `SUMMARY:${title}`, `DTSTART:${start}`, ...lines, "END:VEVENT"].join("\r\n");

/** A calendar file with these events. */
export const calendarFile = (...events: string[]) =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//x//y//EN",
    "X-WR-CALNAME:Club",
    ...events,
    "END:VCALENDAR",
  ].join("\r\n");

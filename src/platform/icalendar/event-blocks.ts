/** Properties of an event that are read. All others are dropped, among them alarms and attached files. */
const EVENT_PROPERTIES = new Set(
  (
    "UID SUMMARY LOCATION DESCRIPTION URL STATUS SEQUENCE RECURRENCE-ID DTSTART DTEND DURATION RRULE RDATE " +
    "EXDATE X-KITH-IMPORTED"
  ).split(" "),
);
const CALENDAR_PROPERTIES = new Set(["NAME", "X-WR-CALNAME", "X-WR-TIMEZONE"]);
/**
 * Maximum characters of the name and the parameters of a property. The parser takes quadratic time for them: 30
 * seconds for 5 MB.
 */
const MAX_HEAD = 1_000;
/** Maximum characters of one event. */
const MAX_EVENT = 100_000;
/** Maximum values of RDATE or EXDATE. */
const MAX_DATES = 2_000;

/** Text of one event, or why it cannot be read. */
export type EventBlock = { text: string } | { title: string; reason: "too-large" | "too-many-dates" };
export type CalendarBlocks = {
  /** Values of properties of the calendar by name. */
  properties: Map<string, string>;
  events: EventBlock[];
};

/**
 * Splits an iCalendar file (RFC 5545) into its events, so that an unreadable event does not affect the others.
 * Returns null for a text that is no calendar, and stops after `most` events.
 */
export function splitCalendar(text: string, most: number): CalendarBlocks | null {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/\n[ \t]/g, "")
    .split("\n");
  if (!/^BEGIN:VCALENDAR\s*$/i.test(lines.find((line) => line.trim() !== "") ?? "")) return null;
  const properties = new Map<string, string>();
  const events: EventBlock[] = [];
  const open: string[] = [];
  let event: string[] = [];
  for (const line of lines) {
    const name = /^[\w-]+/.exec(line)?.[0].toUpperCase() ?? "";
    if (name === "BEGIN") {
      open.push(line.slice("BEGIN:".length).trim().toUpperCase());
      if (open.at(-1) === "VEVENT") event = [];
    } else if (name === "END") {
      if (open.pop() === "VEVENT") events.push(toBlock(event));
      if (events.length > most) break;
    } else if (open.at(-1) === "VEVENT" && EVENT_PROPERTIES.has(name) && isHeadShort(line)) event.push(line);
    else if (open.at(-1) === "VCALENDAR" && CALENDAR_PROPERTIES.has(name) && isHeadShort(line))
      properties.set(name, unescapeText(line.slice(line.indexOf(":") + 1)));
  }
  return { properties, events };
}

/** The head ends at the first colon that is not in quotes. */
function isHeadShort(line: string): boolean {
  let isQuoted = false;
  for (let at = 0; at < Math.min(line.length, MAX_HEAD); at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ":" && !isQuoted) return true;
  }
  return false;
}

function toBlock(lines: string[]): EventBlock {
  const title = () =>
    unescapeText(lines.find((line) => /^SUMMARY[;:]/i.test(line))?.replace(/^[^:]*:/, "") ?? "").slice(
      0,
      MAX_HEAD,
    );
  const dates = lines.filter((line) => /^(RDATE|EXDATE)[;:]/i.test(line));
  const count = dates.reduce((sum, line) => sum + line.split(",", MAX_DATES + 1).length, 0);
  if (count > MAX_DATES) return { title: title(), reason: "too-many-dates" };
  const text = ["BEGIN:VEVENT", ...lines, "END:VEVENT"].join("\r\n");
  return text.length > MAX_EVENT ? { title: title(), reason: "too-large" } : { text };
}

const unescapeText = (text: string) =>
  text.replaceAll(/\\([\\;,nN])/g, (_, it: string) => (it.toLowerCase() === "n" ? "\n" : it)).trim();

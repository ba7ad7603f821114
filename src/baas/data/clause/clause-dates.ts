import { getOwnProperty, mapTuple } from "#platform/objects";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Hours from UTC of named time zones. */
const ZONES: Record<string, number> = {
  z: 0,
  gmt: 0,
  utc: 0,
  ut: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  jst: 9,
};

const TIME_PATTERN = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?`;
const ZONE_PATTERN = String.raw`(?:\s*(?<zone>[A-Za-z]{1,4})?\s*(?<offset>[+-]\d{2}:?\d{2})?)`;
const TIME_SUFFIX = String.raw`(?:[T\s/]+${TIME_PATTERN}${ZONE_PATTERN})?`;
const MONTH_PATTERN = "(?<word>[A-Za-z]{3,9})";
/** Maximum characters of a date. */
const MAX_DATE_LENGTH = 60;

/** Patterns of dates: day first, month first, year first, and with the month's name. */
const DATE_PATTERNS = [
  String.raw`(?<year>\d{4})(?<sign>[-/.])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})${TIME_SUFFIX}`,
  String.raw`(?<month>\d{1,2})(?<sign>[-/.])(?<day>\d{1,2})\k<sign>(?<year>\d{4})${TIME_SUFFIX}`,
  String.raw`(?<day>\d{1,2})(?<sign>[-/ ])${MONTH_PATTERN}\k<sign>(?<year>\d{4})${TIME_SUFFIX}`,
  String.raw`(?:[A-Za-z]{3,9},\s*)?(?<day>\d{1,2})\s+${MONTH_PATTERN}\s+(?<year>\d{4})${TIME_SUFFIX}`,
  String.raw`[A-Za-z]{3,9}\s+${MONTH_PATTERN}\s+(?<day>\d{1,2})\s+${TIME_PATTERN}${ZONE_PATTERN}\s+(?<year>\d{4})`,
].map((shape) => new RegExp(`^${shape}$`));

/** Earliest and latest date that both databases and clients support. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

type DateParts = Partial<
  Record<
    "year" | "month" | "day" | "word" | "hour" | "minute" | "second" | "fraction" | "zone" | "offset",
    string
  >
>;

/**
 * Parses a date to milliseconds: ISO 8601, `MM/dd/yyyy` also with `.` or `-`, `dd-MMM-yyyy`, `EEE MMM dd
 * HH:mm:ss zzz yyyy` and similar formats. Time and zone are optional, the zone is UTC by default. Null for
 * anything else.
 */
export function parseDate(text: string): number | null {
  if (text.length > MAX_DATE_LENGTH) return null;
  const trimmed = text.trim();
  for (const shape of DATE_PATTERNS) {
    const parts = shape.exec(trimmed)?.groups as DateParts | undefined;
    if (parts) return toTimestamp(parts);
  }
  return null;
}

/** Limits milliseconds to the range of dates in the database. */
export const clampDate = (ms: number): number => Math.round(Math.min(Math.max(ms, EARLIEST), LATEST));

function toTimestamp(parts: DateParts): number | null {
  const year = Number(parts.year);
  let month =
    parts.word === undefined ? Number(parts.month) : MONTHS.indexOf(parts.word.slice(0, 3).toLowerCase()) + 1;
  let day = Number(parts.day);
  // Day and month are swapped if the date is invalid otherwise.
  if (parts.word === undefined && month > 12 && day <= 12) [month, day] = [day, month];
  const [hour, minute, second] = mapTuple([parts.hour, parts.minute, parts.second], (it) => Number(it ?? 0));
  const offset = zoneMinutes(parts);
  if (offset === null || year < 1 || hour > 23 || minute > 59 || second > 59) return null;
  const ms = Number((parts.fraction ?? "0").padEnd(3, "0").slice(0, 3));
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return null;
  at.setUTCHours(hour, minute, second, ms);
  return clampDate(at.getTime() - offset * 60_000);
}

/** Offset of a zone from UTC in minutes; null for an unknown zone. */
function zoneMinutes({ zone, offset }: DateParts): number | null {
  const hours = zone === undefined ? 0 : getOwnProperty(ZONES, zone.toLowerCase());
  if (hours === undefined) return null;
  if (offset === undefined) return hours * 60;
  const sign = offset.startsWith("-") ? -1 : 1;
  const digits = offset.replaceAll(/\D/g, "");
  return hours * 60 + sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2)));
}

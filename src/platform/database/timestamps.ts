import pg from "pg";

const { types } = pg;
const parseAnyTimestamp: (text: string) => Date = types.getTypeParser(types.builtins.TIMESTAMPTZ, "text");

/**
 * Format of a timestamp in the zone of our connections: `2026-11-22 18:05:17.123+00`, with none to six
 * decimals.
 */
const ZONE = "+00";
const [DASH, SPACE, DOT] = ["-", " ", "."].map((sign) => sign.charCodeAt(0));
const SECONDS_END = 19;

/**
 * Parses a PostgreSQL timestamp to the millisecond. A page of rows has dozens, so digits are read by
 * position, in an eighth of the time of a regular expression. Other formats (far years, other zones) are
 * left to the general parser.
 */
export function parseTimestamp(text: string): Date {
  const end = text.length - ZONE.length;
  const isPlain =
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(10) === SPACE &&
    text.charCodeAt(0) > 48 &&
    text.endsWith(ZONE) &&
    (end === SECONDS_END || text.charCodeAt(SECONDS_END) === DOT);
  if (!isPlain) return parseAnyTimestamp(text);
  const at = (from: number) => digit(text, from) * 10 + digit(text, from + 1);
  const year = at(0) * 100 + at(2);
  return new Date(Date.UTC(year, at(5) - 1, at(8), at(11), at(14), at(17), parseMilliseconds(text, end)));
}

const digit = (text: string, at: number) => text.charCodeAt(at) - 48;

function parseMilliseconds(text: string, end: number): number {
  let value = 0;
  for (let at = SECONDS_END + 1; at < SECONDS_END + 4; at++)
    value = value * 10 + (at < end ? digit(text, at) : 0);
  return value;
}

type GetTypeParser = typeof types.getTypeParser;

/** Type parsers of our connections: timestamps in text format are parsed by `parseTimestamp`. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((...[id, format]: Parameters<GetTypeParser>) =>
    id === types.builtins.TIMESTAMPTZ && format !== "binary"
      ? parseTimestamp
      : types.getTypeParser(id, format)) as GetTypeParser,
};

import { isId } from "#platform/ids";

/** Rows of a list, and the cursor of the next page; null at the end. */
export type Page<Row> = { rows: Row[]; next: string | null };

type CursorValues = { time: Date; number: number; id: string; text: string };
type CursorKind = keyof CursorValues;

/**
 * Cursor after the last row of a page, passed back as `after`. It holds sort values, not an offset, so that a
 * growing list neither repeats nor skips rows.
 */
export const encodeCursor = (...values: (Date | number | string)[]): string =>
  Buffer.from(
    JSON.stringify(values.map((value) => (value instanceof Date ? value.getTime() : value))),
  ).toString("base64url");

/**
 * Values of a cursor; null for a text that does not have this shape, so that the list starts at the
 * beginning.
 */
export function readCursor<const Shape extends readonly CursorKind[]>(
  text: string | undefined,
  shape: Shape,
): { -readonly [I in keyof Shape]: CursorValues[Shape[I]] } | null;
export function readCursor(text: string | undefined, shape: readonly CursorKind[]): unknown[] | null {
  const values = parseCursor(text ?? "");
  if (!Array.isArray(values) || values.length !== shape.length) return null;
  const read = shape.map((kind, i) => VALUE_READERS[kind](values[i]));
  return read.includes(null) ? null : read;
}

/**
 * Range of valid times in a cursor. PostgreSQL's earliest time is later than JavaScript's, and a Date ends at
 * 8.64e15.
 */
const MIN_TIME = Date.parse("0001-01-01T00:00:00Z");
const MAX_TIME = 8.64e15;

const VALUE_READERS: { [K in CursorKind]: (value: unknown) => CursorValues[K] | null } = {
  time: (value) =>
    typeof value === "number" && value >= MIN_TIME && value < MAX_TIME ? new Date(value) : null,
  number: (value) => (typeof value === "number" && Math.abs(value) < 2 ** 31 ? Math.trunc(value) : null),
  id: (value) => (typeof value === "string" && isId(value) ? value : null),
  text: (value) => (typeof value === "string" && value.length <= 300 && !value.includes("\0") ? value : null),
};

function parseCursor(text: string): unknown {
  try {
    return text.length > 1_000 ? null : JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}

/** A page of `size` from rows queried with one extra, which shows that there is a next page. */
export function toPage<Row>(rows: Row[], size: number, cursor: (last: Row) => string): Page<Row> {
  if (rows.length <= size) return { rows, next: null };
  const kept = rows.slice(0, size);
  return { rows: kept, next: cursor(kept.at(-1)!) };
}

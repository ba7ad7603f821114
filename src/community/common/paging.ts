import { isId } from "#platform/ids";

/** Some rows of a list, and the cursor that continues it; null at its end. */
export type Page<Row> = { rows: Row[]; next: string | null };

type Kinds = { time: Date; number: number; id: string; text: string };
type Kind = keyof Kinds;

/**
 * What stands behind a list's last row, to be handed back as `after`. A cursor names a place by its sort values, not
 * by counting, so that a list that grows meanwhile neither repeats nor skips.
 */
export const cursorOf = (...values: (Date | number | string)[]): string =>
  Buffer.from(JSON.stringify(values.map((value) => (value instanceof Date ? value.getTime() : value)))).toString("base64url");

/** The values of a cursor. Anything that is no cursor of this shape reads as the list's beginning: null. */
export function readCursor<const Shape extends readonly Kind[]>(
  text: string | undefined,
  shape: Shape,
): { -readonly [I in keyof Shape]: Kinds[Shape[I]] } | null {
  const values = parsed(text ?? "");
  if (!Array.isArray(values) || values.length !== shape.length) return null;
  const read = shape.map((kind, i) => READERS[kind](values[i]));
  return read.includes(null) ? null : (read as never);
}

/** Times of lists: of our era, since PostgreSQL's go back less far than a Date, and before the end of what a Date can say. */
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const BEYOND = 8.64e15;

const READERS: { [K in Kind]: (value: unknown) => Kinds[K] | null } = {
  time: (value) => (typeof value === "number" && value >= FIRST && value < BEYOND ? new Date(value) : null),
  number: (value) => (typeof value === "number" && Math.abs(value) < 2 ** 31 ? Math.trunc(value) : null),
  id: (value) => (typeof value === "string" && isId(value) ? value : null),
  text: (value) => (typeof value === "string" && value.length <= 300 && !value.includes("\0") ? value : null),
};

function parsed(text: string): unknown {
  try {
    return text.length > 1_000 ? null : JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}

/** A page of `size` from rows that were asked for with one more than that: its presence tells of a next page. */
export function pageOf<Row>(rows: Row[], size: number, cursor: (last: Row) => string): Page<Row> {
  if (rows.length <= size) return { rows, next: null };
  const kept = rows.slice(0, size);
  return { rows: kept, next: cursor(kept.at(-1)!) };
}

import { msg } from "#platform/messages";
import { sql } from "#platform/database";
import type { Column, DataContext, SqlFragment } from "../catalogue/types.ts";
import type { ValueKind, Term } from "../clause/clause-terms.ts";
import { CODES, TableFault, dataTooLarge } from "../data-errors.ts";
import { MAX_VALUE_LENGTH } from "../values/column-values.ts";
import { type SqlRow, runQuery } from "./run-query.ts";
import type { SelectedProperty } from "./query-columns.ts";
import type { ResolvedColumn } from "./query-sources.ts";

/**
 * Maximum bytes of all values in one answer. Values, rows and columns are limited separately, but together
 * they could exceed the memory of the process.
 */
export const MAX_ANSWER_BYTES = 20_000_000;
/** Bytes that the statements of one answer may still return. */
export type ByteBudget = { bytes: number };
export const createByteBudget = (): ByteBudget => ({ bytes: MAX_ANSWER_BYTES });

export const answerTooLarge = () =>
  dataTooLarge(
    msg(
      "The answer would have more than {count} bytes. Ask for fewer objects at once, or for fewer of their properties.",
      { count: MAX_ANSWER_BYTES },
    ),
  );

export const isTooLargeError = (error: unknown): boolean =>
  error instanceof TableFault && error.code === CODES.tooMuch;

const MAX_CHARACTER_BYTES = 4;
const PLAIN_VALUE_BYTES = 40;
/** Maximum bytes of a short column, such as an id, an owner or a column of an API entity. */
const SHORT_TEXT_BYTES = 500;

function maxColumnBytes({ type, size }: Column): number {
  if (type === "STRING" || type === "STRING_ID") return (size ?? SHORT_TEXT_BYTES) * MAX_CHARACTER_BYTES;
  return type === "TEXT" || type === "FILE_REF"
    ? MAX_VALUE_LENGTH * MAX_CHARACTER_BYTES
    : maxKindBytes("json");
}

function maxKindBytes(kind: ValueKind): number {
  return kind === "text" || kind === "json" || kind === "geometry"
    ? MAX_VALUE_LENGTH * MAX_CHARACTER_BYTES
    : PLAIN_VALUE_BYTES;
}

function maxTermBytes(term: Term<ResolvedColumn>): number {
  const most = maxKindBytes(term.kind);
  return most > PLAIN_VALUE_BYTES && term.is === "column" && term.ref.worked === null
    ? maxColumnBytes(term.ref.column)
    : most;
}

/** Whether this many rows could exceed the answer size and must be measured, which is rare. */
export const canExceedAnswerSize = (terms: Term<ResolvedColumn>[], rows: number): boolean =>
  terms.reduce((sum, term) => sum + maxTermBytes(term), 0) * rows > MAX_ANSWER_BYTES;

export type SqlValue = { sql: SqlFragment; kind: ValueKind };

/** SQL that returns the bytes of these values. PostgreSQL knows the length of a text without reading it. */
export function bytesSql(values: SqlValue[]): SqlFragment {
  const sizes = values
    .filter(({ kind }) => maxKindBytes(kind) > PLAIN_VALUE_BYTES)
    .map((value) =>
      value.kind === "text"
        ? sql`coalesce(octet_length(${value.sql}), 0)::bigint`
        : sql`coalesce(octet_length((${value.sql})::text), 0)`,
    );
  return sizes.length === 0 ? sql`0::bigint` : sql.join(sizes, sql` + `);
}

/** Result columns by short name; the kind decides whether values may be large. */
export type ReturnedColumns = { name: string; kind: ValueKind }[];

export const listReturnedColumns = (shown: SelectedProperty[], beside: string[] = []): ReturnedColumns => [
  ...beside.map((name) => ({ name, kind: "null" as const })),
  ...shown.map(({ term }, at) => ({ name: `s${at}`, kind: term.kind })),
];

/**
 * Runs a query and returns its rows in order. The database measures rows and does not send those beyond the
 * remaining bytes.
 * @throws 1021 if there are such rows
 */
export async function runWithByteBudget<R extends SqlRow = SqlRow>(
  engine: Pick<DataContext, "db">,
  left: ByteBudget,
  query: SqlFragment,
  returned: ReturnedColumns,
): Promise<R[]> {
  const bytes = bytesSql(returned.map(({ name, kind }) => ({ sql: sql.id("it", name), kind })));
  const list = returned.map(({ name, kind }) =>
    maxKindBytes(kind) > PLAIN_VALUE_BYTES
      ? sql`case when bytes <= ${left.bytes} then ${sql.id(name)} end as ${sql.id(name)}`
      : sql.id(name),
  );
  const rows = await runQuery<R & { bytes: number }>(
    engine,
    sql`select ${sql.join(list)}, bytes from (
        select it.*, sum(${bytes}) over (rows unbounded preceding)::double precision as bytes
          from (${query}) as it) as it`,
  );
  const held = rows.at(-1)?.bytes ?? 0;
  if (held > left.bytes) throw answerTooLarge();
  left.bytes -= held;
  return rows;
}

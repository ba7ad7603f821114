import { sql } from "#platform/database";
import type { Column, Engine, Fragment } from "../catalogue/types.ts";
import type { Kind, Term } from "../clause/tree.ts";
import { CODES, TableFault, tooMuch } from "../faults.ts";
import { LONGEST } from "../values/in.ts";
import { type Row, rowsOf } from "./run.ts";
import type { Shown } from "./shown.ts";
import type { Found } from "./sources.ts";

/**
 * Bytes of the values of one answer. Values, rows and columns have limits of their own, but all together
 * could exceed the memory of the process.
 */
export const MOST_BYTES = 20_000_000;
/** The remaining bytes for the statements of one answer. */
export type Left = { bytes: number };
export const allLeft = (): Left => ({ bytes: MOST_BYTES });

export const tooLarge = () =>
  tooMuch(`The answer would have more than ${MOST_BYTES} bytes. Ask for fewer objects at once, or for fewer of their properties.`);

export const isTooLarge = (error: unknown): boolean => error instanceof TableFault && error.code === CODES.tooMuch;

const WIDE = 4;
const PLAIN = 40;
/** Known to be short: ids, owners, columns of API entities. */
const SHORT = 500;

function mostOfColumn({ type, size }: Column): number {
  if (type === "STRING" || type === "STRING_ID") return (size ?? SHORT) * WIDE;
  return type === "TEXT" || type === "FILE_REF" ? LONGEST * WIDE : mostOfKind("json");
}

function mostOfKind(kind: Kind): number {
  return kind === "text" || kind === "json" || kind === "geometry" ? LONGEST * WIDE : PLAIN;
}

function mostOf(term: Term<Found>): number {
  const most = mostOfKind(term.kind);
  return most > PLAIN && term.is === "column" && term.ref.worked === null ? mostOfColumn(term.ref.column) : most;
}

/** Whether so many rows could exceed the answer size and must be measured. Most pages could not. */
export const couldBeLarge = (terms: Term<Found>[], rows: number): boolean =>
  terms.reduce((sum, term) => sum + mostOf(term), 0) * rows > MOST_BYTES;

export type Value = { sql: Fragment; kind: Kind };

/** Bytes of these values; PostgreSQL knows the length of a text without reading it. */
export function bytesSql(values: Value[]): Fragment {
  const sizes = values
    .filter(({ kind }) => mostOfKind(kind) > PLAIN)
    .map((it) =>
      it.kind === "text" ? sql`coalesce(octet_length(${it.sql}), 0)::bigint` : sql`coalesce(octet_length((${it.sql})::text), 0)`,
    );
  return sizes.length === 0 ? sql`0::bigint` : sql.join(sizes, sql` + `);
}

/** Result columns by short name, with their kind if they may be large. */
export type Returned = { name: string; kind: Kind }[];

export const returnedOf = (shown: Shown[], beside: string[] = []): Returned => [
  ...beside.map((name) => ({ name, kind: "null" as const })),
  ...shown.map(({ term }, at) => ({ name: `s${at}`, kind: term.kind })),
];

/**
 * Runs a query in order; rows beyond the remaining bytes are measured and not sent.
 * @throws 1021 if there are such rows
 */
export async function measuredRows(engine: Pick<Engine, "db" | "shared">, left: Left, query: Fragment, returned: Returned): Promise<Row[]> {
  const bytes = bytesSql(returned.map(({ name, kind }) => ({ sql: sql.id("it", name), kind })));
  const list = returned.map(({ name, kind }) =>
    mostOfKind(kind) > PLAIN ? sql`case when bytes <= ${left.bytes} then ${sql.id(name)} end as ${sql.id(name)}` : sql.id(name),
  );
  const rows = await rowsOf(
    engine,
    sql`select ${sql.join(list)}, bytes from (
        select it.*, sum(${bytes}) over (rows unbounded preceding)::double precision as bytes from (${query}) as it) as it`,
  );
  const held = (rows.at(-1)?.["bytes"] as number | undefined) ?? 0;
  if (held > left.bytes) throw tooLarge();
  left.bytes -= held;
  return rows;
}

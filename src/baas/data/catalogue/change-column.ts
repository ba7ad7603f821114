import { msg } from "#platform/messages";
import { many, one, run, sql, type Tx } from "#platform/database";
import { columnNotFound } from "../clause/clause-errors.ts";
import { schemaFault } from "../data-errors.ts";
import { parseDefault } from "../values/column-values.ts";
import { ColumnChange, parseWith } from "./table-schemas.ts";
import { isSystemColumn, SQL_TYPE, createSqlName } from "./table-names.ts";
import { assertIndexable, assertNameFree, createIndex, type StoredTable } from "./table-ddl.ts";
import type { ColumnType } from "./types.ts";

type StoredColumn = {
  name: string;
  sqlName: string;
  type: ColumnType;
  size: number | null;
  required: boolean;
  unique: boolean;
  indexed: boolean;
  defaultValue: unknown;
  expression: string | null;
};

/** For each column type, the types to which its values can be converted without loss. */
const LOSSLESS_CHANGES: Partial<Record<ColumnType, ColumnType[]>> = {
  STRING: ["TEXT", "FILE_REF"],
  FILE_REF: ["TEXT"],
  TEXT: ["FILE_REF"],
  INT: ["DOUBLE"],
  POINT: ["GEOMETRY"],
  LINESTRING: ["GEOMETRY"],
  POLYGON: ["GEOMETRY"],
};

/**
 * Changes a column: its name, size, constraints, index, and its type if the conversion is lossless.
 * @throws 1006 for a missing column, 1022 for a change that is not possible
 */
export async function changeColumn(
  tx: Tx,
  table: StoredTable,
  name: string,
  input: unknown,
): Promise<string> {
  if (isSystemColumn(name))
    throw schemaFault(
      msg("The column ''{name}'' is part of every table and can be neither changed nor deleted.", { name }),
    );
  const changes = parseWith(ColumnChange, input);
  const before = await getStoredColumn(tx, table, name);
  const after: StoredColumn = {
    ...before,
    ...omitUndefined({ ...changes, type: changes.dataType, size: changes.dataSize }),
  };
  if (after.type !== "STRING") after.size = null;
  assertChangeAllowed(before, after);
  if (after.name !== name) await assertNameFree(tx, table, after.name);
  after.defaultValue = parseDefault(after);
  await assertValuesFit(tx, table, before, after);
  if (SQL_TYPE[after.type] !== SQL_TYPE[before.type])
    after.sqlName = await moveColumnValues(tx, table, before, after);
  await run(
    tx,
    sql`
      update data_columns set name = ${after.name}, sql_name = ${after.sqlName}, type = ${after.type},
        size = ${after.size},
        required = ${after.required}, is_unique = ${after.unique}, is_indexed = ${after.indexed},
        default_value = ${after.defaultValue === null ? null : JSON.stringify(after.defaultValue)}
      where table_id = ${table.id} and name = ${name}`,
  );
  await createIndex(tx, table, after);
  return after.name;
}

const omitUndefined = (it: Record<string, unknown>): Partial<StoredColumn> =>
  Object.fromEntries(Object.entries(it).filter(([, value]) => value !== undefined));

async function getStoredColumn(tx: Tx, table: StoredTable, name: string): Promise<StoredColumn> {
  const [column] = await many(
    tx,
    sql<StoredColumn>`
      select name, sql_name as "sqlName", type, size, required, is_unique as "unique",
        is_indexed as "indexed",
        default_value as "defaultValue", expression
      from data_columns where table_id = ${table.id} and name = ${name}`,
  );
  if (!column) throw columnNotFound(name, table.name);
  return column;
}

function assertChangeAllowed(before: StoredColumn, after: StoredColumn) {
  if (before.type !== after.type && !LOSSLESS_CHANGES[before.type]?.includes(after.type))
    throw schemaFault(
      msg("The column ''{name}'' of type {before} cannot become one of type {after}.", {
        name: before.name,
        before: before.type,
        after: after.type,
      }),
    );
  if (before.expression !== null && before.type !== after.type)
    throw schemaFault(
      msg("The column ''{name}'' is calculated from other columns, so its type cannot change.", {
        name: before.name,
      }),
    );
  assertIndexable(after);
}

/** Refuses new constraints that existing values violate. */
async function assertValuesFit(tx: Tx, table: StoredTable, before: StoredColumn, after: StoredColumn) {
  if (before.expression !== null) return;
  const itself = sql.id(before.sqlName);
  const { lacking, long, twice } = await one(
    tx,
    sql<{ lacking: boolean; long: boolean; twice: boolean }>`
      select coalesce(bool_or(${itself} is null), false) as lacking,
        coalesce(bool_or(char_length(${itself}::text) > ${after.size ?? 1_000_000_000}::int), false) as long,
        count(${itself}) <> count(distinct ${itself}) as twice
      from ${sql.id("data", table.sqlName)}`,
  );
  if (after.required && !before.required && lacking)
    throw schemaFault(msg("Some objects have no value for ''{name}''.", { name: before.name }), "conflict");
  if (long)
    throw schemaFault(
      msg("Some objects have a longer value for ''{name}''.", { name: before.name }),
      "conflict",
    );
  if (after.unique && !before.unique && twice)
    throw schemaFault(
      msg("Some objects have the same value for ''{name}''.", { name: before.name }),
      "conflict",
    );
}

/**
 * Moves values to a column with a new SQL name. A process with an outdated catalogue then gets an error from
 * the database, and reads the catalogue again.
 */
async function moveColumnValues(
  tx: Tx,
  table: StoredTable,
  before: StoredColumn,
  after: StoredColumn,
): Promise<string> {
  const { n } = await one(tx, sql<{ n: string }>`select nextval('data_names')::text as n`);
  const sqlName = createSqlName("c", n, after.name);
  const itself = sql.id("data", table.sqlName);
  await run(tx, sql`alter table ${itself} add column ${sql.id(sqlName)} ${sql.raw(SQL_TYPE[after.type])}`);
  await run(tx, sql`update ${itself} set ${sql.id(sqlName)} = ${sql.id(before.sqlName)}`);
  await run(tx, sql`alter table ${itself} drop column ${sql.id(before.sqlName)}`);
  return sqlName;
}

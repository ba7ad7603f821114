import { msg } from "#platform/messages";
import { type Db, many, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { columnNotFound } from "../clause/clause-errors.ts";
import { schemaFault, tableNotFound, dataTooLarge } from "../data-errors.ts";
import { parseDefault } from "../values/column-values.ts";
import {
  MAX_COLUMNS,
  MAX_TABLES,
  type NewColumn,
  type NewRelation,
  NewTable,
  parseWith,
  tooManyColumns,
} from "./table-schemas.ts";
import { isSystemColumn, RESERVED_TABLES, SQL_TYPE, createSqlName, SYSTEM_COLUMNS } from "./table-names.ts";
import type { Column, ColumnType } from "./types.ts";

/** Lock for schema changes, which run one at a time. The number is arbitrary. */
const SCHEMA_LOCK = 7_284_019_337;

/** Begins a schema change: takes the lock, increases the version, and notifies caches. */
export async function beginSchemaChange(tx: Tx): Promise<void> {
  // Creating an index may take longer than the usual statement timeout.
  await run(tx, sql`select set_config('statement_timeout', '10s', true)`);
  await run(tx, sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
  await run(
    tx,
    sql`insert into data_config as c (lone, version) values (true, 1)
      on conflict (lone) do update set version = c.version + 1`,
  );
  await emit(tx, { type: "tables.changed" });
}

export type StoredTable = { id: string; name: string; sqlName: string; published?: boolean };
type StoredColumn = {
  name: string;
  sqlName: string;
  type: ColumnType;
  unique: boolean;
  indexed: boolean;
  expression: string | null;
};

const nextNumber = async (db: Db) =>
  (await one(db, sql<{ n: string }>`select nextval('data_names')::text as n`)).n;

/** Reads a data table from the database, since the catalogue may be outdated; null if missing. */
export const findStoredTable = async (db: Db, name: string): Promise<StoredTable | null> =>
  (
    await many(
      db,
      sql<StoredTable>`select id, name, sql_name as "sqlName", published from data_tables
        where name = ${name}`,
    )
  )[0] ?? null;

export async function getTableForChange(tx: Tx, name: string): Promise<StoredTable> {
  await beginSchemaChange(tx);
  const table = await findStoredTable(tx, name);
  if (!table) throw tableNotFound(name);
  return table;
}

/**
 * Returns the stored row of an API entity, which is created on first use. Relations and permissions that are
 * added to the entity refer to this row.
 */
export async function getEntityTableForChange(tx: Tx, name: string): Promise<StoredTable> {
  await beginSchemaChange(tx);
  const known = await findStoredTable(tx, name);
  if (known) return known;
  const table = {
    id: tx.newId(),
    name,
    sqlName: createSqlName("t", await nextNumber(tx), name),
    published: true,
  };
  await run(
    tx,
    sql`insert into data_tables (id, name, sql_name, published, created_at)
      values (${table.id}, ${name}, ${table.sqlName}, true, ${tx.now})`,
  );
  return table;
}

const listStoredColumns = (db: Db, tableId: string) =>
  many(
    db,
    sql<StoredColumn>`
      select name, sql_name as "sqlName", type, is_unique as "unique", is_indexed as "indexed", expression
      from data_columns where table_id = ${tableId}`,
  );

/** Lists the current names of columns and relations of a table. */
export const listColumnNames = async (db: Db, tableId: string): Promise<Set<string>> => {
  const own = await many(
    db,
    sql<{ name: string }>`
      select name from data_columns where table_id = ${tableId} union all select name from data_relations
      where table_id = ${tableId}`,
  );
  return new Set([...SYSTEM_COLUMNS.map(({ name }) => name), ...own.map(({ name }) => name)]);
};

/**
 * Refuses a name that cannot be added to a table.
 * @throws 1022 for a name in use, 1021 for too many columns
 */
export async function assertNameFree(db: Db, table: StoredTable, name: string): Promise<void> {
  const names = await listColumnNames(db, table.id);
  if (names.has(name))
    throw schemaFault(
      msg("The table ''{table}'' has a column ''{name}'' already.", { table: table.name, name }),
      "conflict",
    );
  if (names.size >= MAX_COLUMNS) throw tooManyColumns(table.name);
}

/**
 * Creates a table with columns. Refuses a name that is in use, by a table or by an API entity (`taken`), or
 * that URLs cannot reach.
 */
export async function createStoredTable(
  tx: Tx,
  input: unknown,
  taken: (name: string) => boolean,
): Promise<string> {
  const { name, columns } = parseWith(NewTable, input);
  if (RESERVED_TABLES.has(name)) throw schemaFault(msg("A table cannot be called ''{name}''.", { name }));
  await beginSchemaChange(tx);
  if (taken(name) || (await findStoredTable(tx, name)))
    throw schemaFault(msg("There is a table ''{name}'' already.", { name }), "conflict");
  const { count } = await one(tx, sql<{ count: number }>`select count(*)::int as count from data_tables`);
  if (count >= MAX_TABLES)
    throw dataTooLarge(msg("There are {count} tables, the maximum.", { count: MAX_TABLES }));
  const table = { id: tx.newId(), name, sqlName: createSqlName("t", await nextNumber(tx), name) };
  await run(
    tx,
    sql`insert into data_tables (id, name, sql_name, created_at)
      values (${table.id}, ${name}, ${table.sqlName}, ${tx.now})`,
  );
  const itself = sql.id("data", table.sqlName);
  await run(
    tx,
    sql`create table ${itself} (object_id text primary key, owner_id text, created timestamptz(3) not null,
      updated timestamptz(3))`,
  );
  // Indexes for lists, which are newest first by default, and for callers who are limited to their own rows.
  await run(tx, sql`create index on ${itself} (created desc, object_id desc)`);
  await run(tx, sql`create index on ${itself} (owner_id)`);
  for (const column of columns) await createStoredColumn(tx, table, column);
  return name;
}

/** Adds a column. Refuses a name in use, a type that cannot be unique or indexed, and too many columns. */
export async function createStoredColumn(tx: Tx, table: StoredTable, column: NewColumn): Promise<void> {
  await assertNameFree(tx, table, column.name);
  const sqlName = createSqlName("c", await nextNumber(tx), column.name);
  const size = column.dataType === "STRING" ? (column.dataSize ?? 500) : null;
  const expression = column.expression ?? null;
  const stored = {
    name: column.name,
    sqlName,
    type: column.dataType,
    size,
    unique: column.unique,
    indexed: column.indexed,
    expression,
  };
  assertIndexable(stored);
  const initial = parseDefault({ ...column, type: column.dataType, size });
  await run(
    tx,
    sql`
      insert into data_columns
        (table_id, name, sql_name, type, size, required, is_unique, is_indexed, default_value, expression,
        position)
      values (${table.id}, ${column.name}, ${sqlName}, ${column.dataType}, ${size}, ${column.required},
        ${column.unique},
        ${column.indexed}, ${initial === null ? null : JSON.stringify(initial)}, ${expression},
        nextval('data_names'))`,
  );
  if (expression !== null) return;
  await run(
    tx,
    sql`alter table ${sql.id("data", table.sqlName)} add column ${sql.id(sqlName)}
      ${sql.raw(SQL_TYPE[column.dataType])}`,
  );
  await createIndex(tx, table, stored);
}

const INDEXABLE = new Set<ColumnType>(["STRING", "INT", "DOUBLE", "BOOLEAN", "DATETIME"]);

/** Refuses an index on columns whose values may be too long for an index, such as texts and shapes. */
export function assertIndexable({
  name,
  type,
  unique,
  indexed,
  expression,
}: Pick<Column, "name" | "type" | "unique" | "indexed" | "expression">) {
  if ((unique || indexed) && (!INDEXABLE.has(type) || expression !== null))
    throw schemaFault(msg("The column ''{name}'' can be neither indexed nor unique.", { name }));
}

/**
 * Creates the index of a column. The index is named after the column, so that each column has at most one.
 */
export async function createIndex(
  tx: Tx,
  table: StoredTable,
  column: Pick<StoredColumn, "sqlName" | "unique" | "indexed">,
) {
  await run(tx, sql`drop index if exists ${sql.id("data", `${column.sqlName}_index`)}`);
  if (!column.unique && !column.indexed) return;
  const kind = sql.raw(column.unique ? "unique index" : "index");
  // The id in the index makes each page of a sorted list continue exactly where the previous one ended.
  const rest = column.unique ? sql`` : sql`, object_id`;
  await run(
    tx,
    sql`create ${kind} ${sql.id(`${column.sqlName}_index`)}
      on ${sql.id("data", table.sqlName)} (${sql.id(column.sqlName)}${rest})`,
  );
}

/** Drops a column or relation with its values. */
export async function dropStoredColumn(tx: Tx, table: StoredTable, name: string): Promise<void> {
  if (isSystemColumn(name))
    throw schemaFault(
      msg("The column ''{name}'' is part of every table and can be neither changed nor deleted.", { name }),
    );
  const column = (await listStoredColumns(tx, table.id)).find((it) => it.name === name);
  if (!column) return dropStoredRelation(tx, table, name);
  await run(tx, sql`delete from data_columns where table_id = ${table.id} and name = ${name}`);
  if (column.expression === null)
    await run(tx, sql`alter table ${sql.id("data", table.sqlName)} drop column ${sql.id(column.sqlName)}`);
}

export async function dropStoredRelation(tx: Tx, table: StoredTable, name: string) {
  const [gone] = await many(
    tx,
    sql<{
      links: string;
    }>`delete from data_relations where table_id = ${table.id} and name = ${name} returning links`,
  );
  if (!gone) throw columnNotFound(name, table.name);
  await run(tx, sql`drop table ${sql.id("data", gone.links)}`);
}

/** Adds a relation: a link table with cascading deletes. Refuses a name in use. */
export async function createStoredRelation(
  tx: Tx,
  table: StoredTable,
  relation: NewRelation,
  isEntity: boolean,
): Promise<void> {
  await assertNameFree(tx, table, relation.name);
  const child = isEntity ? null : await findStoredTable(tx, relation.toTable);
  if (!isEntity && !child) throw tableNotFound(relation.toTable);
  const links = createSqlName("r", await nextNumber(tx), `${table.name}_${relation.name}`);
  await run(
    tx,
    sql`
      insert into data_relations (table_id, name, to_table, kind, auto_load, links, position)
      values (${table.id}, ${relation.name}, ${relation.toTable}, ${relation.relationshipType}, ${relation.autoLoad},
        ${links}, nextval('data_names'))`,
  );
  const toParent = table.published
    ? sql``
    : sql` references ${sql.id("data", table.sqlName)} on delete cascade`;
  const toChild = child ? sql` references ${sql.id("data", child.sqlName)} on delete cascade` : sql``;
  await run(
    tx,
    sql`
      create table ${sql.id("data", links)} (
        parent text not null${toParent}, child text not null${toChild},
        position bigint generated always as identity, primary key (parent, child))`,
  );
  await run(tx, sql`create index on ${sql.id("data", links)} (child)`);
  if (relation.relationshipType === "ONE_TO_ONE")
    await run(tx, sql`create unique index on ${sql.id("data", links)} (parent)`);
}

/** Drops a table, and the relations of other tables to it. */
export async function dropStoredTable(tx: Tx, table: StoredTable): Promise<void> {
  const links = await many(
    tx,
    sql<{ links: string }>`
      delete from data_relations where table_id = ${table.id} or to_table = ${table.name} returning links`,
  );
  for (const it of links) await run(tx, sql`drop table ${sql.id("data", it.links)}`);
  if (!table.published) await run(tx, sql`drop table ${sql.id("data", table.sqlName)}`);
  await run(tx, sql`delete from data_tables where id = ${table.id}`);
}

import { many, run, sql, type Tx } from "#platform/database";
import { badRequest, schemaFault } from "../faults.ts";
import { onTable, type Tables } from "../tables.ts";
import { changeColumn as change } from "./change-column.ts";
import { Access, ConfigChange, NewColumn, NewRelation, parsed } from "./forms.ts";
import { isSystem } from "./names.ts";
import {
  changing,
  makeColumn,
  makeRelation,
  makeTable,
  publishedToChange,
  takeColumn,
  takeRelation,
  takeTable,
  tableToChange,
} from "./schema.ts";
import type { Column, Config, Noun, NounExtension, Relation, Table, TableAct } from "./types.ts";

/**
 * Commands for operators; the API checks permissions. All throw 1009 for an unknown table, 1022 for an
 * invalid schema, 1021 beyond a limit, and 1023 for invalid input.
 */
export type TableOut = { id: string; name: string; columns: ColumnOut[]; relations: RelationOut[]; published: boolean };
export type ColumnOut = ReturnType<typeof columnOut>;
export type RelationOut = ReturnType<typeof relationOut>;

export async function createTable(tables: Tables, body: unknown): Promise<TableOut> {
  const name = await changed(tables, (tx) => makeTable(tx, body, tables.catalogue.isNoun));
  return tableNamed(tables, name);
}

/**
 * Lists all tables and API entities in their current state, since another process may have changed them just
 * now.
 */
export async function tablesOut({ catalogue }: Tables): Promise<TableOut[]> {
  await catalogue.isBehind();
  return (await catalogue.all()).map(tableOut);
}

const tableNamed = (tables: Tables, name: string): Promise<TableOut> => onTable(tables, name, async (table) => tableOut(table));

/** Drops a table with its objects. */
export const dropTable = (tables: Tables, name: string): Promise<void> =>
  changed(tables, async (tx) => takeTable(tx, await ownTable(tables, tx, name)));

export async function addColumn(tables: Tables, name: string, body: unknown): Promise<ColumnOut> {
  const column = parsed(NewColumn, body);
  const published = await publishedNamed(tables, name);
  if (published) assertPlain(published, column);
  await changed(tables, async (tx) =>
    published
      ? published.noun.extension.addColumn(tx, { name: column.name, type: column.dataType })
      : makeColumn(tx, await ownTable(tables, tx, name), column),
  );
  return columnNamed(tables, name, column.name);
}

/** Changes a column; of a relation only whether it is auto-loaded. */
export async function changeColumn(tables: Tables, name: string, column: string, body: unknown): Promise<ColumnOut> {
  const called = await changed(tables, async (tx) => change(tx, await ownTable(tables, tx, name), column, body));
  return columnNamed(tables, name, called);
}

/** Drops a column or relation with its values. */
export async function dropColumn(tables: Tables, name: string, column: string): Promise<void> {
  const published = await publishedNamed(tables, name);
  await changed(tables, async (tx) => {
    if (!published) return takeColumn(tx, await ownTable(tables, tx, name), column);
    if (published.table.relations.has(column)) return takeRelation(tx, await publishedToChange(tx, name), column);
    return published.noun.extension.dropColumn(tx, column);
  });
}

/** Adds a relation to a data table or an API entity. */
export async function addRelation(tables: Tables, name: string, body: unknown): Promise<RelationOut> {
  const relation = parsed(NewRelation, body);
  const isNoun = tables.catalogue.isNoun(relation.toTable);
  const published = await publishedNamed(tables, name);
  if (published) assertNew(published, relation.name);
  const tableIn = (tx: Tx) => (published ? publishedToChange(tx, name) : ownTable(tables, tx, name));
  await changed(tables, async (tx) => makeRelation(tx, await tableIn(tx), relation, isNoun));
  return relationOut((await tables.catalogue.table(name)).relations.get(relation.name)!);
}

/** The current configuration of all data tables. */
export async function config({ catalogue }: Tables): Promise<Omit<Config, "hosted">> {
  await catalogue.isBehind();
  const { dynamicSchema, defaultAccess } = await catalogue.config();
  return { dynamicSchema, defaultAccess };
}

/** Changes the configuration; omitted properties stay. */
export async function setConfig(tables: Tables, body: unknown): Promise<Omit<Config, "hosted">> {
  const { dynamicSchema, defaultAccess } = parsed(ConfigChange, body);
  await changed(tables, async (tx) => {
    await changing(tx);
    await run(
      tx,
      sql`
        update data_config set dynamic_schema = coalesce(${dynamicSchema ?? null}::boolean, dynamic_schema),
          default_access = coalesce(${defaultAccess ?? null}::text, default_access)`,
    );
  });
  return config(tables);
}

type Grid = Record<string, Partial<Record<TableAct, boolean>>>;

/** Explicit permissions of roles on a table. */
export async function access(tables: Tables, name: string): Promise<Grid> {
  await tables.catalogue.isBehind();
  return onTable(tables, name, async (table) => Object.fromEntries(table.access));
}

/** Sets the permissions of roles on a table; omitted roles return to the default. */
export async function setAccess(tables: Tables, name: string, body: unknown): Promise<Grid> {
  const grid = parsed(Access, body);
  const rows = Object.entries(grid).flatMap(([role, acts]) => Object.entries(acts).map(([act, allowed]) => ({ role, act, allowed })));
  await changed(tables, async (tx) => {
    const { id } = await ownTable(tables, tx, name);
    await run(tx, sql`delete from data_access where table_id = ${id}`);
    await run(
      tx,
      sql`
        insert into data_access (table_id, role, act, allowed)
        select ${id}, * from unnest(${rows.map(({ role }) => role)}::text[], ${rows.map(({ act }) => act)}::text[],
          ${rows.map(({ allowed }) => allowed)}::boolean[])`,
    );
  });
  return access(tables, name);
}

/** Drops all data tables and their configuration. */
export const dropAllTables = (tables: Tables): Promise<void> =>
  changed(tables, async (tx) => {
    await changing(tx);
    // Read from the database, since the catalogue may be outdated.
    const standing = await many(tx, sql<{ name: string }>`select name from data_tables order by name`);
    for (const { name } of standing) await takeTable(tx, await tableToChange(tx, name));
    await run(tx, sql`update data_config set dynamic_schema = null, default_access = null`);
  });

async function changed<T>(tables: Tables, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await tables.inTransaction(work);
  tables.catalogue.forget();
  tables.room.forget();
  return result;
}

type Published = { table: Table; noun: Noun & { extension: NounExtension } };

/**
 * An API entity that accepts columns and relations; null for a data table.
 * @throws 1022 for other API entities, saying which setting would allow it
 */
async function publishedNamed({ catalogue }: Tables, name: string): Promise<Published | null> {
  if (!catalogue.isNoun(name)) return null;
  const table = await catalogue.table(name);
  const { extension, hosted } = table.noun!;
  if (extension) return { table, noun: { ...table.noun!, extension } };
  if (!hosted) throw schemaFault(`The table '${name}' belongs to the community and stays as it is.`, "not-allowed");
  throw schemaFault(
    `The table '${name}' belongs to the community and stays as it is. KITH_API_DEFAULTS=hosted allows this call.`,
    "not-allowed",
  );
}

function assertNew({ table }: Published, name: string): void {
  if (isSystem(name) || table.columns.has(name) || table.relations.has(name))
    throw schemaFault(`The table '${table.name}' has a column '${name}' already.`, "conflict");
}

/** Added columns of API entities have a name and a type only. */
function assertPlain(published: Published, { name, required, unique, indexed, defaultValue, expression }: NewColumn): void {
  assertNew(published, name);
  if (required || unique || indexed || (defaultValue ?? null) !== null || (expression ?? null) !== null)
    throw schemaFault(`Columns that are added to '${published.table.name}' have a name and a type alone.`);
}

async function ownTable({ catalogue }: Tables, tx: Tx, name: string) {
  if (catalogue.isNoun(name)) throw schemaFault(`The table '${name}' belongs to the community and stays as it is.`, "not-allowed");
  return tableToChange(tx, name);
}

async function columnNamed(tables: Tables, name: string, column: string): Promise<ColumnOut> {
  const found = (await tables.catalogue.table(name)).columns.get(column);
  if (!found) throw badRequest(`The column '${column}' went at this moment.`);
  return columnOut(found);
}

const tableOut = ({ id, name, columns, relations, noun }: Table): TableOut => ({
  id,
  name,
  columns: [...columns.values()].map(columnOut),
  relations: [...relations.values()].map(relationOut),
  published: noun !== undefined,
});

const columnOut = ({ name, type, size, required, unique, indexed, defaultValue, expression }: Column) => ({
  name,
  dataType: type,
  dataSize: size,
  required,
  unique,
  indexed,
  defaultValue,
  expression,
  system: isSystem(name),
});

const relationOut = ({ name, toTable, kind, autoLoad }: Relation) => ({ name, toTable, relationshipType: kind, autoLoad });

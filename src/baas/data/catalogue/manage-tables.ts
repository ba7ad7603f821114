import { msg } from "#platform/messages";
import { many, run, sql, type Tx } from "#platform/database";
import { badRequest, schemaFault } from "../data-errors.ts";
import { withTable, type DataTables } from "../data-tables.ts";
import { changeColumn as change } from "./change-column.ts";
import { AccessGrid, ConfigChange, NewColumn, NewRelation, parseWith } from "./table-schemas.ts";
import { isSystemColumn } from "./table-names.ts";
import {
  beginSchemaChange,
  createStoredColumn,
  createStoredRelation,
  createStoredTable,
  getEntityTableForChange,
  dropStoredColumn,
  dropStoredRelation,
  dropStoredTable,
  getTableForChange,
} from "./table-ddl.ts";
import type {
  Column,
  DataConfig,
  EntityTable,
  EntityExtension,
  Relation,
  Table,
  TableAction,
} from "./types.ts";

/**
 * Description of a table for operators. All commands of this file throw 1009 for an unknown table, 1022 for
 * an invalid schema, 1021 beyond a limit, and 1023 for invalid input; the API checks permissions.
 */
export type TableInfo = {
  id: string;
  name: string;
  columns: ColumnInfo[];
  relations: RelationInfo[];
  published: boolean;
};
export type ColumnInfo = ReturnType<typeof describeColumnInfo>;
export type RelationInfo = ReturnType<typeof describeRelationInfo>;

export async function createTable(tables: DataTables, body: unknown): Promise<TableInfo> {
  const name = await changeSchema(tables, (tx) => createStoredTable(tx, body, tables.catalogue.isEntity));
  return getTableInfo(tables, name);
}

/**
 * Lists all tables and API entities, read from the database because another process may just have changed
 * them.
 */
export async function listTables({ catalogue }: DataTables): Promise<TableInfo[]> {
  await catalogue.isBehind();
  return (await catalogue.all()).map(describeTableInfo);
}

const getTableInfo = (tables: DataTables, name: string): Promise<TableInfo> =>
  withTable(tables, name, async (table) => describeTableInfo(table));

/** Drops a table with its objects. */
export const dropTable = (tables: DataTables, name: string): Promise<void> =>
  changeSchema(tables, async (tx) => dropStoredTable(tx, await getDataTable(tables, tx, name)));

export async function addColumn(tables: DataTables, name: string, body: unknown): Promise<ColumnInfo> {
  const column = parseWith(NewColumn, body);
  const published = await findExtensibleTable(tables, name);
  if (published) assertPlainColumn(published, column);
  await changeSchema(tables, async (tx) =>
    published
      ? published.entity.extension.addColumn(tx, { name: column.name, type: column.dataType })
      : createStoredColumn(tx, await getDataTable(tables, tx, name), column),
  );
  return getColumnInfo(tables, name, column.name);
}

/** Changes a column or relation. For a relation, only auto-loading can be changed. */
export async function changeColumn(
  tables: DataTables,
  name: string,
  column: string,
  body: unknown,
): Promise<ColumnInfo> {
  const called = await changeSchema(tables, async (tx) =>
    change(tx, await getDataTable(tables, tx, name), column, body),
  );
  return getColumnInfo(tables, name, called);
}

/** Drops a column or relation with its values. */
export async function dropColumn(tables: DataTables, name: string, column: string): Promise<void> {
  const published = await findExtensibleTable(tables, name);
  await changeSchema(tables, async (tx) => {
    if (!published) return dropStoredColumn(tx, await getDataTable(tables, tx, name), column);
    if (published.table.relations.has(column))
      return dropStoredRelation(tx, await getEntityTableForChange(tx, name), column);
    return published.entity.extension.dropColumn(tx, column);
  });
}

/** Adds a relation to a data table or an API entity. */
export async function addRelation(tables: DataTables, name: string, body: unknown): Promise<RelationInfo> {
  const relation = parseWith(NewRelation, body);
  const isEntity = tables.catalogue.isEntity(relation.toTable);
  const published = await findExtensibleTable(tables, name);
  if (published) assertNewName(published, relation.name);
  const tableIn = (tx: Tx) =>
    published ? getEntityTableForChange(tx, name) : getDataTable(tables, tx, name);
  await changeSchema(tables, async (tx) => createStoredRelation(tx, await tableIn(tx), relation, isEntity));
  return describeRelationInfo((await tables.catalogue.table(name)).relations.get(relation.name)!);
}

/** Returns the current configuration of all data tables. */
export async function getDataConfig({ catalogue }: DataTables): Promise<Omit<DataConfig, "hosted">> {
  await catalogue.isBehind();
  const { dynamicSchema, defaultAccess } = await catalogue.config();
  return { dynamicSchema, defaultAccess };
}

/** Changes the configuration of all data tables; omitted properties are not changed. */
export async function changeDataConfig(
  tables: DataTables,
  body: unknown,
): Promise<Omit<DataConfig, "hosted">> {
  const { dynamicSchema, defaultAccess } = parseWith(ConfigChange, body);
  await changeSchema(tables, async (tx) => {
    await beginSchemaChange(tx);
    await run(
      tx,
      sql`
        update data_config set dynamic_schema = coalesce(${dynamicSchema ?? null}::boolean, dynamic_schema),
          default_access = coalesce(${defaultAccess ?? null}::text, default_access)`,
    );
  });
  return getDataConfig(tables);
}

type AccessByRole = Record<string, Partial<Record<TableAction, boolean>>>;

/** Returns the explicit permissions of roles on a table. */
export async function getTableAccess(tables: DataTables, name: string): Promise<AccessByRole> {
  await tables.catalogue.isBehind();
  return withTable(tables, name, async (table) => Object.fromEntries(table.access));
}

/** Sets the permissions of roles on a table; omitted roles return to the default. */
export async function setTableAccess(tables: DataTables, name: string, body: unknown): Promise<AccessByRole> {
  const grid = parseWith(AccessGrid, body);
  const rows = Object.entries(grid).flatMap(([role, acts]) =>
    Object.entries(acts).map(([act, allowed]) => ({ role, act, allowed })),
  );
  await changeSchema(tables, async (tx) => {
    const { id } = await getDataTable(tables, tx, name);
    await run(tx, sql`delete from data_access where table_id = ${id}`);
    await run(
      tx,
      sql`
        insert into data_access (table_id, role, act, allowed)
        select ${id}, *
        from unnest(${rows.map(({ role }) => role)}::text[], ${rows.map(({ act }) => act)}::text[],
          ${rows.map(({ allowed }) => allowed)}::boolean[])`,
    );
  });
  return getTableAccess(tables, name);
}

/** Drops all data tables and their configuration. */
export const dropAllTables = (tables: DataTables): Promise<void> =>
  changeSchema(tables, async (tx) => {
    await beginSchemaChange(tx);
    // Table names are read from the database, since the catalogue may be outdated.
    const standing = await many(tx, sql<{ name: string }>`select name from data_tables order by name`);
    for (const { name } of standing) await dropStoredTable(tx, await getTableForChange(tx, name));
    await run(tx, sql`update data_config set dynamic_schema = null, default_access = null`);
  });

async function changeSchema<T>(tables: DataTables, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await tables.inTransaction(work);
  tables.catalogue.forget();
  tables.quota.forget();
  return result;
}

type ExtensibleTable = { table: Table; entity: EntityTable & { extension: EntityExtension } };

/**
 * Returns an API entity that accepts columns and relations; null for a data table.
 * @throws 1022 for other API entities, naming the setting that would allow it
 */
async function findExtensibleTable({ catalogue }: DataTables, name: string): Promise<ExtensibleTable | null> {
  if (!catalogue.isEntity(name)) return null;
  const table = await catalogue.table(name);
  const { extension, hosted } = table.entity!;
  if (extension) return { table, entity: { ...table.entity!, extension } };
  if (!hosted)
    throw schemaFault(
      msg("The table ''{table}'' belongs to the community and cannot be changed.", { table: name }),
      "not-allowed",
    );
  throw schemaFault(
    msg(
      "The table ''{table}'' belongs to the community and cannot be changed. " +
        "KITH_API_DEFAULTS=hosted allows this call.",
      { table: name },
    ),
    "not-allowed",
  );
}

function assertNewName({ table }: ExtensibleTable, name: string): void {
  if (isSystemColumn(name) || table.columns.has(name) || table.relations.has(name))
    throw schemaFault(
      msg("The table ''{table}'' has a column ''{name}'' already.", { table: table.name, name }),
      "conflict",
    );
}

/** Refuses all attributes except name and type, because columns added to API entities have no others. */
function assertPlainColumn(
  published: ExtensibleTable,
  { name, required, unique, indexed, defaultValue, expression }: NewColumn,
): void {
  assertNewName(published, name);
  if (required || unique || indexed || (defaultValue ?? null) !== null || (expression ?? null) !== null)
    throw schemaFault(
      msg("A column added to ''{table}'' can only have a name and a type.", {
        table: published.table.name,
      }),
    );
}

async function getDataTable({ catalogue }: DataTables, tx: Tx, name: string) {
  if (catalogue.isEntity(name))
    throw schemaFault(
      msg("The table ''{table}'' belongs to the community and cannot be changed.", { table: name }),
      "not-allowed",
    );
  return getTableForChange(tx, name);
}

async function getColumnInfo(tables: DataTables, name: string, column: string): Promise<ColumnInfo> {
  const found = (await tables.catalogue.table(name)).columns.get(column);
  if (!found) throw badRequest(msg("The column ''{name}'' has just been deleted.", { name: column }));
  return describeColumnInfo(found);
}

const describeTableInfo = ({ id, name, columns, relations, entity }: Table): TableInfo => ({
  id,
  name,
  columns: [...columns.values()].map(describeColumnInfo),
  relations: [...relations.values()].map(describeRelationInfo),
  published: entity !== undefined,
});

const describeColumnInfo = ({
  name,
  type,
  size,
  required,
  unique,
  indexed,
  defaultValue,
  expression,
}: Column) => ({
  name,
  dataType: type,
  dataSize: size,
  required,
  unique,
  indexed,
  defaultValue,
  expression,
  system: isSystemColumn(name),
});

const describeRelationInfo = ({ name, toTable, kind, autoLoad }: Relation) => ({
  name,
  toTable,
  relationshipType: kind,
  autoLoad,
});

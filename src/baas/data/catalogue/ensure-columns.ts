import { msg } from "#platform/messages";
import type { Tx } from "#platform/database";
import { canAccessAll } from "../permissions/row-permissions.ts";
import { inferColumnType } from "../values/infer-type.ts";
import { isMarkerKey } from "../values/repeated-objects.ts";
import { isJsonUpdate } from "../values/json-update.ts";
import { schemaFault } from "../data-errors.ts";
import type { DataTables } from "../data-tables.ts";
import { MAX_COLUMNS, NewColumn, NewRelation, tooManyColumns } from "./table-schemas.ts";
import { isSystemColumn, NAME_PATTERN } from "./table-names.ts";
import type { CachedCatalogue } from "./cached-catalogue.ts";
import {
  beginSchemaChange,
  createStoredColumn,
  createStoredRelation,
  createStoredTable,
  listColumnNames,
  getEntityTableForChange,
  findStoredTable,
  getTableForChange,
} from "./table-ddl.ts";
import type { Caller, Catalogue, ColumnType, Table, ApiRecord } from "./types.ts";

type WantedColumn = ColumnType | { toTable: string; kind: "ONE_TO_ONE" | "ONE_TO_MANY" };
/** Missing columns and relations by table. */
type MissingColumns = Map<string, Map<string, WantedColumn>>;

/** Maximum nesting of records. */
export const MAX_DEPTH = 10;

/**
 * Creates a relation that a call names together with its target (`kids:Kid:n`), and the target table if it
 * is missing. Does nothing if the name exists, the schema is static, or the caller may not create objects in
 * the table.
 */
export async function createRelation(
  tables: DataTables,
  caller: Caller,
  name: string,
  { name: key, ...wanted }: { name: string; toTable: string; kind: "ONE_TO_ONE" | "ONE_TO_MANY" },
): Promise<void> {
  const { catalogue } = tables;
  const isMissing = async () => {
    const table = await catalogue.table(name);
    if (table.relations.has(key) || table.columns.has(key)) return false;
    return (
      (await createsMissingNames(catalogue, caller)) &&
      (!table.entity || table.entity.extension !== undefined) &&
      canAccessAll(table, caller, "create")
    );
  };
  if (!(await isMissing())) return;
  if (!NAME_PATTERN.test(key))
    throw schemaFault(msg("''{name}'' cannot be the name of a column.", { name: key.slice(0, 60) }));
  await tables.queue.run("growth", async () => {
    if (!(await isMissing())) return;
    const wants: MissingColumns = new Map([[name, new Map<string, WantedColumn>([[key, wanted]])]]);
    const child = catalogue.known(wanted.toTable);
    if (!child && NAME_PATTERN.test(wanted.toTable) && !wants.has(wanted.toTable))
      wants.set(wanted.toTable, new Map());
    await tables.inTransaction((tx) => createColumns(tx, catalogue, wants));
    catalogue.forget();
  });
}

/** Whether unknown names create tables and columns for this caller. */
async function createsMissingNames(catalogue: CachedCatalogue, caller: Caller): Promise<boolean> {
  const { dynamicSchema, defaultAccess } = await catalogue.config();
  return dynamicSchema && (caller.server || caller.userId !== null || defaultAccess === "open");
}

const isRecord = (value: unknown): value is ApiRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns the table in which records are saved, with columns for all their properties. With a dynamic
 * schema, missing columns are created first, in a transaction of their own. With a static schema, or for
 * callers who may not create objects, only columns that another process has just created are found.
 */
export async function ensureColumns(
  tables: DataTables,
  caller: Caller,
  name: string,
  records: ApiRecord[],
  deep = false,
): Promise<Table> {
  const table = await createMissing(tables, caller, name, records, deep);
  const leavesOut = records.some((record) =>
    hasUnknownProperties(tables.catalogue, table, record, deep ? MAX_DEPTH : 0),
  );
  return leavesOut && (await tables.catalogue.isBehind())
    ? createMissing(tables, caller, name, records, deep)
    : table;
}

/** Whether a record, or one nested in it, has properties unknown to its table. */
function hasUnknownProperties(catalogue: Catalogue, table: Table, record: ApiRecord, depth: number): boolean {
  return Object.entries(record).some(([key, value]) => {
    if (isMarkerKey(key) || isSystemColumn(key) || table.entity || table.columns.has(key)) return false;
    const to = catalogue.known(table.relations.get(key)?.toTable ?? "");
    if (!table.relations.has(key)) return true;
    return (
      depth > 0 &&
      to !== undefined &&
      listChildRecords(value).some((child) => hasUnknownProperties(catalogue, to, child, depth - 1))
    );
  });
}

async function createMissing(
  tables: DataTables,
  caller: Caller,
  name: string,
  records: ApiRecord[],
  deep: boolean,
): Promise<Table> {
  const { catalogue } = tables;
  const wanted = async (): Promise<MissingColumns> => {
    const wants: MissingColumns = new Map();
    if (await createsMissingNames(catalogue, caller))
      for (const record of records)
        collectMissing(catalogue, caller, wants, name, record, deep ? MAX_DEPTH : 0);
    return wants;
  };
  // Growth of tables is queued. Otherwise many requests with the same new names would each occupy a
  // connection while waiting for the first.
  if ((await wanted()).size > 0)
    await tables.queue.run("growth", async () => {
      // An earlier request in the queue may have created the columns by now.
      const wants = await wanted();
      if (wants.size === 0) return;
      await tables.inTransaction((tx) => createColumns(tx, catalogue, wants));
      catalogue.forget();
    });
  return catalogue.table(name);
}

function collectMissing(
  catalogue: Catalogue,
  caller: Caller,
  wants: MissingColumns,
  name: string,
  record: ApiRecord,
  depth: number,
): void {
  const table = catalogue.known(name);
  if (table ? table.entity || !canAccessAll(table, caller, "create") : !NAME_PATTERN.test(name)) return;
  const wanted = wants.get(name) ?? new Map<string, WantedColumn>();
  for (const [key, value] of Object.entries(record)) {
    if (isMarkerKey(key) || isSystemColumn(key) || table?.columns.has(key)) continue;
    const relation = depth > 0 ? inferRelation(table, key, value) : null;
    if (relation)
      for (const child of listChildRecords(value))
        collectMissing(catalogue, caller, wants, relation.toTable, child, depth - 1);
    if (table?.relations.has(key) || wanted.has(key)) continue;
    const it = relation ?? columnTypeFor(value);
    if (it === null) continue;
    if (!NAME_PATTERN.test(key))
      throw schemaFault(msg("''{name}'' cannot be the name of a column.", { name: key.slice(0, 60) }));
    if (wanted.size >= MAX_COLUMNS) throw tooManyColumns(name);
    wanted.set(key, it);
  }
  if (!table || wanted.size > 0) wants.set(name, wanted);
}

/** Returns the column type for a value; a change of a JSON value needs a JSON column. */
const columnTypeFor = (value: unknown): ColumnType | null => {
  if (isJsonUpdate(value)) return "JSON";
  // The type of an expression's result is unknown.
  return isRecord(value) && value["___class"] === "BackendlessExpression" ? null : inferColumnType(value);
};

/** Lists the nested records in a value, if its property is a relation. */
export const listChildRecords = (value: unknown): ApiRecord[] =>
  (Array.isArray(value) ? value : [value]).filter(isRecord);

/**
 * Returns the relation of a property: an existing one, or one inferred from nested objects that name their
 * table.
 */
function inferRelation(
  table: Table | undefined,
  key: string,
  value: unknown,
): Exclude<WantedColumn, string> | null {
  const standing = table?.relations.get(key);
  if (standing) return { toTable: standing.toTable, kind: standing.kind };
  const [first] = listChildRecords(value);
  const toTable = first?.["___class"];
  if (typeof toTable !== "string" || !NAME_PATTERN.test(toTable) || toTable === "BackendlessExpression")
    return null;
  return { toTable, kind: Array.isArray(value) ? "ONE_TO_MANY" : "ONE_TO_ONE" };
}

/**
 * Creates missing tables and columns. Those that another process has created in the meantime are used.
 * Lookups use the connection that holds the schema lock.
 */
async function createColumns(tx: Tx, catalogue: CachedCatalogue, wants: MissingColumns): Promise<void> {
  await beginSchemaChange(tx);
  for (const name of wants.keys())
    if (catalogue.isEntity(name)) await getEntityTableForChange(tx, name);
    else if (!(await findStoredTable(tx, name))) await createStoredTable(tx, { name }, catalogue.isEntity);
  for (const [name, wanted] of wants) {
    const table = await getTableForChange(tx, name);
    const known = await listColumnNames(tx, table.id);
    for (const [key, it] of wanted) {
      if (known.has(key)) continue;
      if (typeof it === "string")
        await createStoredColumn(tx, table, NewColumn.parse({ name: key, dataType: it }));
      else await createStoredRelation(tx, table, parseRelation(key, it), catalogue.isEntity(it.toTable));
    }
  }
}

const parseRelation = (name: string, { toTable, kind }: Exclude<WantedColumn, string>) =>
  NewRelation.parse({ name, toTable, relationshipType: kind });

import type { Tx } from "#platform/database";
import { mayAll } from "../permissions/rows.ts";
import { typeFor } from "../values/infer.ts";
import { isMark } from "../values/markers.ts";
import { isJsonUpdate } from "../values/json-update.ts";
import { schemaFault } from "../faults.ts";
import type { Tables } from "../tables.ts";
import { MOST_COLUMNS, NewColumn, NewRelation, tooManyColumns } from "./forms.ts";
import { isSystem, NAME } from "./names.ts";
import type { KeptCatalogue } from "./kept.ts";
import { changing, makeColumn, makeRelation, makeTable, namesIn, publishedToChange, storedTable, tableToChange } from "./schema.ts";
import type { Caller, Catalogue, ColumnType, Table, WireRecord } from "./types.ts";

type Wanted = ColumnType | { toTable: string; kind: "ONE_TO_ONE" | "ONE_TO_MANY" };
/** Missing columns and relations by table. */
type Wants = Map<string, Map<string, Wanted>>;

/** Nesting depth of records. */
export const DEEPEST = 10;

/**
 * Creates a relation that a call names with its target (`kids:Kid:n`), and the target table if missing. Does
 * nothing if the name exists, the schema is static, or the caller may not create objects in the table.
 */
export async function createRelation(
  tables: Tables,
  caller: Caller,
  name: string,
  { name: key, ...wanted }: { name: string; toTable: string; kind: "ONE_TO_ONE" | "ONE_TO_MANY" },
): Promise<void> {
  const { catalogue } = tables;
  const isMissing = async () => {
    const table = await catalogue.table(name);
    if (table.relations.has(key) || table.columns.has(key)) return false;
    return (await isGrowing(catalogue, caller)) && (!table.noun || table.noun.extension !== undefined) && mayAll(table, caller, "create");
  };
  if (!(await isMissing())) return;
  if (!NAME.test(key)) throw schemaFault(`'${key.slice(0, 60)}' cannot be the name of a column.`);
  await tables.turns.growth.take(async () => {
    if (!(await isMissing())) return;
    const wants: Wants = new Map([[name, new Map<string, Wanted>([[key, wanted]])]]);
    const child = catalogue.known(wanted.toTable);
    if (!child && NAME.test(wanted.toTable) && !wants.has(wanted.toTable)) wants.set(wanted.toTable, new Map());
    await tables.inTransaction((tx) => make(tx, catalogue, wants));
    catalogue.forget();
  });
}

/** Whether unknown names are created for this caller. */
async function isGrowing(catalogue: KeptCatalogue, caller: Caller): Promise<boolean> {
  const { dynamicSchema, defaultAccess } = await catalogue.config();
  return dynamicSchema && (caller.server || caller.userId !== null || defaultAccess === "open");
}

const isRecord = (value: unknown): value is WireRecord => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The table for saving records, with columns for all their properties: with a dynamic schema missing ones are
 * created first, in a transaction of their own. Without it, or without permission to create, only columns
 * that another process has just created are picked up.
 */
export async function grown(tables: Tables, caller: Caller, name: string, records: WireRecord[], deep = false): Promise<Table> {
  const table = await growing(tables, caller, name, records, deep);
  const leavesOut = records.some((record) => bringsUnknown(tables.catalogue, table, record, deep ? DEEPEST : 0));
  return leavesOut && (await tables.catalogue.isBehind()) ? growing(tables, caller, name, records, deep) : table;
}

/** Whether a record, or one nested in it, has properties unknown to its table. */
function bringsUnknown(catalogue: Catalogue, table: Table, record: WireRecord, depth: number): boolean {
  return Object.entries(record).some(([key, value]) => {
    if (isMark(key) || isSystem(key) || table.noun || table.columns.has(key)) return false;
    const to = catalogue.known(table.relations.get(key)?.toTable ?? "");
    if (!table.relations.has(key)) return true;
    return depth > 0 && to !== undefined && childrenIn(value).some((child) => bringsUnknown(catalogue, to, child, depth - 1));
  });
}

async function growing(tables: Tables, caller: Caller, name: string, records: WireRecord[], deep: boolean): Promise<Table> {
  const { catalogue } = tables;
  const wanted = async (): Promise<Wants> => {
    const wants: Wants = new Map();
    if (await isGrowing(catalogue, caller))
      for (const record of records) collect(catalogue, caller, wants, name, record, deep ? DEEPEST : 0);
    return wants;
  };
  // Otherwise many requests with the same new names would each hold a connection while waiting for the first.
  if ((await wanted()).size > 0)
    await tables.turns.growth.take(async () => {
      // An earlier request may have created it by now.
      const wants = await wanted();
      if (wants.size === 0) return;
      await tables.inTransaction((tx) => make(tx, catalogue, wants));
      catalogue.forget();
    });
  return catalogue.table(name);
}

function collect(catalogue: Catalogue, caller: Caller, wants: Wants, name: string, record: WireRecord, depth: number): void {
  const table = catalogue.known(name);
  if (table ? table.noun || !mayAll(table, caller, "create") : !NAME.test(name)) return;
  const wanted = wants.get(name) ?? new Map<string, Wanted>();
  for (const [key, value] of Object.entries(record)) {
    if (isMark(key) || isSystem(key) || table?.columns.has(key)) continue;
    const relation = depth > 0 ? relationIn(table, key, value) : null;
    if (relation) for (const child of childrenIn(value)) collect(catalogue, caller, wants, relation.toTable, child, depth - 1);
    if (table?.relations.has(key) || wanted.has(key)) continue;
    const it = relation ?? columnFor(value);
    if (it === null) continue;
    if (!NAME.test(key)) throw schemaFault(`'${key.slice(0, 60)}' cannot be the name of a column.`);
    if (wanted.size >= MOST_COLUMNS) throw tooManyColumns(name);
    wanted.set(key, it);
  }
  if (!table || wanted.size > 0) wants.set(name, wanted);
}

/** The column type for a value; a change of a JSON value needs a JSON column. */
const columnFor = (value: unknown): ColumnType | null => {
  if (isJsonUpdate(value)) return "JSON";
  // An expression says nothing about its type.
  return isRecord(value) && value["___class"] === "BackendlessExpression" ? null : typeFor(value);
};

/** The nested records of a property that is a relation. */
export const childrenIn = (value: unknown): WireRecord[] => (Array.isArray(value) ? value : [value]).filter(isRecord);

/** The relation of a property, existing or inferred from objects that name their table. */
function relationIn(table: Table | undefined, key: string, value: unknown): Exclude<Wanted, string> | null {
  const standing = table?.relations.get(key);
  if (standing) return { toTable: standing.toTable, kind: standing.kind };
  const [first] = childrenIn(value);
  const toTable = first?.["___class"];
  if (typeof toTable !== "string" || !NAME.test(toTable) || toTable === "BackendlessExpression") return null;
  return { toTable, kind: Array.isArray(value) ? "ONE_TO_MANY" : "ONE_TO_ONE" };
}

/**
 * Two processes may create the same name at once: the second one finds it. The lookup uses the connection
 * that holds the lock.
 */
async function make(tx: Tx, catalogue: KeptCatalogue, wants: Wants): Promise<void> {
  await changing(tx);
  for (const name of wants.keys())
    if (catalogue.isNoun(name)) await publishedToChange(tx, name);
    else if (!(await storedTable(tx, name))) await makeTable(tx, { name }, catalogue.isNoun);
  for (const [name, wanted] of wants) {
    const table = await tableToChange(tx, name);
    const known = await namesIn(tx, table.id);
    for (const [key, it] of wanted) {
      if (known.has(key)) continue;
      if (typeof it === "string") await makeColumn(tx, table, NewColumn.parse({ name: key, dataType: it }));
      else await makeRelation(tx, table, relationOf(key, it), catalogue.isNoun(it.toTable));
    }
  }
}

const relationOf = (name: string, { toTable, kind }: Exclude<Wanted, string>) =>
  NewRelation.parse({ name, toTable, relationshipType: kind });

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
/** By table, the columns and relations that records bring and that are not there yet. */
type Wants = Map<string, Map<string, Wanted>>;

/** How deep records stand in one another. */
export const DEEPEST = 10;

/**
 * Creates a relation column that a call names together with its target (`kids:Kid:n`), and the target table if it is missing. Nothing
 * happens if the table has a column or relation of this name, the schema is static, or the caller may add nothing to the table.
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

/** Whether names that are missing are created for this caller. */
async function isGrowing(catalogue: KeptCatalogue, caller: Caller): Promise<boolean> {
  const { dynamicSchema, defaultAccess } = await catalogue.config();
  return dynamicSchema && (caller.server || caller.userId !== null || defaultAccess === "open");
}

const isRecord = (value: unknown): value is WireRecord => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The table that records are saved to, with columns for all that they bring: where the schema is dynamic, what is missing is made
 * first, in a transaction of its own. Where it is not, or where the caller may add nothing, tables are as they are; but what another process
 * has made a moment ago is not left out.
 */
export async function grown(tables: Tables, caller: Caller, name: string, records: WireRecord[], deep = false): Promise<Table> {
  const table = await growing(tables, caller, name, records, deep);
  const leavesOut = records.some((record) => bringsUnknown(tables.catalogue, table, record, deep ? DEEPEST : 0));
  return leavesOut && (await tables.catalogue.isBehind()) ? growing(tables, caller, name, records, deep) : table;
}

/** Whether a record, or one that stands in it, has properties that its table does not know. */
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
  // Many who bring the same new names at once would all hold a line while they wait for the first of them.
  if ((await wanted()).size > 0)
    await tables.turns.growth.take(async () => {
      // Those who came before may have made it by now.
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

/** The kind of column that a value asks for; a change of a JSON value asks for one that holds it. */
const columnFor = (value: unknown): ColumnType | null => {
  if (isJsonUpdate(value)) return "JSON";
  // What is worked out from others says nothing about itself.
  return isRecord(value) && value["___class"] === "BackendlessExpression" ? null : typeFor(value);
};

/** The records that a property is, where it is a relation. */
export const childrenIn = (value: unknown): WireRecord[] => (Array.isArray(value) ? value : [value]).filter(isRecord);

/** The relation that a property is, or asks for: objects that say of which table they are. */
function relationIn(table: Table | undefined, key: string, value: unknown): Exclude<Wanted, string> | null {
  const standing = table?.relations.get(key);
  if (standing) return { toTable: standing.toTable, kind: standing.kind };
  const [first] = childrenIn(value);
  const toTable = first?.["___class"];
  if (typeof toTable !== "string" || !NAME.test(toTable) || toTable === "BackendlessExpression") return null;
  return { toTable, kind: Array.isArray(value) ? "ONE_TO_MANY" : "ONE_TO_ONE" };
}

/** Two processes may bring the same new name at once: whichever comes second finds it made. It is looked for on the line that has the turn. */
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

import { limit, sql } from "#platform/database";
import type { Caller, Engine, Relation, Table, WireRecord } from "../catalogue/types.ts";
import { clauseFault, noColumn } from "../clause/fault.ts";
import { assertMay } from "../permissions/rows.ts";
import type { Asked } from "./asked.ts";
import { rowsWithin } from "./find.ts";
import { allLeft, type Left, MOST_BYTES, tooLarge } from "./measured.ts";
import { sizeOf } from "../values/size.ts";
import { everyColumn, recordOf, selected, type Shown, withFiles } from "./shown.ts";
import { CHILD, idSql, joinSql, oneOfSql, Sources, tableSql } from "./sources.ts";

/** Default number of related records per record. */
const PAGE = 10;
/**
 * Statements and records per query: everything three levels around an API entity takes about fifty
 * statements.
 */
const MOST_LOADED = 60;
const MOST_RECORDS = 20_000;
/** Relation paths within a depth, whether or not there are records on them. */
const MOST_WAYS = 10_000;

/** Relations to load with the records of a table, nested. */
type Wanted = Map<Relation, Wanted>;
const tooManyLoads = () => clauseFault(`A query can load ${MOST_LOADED} relations at most.`);
type Loading = {
  engine: Engine;
  caller: Caller;
  asked: Asked;
  left: { loads: number; records: number; ways: number; bytes: Left };
  times: Map<WireRecord, number>;
};

/**
 * Adds the requested related records to records, by id: one statement per relation, however many records
 * there are.
 */
export async function loadRelated(
  engine: Engine,
  caller: Caller,
  table: Table,
  asked: Asked,
  records: Map<string, WireRecord[]>,
  bytes: Left = allLeft(),
): Promise<void> {
  const loading = { engine, caller, asked, left: { loads: MOST_LOADED, records: MOST_RECORDS, ways: MOST_WAYS, bytes }, times: new Map() };
  await loadInto(loading, table, wantedOf(loading, table), records);
}

async function loadInto(loading: Loading, table: Table, wanted: Wanted, records: Map<string, WireRecord[]>): Promise<void> {
  if (records.size === 0) return;
  for (const [relation, further] of wanted) {
    const to = loading.engine.catalogue.known(relation.toTable)!;
    await loadInto(loading, to, further, await loadOne(loading, table, relation, to, records));
  }
}

async function loadOne(
  loading: Loading,
  table: Table,
  relation: Relation,
  to: Table,
  records: Map<string, WireRecord[]>,
): Promise<Map<string, WireRecord[]>> {
  const { engine, asked, left } = loading;
  if (--left.loads < 0) throw tooManyLoads();
  const single = relation.kind === "ONE_TO_ONE";
  for (const record of [...records.values()].flat()) record[relation.name] = single ? null : [];
  const size = single ? 1 : (asked.relationsPageSize ?? PAGE);
  const shown = childColumns(loading, to);
  const query = relatedSql(loading, table, relation, to, [...records.keys()], size);
  const most = records.size * size;
  const rows = await rowsWithin(engine, left.bytes, query, { shown, beside: ["parent", "id"], most });
  const loaded = new Map<string, WireRecord[]>();
  for (const row of rows) {
    const made = recordOf(to, shown, row);
    const parents = records.get(row["parent"] as string) ?? [];
    count(loading, made, parents);
    const same = loaded.get(row["id"] as string);
    if (same) same.push(made);
    else loaded.set(row["id"] as string, [made]);
    for (const parent of parents)
      if (single) parent[relation.name] = made;
      else (parent[relation.name] as WireRecord[]).push(made);
  }
  return loaded;
}

/** A record counts as often as it appears in the answer, however seldom it was read. */
function count({ left, times }: Loading, made: WireRecord, parents: WireRecord[]): void {
  const often = parents.reduce((sum, parent) => sum + (times.get(parent) ?? 1), 0);
  if ((left.records -= often) < 0) throw clauseFault(`A query can load ${MOST_RECORDS} related records at most.`);
  if (often === 1) return;
  times.set(made, often);
  if ((left.bytes.bytes -= sizeOf(made, MOST_BYTES) * (often - 1)) < 0) throw tooLarge();
}

/** The newest children of each parent that the caller may read. */
function relatedSql(loading: Loading, table: Table, relation: Relation, to: Table, ids: string[], size: number) {
  const child = { table: to, alias: CHILD };
  const { caller } = loading;
  const { source, on } = joinSql({ ...child, from: { table, alias: "p" }, relation, inverse: false }, caller);
  const id = sql.id(table.columns.get("objectId")!.sqlName);
  const parents =
    "parentColumn" in relation.via || table.noun
      ? sql`(select * from ${tableSql(table)} as o where ${oneOfSql({ table, alias: "o" }, ids)})`
      : sql`(select id as ${id} from unnest(${ids}::text[]) as ids (id))`;
  return sql`select p.${id} as parent, r.* from ${parents} as p
    cross join lateral (select ${idSql(child)} as id, ${selected(childColumns(loading, to), caller)} from ${source} where ${on}
      order by ${sql.id(CHILD, to.columns.get("created")!.sqlName)} desc, ${idSql(child)} desc ${limit(size)}) as r`;
}

function childColumns({ engine, caller, asked }: Loading, table: Table): Shown[] {
  const sources = new Sources({ catalogue: engine.catalogue, caller, table, alias: CHILD }, "j");
  return withFiles(everyColumn(table, caller, sources), asked.fileReferencePrefix);
}

/** Relations of a query: by name, nested with dots, `*`, by depth, and those auto-loaded. */
function wantedOf(loading: Loading, table: Table): Wanted {
  const { engine, caller, asked } = loading;
  const wanted: Wanted = new Map();
  const left = new Set(namesIn(asked.excludeProps));
  addAll(loading, wanted, table, 1, ({ autoLoad }) => autoLoad);
  for (const path of namesIn(asked.loadRelations))
    if (path === "*") addAll(loading, wanted, table, 1);
    else addNamed(engine, caller, wanted, table, path.split("."));
  addAll(loading, wanted, table, asked.relationsDepth ?? 0);
  for (const relation of wanted.keys()) if (left.has(relation.name)) wanted.delete(relation);
  return wanted;
}

const namesIn = (list: string | null | undefined) =>
  (list ?? "")
    .split(",")
    .map((it) => it.trim())
    .filter((it) => it !== "");

function addAll(loading: Loading, wanted: Wanted, table: Table, depth: number, which: (it: Relation) => boolean = () => true): void {
  if (depth <= 0) return;
  for (const relation of [...table.relations.values()].filter(which)) {
    if (--loading.left.ways < 0) throw tooManyLoads();
    const to = loading.engine.catalogue.known(relation.toTable);
    if (to) addAll(loading, added(wanted, relation), to, depth - 1, which);
  }
}

/** Named relations must be readable for the caller; unreadable ones that were not named are left out. */
function addNamed({ catalogue }: Engine, caller: Caller, wanted: Wanted, table: Table, names: string[]): void {
  let [place, at] = [wanted, table];
  for (const name of names) {
    const relation = at.relations.get(name);
    const to = relation && catalogue.known(relation.toTable);
    if (!to) throw noColumn(name, at.name);
    assertMay(to, caller, "find");
    place = added(place, relation);
    at = to;
  }
}

function added(wanted: Wanted, relation: Relation): Wanted {
  const known = wanted.get(relation) ?? new Map<Relation, Wanted>();
  wanted.set(relation, known);
  return known;
}

import { msg } from "#platform/messages";
import { limit, sql } from "#platform/database";
import type { SqlRow } from "./run-query.ts";
import type { Caller, DataContext, Relation, Table, ApiRecord } from "../catalogue/types.ts";
import { clauseFault } from "../clause/clause-errors.ts";
import type { QueryParams } from "./query-params.ts";
import { runRowLimitedQuery } from "./bounded-query.ts";
import { createByteBudget, type ByteBudget, MAX_ANSWER_BYTES, answerTooLarge } from "./answer-size.ts";
import { estimateJsonLength } from "../values/json-length.ts";
import {
  selectEveryColumn,
  toRecord,
  selectSql,
  type SelectedProperty,
  addFilePrefix,
} from "./query-columns.ts";
import {
  MAX_RELATION_STATEMENTS,
  type RelationPlan,
  tooManyLoads,
  type WantedRelation,
  type RequestedRelations,
} from "./relation-plan.ts";
import { CHILD, idSql, joinSql, idInSql, QuerySources, tableSql } from "./query-sources.ts";

/** Default number of related records per record. */
const DEFAULT_PAGE_SIZE = 10;
/** Maximum related records per query. */
const MAX_RECORDS = 20_000;

type LoadContext = {
  engine: DataContext;
  caller: Caller;
  params: QueryParams;
  left: { loads: number; records: number; bytes: ByteBudget };
  times: Map<ApiRecord, number>;
};

/**
 * Adds the planned related records to records, with one statement per relation however many records there
 * are.
 */
export async function loadRelated(
  { engine, caller, params, table, wanted }: RelationPlan,
  records: Map<string, ApiRecord[]>,
  bytes: ByteBudget = createByteBudget(),
): Promise<void> {
  const left = { loads: MAX_RELATION_STATEMENTS, records: MAX_RECORDS, bytes };
  await loadRelations({ engine, caller, params, left, times: new Map() }, table, wanted, records);
}

async function loadRelations(
  loading: LoadContext,
  table: Table,
  wantedRelations: RequestedRelations,
  records: Map<string, ApiRecord[]>,
): Promise<void> {
  if (records.size === 0) return;
  for (const [relation, to] of wantedRelations) {
    const loaded = await loadRelation(loading, table, relation, to, records);
    await loadRelations(loading, to.table, to.further, loaded);
  }
}

async function loadRelation(
  loading: LoadContext,
  table: Table,
  relation: Relation,
  to: WantedRelation,
  records: Map<string, ApiRecord[]>,
): Promise<Map<string, ApiRecord[]>> {
  const { engine, params, left } = loading;
  if (--left.loads < 0) throw tooManyLoads();
  const single = relation.kind === "ONE_TO_ONE";
  for (const record of [...records.values()].flat()) record[relation.name] = single ? null : [];
  const size = single ? 1 : (params.relationsPageSize ?? DEFAULT_PAGE_SIZE);
  const shown = selectChildColumns(loading, to);
  const query = relatedSql(loading, { table, relation, to: to.table, ids: [...records.keys()], size }, shown);
  const most = records.size * size;
  const rows = await runRowLimitedQuery<SqlRow & { parent: string; id: string }>(engine, left.bytes, query, {
    shown,
    beside: ["parent", "id"],
    most,
  });
  const loaded = new Map<string, ApiRecord[]>();
  for (const row of rows) {
    const record = toRecord(to.table, shown, row);
    const parents = records.get(row.parent) ?? [];
    countLoaded(loading, record, parents);
    const same = loaded.get(row.id);
    if (same) same.push(record);
    else loaded.set(row.id, [record]);
    for (const parent of parents)
      if (single) parent[relation.name] = record;
      else appendRelated(parent, relation.name, record);
  }
  return loaded;
}

function appendRelated(parent: ApiRecord, relation: string, record: ApiRecord): void {
  const list = parent[relation];
  if (Array.isArray(list)) list.push(record);
}

/** Counts a loaded record as often as it appears in the answer, even though it was read only once. */
function countLoaded({ left, times }: LoadContext, record: ApiRecord, parents: ApiRecord[]): void {
  const often = parents.reduce((sum, parent) => sum + (times.get(parent) ?? 1), 0);
  if ((left.records -= often) < 0)
    throw clauseFault(msg("A query can load {count} related records at most.", { count: MAX_RECORDS }));
  if (often === 1) return;
  times.set(record, often);
  if ((left.bytes.bytes -= estimateJsonLength(record, MAX_ANSWER_BYTES) * (often - 1)) < 0)
    throw answerTooLarge();
}

type RelatedQuery = { table: Table; relation: Relation; to: Table; ids: string[]; size: number };

/** SQL for each parent's newest children that the caller may read. */
function relatedSql(
  { caller }: LoadContext,
  { table, relation, to, ids, size }: RelatedQuery,
  shown: SelectedProperty[],
) {
  const child = { table: to, alias: CHILD };
  const { source, on } = joinSql({ ...child, from: { table, alias: "p" }, relation, inverse: false }, caller);
  const id = sql.id(table.columns.get("objectId")!.sqlName);
  const parents =
    "parentColumn" in relation.via || table.entity
      ? sql`(select * from ${tableSql(table)} as o where ${idInSql({ table, alias: "o" }, ids)})`
      : sql`(select id as ${id} from unnest(${ids}::text[]) as ids (id))`;
  return sql`select p.${id} as parent, r.* from ${parents} as p
    cross join lateral (select ${idSql(child)} as id, ${selectSql(shown, caller)} from ${source} where ${on}
      order by ${sql.id(CHILD, to.columns.get("created")!.sqlName)} desc,
        ${idSql(child)} desc ${limit(size)}) as r`;
}

/**
 * Selects the columns of related records. Their ids are always included, because clients match records by
 * id.
 */
function selectChildColumns(
  { engine, caller, params }: LoadContext,
  wantedRelation: WantedRelation,
): SelectedProperty[] {
  const { table, selected, excluded } = wantedRelation;
  const sources = new QuerySources({ catalogue: engine.catalogue, caller, table, alias: CHILD }, "j");
  const all = selectEveryColumn(table, caller, sources);
  const isShown = (name: string) =>
    name === "objectId" || (!excluded.has(name) && (selected.size === 0 || selected.has(name)));
  const isWhole = selected.size === 0 && excluded.size === 0;
  return addFilePrefix(isWhole ? all : all.filter(({ key }) => isShown(key)), params.fileReferencePrefix);
}

import { msg } from "#platform/messages";
import { limit, sql } from "#platform/database";
import { countRows } from "./record-selection.ts";
import type { Caller, DataContext, SqlFragment, Table, ApiRecord } from "../catalogue/types.ts";
import { bindTerm, literalKind } from "../clause/bind.ts";
import { convertLiteral } from "../clause/coerce.ts";
import { clauseFault, truncateQuote } from "../clause/clause-errors.ts";
import { parseList } from "../clause/clause-parser.ts";
import type { Term } from "../clause/clause-terms.ts";
import { assertAllowed } from "../permissions/row-permissions.ts";
import { type QueryParams, parseQueryParams } from "./query-params.ts";
import { whereSql } from "./find-records.ts";
import { termKey } from "./query-groups.ts";
import { firstRowJoins } from "./relation-joins.ts";
import {
  createByteBudget,
  canExceedAnswerSize,
  type ByteBudget,
  runWithByteBudget,
  type ReturnedColumns,
  listReturnedColumns,
} from "./answer-size.ts";
import { DIRECTIONS, createOrder, orderSql, tieBreakerSql } from "./query-order.ts";
import { loadRelated } from "./related-records.ts";
import { isOwnProperty, planRelations } from "./relation-plan.ts";
import { type SqlRow, runQuery } from "./run-query.ts";
import { toRecord, selectSql, selectProperties, addObjectId } from "./query-columns.ts";
import { type QueryContext, type ResolvedColumn, idSql, QuerySources, tableSql } from "./query-sources.ts";
import { exactNumberSql, toSql } from "./term-sql.ts";

/**
 * A group with one page of nested groups or, if it is an innermost group, of records; and whether there are
 * more.
 */
type GroupBranch = {
  hasNextPage: boolean;
  items: (ApiRecord | (GroupBranch & { groupBy: { column: string; value: unknown } }))[];
};

const DEFAULT_PAGE_SIZE = 10;
const MAX_GROUPINGS = 5;
/** Maximum groups and records of one answer. */
const MAX_ITEMS = 20_000;

type GroupTerm = { column: string; term: Term<ResolvedColumn>; direction: "asc" | "desc" };
/** Context of a tree. `from` returns FROM and WHERE of the rows below the path, with all joins so far. */
type TreeContext = {
  engine: DataContext;
  asking: QueryContext;
  asked: QueryParams;
  sources: QuerySources;
  by: GroupTerm[];
  path: SqlFragment[];
  from: () => SqlFragment;
  left: ByteBudget;
};

/**
 * Returns records in nested groups (`groupBy`) from `groupPath` to `groupDepth`: one statement per level.
 * @throws `invalid`, `not-allowed`, `unavailable`
 */
export async function groupRecords(
  engine: DataContext,
  caller: Caller,
  table: Table,
  query: unknown,
): Promise<GroupBranch> {
  const context = createTreeContext(engine, caller, table, query);
  const { by, path, asked } = context;
  const root: GroupBranch = { hasNextPage: false, items: [] };
  let branches = new Map([[await findRootKey(context), root]]);
  const depth = Math.max(asked.groupDepth ?? MAX_GROUPINGS, 1);
  let left = MAX_ITEMS;
  for (let level = path.length; level <= by.length && branches.size > 0; level++) {
    if (level < by.length && level - path.length >= depth) {
      // Deeper levels exist but were not requested.
      for (const branch of branches.values()) branch.hasNextPage = true;
      break;
    }
    const page = getLevelPage(asked, level - path.length, level === by.length);
    const items =
      level === by.length
        ? await addRecords(context, branches, page)
        : await addGroups(context, level, branches, page);
    left -= items.count;
    if (left < 0)
      throw clauseFault(
        msg("A group tree can have at most {count} groups and records.", { count: MAX_ITEMS }),
      );
    branches = items.branches;
  }
  return root;
}

/**
 * Counts the groups directly below `groupPath`, or the records if `groupPath` leads to an innermost group.
 */
export async function countInGroup(
  engine: DataContext,
  caller: Caller,
  table: Table,
  query: unknown,
): Promise<number> {
  const { by, path, from } = createTreeContext(engine, caller, table, query);
  const next = by[path.length];
  const counted = next
    ? sql`from (select distinct ${valueSql(next.term, caller)} ${from()}) as made`
    : from();
  return countRows(engine, counted);
}

function createTreeContext(engine: DataContext, caller: Caller, table: Table, query: unknown): TreeContext {
  assertAllowed(table, caller, "find");
  const params = parseQueryParams(query);
  if (params.having?.trim()) throw clauseFault("HAVING cannot be used with nested groups.");
  const asking: QueryContext = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const sources = new QuerySources(asking, "j");
  const by = parseGroupings(params, sources);
  const path = parsePath(params, by, caller);
  const conditions = path.map(
    (value, at) => sql` and ${toSql(by[at]!.term, caller)} is not distinct from ${value}`,
  );
  const where = sql`${whereSql(asking, params)}${sql.join(conditions, sql``)}`;
  const from = () => sql`from ${tableSql(table)} as t ${firstRowJoins(sources, caller)} where ${where}`;
  return { engine, asking, asked: params, sources, by, path, from, left: createByteBudget() };
}

function parseGroupings({ groupBy, sortBy }: QueryParams, sources: QuerySources): GroupTerm[] {
  const list = parseList(groupBy ?? "", "nothing");
  if (list.length === 0 || list.length > MAX_GROUPINGS)
    throw clauseFault(msg("A group tree needs 1 to {count} groupings.", { count: MAX_GROUPINGS }));
  const down = new Set(
    parseList(sortBy ?? "", "direction").flatMap(({ of, direction }) =>
      direction === "desc" && of !== "*" ? [termKey(bindTerm(of, sources))] : [],
    ),
  );
  return list.map(({ of, text }) => {
    const term = of === "*" ? null : bindTerm(of, sources);
    if (!term || term.kind === "json" || term.kind === "geometry")
      throw clauseFault(msg("Records cannot be grouped by {text}.", { text: truncateQuote(text) }));
    return { column: text, term, direction: down.has(termKey(term)) ? "desc" : "asc" };
  });
}

/** Parses the values of a path, which must name the groupings in order. */
function parsePath({ groupPath }: QueryParams, by: GroupTerm[], caller: Caller): SqlFragment[] {
  return (groupPath ?? []).map(({ column, value }, at) => {
    const grouping = by[at];
    if (grouping?.column !== column)
      throw clauseFault(
        msg("The group path contains {column}, which is not the next grouping.", {
          column: truncateQuote(column),
        }),
      );
    if (value === null) return sql`null`;
    const kind = literalKind(value);
    return toSql(convertLiteral<ResolvedColumn>({ is: "value", kind, value }, grouping.term.kind, 0), caller);
  });
}

/** SQL for a value as in JSON, with dates in milliseconds. */
const valueSql = (term: Term<ResolvedColumn>, caller: Caller): SqlFragment =>
  term.kind === "date"
    ? sql`round(extract(epoch from ${toSql(term, caller)}) * 1000)`
    : exactNumberSql(term, caller);

/**
 * SQL for the key of a group: its values and those of its parents as one text. The text is passed back to
 * the database unchanged, so that numbers keep all digits.
 */
const keySql = ({ by, asking }: TreeContext, levels: number) =>
  sql`jsonb_build_array(${sql.join(by.slice(0, levels).map(({ term }) => valueSql(term, asking.caller)))})`;

/** Finds the key of the group at the path. If the group is empty, any key will do. */
async function findRootKey(context: TreeContext): Promise<string> {
  if (context.path.length === 0) return "[]";
  const [row] = await runQuery<{ key: string }>(
    context.engine,
    sql`select ${keySql(context, context.path.length)}::text as key ${context.from()} limit 1`,
  );
  return row?.key ?? "[]";
}

type LevelPage = { size: number; offset: number };
function getLevelPage(params: QueryParams, below: number, isRecords: boolean): LevelPage {
  if (below === 0) return { size: params.pageSize ?? DEFAULT_PAGE_SIZE, offset: params.offset ?? 0 };
  return {
    size: (isRecords ? params.recordsPageSize : params.groupPageSize) ?? DEFAULT_PAGE_SIZE,
    offset: 0,
  };
}

type AddedItems = { count: number; branches: Map<string, GroupBranch> };

async function addGroups(
  context: TreeContext,
  level: number,
  branches: Map<string, GroupBranch>,
  { size, offset }: LevelPage,
): Promise<AddedItems> {
  const { by, from } = context;
  const { column, direction } = by[level]!;
  const rows = await findLevelRows<BranchRow & { key: string; value: unknown }>(
    context,
    sql`select parent::text as parent, key::text as key, value from (
        select *, row_number() over (partition by parent order by value ${DIRECTIONS[direction]}) as place
        from (
          select distinct ${keySql(context, level)} as parent, ${keySql(context, level + 1)} as key,
            to_jsonb(${valueSql(by[level]!.term, context.asking.caller)}) as value
          ${from()} and ${keySql(context, level)} = any(${[...branches.keys()]}::jsonb[])) as made) as placed
      where place > ${offset}::integer and place <= ${offset + size + 1}::integer
      order by place ${limit(MAX_ITEMS + 1)}`,
    {
      returned: [PARENT_COLUMN, { name: "key", kind: "text" }, { name: "value", kind: "json" }],
      terms: [],
      most: branches.size * (size + 1),
    },
  );
  const made = new Map<string, GroupBranch>();
  for (const { branch, row } of fillBranches(rows, branches, size)) {
    const group = { groupBy: { column, value: row.value ?? null }, hasNextPage: false, items: [] };
    branch.items.push(group);
    made.set(row.key, group);
  }
  return { count: rows.length, branches: made };
}

async function addRecords(
  context: TreeContext,
  branches: Map<string, GroupBranch>,
  { size, offset }: LevelPage,
): Promise<AddedItems> {
  const { engine, asking, asked, by, sources, from } = context;
  const { caller, table } = asking;
  const plan = planRelations(engine, caller, table, asked);
  const own = selectProperties(table, caller, asked, sources, (item) => isOwnProperty(plan, item));
  const shown = addObjectId(own, table, asked, sources);
  const order = createOrder(asked, shown, sources, (term) => term);
  const rows = await findLevelRows<BranchRow & { id: string }>(
    context,
    sql`select * from (
        select ${keySql(context, by.length)}::text as parent, ${idSql(asking)} as id,
          ${selectSql(shown, caller)},
          row_number() over (partition by ${keySql(context, by.length)}
            order by ${orderSql(order, caller)}${tieBreakerSql(asking, order)}) as place
        ${from()} and ${keySql(context, by.length)} = any(${[...branches.keys()]}::jsonb[])) as made
      where place > ${offset}::integer and place <= ${offset + size + 1}::integer
      order by place ${limit(MAX_ITEMS + 1)}`,
    {
      returned: [PARENT_COLUMN, ...listReturnedColumns(shown, ["id"])],
      terms: shown.map(({ term }) => term),
      most: branches.size * (size + 1),
    },
  );
  const records = new Map<string, ApiRecord[]>();
  for (const { branch, row } of fillBranches(rows, branches, size)) {
    const record = toRecord(table, shown, row);
    branch.items.push(record);
    records.set(row.id, [record]);
  }
  await loadRelated(plan, records, context.left);
  return { count: rows.length, branches: new Map() };
}

/** A row of a level, with the key of its parent group. */
type BranchRow = SqlRow & { parent: string };
/** Result column with the key of the parent group. */
const PARENT_COLUMN = { name: "parent", kind: "text" } as const;

type ExpectedRows = { returned: ReturnedColumns; terms: Term<ResolvedColumn>[]; most: number };

/**
 * Finds the rows of one level. The rows are measured if their values or groups could exceed the answer size.
 */
const findLevelRows = <R extends BranchRow>(
  { engine, by, left }: TreeContext,
  query: SqlFragment,
  { returned, terms, most }: ExpectedRows,
): Promise<R[]> =>
  canExceedAnswerSize([...terms, ...by.map(({ term }) => term)], Math.min(most, MAX_ITEMS + 1))
    ? runWithByteBudget<R>(engine, left, query, returned)
    : runQuery<R>(engine, query);

/** Returns the rows that fit on the page of their branch, and marks branches that have more. */
function fillBranches<R extends BranchRow>(
  rows: R[],
  branches: Map<string, GroupBranch>,
  size: number,
): { branch: GroupBranch; row: R }[] {
  const filled = new Map<GroupBranch, number>();
  return rows.flatMap((row) => {
    const branch = branches.get(row.parent);
    if (!branch) return [];
    const taken = (filled.get(branch) ?? 0) + 1;
    filled.set(branch, taken);
    if (taken <= size) return [{ branch, row }];
    branch.hasNextPage = true;
    return [];
  });
}

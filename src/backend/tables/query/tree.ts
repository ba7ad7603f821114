import { limit, sql } from "#platform/database";
import type { Caller, Engine, Fragment, Table, WireRecord } from "../catalogue/types.ts";
import { bind } from "../clause/bind.ts";
import { literalAs } from "../clause/coerce.ts";
import { clauseFault, quoted } from "../clause/fault.ts";
import { parseList } from "../clause/parse.ts";
import type { Term } from "../clause/tree.ts";
import { assertMay } from "../permissions/rows.ts";
import { type Asked, askedOf } from "./asked.ts";
import { whereSql } from "./find.ts";
import { keyOf } from "./grouped.ts";
import { firstOf } from "./joined.ts";
import { allLeft, couldBeLarge, type Left, measuredRows, type Returned, returnedOf } from "./measured.ts";
import { DIRECTIONS, orderOf, orderSql, tie } from "./order.ts";
import { loadRelated } from "./related.ts";
import { type Row, rowsOf } from "./run.ts";
import { recordOf, selected, shownIn, withId } from "./shown.ts";
import { type Asking, type Found, idSql, Sources, tableSql } from "./sources.ts";
import { exact, toSql } from "./sql.ts";

/** Nested groups with records in the innermost; a page of them, and whether there are more. */
type Branch = { hasNextPage: boolean; items: (WireRecord | (Branch & { groupBy: { column: string; value: unknown } }))[] };

const PAGE = 10;
const MOST_GROUPINGS = 5;
/** Groups and records of one answer. */
const MOST_ITEMS = 20_000;

type By = { column: string; term: Term<Found>; direction: "asc" | "desc" };
/**
 * Context of a tree: `from` gives FROM and WHERE of the rows below its path, with the joins collected so far.
 */
type Ground = {
  engine: Engine;
  asking: Asking;
  asked: Asked;
  sources: Sources;
  by: By[];
  path: Fragment[];
  from: () => Fragment;
  left: Left;
};

/**
 * Records in nested groups (`groupBy`), from `groupPath` down to `groupDepth`: one statement per level.
 * @throws `invalid`, `not-allowed`, `unavailable`
 */
export async function groupRecords(engine: Engine, caller: Caller, table: Table, query: unknown): Promise<Branch> {
  const ground = groundOf(engine, caller, table, query);
  const { by, path, asked } = ground;
  const root: Branch = { hasNextPage: false, items: [] };
  let branches = new Map([[await rootKey(ground), root]]);
  const depth = Math.max(asked.groupDepth ?? MOST_GROUPINGS, 1);
  let left = MOST_ITEMS;
  for (let level = path.length; level <= by.length && branches.size > 0; level++) {
    if (level < by.length && level - path.length >= depth) {
      // Deeper levels were not requested, but exist.
      for (const branch of branches.values()) branch.hasNextPage = true;
      break;
    }
    const page = pageOf(asked, level - path.length, level === by.length);
    const made = level === by.length ? await addRecords(ground, branches, page) : await addGroups(ground, level, branches, page);
    left -= made.count;
    if (left < 0) throw clauseFault(`A tree of groups can have ${MOST_ITEMS} groups and records at most.`);
    branches = made.branches;
  }
  return root;
}

/** Counts the groups, or in the innermost one the records, directly below `groupPath`. */
export async function countInGroup(engine: Engine, caller: Caller, table: Table, query: unknown): Promise<number> {
  const { by, path, from } = groundOf(engine, caller, table, query);
  const next = by[path.length];
  const counted = next ? sql`from (select distinct ${valueSql(next.term, caller)} ${from()}) as made` : from();
  const [row] = await rowsOf(engine, sql`select count(*)::double precision as count ${counted}`);
  return row!["count"] as number;
}

function groundOf(engine: Engine, caller: Caller, table: Table, query: unknown): Ground {
  assertMay(table, caller, "find");
  const asked = askedOf(query);
  if (asked.having?.trim()) throw clauseFault("A tree of groups cannot be asked for by HAVING.");
  const asking: Asking = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const sources = new Sources(asking, "j");
  const by = groupingsOf(asked, sources);
  const path = pathOf(asked, by, caller);
  const conditions = path.map((value, at) => sql` and ${toSql(by[at]!.term, caller)} is not distinct from ${value}`);
  const where = sql`${whereSql(asking, asked)}${sql.join(conditions, sql``)}`;
  const from = () => sql`from ${tableSql(table)} as t ${firstOf(sources, caller)} where ${where}`;
  return { engine, asking, asked, sources, by, path, from, left: allLeft() };
}

function groupingsOf({ groupBy, sortBy }: Asked, sources: Sources): By[] {
  const list = parseList(groupBy ?? "", "nothing");
  if (list.length === 0 || list.length > MOST_GROUPINGS) throw clauseFault(`A tree has 1 to ${MOST_GROUPINGS} groupings.`);
  const down = new Set(
    parseList(sortBy ?? "", "direction").flatMap(({ of, direction }) =>
      direction === "desc" && of !== "*" ? [keyOf(bind(of, sources))] : [],
    ),
  );
  return list.map(({ of, text }) => {
    const term = of === "*" ? null : bind(of, sources);
    if (!term || term.kind === "json" || term.kind === "geometry") throw clauseFault(`Records cannot be grouped by ${quoted(text)}.`);
    return { column: text, term, direction: down.has(keyOf(term)) ? "desc" : "asc" };
  });
}

/** The values of a path, which follows the groupings from the first. */
function pathOf({ groupPath }: Asked, by: By[], caller: Caller): Fragment[] {
  return (groupPath ?? []).map(({ column, value }, at) => {
    const grouping = by[at];
    if (grouping?.column !== column)
      throw clauseFault(`The path of groups leads through ${quoted(column)}, which is not the next grouping.`);
    if (value === null) return sql`null`;
    const kind = typeof value === "string" ? "text" : (typeof value as "number" | "boolean");
    return toSql(literalAs<Found>({ is: "value", kind, value }, grouping.term.kind, 0), caller);
  });
}

/** A value as in JSON: dates as milliseconds. */
const valueSql = (term: Term<Found>, caller: Caller): Fragment =>
  term.kind === "date" ? sql`round(extract(epoch from ${toSql(term, caller)}) * 1000)` : exact(term, caller);

/**
 * The values of a group and its parents as one text, which goes back to the database unchanged, so that no
 * number loses a digit.
 */
const keySql = ({ by, asking }: Ground, levels: number) =>
  sql`jsonb_build_array(${sql.join(by.slice(0, levels).map(({ term }) => valueSql(term, asking.caller)))})`;

/** The key of the path; any, if it contains nothing. */
async function rootKey(ground: Ground): Promise<string> {
  if (ground.path.length === 0) return "[]";
  const [row] = await rowsOf(ground.engine, sql`select ${keySql(ground, ground.path.length)}::text as key ${ground.from()} limit 1`);
  return (row?.["key"] as string | undefined) ?? "[]";
}

type Page = { size: number; offset: number };
function pageOf(asked: Asked, below: number, isRecords: boolean): Page {
  if (below === 0) return { size: asked.pageSize ?? PAGE, offset: asked.offset ?? 0 };
  return { size: (isRecords ? asked.recordsPageSize : asked.groupPageSize) ?? PAGE, offset: 0 };
}

type Made = { count: number; branches: Map<string, Branch> };

async function addGroups(ground: Ground, level: number, branches: Map<string, Branch>, { size, offset }: Page): Promise<Made> {
  const { by, from } = ground;
  const { column, direction } = by[level]!;
  const rows = await rowsIn(
    ground,
    sql`select parent::text as parent, key::text as key, value from (
        select *, row_number() over (partition by parent order by value ${DIRECTIONS[direction]}) as place from (
          select distinct ${keySql(ground, level)} as parent, ${keySql(ground, level + 1)} as key,
            to_jsonb(${valueSql(by[level]!.term, ground.asking.caller)}) as value
          ${from()} and ${keySql(ground, level)} = any(${[...branches.keys()]}::jsonb[])) as made) as placed
      where place > ${offset}::integer and place <= ${offset + size + 1}::integer order by place ${limit(MOST_ITEMS + 1)}`,
    { returned: [PARENT, { name: "key", kind: "text" }, { name: "value", kind: "json" }], terms: [], most: branches.size * (size + 1) },
  );
  const made = new Map<string, Branch>();
  for (const { branch, row } of fitting(rows, branches, size)) {
    const group = { groupBy: { column, value: row["value"] ?? null }, hasNextPage: false, items: [] };
    branch.items.push(group);
    made.set(row["key"] as string, group);
  }
  return { count: rows.length, branches: made };
}

async function addRecords(ground: Ground, branches: Map<string, Branch>, { size, offset }: Page): Promise<Made> {
  const { engine, asking, asked, by, sources, from } = ground;
  const { caller, table } = asking;
  const shown = withId(shownIn(table, caller, asked, sources), table, asked, sources);
  const order = orderOf(asked, shown, sources, (term) => term);
  const rows = await rowsIn(
    ground,
    sql`select * from (
        select ${keySql(ground, by.length)}::text as parent, ${idSql(asking)} as id, ${selected(shown, caller)},
          row_number() over (partition by ${keySql(ground, by.length)} order by ${orderSql(order, caller)}${tie(asking, order)}) as place
        ${from()} and ${keySql(ground, by.length)} = any(${[...branches.keys()]}::jsonb[])) as made
      where place > ${offset}::integer and place <= ${offset + size + 1}::integer order by place ${limit(MOST_ITEMS + 1)}`,
    { returned: [PARENT, ...returnedOf(shown, ["id"])], terms: shown.map(({ term }) => term), most: branches.size * (size + 1) },
  );
  const records = new Map<string, WireRecord[]>();
  for (const { branch, row } of fitting(rows, branches, size)) {
    const record = recordOf(table, shown, row);
    branch.items.push(record);
    records.set(row["id"] as string, [record]);
  }
  await loadRelated(engine, caller, table, asked, records, ground.left);
  return { count: rows.length, branches: new Map() };
}

/** The key of the parent group. */
const PARENT = { name: "parent", kind: "text" } as const;

type Expected = { returned: Returned; terms: Term<Found>[]; most: number };

/** Rows of one level, measured if their values or groups could exceed the answer size. */
const rowsIn = ({ engine, by, left }: Ground, query: Fragment, { returned, terms, most }: Expected): Promise<Row[]> =>
  couldBeLarge([...terms, ...by.map(({ term }) => term)], Math.min(most, MOST_ITEMS + 1))
    ? measuredRows(engine, left, query, returned)
    : rowsOf(engine, query);

/** Rows that fit on the page of their branch; if there are more, the branch remembers it. */
function fitting(rows: Row[], branches: Map<string, Branch>, size: number): { branch: Branch; row: Row }[] {
  const filled = new Map<Branch, number>();
  return rows.flatMap((row) => {
    const branch = branches.get(row["parent"] as string);
    if (!branch) return [];
    const taken = (filled.get(branch) ?? 0) + 1;
    filled.set(branch, taken);
    if (taken <= size) return [{ branch, row }];
    branch.hasNextPage = true;
    return [];
  });
}

import { type Db, limit, many, one, run, sql } from "#platform/database";
import type { Caller, Fragment, Table } from "../catalogue/types.ts";
import { badRequest, tooMuch } from "../faults.ts";
import { deniedIn } from "../permissions/grants.ts";
import { assertMay, type Grant, notPermitted, rowsFor } from "../permissions/rows.ts";
import { conditionFor, type Which } from "../query/index.ts";
import { BY_CALLERS } from "../query/run.ts";
import { readJsonUpdate } from "../values/json-update.ts";
import { isOutdated, Overtaken, withFaults } from "./database-faults.ts";
import { afterWriting, beforeRemoving, beforeWriting, toldOf } from "./hooked.ts";
import { expressionSetting, plainSettings, UNLESS_IT_STANDS } from "./one.ts";
import { assertNotEmptied, type Given } from "./record.ts";
import { columnsOf, idsOf, listOf, newRow, ownersOf, type Row } from "./rows.ts";
import { type RecordEvent, shortEnough, tableSql, tellOfMany, type Writing } from "./writing.ts";

/** Records of one call. */
export const MOST_RECORDS = 10_000;

type Act = { table: Table; caller: Caller };

export function assertFew(list: unknown[], most = MOST_RECORDS): void {
  if (list.length > most) throw tooMuch(`One call can bring ${most} objects.`);
}

const plainOnly = () => badRequest("Many objects at once are set to plain values.");

/** Expressions in bulk writes are refused, never silently ignored. */
function assertPlain({ expressions }: Given): void {
  if (expressions.size > 0) throw plainOnly();
}

/** Inserts rows in one statement. Returns their ids in order. */
export async function createRows(writing: Writing, act: Act, list: Given[]): Promise<string[]> {
  assertMay(act.table, act.caller, "create");
  const given = await beforeWriting(act, "create", list);
  given.forEach(assertPlain);
  const rows = given.map((it) => newRow(writing, act, it));
  await insertRows(writing, act.table, rows);
  afterWriting(writing, act, "create", () => ({ records: recordsOf(given, rows), count: rows.length }));
  return told(writing, act, "records.created", rows);
}

const recordsOf = (list: Given[], rows: Row[]) => list.map((given, at) => ({ ...toldOf(given), objectId: rows[at]!.objectId }));

async function told(writing: Writing, { table, caller }: Act, event: RecordEvent, rows: Pick<Row, "objectId">[]): Promise<string[]> {
  const ids = rows.map(({ objectId }) => objectId);
  const about = { count: ids.length, ids: shortEnough(JSON.stringify(ids)) };
  if (ids.length > 0) await tellOfMany(writing, table, caller, event, about, { ids });
  return ids;
}

async function insertRows(writing: Writing, table: Table, rows: Row[], unless: Fragment = sql``): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(table, rows);
  const names = ["object_id", "owner_id", ...columns.map(({ sqlName }) => sqlName)].map((name) => sql.id(name));
  const lists = [idsOf(rows), ownersOf(rows), ...columns.map((column) => listOf(rows, column))];
  const count = await withFaults(table, () =>
    run(
      writing.db,
      sql`${BY_CALLERS}
        insert into ${tableSql(table)} (${sql.join(names)}, created)
        select *, ${writing.now}::timestamptz from unnest(${sql.join(lists)}) as given ${unless}`,
    ),
  );
  if (count < rows.length) throw new Overtaken();
}

/**
 * Inserts or updates rows by id. Returns the ids in order.
 * @throws 1011 if one may not be changed
 */
export async function upsertRows(writing: Writing, act: Act, asked: Given[]): Promise<string[]> {
  const standing = await standingOf(writing, act.table, asked);
  const stands = ({ objectId }: Given) => objectId !== null && standing.has(objectId);
  const made = await beforeWriting(
    act,
    "create",
    asked.filter((it) => !stands(it)),
  );
  const meant = await beforeWriting(act, "update", asked.filter(stands));
  const [nextMade, nextMeant] = [made.values(), meant.values()];
  const list = asked.map((it) => (stands(it) ? nextMeant : nextMade).next().value!);
  const fresh: Row[] = [];
  const changed: Row[] = [];
  const ids = list.map((given) => {
    assertPlain(given);
    if (given.updates.size > 0) throw plainOnly();
    if (stands(given)) {
      assertNotEmptied(given);
      changed.push({ ...given, objectId: given.objectId!, ownerId: null });
      return given.objectId!;
    }
    fresh.push(newRow(writing, act, given));
    return fresh.at(-1)!.objectId;
  });
  if (fresh.length > 0) assertMay(act.table, act.caller, "create");
  await insertRows(writing, act.table, fresh, UNLESS_IT_STANDS);
  for (const rows of alike(changed)) await updateRows(writing, act, rows);
  // Subscribers also receive the creations and updates that an upsert consists of.
  await told(writing, act, "records.created", fresh);
  const which = { ids: changed.map(({ objectId }) => objectId) };
  if (changed.length > 0) await toldByClause(writing, act, { event: "records.updated", which, count: changed.length });
  afterWriting(writing, act, "create", () => ({ records: recordsOf(made, fresh), count: fresh.length }));
  afterWriting(writing, act, "update", () => ({ records: meant.map(toldOf), where: null, count: changed.length }));
  return told(
    writing,
    act,
    "records.upserted",
    ids.map((objectId) => ({ objectId })),
  );
}

async function standingOf(writing: Writing, table: Table, list: Given[]): Promise<Set<string>> {
  const ids = list.flatMap(({ objectId }) => objectId ?? []);
  if (new Set(ids).size < ids.length) throw badRequest("An object stands twice in the list.");
  const rows = await many(writing.db, sql<{ id: string }>`select object_id as id from ${tableSql(table)} where object_id = any(${ids})`);
  return new Set(rows.map(({ id }) => id));
}

/** Counts existing ids regardless of permissions; none for a table dropped by another process. */
export async function countStanding(db: Db, table: Table, ids: string[]): Promise<number> {
  try {
    return (await one(db, sql<{ n: number }>`select count(*)::int as n from ${tableSql(table)} where object_id = any(${ids})`)).n;
  } catch (error) {
    if (isOutdated(error)) return 0;
    throw error;
  }
}

/** Rows that set the same columns share a statement. */
function alike(rows: Row[]): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = [...row.values.keys()]
      .map(({ name }) => name)
      .sort()
      .join();
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

async function updateRows(writing: Writing, { table, caller }: Act, rows: Row[]): Promise<void> {
  assertMay(table, caller, "update");
  const columns = [...rows[0]!.values.keys()];
  const sets = columns.map(({ sqlName }) => sql`, ${sql.id(sqlName)} = given.${sql.id(sqlName)}`);
  const lists = [idsOf(rows), ...columns.map((column) => listOf(rows, column))];
  const names = [sql`id`, ...columns.map(({ sqlName }) => sql.id(sqlName))];
  const count = await withFaults(table, () =>
    run(
      writing.db,
      sql`${BY_CALLERS}
        update ${tableSql(table)} as r set updated = ${writing.now} ${sql.join(sets, sql``)}
        from unnest(${sql.join(lists)}) as given (${sql.join(names)})
        where r.object_id = given.id and ${rowsFor(table, caller, "UPDATE", "r")}`,
    ),
  );
  if (count < rows.length) throw notPermitted(table, "update");
}

/** The clause in the event of a bulk change: the caller's, or one with the ids. */
const clauseOf = (which: Which) =>
  "where" in which ? which.where : `objectId IN (${which.ids.map((id) => `'${id.replaceAll("'", "''")}'`).join(",")})`;

type ToldByClause = { event: RecordEvent; which: Which; count: number; denied?: Grant[] };

/** Stores current denials with the clause, since rows and denials may be gone when the event is delivered. */
async function toldByClause(writing: Writing, { table, caller }: Act, { event, which, count, ...told }: ToldByClause): Promise<void> {
  const whereClause = clauseOf(which);
  const denied = told.denied ?? (await deniedIn(writing, table));
  const about = { count, whereClause: denied.length > 0 ? null : shortEnough(whereClause) };
  return tellOfMany(writing, table, caller, event, about, { count, whereClause, denied });
}

async function rowsMeant(writing: Writing, { table, caller }: Act, which: Which, act: "UPDATE" | "REMOVE"): Promise<Fragment> {
  const meant = "where" in which ? await conditionFor(writing, table, caller, "r", which.where) : sql`r.object_id = any(${which.ids})`;
  return sql`${meant} and ${rowsFor(table, caller, act, "r")}`;
}

/** Updates all selected rows that may be changed; returns how many. */
export async function changeRows(writing: Writing, act: Act, which: Which, asked: Given): Promise<number> {
  const { table, caller } = act;
  assertMay(table, caller, "update");
  const where = clauseOf(which);
  const [given] = (await beforeWriting(act, "update", [asked], where)) as [Given];
  assertNotEmptied(given);
  const meant = await rowsMeant(writing, act, which, "UPDATE");
  const settings = plainSettings(writing, given);
  for (const [column, text] of given.expressions) settings.push(await expressionSetting(writing, table, caller, column, text));
  const count =
    given.updates.size > 0
      ? await changeEach(writing, table, given, meant, settings)
      : await withFaults(table, () =>
          run(writing.db, sql`${BY_CALLERS}update ${tableSql(table)} as r set ${sql.join(settings)} where ${meant}`),
        );
  await toldByClause(writing, act, { event: "records.updated", which, count });
  afterWriting(writing, act, "update", () => ({ records: [toldOf(given)], where, count }));
  return count;
}

/** JSON changes are computed per row from its current value. */
async function changeEach(writing: Writing, table: Table, given: Given, meant: Fragment, settings: Fragment[]): Promise<number> {
  const columns = [...given.updates.keys()];
  const list = sql.join(columns.map(({ sqlName }) => sql.id("r", sqlName)));
  const rows = await many(
    writing.db,
    sql<Record<string, unknown> & { object_id: string }>`${BY_CALLERS}
      select r.object_id, ${list} from ${tableSql(table)} as r where ${meant} order by r.object_id ${limit(MOST_RECORDS + 1)} for update of r`,
  );
  assertFew(rows);
  const lists = columns.map((column) => {
    const change = readJsonUpdate(given.updates.get(column)!, column.name);
    return sql`${rows.map((row) => change(row[column.sqlName] ?? null))}::jsonb[]`;
  });
  const names = [sql`id`, ...columns.map(({ sqlName }) => sql.id(sqlName))];
  const sets = columns.map(({ sqlName }) => sql`${sql.id(sqlName)} = given.${sql.id(sqlName)}`);
  return withFaults(table, () =>
    run(
      writing.db,
      sql`${BY_CALLERS}
        update ${tableSql(table)} as r set ${sql.join([...settings, ...sets])}
        from unnest(${rows.map((row) => row.object_id)}::text[], ${sql.join(lists)}) as given (${sql.join(names)})
        where r.object_id = given.id`,
    ),
  );
}

/** Removes all selected rows that may be removed; returns how many. */
export async function removeRows(writing: Writing, act: Act, which: Which): Promise<number> {
  const { table, caller } = act;
  assertMay(table, caller, "remove");
  const where = clauseOf(which);
  await beforeRemoving(act, { where, ids: "ids" in which ? which.ids : null });
  const meant = await rowsMeant(writing, act, which, "REMOVE");
  const denied = await deniedIn(writing, table);
  const gone = await withFaults(table, () =>
    many(writing.db, sql<{ id: string }>`${BY_CALLERS}delete from ${tableSql(table)} as r where ${meant} returning r.object_id as id`),
  );
  if (table.hasGrants)
    await run(writing.db, sql`delete from data_grants where table_id = ${table.id} and object_id = any(${gone.map(({ id }) => id)})`);
  await toldByClause(writing, act, { event: "records.deleted", which, count: gone.length, denied });
  afterWriting(writing, act, "remove", () => ({ where, ids: gone.map(({ id }) => id), count: gone.length }));
  return gone.length;
}

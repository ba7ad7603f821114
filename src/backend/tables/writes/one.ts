import { many, maybeOne, run, sql } from "#platform/database";
import { SQL_TYPE } from "../catalogue/names.ts";
import type { Caller, Column, Fragment, Table, WireRecord } from "../catalogue/types.ts";
import { noSuchObject } from "../faults.ts";
import { grantsOf } from "../permissions/grants.ts";
import { assertMay, mayAll, notPermitted, rowsFor } from "../permissions/rows.ts";
import { expressionFor } from "../query/index.ts";
import { readJsonUpdate } from "../values/json-update.ts";
import { Overtaken } from "./database-faults.ts";
import { afterWriting, beforeRemoving, beforeWriting } from "./hooked.ts";
import { createTogether, gatheringFor } from "./gathered.ts";
import { assertNotEmptied, type Given } from "./record.ts";
import { newRow, type Row } from "./rows.ts";
import { changeOne, type RecordEvent, tableSql, type Writing } from "./writing.ts";

type Act = { table: Table; caller: Caller; event: RecordEvent; made?: boolean };

/**
 * Inserts a row.
 * @throws 1011 if not allowed, 1155 for an existing id, and for missing required values
 */
export async function createRow(writing: Writing, { table, caller, event, made }: Act, asked: Given): Promise<WireRecord> {
  assertMay(table, caller, "create");
  const [given] = (await beforeWriting({ table, caller }, "create", [asked])) as [Given];
  const row = newRow(writing, { table, caller }, given);
  const worked = await expressionsOf(writing, { table, caller }, row);
  const together = gatheringFor(writing, table, row);
  const record = together
    ? await createTogether(writing, { table, caller }, row, together)
    : await changeOne(writing, { table, caller, event, objectId: row.objectId, made }, (list) =>
        insertSql(writing, table, row, worked, event === "record.upserted" ? UNLESS_IT_STANDS : sql``, list),
      );
  if (!record) throw new Overtaken();
  afterWriting(writing, { table, caller }, "create", () => ({ records: [record], count: 1 }));
  return record;
}

/** Values of expressions in a new row, which see its other given values, and null for the rest. */
async function expressionsOf(writing: Writing, { table, caller }: Pick<Act, "table" | "caller">, row: Row): Promise<Map<Column, Fragment>> {
  const worked = new Map<Column, Fragment>();
  for (const [column, text] of row.expressions) worked.set(column, await expressionFor(writing, table, caller, "r", text, column));
  return worked;
}

type Worked = Map<Column, Fragment>;

function insertSql(writing: Writing, table: Table, row: Row, worked: Worked, unless: Fragment, list: Fragment): Fragment {
  const set = new Map<string, unknown>([
    ["object_id", row.objectId],
    ["owner_id", row.ownerId],
    ["created", writing.now],
    ...[...row.values].map(([{ sqlName }, value]) => [sqlName, value] as const),
  ]);
  const names = [...set.keys(), ...[...worked.keys()].map(({ sqlName }) => sqlName)].map((name) => sql.id(name));
  const values = [...set.values()].map((value) => sql`${value}`);
  const given = worked.size === 0 ? sql`values (${sql.join(values)})` : givenSql(table, set, worked);
  return sql`insert into ${tableSql(table)} as r (${sql.join(names)}) ${given} ${unless} returning ${list}`;
}

/** The given row under the alias that expressions use, with their values. */
function givenSql(table: Table, set: Map<string, unknown>, worked: Worked): Fragment {
  const columns = [...table.columns.values()].filter(({ expression }) => expression === null);
  const given = columns.map(({ sqlName, type }) => sql`${set.get(sqlName) ?? null}::${sql.raw(SQL_TYPE[type])} as ${sql.id(sqlName)}`);
  const list = [...[...set.keys()].map((name) => sql`${sql.id("r", name)}`), ...worked.values()];
  return sql`select ${sql.join(list)} from (select ${sql.join(given)}) as r`;
}

/** The row may have been created since the upsert looked for it. */
export const UNLESS_IT_STANDS = sql`on conflict (object_id) do nothing`;

/**
 * Updates a row.
 * @throws 1000 if the caller cannot find it, 1011 if they may not change it
 */
export async function updateRow(
  writing: Writing,
  { table, caller, event, made }: Act,
  objectId: string,
  asked: Given,
): Promise<WireRecord> {
  assertMay(table, caller, "update");
  const [given] = (await beforeWriting({ table, caller }, "update", [{ ...asked, objectId }])) as [Given];
  assertNotEmptied(given);
  const settings = await settingsFor(writing, table, caller, given, sql`r.object_id = ${objectId}`);
  const record = await changeOne(
    writing,
    { table, caller, event, objectId, made },
    (list) => sql`
      update ${tableSql(table)} as r set ${sql.join(settings)}
      where r.object_id = ${objectId} and ${rowsFor(table, caller, "UPDATE", "r")} returning ${list}`,
  );
  if (!record) throw await whyNot(writing, table, caller, "update", objectId);
  afterWriting(writing, { table, caller }, "update", () => ({ records: [record], where: null, count: 1 }));
  return record;
}

/**
 * Locks a row until the end of the transaction.
 * @throws as `updateRow` does
 */
export async function lockRow(writing: Writing, table: Table, caller: Caller, objectId: string): Promise<void> {
  assertMay(table, caller, "update");
  const row = await maybeOne(
    writing.db,
    sql`select 1 from ${tableSql(table)} as r where r.object_id = ${objectId} and ${rowsFor(table, caller, "UPDATE", "r")} for update of r`,
  );
  if (!row) throw await whyNot(writing, table, caller, "update", objectId);
}

/** The SET list of an update, with `updated`. JSON changes use the value of the single row of `where`. */
async function settingsFor(writing: Writing, table: Table, caller: Caller, given: Given, where: Fragment): Promise<Fragment[]> {
  const settings = plainSettings(writing, given);
  for (const [column, text] of given.expressions) settings.push(await expressionSetting(writing, table, caller, column, text));
  if (given.updates.size === 0) return settings;
  const columns = [...given.updates.keys()];
  const list = sql.join(columns.map(({ sqlName }) => sql.id("r", sqlName)));
  const row = await maybeOne(
    writing.db,
    sql<Record<string, unknown>>`select ${list} from ${tableSql(table)} as r where ${where} for update`,
  );
  for (const [column, update] of given.updates)
    settings.push(sql`${sql.id(column.sqlName)} = ${readJsonUpdate(update, column.name)(row?.[column.sqlName] ?? null)}`);
  return settings;
}

export const plainSettings = (writing: Writing, { values, ownerId }: Given): Fragment[] => [
  sql`updated = ${writing.now}`,
  ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
  ...[...values].map(([{ sqlName }, value]) => sql`${sql.id(sqlName)} = ${value}`),
];

/** An expression evaluated per row, as a value of its column. */
export const expressionSetting = async (writing: Writing, table: Table, caller: Caller, column: Column, text: string): Promise<Fragment> =>
  sql`${sql.id(column.sqlName)} = ${await expressionFor(writing, table, caller, "r", text, column)}`;

/** Inserts or updates a row by id. */
export async function upsertRow(writing: Writing, { table, caller }: Omit<Act, "event">, given: Given): Promise<WireRecord> {
  const { objectId } = given;
  const made = objectId === null || !(await stands(writing, table, objectId));
  const act = { table, caller, event: "record.upserted", made } as const;
  return made ? createRow(writing, act, given) : updateRow(writing, act, objectId, given);
}

const stands = async (writing: Writing, table: Table, objectId: string) =>
  (await many(writing.db, sql`select 1 from ${tableSql(table)} as r where r.object_id = ${objectId}`)).length > 0;

/**
 * Removes a row with its grants. Returns the time in milliseconds.
 * @throws as `updateRow` does
 */
export async function removeRow(writing: Writing, { table, caller }: Omit<Act, "event">, objectId: string): Promise<number> {
  assertMay(table, caller, "remove");
  await beforeRemoving({ table, caller }, { ids: [objectId] });
  const grants = (await grantsOf(writing, table, [objectId])).get(objectId) ?? [];
  const gone = await changeOne(
    writing,
    { table, caller, event: "record.deleted", objectId, grants },
    (list) => sql`
      delete from ${tableSql(table)} as r where r.object_id = ${objectId} and ${rowsFor(table, caller, "REMOVE", "r")} returning ${list}`,
  );
  if (!gone) throw await whyNot(writing, table, caller, "remove", objectId);
  if (table.hasGrants) await run(writing.db, sql`delete from data_grants where table_id = ${table.id} and object_id = ${objectId}`);
  afterWriting(writing, { table, caller }, "remove", () => ({ ids: [objectId], where: null, count: 1 }));
  return writing.now.getTime();
}

/** The reason why nothing was changed: the caller finds no such row, or may only read it. */
export async function whyNot(writing: Writing, table: Table, caller: Caller, act: "update" | "remove", objectId: string): Promise<Error> {
  const [found] = await many(
    writing.db,
    sql`select 1 from ${tableSql(table)} as r where r.object_id = ${objectId} and ${rowsFor(table, caller, "FIND", "r")}`,
  );
  const mayAnyway = mayAll(table, caller, act) && !table.hasGrants;
  return found && !mayAnyway ? notPermitted(table, act) : noSuchObject(objectId);
}

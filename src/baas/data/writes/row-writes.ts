import { many, maybeOne, run, sql } from "#platform/database";
import { SQL_TYPE } from "../catalogue/table-names.ts";
import type { Caller, Column, SqlFragment, Table, ApiRecord } from "../catalogue/types.ts";
import { objectNotFound } from "../data-errors.ts";
import { listFindGrants } from "../permissions/object-grants.ts";
import { assertAllowed, canAccessAll, notPermitted, allowedRowsSql } from "../permissions/row-permissions.ts";
import { createExpressionSql } from "../query/index.ts";
import { parseJsonUpdate } from "../values/json-update.ts";
import { ConcurrentInsert } from "./database-errors.ts";
import { runAfterWriteHooks, runBeforeRemoveHooks, runBeforeWriteHook } from "./hooked-writes.ts";
import { insertBatched, getInsertLoader } from "./batched-insert.ts";
import { assertRequiredNotNull, type RecordInput } from "./record-input.ts";
import { createNewRow, type NewRow } from "./new-rows.ts";
import { changeRow, type RecordEvent, tableSql, type WriteContext } from "./write-context.ts";

type RowWrite = { table: Table; caller: Caller; event: RecordEvent; made?: boolean };

/**
 * Inserts a row.
 * @throws 1011 if not allowed, 1155 for an existing id, and an error for missing required values
 */
export async function createRow(
  writing: WriteContext,
  { table, caller, event, made }: RowWrite,
  input: RecordInput,
): Promise<ApiRecord> {
  assertAllowed(table, caller, "create");
  const prepared = await runBeforeWriteHook({ table, caller }, "create", input);
  const row = createNewRow(writing, { table, caller }, prepared);
  const worked = await createExpressions(writing, { table, caller }, row);
  const together = getInsertLoader(writing, table, row);
  const record = together
    ? await insertBatched(writing, { table, caller }, row, together)
    : await changeRow(writing, { table, caller, event, objectId: row.objectId, made }, (list) =>
        insertSql(writing, table, row, worked, event === "record.upserted" ? SKIP_EXISTING_ROW : sql``, list),
      );
  if (!record) throw new ConcurrentInsert();
  runAfterWriteHooks(writing, { table, caller }, "create", () => ({ records: [record], count: 1 }));
  return record;
}

/**
 * Computes the expressions in a new row. Expressions can use the other given values; columns without a value
 * are null.
 */
async function createExpressions(
  writing: WriteContext,
  { table, caller }: Pick<RowWrite, "table" | "caller">,
  row: NewRow,
): Promise<Map<Column, SqlFragment>> {
  const worked = new Map<Column, SqlFragment>();
  for (const [column, text] of row.expressions)
    worked.set(column, await createExpressionSql(writing, table, caller, "r", text, column));
  return worked;
}

type ExpressionValues = Map<Column, SqlFragment>;

function insertSql(
  writing: WriteContext,
  table: Table,
  row: NewRow,
  worked: ExpressionValues,
  unless: SqlFragment,
  list: SqlFragment,
): SqlFragment {
  const set = new Map<string, unknown>([
    ["object_id", row.objectId],
    ["owner_id", row.ownerId],
    ["created", writing.now],
    ...[...row.values].map(([{ sqlName }, value]) => [sqlName, value] as const),
  ]);
  const names = [...set.keys(), ...[...worked.keys()].map(({ sqlName }) => sqlName)].map((name) =>
    sql.id(name),
  );
  const values = [...set.values()].map((value) => sql`${value}`);
  const given = worked.size === 0 ? sql`values (${sql.join(values)})` : givenRowSql(table, set, worked);
  return sql`insert into ${tableSql(table)} as r (${sql.join(names)}) ${given} ${unless} returning ${list}`;
}

/** SQL for the new row under the alias that expressions use. */
function givenRowSql(table: Table, set: Map<string, unknown>, worked: ExpressionValues): SqlFragment {
  const columns = [...table.columns.values()].filter(({ expression }) => expression === null);
  const given = columns.map(
    ({ sqlName, type }) => sql`${set.get(sqlName) ?? null}::${sql.raw(SQL_TYPE[type])} as ${sql.id(sqlName)}`,
  );
  const list = [...[...set.keys()].map((name) => sql`${sql.id("r", name)}`), ...worked.values()];
  return sql`select ${sql.join(list)} from (select ${sql.join(given)}) as r`;
}

/** Inserts nothing if another request has created the row since the upsert looked for it. */
export const SKIP_EXISTING_ROW = sql`on conflict (object_id) do nothing`;

/**
 * Updates a row.
 * @throws 1000 if the caller cannot find it, 1011 if they may not change it
 */
export async function updateRow(
  writing: WriteContext,
  { table, caller, event, made }: RowWrite,
  objectId: string,
  input: RecordInput,
): Promise<ApiRecord> {
  assertAllowed(table, caller, "update");
  const prepared = await runBeforeWriteHook({ table, caller }, "update", { ...input, objectId });
  assertRequiredNotNull(prepared);
  const assignments = await createAssignments(
    writing,
    table,
    caller,
    prepared,
    sql`r.object_id = ${objectId}`,
  );
  const record = await changeRow(
    writing,
    { table, caller, event, objectId, made },
    (list) => sql`
      update ${tableSql(table)} as r set ${sql.join(assignments)}
      where r.object_id = ${objectId} and ${allowedRowsSql(table, caller, "UPDATE", "r")} returning ${list}`,
  );
  if (!record) throw await createWriteRefusal(writing, table, caller, "update", objectId);
  runAfterWriteHooks(writing, { table, caller }, "update", () => ({
    records: [record],
    where: null,
    count: 1,
  }));
  return record;
}

/**
 * Locks a row until the end of the transaction.
 * @throws as `updateRow` does
 */
export async function lockRow(
  writing: WriteContext,
  table: Table,
  caller: Caller,
  objectId: string,
): Promise<void> {
  assertAllowed(table, caller, "update");
  const row = await maybeOne(
    writing.db,
    sql`select 1 from ${tableSql(table)} as r
      where r.object_id = ${objectId} and ${allowedRowsSql(table, caller, "UPDATE", "r")} for update of r`,
  );
  if (!row) throw await createWriteRefusal(writing, table, caller, "update", objectId);
}

/**
 * Creates the SET list of an update, including `updated`. JSON changes apply to the current value of the
 * single row selected by `where`.
 */
async function createAssignments(
  writing: WriteContext,
  table: Table,
  caller: Caller,
  input: RecordInput,
  where: SqlFragment,
): Promise<SqlFragment[]> {
  const assignments = createPlainAssignments(writing, input);
  for (const [column, text] of input.expressions)
    assignments.push(await createExpressionAssignment(writing, table, caller, column, text));
  if (input.updates.size === 0) return assignments;
  const columns = [...input.updates.keys()];
  const list = sql.join(columns.map(({ sqlName }) => sql.id("r", sqlName)));
  const row = await maybeOne(
    writing.db,
    sql<Record<string, unknown>>`select ${list} from ${tableSql(table)} as r where ${where} for update`,
  );
  for (const [column, update] of input.updates)
    assignments.push(
      sql`${sql.id(column.sqlName)} = ${parseJsonUpdate(update, column.name)(row?.[column.sqlName] ?? null)}`,
    );
  return assignments;
}

export const createPlainAssignments = (
  writing: WriteContext,
  { values, ownerId }: RecordInput,
): SqlFragment[] => [
  sql`updated = ${writing.now}`,
  ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
  ...[...values].map(([{ sqlName }, value]) => sql`${sql.id(sqlName)} = ${value}`),
];

/** SQL for an expression, evaluated per row, as a value of its column. */
export const createExpressionAssignment = async (
  writing: WriteContext,
  table: Table,
  caller: Caller,
  column: Column,
  text: string,
): Promise<SqlFragment> =>
  sql`${sql.id(column.sqlName)} = ${await createExpressionSql(writing, table, caller, "r", text, column)}`;

/** Inserts or updates a row by id. */
export async function upsertRow(
  writing: WriteContext,
  { table, caller }: Omit<RowWrite, "event">,
  input: RecordInput,
): Promise<ApiRecord> {
  const { objectId } = input;
  const made = objectId === null || !(await rowExists(writing, table, objectId));
  const act = { table, caller, event: "record.upserted", made } as const;
  return made ? createRow(writing, act, input) : updateRow(writing, act, objectId, input);
}

const rowExists = async (writing: WriteContext, table: Table, objectId: string) =>
  (await many(writing.db, sql`select 1 from ${tableSql(table)} as r where r.object_id = ${objectId}`))
    .length > 0;

/**
 * Removes a row with its grants. Returns the time of the removal in milliseconds.
 * @throws as `updateRow` does
 */
export async function removeRow(
  writing: WriteContext,
  { table, caller }: Omit<RowWrite, "event">,
  objectId: string,
): Promise<number> {
  assertAllowed(table, caller, "remove");
  await runBeforeRemoveHooks({ table, caller }, { ids: [objectId] });
  const grants = (await listFindGrants(writing, table, [objectId])).get(objectId) ?? [];
  const record = await changeRow(
    writing,
    { table, caller, event: "record.deleted", objectId, grants },
    (list) => sql`
      delete from ${tableSql(table)} as r
      where r.object_id = ${objectId} and ${allowedRowsSql(table, caller, "REMOVE", "r")} returning ${list}`,
  );
  if (!record) throw await createWriteRefusal(writing, table, caller, "remove", objectId);
  if (table.hasGrants)
    await run(
      writing.db,
      sql`delete from data_grants where table_id = ${table.id} and object_id = ${objectId}`,
    );
  runAfterWriteHooks(writing, { table, caller }, "remove", () => ({
    ids: [objectId],
    where: null,
    count: 1,
  }));
  return writing.now.getTime();
}

/**
 * Creates the refusal of a write that changed nothing: the caller cannot find the row, or may only read it.
 */
export async function createWriteRefusal(
  writing: WriteContext,
  table: Table,
  caller: Caller,
  act: "update" | "remove",
  objectId: string,
): Promise<Error> {
  const [found] = await many(
    writing.db,
    sql`select 1 from ${tableSql(table)} as r
      where r.object_id = ${objectId} and ${allowedRowsSql(table, caller, "FIND", "r")}`,
  );
  const mayAnyway = canAccessAll(table, caller, act) && !table.hasGrants;
  return found && !mayAnyway ? notPermitted(table, act) : objectNotFound(objectId);
}

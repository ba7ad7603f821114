import { msg } from "#platform/messages";
import { type Db, many, one, run, sql } from "#platform/database";
import type { SqlFragment, Table } from "../catalogue/types.ts";
import { badRequest, dataTooLarge } from "../data-errors.ts";
import { assertAllowed, notPermitted, allowedRowsSql } from "../permissions/row-permissions.ts";
import { CALLER_QUERY_MARK } from "../query/run-query.ts";
import { isSchemaOutdated, ConcurrentInsert, translateDatabaseErrors } from "./database-errors.ts";
import { runAfterWriteHooks, runBeforeWriteHooks, toHookRecord } from "./hooked-writes.ts";
import { SKIP_EXISTING_ROW } from "./row-writes.ts";
import { assertRequiredNotNull, type RecordInput } from "./record-input.ts";
import {
  listUsedColumns,
  idArraySql,
  columnArraySql,
  createNewRow,
  ownerArraySql,
  type NewRow,
} from "./new-rows.ts";
import {
  type RecordEvent,
  omitIfLong,
  tableSql,
  emitBulkChange,
  type WriteContext,
} from "./write-context.ts";
import { type WriteTarget, emitClauseChange } from "./clause-events.ts";

/** Maximum records of one call. */
export const MAX_RECORDS = 10_000;

export function assertBulkSize(list: unknown[]): void {
  if (list.length > MAX_RECORDS)
    throw dataTooLarge(msg("One call can write at most {count} objects.", { count: MAX_RECORDS }));
}

const plainValuesOnly = () => badRequest("Bulk changes accept plain values only.");

/** Refuses expressions, which a bulk write would otherwise ignore. */
function assertPlain({ expressions }: RecordInput): void {
  if (expressions.size > 0) throw plainValuesOnly();
}

/** Inserts rows in one statement. Returns their ids in order. */
export async function createRows(
  writing: WriteContext,
  target: WriteTarget,
  list: RecordInput[],
): Promise<string[]> {
  assertAllowed(target.table, target.caller, "create");
  const inputs = await runBeforeWriteHooks(target, "create", list);
  inputs.forEach(assertPlain);
  const rows = inputs.map((it) => createNewRow(writing, target, it));
  await insertRows(writing, target.table, rows);
  runAfterWriteHooks(writing, target, "create", () => ({
    records: toHookRecords(inputs, rows),
    count: rows.length,
  }));
  return emitBulkWrite(writing, target, "records.created", rows);
}

const toHookRecords = (list: RecordInput[], rows: NewRow[]) =>
  list.map((input, at) => ({ ...toHookRecord(input), objectId: rows[at]!.objectId }));

async function emitBulkWrite(
  writing: WriteContext,
  { table, caller }: WriteTarget,
  event: RecordEvent,
  rows: Pick<NewRow, "objectId">[],
): Promise<string[]> {
  const ids = rows.map(({ objectId }) => objectId);
  const about = { count: ids.length, ids: omitIfLong(JSON.stringify(ids)) };
  if (ids.length > 0) await emitBulkChange(writing, table, caller, event, about, { ids });
  return ids;
}

async function insertRows(
  writing: WriteContext,
  table: Table,
  rows: NewRow[],
  unless: SqlFragment = sql``,
): Promise<void> {
  if (rows.length === 0) return;
  const columns = listUsedColumns(table, rows);
  const names = ["object_id", "owner_id", ...columns.map(({ sqlName }) => sqlName)].map((name) =>
    sql.id(name),
  );
  const lists = [
    idArraySql(rows),
    ownerArraySql(rows),
    ...columns.map((column) => columnArraySql(rows, column)),
  ];
  const count = await translateDatabaseErrors(table, () =>
    run(
      writing.db,
      sql`${CALLER_QUERY_MARK}
        insert into ${tableSql(table)} (${sql.join(names)}, created)
        select *, ${writing.now}::timestamptz from unnest(${sql.join(lists)}) as given ${unless}`,
    ),
  );
  if (count < rows.length) throw new ConcurrentInsert();
}

/**
 * Inserts or updates rows by id. Returns the ids in order.
 * @throws 1011 if the caller may not change one of the rows
 */
export async function upsertRows(
  writing: WriteContext,
  target: WriteTarget,
  inputs: RecordInput[],
): Promise<string[]> {
  const existing = await listExistingIds(writing, target.table, inputs);
  const exists = ({ objectId }: RecordInput) => objectId !== null && existing.has(objectId);
  const creations = await runBeforeWriteHooks(
    target,
    "create",
    inputs.filter((it) => !exists(it)),
  );
  const updates = await runBeforeWriteHooks(target, "update", inputs.filter(exists));
  const [nextCreation, nextUpdate] = [creations.values(), updates.values()];
  const list = inputs.map((it) => (exists(it) ? nextUpdate : nextCreation).next().value!);
  const fresh: NewRow[] = [];
  const changed: NewRow[] = [];
  const ids = list.map((input) => {
    assertPlain(input);
    if (input.updates.size > 0) throw plainValuesOnly();
    if (exists(input)) {
      assertRequiredNotNull(input);
      changed.push({ ...input, objectId: input.objectId!, ownerId: null });
      return input.objectId!;
    }
    fresh.push(createNewRow(writing, target, input));
    return fresh.at(-1)!.objectId;
  });
  if (fresh.length > 0) assertAllowed(target.table, target.caller, "create");
  await insertRows(writing, target.table, fresh, SKIP_EXISTING_ROW);
  for (const rows of groupByColumns(changed)) await updateRows(writing, target, rows);
  // Subscribers to creations and updates also receive the creations and updates of an upsert.
  await emitBulkWrite(writing, target, "records.created", fresh);
  const which = { ids: changed.map(({ objectId }) => objectId) };
  if (changed.length > 0)
    await emitClauseChange(writing, target, { event: "records.updated", which, count: changed.length });
  runAfterWriteHooks(writing, target, "create", () => ({
    records: toHookRecords(creations, fresh),
    count: fresh.length,
  }));
  runAfterWriteHooks(writing, target, "update", () => ({
    records: updates.map(toHookRecord),
    where: null,
    count: changed.length,
  }));
  return emitBulkWrite(
    writing,
    target,
    "records.upserted",
    ids.map((objectId) => ({ objectId })),
  );
}

async function listExistingIds(
  writing: WriteContext,
  table: Table,
  list: RecordInput[],
): Promise<Set<string>> {
  const ids = list.flatMap(({ objectId }) => objectId ?? []);
  if (new Set(ids).size < ids.length) throw badRequest("The list contains an object twice.");
  const rows = await many(
    writing.db,
    sql<{ id: string }>`select object_id as id from ${tableSql(table)} where object_id = any(${ids})`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Counts the ids that exist, whatever the permissions; 0 if another process has dropped the table. */
export async function countExisting(db: Db, table: Table, ids: string[]): Promise<number> {
  try {
    return (
      await one(
        db,
        sql<{ n: number }>`select count(*)::int as n from ${tableSql(table)} where object_id = any(${ids})`,
      )
    ).n;
  } catch (error) {
    if (isSchemaOutdated(error)) return 0;
    throw error;
  }
}

/** Groups rows that set the same columns, each group for one statement. */
function groupByColumns(rows: NewRow[]): NewRow[][] {
  const groups = new Map<string, NewRow[]>();
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

async function updateRows(
  writing: WriteContext,
  { table, caller }: WriteTarget,
  rows: NewRow[],
): Promise<void> {
  assertAllowed(table, caller, "update");
  const columns = [...rows[0]!.values.keys()];
  const sets = columns.map(({ sqlName }) => sql`, ${sql.id(sqlName)} = given.${sql.id(sqlName)}`);
  const lists = [idArraySql(rows), ...columns.map((column) => columnArraySql(rows, column))];
  const names = [sql`id`, ...columns.map(({ sqlName }) => sql.id(sqlName))];
  const count = await translateDatabaseErrors(table, () =>
    run(
      writing.db,
      sql`${CALLER_QUERY_MARK}
        update ${tableSql(table)} as r set updated = ${writing.now} ${sql.join(sets, sql``)}
        from unnest(${sql.join(lists)}) as given (${sql.join(names)})
        where r.object_id = given.id and ${allowedRowsSql(table, caller, "UPDATE", "r")}`,
    ),
  );
  if (count < rows.length) throw notPermitted(table, "update");
}

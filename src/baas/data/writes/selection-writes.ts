import { limit, many, run, sql } from "#platform/database";
import type { SqlFragment, Table } from "../catalogue/types.ts";
import { listDenials } from "../permissions/object-grants.ts";
import { assertAllowed, allowedRowsSql } from "../permissions/row-permissions.ts";
import { createConditionSql, type RecordSelection } from "../query/index.ts";
import { CALLER_QUERY_MARK } from "../query/run-query.ts";
import { parseJsonUpdate } from "../values/json-update.ts";
import { translateDatabaseErrors } from "./database-errors.ts";
import {
  runAfterWriteHooks,
  runBeforeRemoveHooks,
  runBeforeWriteHook,
  toHookRecord,
} from "./hooked-writes.ts";
import { createExpressionAssignment, createPlainAssignments } from "./row-writes.ts";
import { assertRequiredNotNull, type RecordInput } from "./record-input.ts";
import { tableSql, type WriteContext } from "./write-context.ts";
import { type WriteTarget, selectionClause, emitClauseChange } from "./clause-events.ts";
import { MAX_RECORDS, assertBulkSize } from "./bulk-writes.ts";

async function createSelectionSql(
  writing: WriteContext,
  { table, caller }: WriteTarget,
  which: RecordSelection,
  act: "UPDATE" | "REMOVE",
): Promise<SqlFragment> {
  const selection =
    "where" in which
      ? await createConditionSql(writing, table, caller, "r", which.where)
      : sql`r.object_id = any(${which.ids})`;
  return sql`${selection} and ${allowedRowsSql(table, caller, act, "r")}`;
}

/** Updates the selected rows that the caller may change; returns how many. */
export async function changeRows(
  writing: WriteContext,
  target: WriteTarget,
  which: RecordSelection,
  input: RecordInput,
): Promise<number> {
  const { table, caller } = target;
  assertAllowed(table, caller, "update");
  const where = selectionClause(which);
  const prepared = await runBeforeWriteHook(target, "update", input, where);
  assertRequiredNotNull(prepared);
  const selectionSql = await createSelectionSql(writing, target, which, "UPDATE");
  const assignments = createPlainAssignments(writing, prepared);
  for (const [column, text] of prepared.expressions)
    assignments.push(await createExpressionAssignment(writing, table, caller, column, text));
  const count =
    prepared.updates.size > 0
      ? await changeRowByRow(writing, table, prepared, selectionSql, assignments)
      : await translateDatabaseErrors(table, () =>
          run(
            writing.db,
            sql`${CALLER_QUERY_MARK}update ${tableSql(table)} as r set ${sql.join(assignments)} where ${selectionSql}`,
          ),
        );
  await emitClauseChange(writing, target, { event: "records.updated", which, count });
  runAfterWriteHooks(writing, target, "update", () => ({ records: [toHookRecord(prepared)], where, count }));
  return count;
}

/** Changes rows one by one, because a JSON change depends on the current value of each row. */
async function changeRowByRow(
  writing: WriteContext,
  table: Table,
  input: RecordInput,
  selection: SqlFragment,
  assignments: SqlFragment[],
): Promise<number> {
  const columns = [...input.updates.keys()];
  const list = sql.join(columns.map(({ sqlName }) => sql.id("r", sqlName)));
  const rows = await many(
    writing.db,
    sql<Record<string, unknown> & { object_id: string }>`${CALLER_QUERY_MARK}
      select r.object_id, ${list} from ${tableSql(table)} as r where ${selection}
      order by r.object_id ${limit(MAX_RECORDS + 1)} for update of r`,
  );
  assertBulkSize(rows);
  const lists = columns.map((column) => {
    const change = parseJsonUpdate(input.updates.get(column)!, column.name);
    return sql`${rows.map((row) => change(row[column.sqlName] ?? null))}::jsonb[]`;
  });
  const names = [sql`id`, ...columns.map(({ sqlName }) => sql.id(sqlName))];
  const sets = columns.map(({ sqlName }) => sql`${sql.id(sqlName)} = given.${sql.id(sqlName)}`);
  return translateDatabaseErrors(table, () =>
    run(
      writing.db,
      sql`${CALLER_QUERY_MARK}
        update ${tableSql(table)} as r set ${sql.join([...assignments, ...sets])}
        from unnest(${rows.map((row) => row.object_id)}::text[],
          ${sql.join(lists)}) as given (${sql.join(names)})
        where r.object_id = given.id`,
    ),
  );
}

/** Removes the selected rows that the caller may remove; returns how many. */
export async function removeRows(
  writing: WriteContext,
  target: WriteTarget,
  which: RecordSelection,
): Promise<number> {
  const { table, caller } = target;
  assertAllowed(table, caller, "remove");
  const where = selectionClause(which);
  await runBeforeRemoveHooks(target, { where, ids: "ids" in which ? which.ids : null });
  const selectionSql = await createSelectionSql(writing, target, which, "REMOVE");
  const denied = await listDenials(writing, table);
  const gone = await translateDatabaseErrors(table, () =>
    many(
      writing.db,
      sql<{
        id: string;
      }>`${CALLER_QUERY_MARK}delete from ${tableSql(table)} as r where ${selectionSql} returning r.object_id as id`,
    ),
  );
  if (table.hasGrants)
    await run(
      writing.db,
      sql`delete from data_grants
        where table_id = ${table.id} and object_id = any(${gone.map(({ id }) => id)})`,
    );
  await emitClauseChange(writing, target, { event: "records.deleted", which, count: gone.length, denied });
  runAfterWriteHooks(writing, target, "remove", () => ({
    where,
    ids: gone.map(({ id }) => id),
    count: gone.length,
  }));
  return gone.length;
}

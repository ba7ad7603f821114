import { type Db, many, sql } from "#platform/database";
import { type DomainEvent, publishEvent } from "#platform/outbox";
import type { Caller, Catalogue, Table, ApiRecord } from "../catalogue/types.ts";
import { type BatchLoader, createBatchLoader } from "../batch-loader.ts";
import { SERVER_CALLER } from "../server-caller.ts";
import { CALLER_QUERY_MARK } from "../query/run-query.ts";
import { selectEveryColumn, toRecord, selectSql } from "../query/query-columns.ts";
import { QuerySources } from "../query/query-sources.ts";
import { isDatabaseRefusal, translateDatabaseErrors } from "./database-errors.ts";
import { listUsedColumns, idArraySql, columnArraySql, ownerArraySql, type NewRow } from "./new-rows.ts";
import { createTableEvent, tableSql, type WriteContext } from "./write-context.ts";

/** A row to insert, its time, and its domain event. */
type NewRecord = { row: NewRow; now: Date; domainEvent: DomainEvent };
/** The stored row by short column names, with the id of its outbox row. */
type StoredRecord = Record<string, unknown> & { told: string };

/**
 * Loaders by catalogue entry, so that a changed table gets a new loader. Null if rows of the table must be
 * inserted one by one.
 */
const loaders = new WeakMap<Table, BatchLoader<NewRecord, StoredRecord> | null>();

/**
 * Maximum characters of a row that is inserted together with others. A longer row gets a statement of its
 * own.
 */
const MAX_ROW_CHARACTERS = 10_000;

/**
 * Returns the loader for batched inserts. Null if the row must be inserted on its own: within a transaction,
 * if it is long, or if a unique column could make it wait or fail because of another row.
 */
export function getInsertLoader(
  writing: WriteContext,
  table: Table,
  row: NewRow,
): BatchLoader<NewRecord, StoredRecord> | null {
  if (!writing.alone || row.expressions.size > 0 || measureRow(row) > MAX_ROW_CHARACTERS) return null;
  const known = loaders.get(table);
  if (known !== undefined) return known;
  const isShared = ![...table.columns.values()].some(
    ({ name, unique, hidden, seen }) => (unique && name !== "objectId") || hidden || seen,
  );
  const { db, catalogue } = writing;
  const batchLoader = isShared
    ? createBatchLoader<NewRecord, StoredRecord>((list) => insertOrRetry({ db, catalogue }, table, list))
    : null;
  loaders.set(table, batchLoader);
  return batchLoader;
}

const measureRow = ({ values }: NewRow): number =>
  values.values().reduce<number>((sum, it) => sum + (typeof it === "string" ? it.length : 0), 0);

/** Inserts a row together with concurrent ones, and publishes its event as `changeRow` does. */
export async function insertBatched(
  writing: WriteContext,
  { table, caller }: { table: Table; caller: Caller },
  row: NewRow,
  together: BatchLoader<NewRecord, StoredRecord>,
): Promise<ApiRecord> {
  const domainEvent = createTableEvent(table, caller, "record.created", { objectId: row.objectId });
  const stored = await together.load({ row, domainEvent, now: writing.now });
  const record = toRecord(table, selectShownColumns(writing, table, caller), stored);
  // A new record has no grants yet.
  const whole = { record: { ...record }, grants: table.hasGrants ? [] : undefined };
  writing.after(() => publishEvent(domainEvent, stored.told, whole));
  return record;
}

const selectShownColumns = ({ catalogue }: Pick<WriteContext, "catalogue">, table: Table, caller: Caller) =>
  selectEveryColumn(table, caller, new QuerySources({ catalogue, caller, table, alias: "r" }, "r_j"));

type InsertContext = { db: Db; catalogue: Catalogue };

/** Inserts a batch. If the database refuses it, each row is inserted on its own and gets its own error. */
async function insertOrRetry(
  to: InsertContext,
  table: Table,
  list: readonly NewRecord[],
): Promise<(StoredRecord | Error)[]> {
  try {
    return await insertAll(to, table, list);
  } catch (error) {
    if (list.length === 1 || !isDatabaseRefusal(error)) throw error;
    return Promise.all(list.map((it) => insertAll(to, table, [it]).then(([stored]) => stored!, toError)));
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

async function insertAll(
  { db, catalogue }: InsertContext,
  table: Table,
  list: readonly NewRecord[],
): Promise<StoredRecord[]> {
  const rows = list.map(({ row }) => row);
  const columns = listUsedColumns(table, rows);
  const names = sql.join(
    ["object_id", "owner_id", "created", ...columns.map(({ sqlName }) => sqlName)].map((name) =>
      sql.id(name),
    ),
  );
  const moments = sql`${list.map(({ now }) => now)}::timestamptz[]`;
  const payloads = sql`${list.map(({ domainEvent }) => JSON.stringify(domainEvent))}::jsonb[]`;
  const lists = sql.join([
    payloads,
    idArraySql(rows),
    ownerArraySql(rows),
    moments,
    ...columns.map((column) => columnArraySql(rows, column)),
  ]);
  // The columns are the same for every caller.
  const shown = selectSql(selectShownColumns({ catalogue }, table, SERVER_CALLER), SERVER_CALLER);
  const stored = await translateDatabaseErrors(table, () =>
    many(
      db,
      sql<StoredRecord & { row_id: string }>`${CALLER_QUERY_MARK}
        with given as (select * from unnest(${lists}) as it (payload, ${names})),
        it as (insert into ${tableSql(table)} as r (${names}) select ${names} from given
          returning r.object_id as row_id, ${shown}),
        told as (
          insert into outbox (type, payload, at) select payload ->> 'type', payload, created from given
          returning id, payload ->> 'objectId' as row_id)
        select it.*, told.id as told from it join told using (row_id)`,
    ),
  );
  const byId = new Map(stored.map((it) => [it.row_id, it]));
  return rows.map(({ objectId }) => byId.get(objectId)!);
}

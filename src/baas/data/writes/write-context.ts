import { type Db, many, run, sql, type Tx } from "#platform/database";
import { type DomainEvent, publishEvent, type EventRecords } from "#platform/outbox";
import type { CachedCatalogue } from "../catalogue/cached-catalogue.ts";
import type { Caller, Catalogue, Column, SqlFragment, Table, ApiRecord } from "../catalogue/types.ts";
import { type ObjectGrant, grantsSql } from "../permissions/row-permissions.ts";
import { bytesSql, canExceedAnswerSize, MAX_ANSWER_BYTES } from "../query/answer-size.ts";
import { CALLER_QUERY_MARK } from "../query/run-query.ts";
import { selectEveryColumn, toRecord, selectSql, type SelectedProperty } from "../query/query-columns.ts";
import { QuerySources } from "../query/query-sources.ts";
import { translateDatabaseErrors } from "./database-errors.ts";

/**
 * Context of a write: database, catalogue, time, ids, and callbacks after the commit. `alone`: the write is
 * a single statement that commits automatically.
 */
export type WriteContext = {
  db: Db;
  catalogue: Catalogue;
  now: Date;
  newId: () => string;
  after: (what: () => void) => void;
  alone: boolean;
};

/** Creates the context of a write within a transaction; callbacks run after its commit. */
export const createWriteContext = (tx: Tx, catalogue: CachedCatalogue): WriteContext => ({
  db: tx,
  catalogue: catalogue.within(tx),
  now: tx.now,
  newId: tx.newId,
  after: tx.afterCommit,
  alone: false,
});

/** Types of events for changes of one record or of many. */
export type RecordEvent =
  | "record.created"
  | "record.updated"
  | "record.upserted"
  | "record.deleted"
  | "records.created"
  | "records.updated"
  | "records.upserted"
  | "records.deleted"
  | "relation.set"
  | "relation.added"
  | "relation.deleted";

type EventFields = Record<string, string | number | boolean | null>;

/**
 * A change of one record. `made`: an upsert created the record. `grants`: the grants of a removed record;
 * those of other records are read with the change. Record and grants may be gone when the event is
 * delivered.
 */
export type RowChange = {
  table: Table;
  caller: Caller;
  event: RecordEvent;
  objectId: string;
  made?: boolean | undefined;
  grants?: ObjectGrant[];
};

/**
 * Runs a change and writes its domain event in one statement. `change` is SQL that returns rows of the table
 * under the alias `r`.
 */
export async function changeRow(
  writing: WriteContext,
  { table, caller, event, objectId, made, grants }: RowChange,
  change: (list: SqlFragment) => SqlFragment,
): Promise<ApiRecord | null> {
  const shown = selectEveryColumn(
    table,
    caller,
    new QuerySources({ catalogue: writing.catalogue, caller, table, alias: "r" }, "r_j"),
  );
  const domainEvent = createTableEvent(table, caller, event, {
    objectId,
    ...(made !== undefined && { made }),
  });
  const last = event === "record.deleted" ? sql`, ${finalStateSql(writing, shown, grants ?? [])}` : sql``;
  const granted = table.hasGrants && event !== "record.deleted" ? grantsSql(table, objectId) : sql`null`;
  const rows = await translateDatabaseErrors(table, () =>
    many(
      writing.db,
      sql<Record<string, unknown> & { told: string; granted: ObjectGrant[] | null }>`${CALLER_QUERY_MARK}
        with it as (${change(selectSql(shown, caller))}),
        told as (
          insert into outbox (type, payload, at)
          select ${domainEvent.type}, ${JSON.stringify(domainEvent)}::jsonb, ${writing.now}::timestamptz
          from it returning id)${last}
        select it.*, told.id as told, ${granted} as granted
        from it, told ${event === "record.deleted" ? sql`` : nullIfLong(shown)}`,
    ),
  );
  const row = rows[0];
  if (!row) return null;
  const record = toRecord(table, shown, row);
  // Copied, because a deep save adds properties to the same object later.
  const whole = { record: { ...record }, grants: grants ?? row.granted ?? undefined };
  writing.after(() => publishEvent(domainEvent, row.told, whole));
  return record;
}

/**
 * SQL that refuses a record too large for an answer, because a stored record is returned whole. Empty for
 * tables whose records cannot be that large.
 */
function nullIfLong(shown: SelectedProperty[]): SqlFragment {
  const terms = shown.map(({ term }) => term);
  if (!canExceedAnswerSize(terms, 1)) return sql``;
  const bytes = bytesSql(terms.map(({ kind }, at) => ({ kind, sql: sql.id("it", `s${at}`) })));
  return sql`where assert_bytes_limit(${bytes}, ${MAX_ANSWER_BYTES})`;
}

/** SQL that stores the last state of a removed record for a while, for subscribers in other processes. */
const finalStateSql = (
  writing: WriteContext,
  shown: SelectedProperty[],
  grants: ObjectGrant[],
): SqlFragment => sql`kept as (
  insert into data_event_records (outbox_id, about, at)
  select told.id, jsonb_build_object('names', ${JSON.stringify(shown.map(({ key }) => key))}::jsonb,
    'grants', ${JSON.stringify(grants)}::jsonb, 'row', to_jsonb(it)), ${writing.now}::timestamptz
    from it, told)`;

/** Creates the domain event of a change. */
export const createTableEvent = (
  table: Table,
  { userId, cause }: Caller,
  type: RecordEvent,
  about: EventFields,
): DomainEvent => ({
  type,
  table: table.name,
  by: userId,
  ...about,
  ...(cause && { cause }),
});

/**
 * Maximum characters of a list or clause in an event. Other processes load a longer one from the database.
 */
const MAX_EVENT_TEXT = 2_000;
/** Returns the text if it fits into an event, null otherwise. */
export const omitIfLong = (text: string): string | null => (text.length <= MAX_EVENT_TEXT ? text : null);

/**
 * Emits the event of a bulk change. `whole` has all lists and clauses, `about` only those short enough for
 * the event.
 */
export async function emitBulkChange(
  writing: WriteContext,
  table: Table,
  caller: Caller,
  event: RecordEvent,
  about: EventFields,
  whole: EventRecords,
): Promise<void> {
  const domainEvent = createTableEvent(table, caller, event, about);
  const [row] = await many(
    writing.db,
    sql<{ id: string }>`
      insert into outbox (type, payload, at)
      values (${domainEvent.type}, ${JSON.stringify(domainEvent)}::jsonb, ${writing.now}) returning id`,
  );
  if (Object.keys(whole).some((key) => whole[key] !== null && about[key] === null))
    await storeFullEvent(writing, row!.id, whole);
  writing.after(() => publishEvent(domainEvent, row!.id, whole));
}

const storeFullEvent = (writing: WriteContext, id: string, whole: EventRecords) =>
  run(
    writing.db,
    sql`insert into data_event_records (outbox_id, about, at)
      values (${id}, ${JSON.stringify(whole)}::jsonb, ${writing.now})`,
  );

export type ColumnSetting = { column: Column; value: SqlFragment };

export const tableSql = (table: Table): SqlFragment => sql`${sql.id(table.schema, table.sqlName)}`;

import { type Db, maybeOne, one, sql } from "#platform/database";
import type { DomainEvent, EventRecords } from "#platform/outbox";
import { toDataEventRecords } from "./event-records.ts";
import type { Caller, DataContext, Table, ApiRecord } from "../catalogue/types.ts";
import { listDenials, listFindGrants } from "../permissions/object-grants.ts";
import {
  canFindRow,
  type ObjectGrant,
  grantsSql,
  canAccessAll,
  allowedRowsSql,
} from "../permissions/row-permissions.ts";
import { runQuery } from "../query/run-query.ts";
import { selectEveryColumn, toApiValue, toRecord, selectSql } from "../query/query-columns.ts";
import { idSql, idInSql, QuerySources, tableSql } from "../query/query-sources.ts";
import { SERVER_CALLER } from "../server-caller.ts";

const RELATION_EVENTS: Record<string, string> = { set: "set", added: "add", deleted: "delete" };
const TABLE_EVENT = /^(records?|relation)\.(\w+)$/;

/** Whether an event concerns data tables. */
export const isTableEvent = ({ type }: DomainEvent): boolean => TABLE_EVENT.test(type);

/**
 * Returns the events as which subscribers receive a change. An upsert is also delivered as a creation or as
 * an update.
 */
export function listTableEvents({ type, made }: DomainEvent): {
  kind: "record" | "records" | "relation";
  events: string[];
} {
  const [, kind = "", event = ""] = TABLE_EVENT.exec(type) ?? [];
  if (kind === "relation") return { kind, events: [RELATION_EVENTS[event]!] };
  if (kind === "records") return { kind, events: [`bulk-${event}`] };
  return {
    kind: "record",
    events: event === "upserted" ? ["upserted", made === true ? "created" : "updated"] : [event],
  };
}

/**
 * A changed record in its new state, or in its last state if deleted. `grants` has the grants at the time of
 * the change and the current ones; a subscriber must be able to find the record by both.
 */
export type ChangedRecord = { record: ApiRecord; grants: ObjectGrant[][] };

/** Loads a changed record from the event's details or the database; null if it no longer exists. */
export async function loadChangedRecord(
  engine: DataContext,
  table: Table,
  domainEvent: DomainEvent,
  id: string,
  whole: EventRecords | null,
): Promise<ChangedRecord | null> {
  const { record: known, grants: then } = toDataEventRecords(whole);
  if (domainEvent.type === "record.deleted")
    return known ? { record: known, grants: [then ?? []] } : findFinalState(engine, table, id);
  const objectId = String(domainEvent["objectId"]);
  const record = known ?? (await findCurrentRecord(engine, table, objectId));
  const now = await listCurrentGrants(engine, table, objectId);
  if (!record || (!known && !now)) return null;
  const lists = [then, now].filter((list) => list !== undefined && list !== null);
  return { record, grants: lists.length > 0 ? lists : [[]] };
}

/** Lists the current grants of a record; null if it no longer exists. */
async function listCurrentGrants(
  { db }: DataContext,
  table: Table,
  objectId: string,
): Promise<ObjectGrant[] | null> {
  if (!table.hasGrants) return [];
  const there = sql`exists (select from ${tableSql(table)} as t
    where ${idInSql({ table, alias: "t" }, [objectId])})`;
  const { stands, grants } = await one(
    db,
    sql<{
      stands: boolean;
      grants: ObjectGrant[];
    }>`select ${there} as stands, ${grantsSql(table, objectId)} as grants`,
  );
  return stands ? grants : null;
}

/** Whether a caller may find the changed record. */
export const canFindChanged = (table: Table, caller: Caller, { record, grants }: ChangedRecord): boolean =>
  grants.every((list) => canFindRow(table, caller, record["ownerId"], list));

/** Reads with the server's rights, because permissions are checked later for each subscriber. */
async function findCurrentRecord(
  engine: DataContext,
  table: Table,
  objectId: string,
): Promise<ApiRecord | null> {
  const source = { table, alias: "t" };
  const shown = selectEveryColumn(
    table,
    SERVER_CALLER,
    new QuerySources({ catalogue: engine.catalogue, caller: SERVER_CALLER, ...source }, "j"),
  );
  const [row] = await runQuery(
    engine,
    sql`select ${selectSql(shown, SERVER_CALLER)} from ${tableSql(table)} as t
      where ${idInSql(source, [objectId])}`,
  );
  return row ? toRecord(table, shown, row) : null;
}

async function findFinalState({ db }: DataContext, table: Table, id: string): Promise<ChangedRecord | null> {
  const { names, row, grants = [] } = toDataEventRecords(await findFullEvent(db, id));
  if (!names || !row) return null;
  const record: ApiRecord = { ___class: table.name };
  for (const [at, name] of names.entries()) record[name] = restoreValue(table, name, row[`s${at}`]);
  return { record, grants: [grants] };
}

function restoreValue(table: Table, name: string, value: unknown): unknown {
  const type = table.columns.get(name)?.type;
  return type === "DATETIME" && typeof value === "string"
    ? toApiValue(new Date(value), "date")
    : (value ?? null);
}

/** Loads the details of an event that are too long to be sent with it; null once they are deleted. */
export const findFullEvent = async (db: Db, id: string): Promise<EventRecords | null> =>
  (
    await maybeOne(
      db,
      sql<{ about: EventRecords }>`select about from data_event_records where outbox_id = ${id}`,
    )
  )?.about ?? null;

/**
 * Returns a function that checks whether a caller can find every row of the table, for bulk changes. If the
 * event's details are given, denials at the time of the change count as well as current ones.
 */
export async function createTableAccessCheck(
  engine: DataContext,
  table: Table,
  whole: EventRecords | null = null,
): Promise<(caller: Caller) => boolean> {
  const then = toDataEventRecords(whole).denied ?? [];
  const denials = [...then, ...(await listDenials(engine, table))];
  return (caller) =>
    caller.server || (canAccessAll(table, caller, "find") && canFindRow(table, caller, null, denials));
}

/**
 * Returns a function that reduces these ids to those a caller can find, in order. For callers who can find
 * every row it makes no query.
 */
export async function createRecordFilter(
  engine: DataContext,
  table: Table,
  ids: string[],
): Promise<(caller: Caller) => Promise<string[]>> {
  if (table.entity) return (caller) => filterFindable(engine, table, caller, ids);
  const all = await createTableAccessCheck(engine, table);
  let owners: Promise<Map<string, OwnedRecord>> | null = null;
  return async (caller) => {
    if (all(caller)) return ids;
    const known = await (owners ??= listOwners(engine, table, ids));
    return ids.filter(
      (id) => known.has(id) && canFindRow(table, caller, known.get(id)!.owner, known.get(id)!.grants),
    );
  };
}

type OwnedRecord = { owner: unknown; grants: ObjectGrant[] };

async function listOwners(
  engine: DataContext,
  table: Table,
  ids: string[],
): Promise<Map<string, OwnedRecord>> {
  const grants = await listFindGrants(engine, table, ids);
  const rows = await runQuery<{ id: string; owner: unknown }>(
    engine,
    sql`select object_id as id, owner_id as owner from ${tableSql(table)} where object_id = any(${ids})`,
  );
  return new Map(rows.map(({ id, owner }) => [id, { owner, grants: grants.get(id) ?? [] }]));
}

async function filterFindable(
  engine: DataContext,
  table: Table,
  caller: Caller,
  ids: string[],
): Promise<string[]> {
  const source = { table, alias: "t" };
  const rows = await runQuery<{ id: string }>(
    engine,
    sql`select ${idSql(source)}::text as id from ${tableSql(table)} as t
      where ${idInSql(source, ids)} and (${allowedRowsSql(table, caller, "FIND", "t")})`,
  );
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

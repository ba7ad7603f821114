import { type Db, maybeOne, sql } from "#platform/database";
import type { Happening, Whole } from "#platform/outbox";
import type { Caller, Engine, Table, WireRecord } from "../catalogue/types.ts";
import { deniedIn, grantsOf } from "../permissions/grants.ts";
import { findsRow, type Grant, mayAll, rowsFor } from "../permissions/rows.ts";
import { rowsOf } from "../query/run.ts";
import { everyColumn, leaving, recordOf, selected } from "../query/shown.ts";
import { idSql, oneOfSql, Sources, tableSql } from "../query/sources.ts";

const RELATION_EVENTS: Record<string, string> = { set: "set", added: "add", deleted: "delete" };
const OF_TABLES = /^(records?|relation)\.(\w+)$/;

/** Whether this happened to what programs keep in tables of their own. */
export const isOfTables = ({ type }: Happening): boolean => OF_TABLES.test(type);

/**
 * Under which events it is told. An upsert is told as what it did, too: who follows what is made and what is changed has followed
 * everything.
 */
export function eventsOf({ type, made }: Happening): { kind: "record" | "records" | "relation"; events: string[] } {
  const [, kind = "", event = ""] = OF_TABLES.exec(type) ?? [];
  if (kind === "relation") return { kind, events: [RELATION_EVENTS[event]!] };
  if (kind === "records") return { kind, events: [`bulk-${event}`] };
  return { kind: "record", events: event === "upserted" ? ["upserted", made === true ? "created" : "updated"] : [event] };
}

/** A record that changed: as it is after that, or was when it went; and what was granted for it. */
type ChangedRecord = { record: WireRecord; grants: Grant[] };

/** A change of one record, from what is known where it happened or else from what is stored; null where that is gone by now. */
export async function changedRecord(
  engine: Engine,
  table: Table,
  happening: Happening,
  id: string,
  whole: Whole | null,
): Promise<ChangedRecord | null> {
  const known = whole?.["record"] as WireRecord | undefined;
  if (known) return { record: known, grants: (whole!["grants"] as Grant[] | undefined) ?? (await grantsFor(engine, table, happening)) };
  if (happening.type === "record.deleted") return lastState(engine, table, id);
  const record = await recordNow(engine, table, String(happening["objectId"]));
  return record && { record, grants: await grantsFor(engine, table, happening) };
}

const grantsFor = async (engine: Engine, table: Table, { objectId }: Happening): Promise<Grant[]> =>
  table.hasGrants ? ((await grantsOf(engine, table, [String(objectId)])).get(String(objectId)) ?? []) : [];

/** Whoever hears of it is asked about when it is there: so it is read as the server reads it. */
const READER: Caller = { userId: null, roles: [], server: true };

async function recordNow({ db, catalogue }: Engine, table: Table, objectId: string): Promise<WireRecord | null> {
  const place = { table, alias: "t" };
  const shown = everyColumn(table, READER, new Sources({ catalogue, caller: READER, ...place }, "j"));
  const [row] = await rowsOf(db, sql`select ${selected(shown, READER)} from ${tableSql(table)} as t where ${oneOfSql(place, [objectId])}`);
  return row ? recordOf(table, shown, row) : null;
}

type Kept = { names: string[]; row: Record<string, unknown>; grants: Grant[] };

async function lastState({ db }: Engine, table: Table, id: string): Promise<ChangedRecord | null> {
  const kept = (await wholeOf(db, id)) as Kept | null;
  if (!kept) return null;
  const record: WireRecord = { ___class: table.name };
  for (const [at, name] of kept.names.entries()) record[name] = again(table, name, kept.row[`s${at}`]);
  return { record, grants: kept.grants };
}

function again(table: Table, name: string, value: unknown): unknown {
  const type = table.columns.get(name)?.type;
  return type === "DATETIME" && typeof value === "string" ? leaving(new Date(value), "date") : (value ?? null);
}

/** What a happening was too short for, as long as it is kept. */
export const wholeOf = async (db: Db, id: string): Promise<Whole | null> =>
  (await maybeOne(db, sql<{ about: Whole }>`select about from data_told where outbox_id = ${id}`))?.about ?? null;

/** Whether the caller finds all that a table has: what is said of many at once is for them. */
export async function findersOfAll(engine: Engine, table: Table): Promise<(caller: Caller) => boolean> {
  const denials = await deniedIn(engine, table);
  return (caller) => caller.server || (mayAll(table, caller, "find") && findsRow(table, caller, null, denials));
}

/** Which of these records each caller finds, in their order. Callers who find whatever is there are not asked about one by one. */
export async function findersOf(engine: Engine, table: Table, ids: string[]): Promise<(caller: Caller) => Promise<string[]>> {
  if (table.noun) return (caller) => foundBy(engine, table, caller, ids);
  const all = await findersOfAll(engine, table);
  let owners: Promise<Map<string, ChangedRecord>> | null = null;
  return async (caller) => {
    if (all(caller)) return ids;
    const known = await (owners ??= ownersOf(engine, table, ids));
    return ids.filter((id) => known.has(id) && findsRow(table, caller, known.get(id)!.record["ownerId"], known.get(id)!.grants));
  };
}

async function ownersOf(engine: Engine, table: Table, ids: string[]): Promise<Map<string, ChangedRecord>> {
  const grants = await grantsOf(engine, table, ids);
  const rows = await rowsOf(
    engine.db,
    sql`select object_id as id, owner_id as owner from ${tableSql(table)} where object_id = any(${ids})`,
  );
  return new Map(rows.map(({ id, owner }) => [id as string, { record: { ownerId: owner }, grants: grants.get(id as string) ?? [] }]));
}

async function foundBy({ db }: Engine, table: Table, caller: Caller, ids: string[]): Promise<string[]> {
  const place = { table, alias: "t" };
  const rows = await rowsOf(
    db,
    sql`select ${idSql(place)}::text as id from ${tableSql(table)} as t where ${oneOfSql(place, ids)} and (${rowsFor(table, caller, "FIND", "t")})`,
  );
  const found = new Set(rows.map(({ id }) => id as string));
  return ids.filter((id) => found.has(id));
}

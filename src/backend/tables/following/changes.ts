import { type Db, maybeOne, one, sql } from "#platform/database";
import type { Happening, Whole } from "#platform/outbox";
import type { Caller, Engine, Table, WireRecord } from "../catalogue/types.ts";
import { deniedIn, grantsOf } from "../permissions/grants.ts";
import { findsRow, type Grant, grantsSql, mayAll, rowsFor } from "../permissions/rows.ts";
import { rowsOf } from "../query/run.ts";
import { everyColumn, leaving, recordOf, selected } from "../query/shown.ts";
import { idSql, oneOfSql, Sources, tableSql } from "../query/sources.ts";

const RELATION_EVENTS: Record<string, string> = { set: "set", added: "add", deleted: "delete" };
const OF_TABLES = /^(records?|relation)\.(\w+)$/;

/** Whether the event is about data tables. */
export const isOfTables = ({ type }: Happening): boolean => OF_TABLES.test(type);

/**
 * The events under which a change is delivered. An upsert also counts as the creation or update it was, for
 * subscribers of those.
 */
export function eventsOf({ type, made }: Happening): { kind: "record" | "records" | "relation"; events: string[] } {
  const [, kind = "", event = ""] = OF_TABLES.exec(type) ?? [];
  if (kind === "relation") return { kind, events: [RELATION_EVENTS[event]!] };
  if (kind === "records") return { kind, events: [`bulk-${event}`] };
  return { kind: "record", events: event === "upserted" ? ["upserted", made === true ? "created" : "updated"] : [event] };
}

/**
 * A changed record in its new state, or its last one if deleted. A subscriber must be able to find it by each
 * of the lists of grants: those at the change, and the current ones.
 */
export type ChangedRecord = { record: WireRecord; grants: Grant[][] };

/** Loads a changed record from the event's details or the database; null if it is gone. */
export async function changedRecord(
  engine: Engine,
  table: Table,
  happening: Happening,
  id: string,
  whole: Whole | null,
): Promise<ChangedRecord | null> {
  const known = whole?.["record"] as WireRecord | undefined;
  const then = whole?.["grants"] as Grant[] | undefined;
  if (happening.type === "record.deleted") return known ? { record: known, grants: [then ?? []] } : lastState(engine, table, id);
  const objectId = String(happening["objectId"]);
  const record = known ?? (await recordNow(engine, table, objectId));
  const now = await grantsNow(engine, table, objectId);
  if (!record || (!known && !now)) return null;
  const lists = [then, now].filter((list) => list !== undefined && list !== null);
  return { record, grants: lists.length > 0 ? lists : [[]] };
}

/** Current grants of a record; null if it is gone. */
async function grantsNow({ db }: Engine, table: Table, objectId: string): Promise<Grant[] | null> {
  if (!table.hasGrants) return [];
  const there = sql`exists (select from ${tableSql(table)} as t where ${oneOfSql({ table, alias: "t" }, [objectId])})`;
  const { stands, grants } = await one(
    db,
    sql<{ stands: boolean; grants: Grant[] }>`select ${there} as stands, ${grantsSql(table, objectId)} as grants`,
  );
  return stands ? grants : null;
}

/** Whether the caller may find the changed record. */
export const findsChanged = (table: Table, caller: Caller, { record, grants }: ChangedRecord): boolean =>
  grants.every((list) => findsRow(table, caller, record["ownerId"], list));

/** Permissions are checked per subscriber later, so the record is read as the server. */
const READER: Caller = { userId: null, roles: [], server: true };

async function recordNow(engine: Engine, table: Table, objectId: string): Promise<WireRecord | null> {
  const place = { table, alias: "t" };
  const shown = everyColumn(table, READER, new Sources({ catalogue: engine.catalogue, caller: READER, ...place }, "j"));
  const [row] = await rowsOf(
    engine,
    sql`select ${selected(shown, READER)} from ${tableSql(table)} as t where ${oneOfSql(place, [objectId])}`,
  );
  return row ? recordOf(table, shown, row) : null;
}

type Kept = { names: string[]; row: Record<string, unknown>; grants: Grant[] };

async function lastState({ db }: Engine, table: Table, id: string): Promise<ChangedRecord | null> {
  const kept = (await wholeOf(db, id)) as Kept | null;
  if (!kept) return null;
  const record: WireRecord = { ___class: table.name };
  for (const [at, name] of kept.names.entries()) record[name] = again(table, name, kept.row[`s${at}`]);
  return { record, grants: [kept.grants] };
}

function again(table: Table, name: string, value: unknown): unknown {
  const type = table.columns.get(name)?.type;
  return type === "DATETIME" && typeof value === "string" ? leaving(new Date(value), "date") : (value ?? null);
}

/** Details too long for the event itself, while they are stored. */
export const wholeOf = async (db: Db, id: string): Promise<Whole | null> =>
  (await maybeOne(db, sql<{ about: Whole }>`select about from data_told where outbox_id = ${id}`))?.about ?? null;

/**
 * Returns a check whether a caller can find every row of the table, for bulk changes. With the event's
 * details, denials at the change count as well as current ones.
 */
export async function findersOfAll(engine: Engine, table: Table, whole: Whole | null = null): Promise<(caller: Caller) => boolean> {
  const then = (whole?.["denied"] as Grant[] | undefined) ?? [];
  const denials = [...then, ...(await deniedIn(engine, table))];
  return (caller) => caller.server || (mayAll(table, caller, "find") && findsRow(table, caller, null, denials));
}

/**
 * Returns a filter of these ids to those a caller can find, in order. Callers who can find every row need no
 * query.
 */
export async function findersOf(engine: Engine, table: Table, ids: string[]): Promise<(caller: Caller) => Promise<string[]>> {
  if (table.noun) return (caller) => foundBy(engine, table, caller, ids);
  const all = await findersOfAll(engine, table);
  let owners: Promise<Map<string, Owned>> | null = null;
  return async (caller) => {
    if (all(caller)) return ids;
    const known = await (owners ??= ownersOf(engine, table, ids));
    return ids.filter((id) => known.has(id) && findsRow(table, caller, known.get(id)!.owner, known.get(id)!.grants));
  };
}

type Owned = { owner: unknown; grants: Grant[] };

async function ownersOf(engine: Engine, table: Table, ids: string[]): Promise<Map<string, Owned>> {
  const grants = await grantsOf(engine, table, ids);
  const rows = await rowsOf(engine, sql`select object_id as id, owner_id as owner from ${tableSql(table)} where object_id = any(${ids})`);
  return new Map(rows.map(({ id, owner }) => [id as string, { owner, grants: grants.get(id as string) ?? [] }]));
}

async function foundBy(engine: Engine, table: Table, caller: Caller, ids: string[]): Promise<string[]> {
  const place = { table, alias: "t" };
  const rows = await rowsOf(
    engine,
    sql`select ${idSql(place)}::text as id from ${tableSql(table)} as t where ${oneOfSql(place, ids)} and (${rowsFor(table, caller, "FIND", "t")})`,
  );
  const found = new Set(rows.map(({ id }) => id as string));
  return ids.filter((id) => found.has(id));
}

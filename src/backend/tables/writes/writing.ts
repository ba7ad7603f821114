import { type Db, many, run, sql, type Tx } from "#platform/database";
import { type Happening, hear, type Whole } from "#platform/outbox";
import type { KeptCatalogue } from "../catalogue/kept.ts";
import type { Caller, Catalogue, Column, Fragment, Table, WireRecord } from "../catalogue/types.ts";
import { type Grant, grantsSql } from "../permissions/rows.ts";
import { bytesSql, couldBeLarge, MOST_BYTES } from "../query/measured.ts";
import { BY_CALLERS } from "../query/run.ts";
import { everyColumn, recordOf, selected, type Shown } from "../query/shown.ts";
import { Sources } from "../query/sources.ts";
import { withFaults } from "./database-faults.ts";

/**
 * Context of a write: database, catalogue, time, ids, and callbacks after the commit. `alone`: a single
 * statement that commits automatically.
 */
export type Writing = { db: Db; catalogue: Catalogue; now: Date; newId: () => string; after: (what: () => void) => void; alone: boolean };

/** Within a transaction; callbacks run after its commit. */
export const writingIn = (tx: Tx, catalogue: KeptCatalogue): Writing => ({
  db: tx,
  catalogue: catalogue.within(tx),
  now: tx.now,
  newId: tx.newId,
  after: tx.afterCommit,
  alone: false,
});

/** Event types of changes, of one record or many. */
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

type About = Record<string, string | number | boolean | null>;

/**
 * A change of one record. `made`: an upsert created it. `grants`: those of a removed record; otherwise they
 * are read with the change, since both may be gone when the event is delivered.
 */
export type OneChange = {
  table: Table;
  caller: Caller;
  event: RecordEvent;
  objectId: string;
  made?: boolean | undefined;
  grants?: Grant[];
};

/**
 * One statement runs the change (`change`, which returns rows of the table under `r`) and writes the domain
 * event.
 */
export async function changeOne(
  writing: Writing,
  { table, caller, event, objectId, made, grants }: OneChange,
  change: (list: Fragment) => Fragment,
): Promise<WireRecord | null> {
  const shown = everyColumn(table, caller, new Sources({ catalogue: writing.catalogue, caller, table, alias: "r" }, "r_j"));
  const happening = happeningOf(table, caller, event, { objectId, ...(made !== undefined && { made }) });
  const last = event === "record.deleted" ? sql`, ${lastState(writing, shown, grants ?? [])}` : sql``;
  const granted = table.hasGrants && event !== "record.deleted" ? grantsSql(table, objectId) : sql`null`;
  const rows = await withFaults(table, () =>
    many(
      writing.db,
      sql<Record<string, unknown> & { told: string; granted: Grant[] | null }>`${BY_CALLERS}
        with it as (${change(selected(shown, caller))}),
        told as (
          insert into outbox (type, payload, at)
          select ${happening.type}, ${JSON.stringify(happening)}::jsonb, ${writing.now}::timestamptz from it returning id)${last}
        select it.*, told.id as told, ${granted} as granted from it, told ${event === "record.deleted" ? sql`` : ifShort(shown)}`,
    ),
  );
  const row = rows[0];
  if (!row) return null;
  const record = recordOf(table, shown, row);
  // Copied now, since a deep save adds more to the answer.
  const whole = { record: { ...record }, grants: grants ?? row.granted ?? undefined };
  writing.after(() => hear(happening, row.told, whole));
  return record;
}

/**
 * The stored record is answered whole and must fit into an answer; most records are too small to be measured.
 */
function ifShort(shown: Shown[]): Fragment {
  const terms = shown.map(({ term }) => term);
  if (!couldBeLarge(terms, 1)) return sql``;
  const bytes = bytesSql(terms.map(({ kind }, at) => ({ kind, sql: sql.id("it", `s${at}`) })));
  return sql`where bytes_within(${bytes}, ${MOST_BYTES})`;
}

/** The final state of a removed record is stored for a while, for subscribers in other processes. */
const lastState = (writing: Writing, shown: Shown[], grants: Grant[]): Fragment => sql`kept as (
  insert into data_told (outbox_id, about, at)
  select told.id, jsonb_build_object('names', ${JSON.stringify(shown.map(({ key }) => key))}::jsonb,
    'grants', ${JSON.stringify(grants)}::jsonb, 'row', to_jsonb(it)), ${writing.now}::timestamptz from it, told)`;

/** The domain event of a change. */
export const happeningOf = (table: Table, { userId, cause }: Caller, type: RecordEvent, about: About): Happening => ({
  type,
  table: table.name,
  by: userId,
  ...about,
  ...(cause && { cause }),
});

/** Characters of a list or clause in an event; other processes load longer ones from the database. */
const LONGEST = 2_000;
/** The text if it fits into an event, null otherwise. */
export const shortEnough = (text: string): string | null => (text.length <= LONGEST ? text : null);

/**
 * Emits the event of a bulk change. `whole` has the lists and clauses of which `about` contains the short
 * ones.
 */
export async function tellOfMany(
  writing: Writing,
  table: Table,
  caller: Caller,
  event: RecordEvent,
  about: About,
  whole: Whole,
): Promise<void> {
  const happening = happeningOf(table, caller, event, about);
  const [row] = await many(
    writing.db,
    sql<{ id: string }>`
      insert into outbox (type, payload, at) values (${happening.type}, ${JSON.stringify(happening)}::jsonb, ${writing.now}) returning id`,
  );
  if (Object.keys(whole).some((key) => whole[key] !== null && about[key] === null)) await keepWhole(writing, row!.id, whole);
  writing.after(() => hear(happening, row!.id, whole));
}

const keepWhole = (writing: Writing, id: string, whole: Whole) =>
  run(writing.db, sql`insert into data_told (outbox_id, about, at) values (${id}, ${JSON.stringify(whole)}::jsonb, ${writing.now})`);

export type Setting = { column: Column; value: Fragment };

export const tableSql = (table: Table): Fragment => sql`${sql.id(table.schema, table.sqlName)}`;

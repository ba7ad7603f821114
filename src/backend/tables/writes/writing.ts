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
 * What a writing needs: where to, its one moment and its ids, and what is to be done once it is stored. `alone`: it is one statement, and
 * stored with it.
 */
export type Writing = { db: Db; catalogue: Catalogue; now: Date; newId: () => string; after: (what: () => void) => void; alone: boolean };

/** Within a transaction: what waits for its end waits for the end of that. */
export const writingIn = (tx: Tx, catalogue: KeptCatalogue): Writing => ({
  db: tx,
  catalogue: catalogue.within(tx),
  now: tx.now,
  newId: tx.newId,
  after: tx.afterCommit,
  alone: false,
});

/** What a change of one record, or of many at once, is told as. */
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
 * What happens to one record. `made`: an upsert has made it new. `grants`: what was granted for a record that goes; of any other it is read
 * with the change, since it may be gone, with all that was granted for it, before anybody is told.
 */
export type OneChange = {
  table: Table;
  caller: Caller;
  event: RecordEvent;
  objectId: string;
  made?: boolean | undefined;
  grants?: Grant[];
};

/** One statement makes the change (`change`, which returns rows of the table under `r`) and writes down that it happened. */
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
  // As it is now: whoever saves deeply puts more into the answer.
  const whole = { record: { ...record }, grants: grants ?? row.granted ?? undefined };
  writing.after(() => hear(happening, row.told, whole));
  return record;
}

/** What was stored is answered whole, and so has to be no more than an answer can hold; most records could not be. */
function ifShort(shown: Shown[]): Fragment {
  const terms = shown.map(({ term }) => term);
  if (!couldBeLarge(terms, 1)) return sql``;
  const bytes = bytesSql(terms.map(({ kind }, at) => ({ kind, sql: sql.id("it", `s${at}`) })));
  return sql`where bytes_within(${bytes}, ${MOST_BYTES})`;
}

/** What a record was at its end is kept for a while, for those who are told of it elsewhere: it can be read nowhere else. */
const lastState = (writing: Writing, shown: Shown[], grants: Grant[]): Fragment => sql`kept as (
  insert into data_told (outbox_id, about, at)
  select told.id, jsonb_build_object('names', ${JSON.stringify(shown.map(({ key }) => key))}::jsonb,
    'grants', ${JSON.stringify(grants)}::jsonb, 'row', to_jsonb(it)), ${writing.now}::timestamptz from it, told)`;

/** How a change of a table is told. */
export const happeningOf = (table: Table, { userId, cause }: Caller, type: RecordEvent, about: About): Happening => ({
  type,
  table: table.name,
  by: userId,
  ...about,
  ...(cause && { cause }),
});

/** Characters of a list or clause that travels with the news of it: other processes hear only what is short. */
const LONGEST = 2_000;
/** A list, or a clause, as a happening can carry it; null where it is too long for that. */
export const shortEnough = (text: string): string | null => (text.length <= LONGEST ? text : null);

/** Writes down what happened to many records at once. `whole`: its lists and clauses, of which `about` has those that are short enough. */
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

/** The columns that a record sets, with what each is set to. */
export type Setting = { column: Column; value: Fragment };

export const tableSql = (table: Table): Fragment => sql`${sql.id(table.schema, table.sqlName)}`;

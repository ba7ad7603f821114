import { type Db, many, sql } from "#platform/database";
import { type Happening, hear } from "#platform/outbox";
import type { Caller, Catalogue, Table, WireRecord } from "../catalogue/types.ts";
import { type Gathering, gathering } from "../gathering.ts";
import { SEES_ALL } from "../query/find.ts";
import { BY_CALLERS } from "../query/run.ts";
import { everyColumn, recordOf, selected } from "../query/shown.ts";
import { Sources } from "../query/sources.ts";
import { isRefused, withFaults } from "./database-faults.ts";
import { columnsOf, idsOf, listOf, ownersOf, type Row } from "./rows.ts";
import { happeningOf, tableSql, type Writing } from "./writing.ts";

/** A row to insert, its time, and its domain event. */
type New = { row: Row; now: Date; happening: Happening };
/** The stored row by short names, with the id of its outbox row. */
type Stored = Record<string, unknown> & { told: string };

/** Keyed by catalogue entry: a changed table gets a new loader. Null if rows must be inserted one by one. */
const gatherings = new WeakMap<Table, Gathering<New, Stored> | null>();

/** Characters of a row in a shared statement. */
const LONGEST = 10_000;

/**
 * The loader for batched inserts; null if the row must be inserted on its own: in a transaction, when it is
 * long, or when a unique column could make it wait or fail because of another row.
 */
export function gatheringFor(writing: Writing, table: Table, row: Row): Gathering<New, Stored> | null {
  if (!writing.alone || row.expressions.size > 0 || lengthOf(row) > LONGEST) return null;
  const known = gatherings.get(table);
  if (known !== undefined) return known;
  const isShared = ![...table.columns.values()].some(({ name, unique, hidden, seen }) => (unique && name !== "objectId") || hidden || seen);
  const { db, catalogue } = writing;
  const made = isShared ? gathering<New, Stored>((list) => storeAll({ db, catalogue }, table, list)) : null;
  gatherings.set(table, made);
  return made;
}

const lengthOf = ({ values }: Row): number =>
  values.values().reduce<number>((sum, it) => sum + (typeof it === "string" ? it.length : 0), 0);

/** Inserts a row and publishes its event, like `changeRow`. */
export async function createTogether(
  writing: Writing,
  { table, caller }: { table: Table; caller: Caller },
  row: Row,
  together: Gathering<New, Stored>,
): Promise<WireRecord> {
  const happening = happeningOf(table, caller, "record.created", { objectId: row.objectId });
  const stored = await together.load({ row, happening, now: writing.now });
  const record = recordOf(table, columnsShown(writing, table, caller), stored);
  // A new record has no grants yet.
  const whole = { record: { ...record }, grants: table.hasGrants ? [] : undefined };
  writing.after(() => hear(happening, stored.told, whole));
  return record;
}

const columnsShown = ({ catalogue }: Pick<Writing, "catalogue">, table: Table, caller: Caller) =>
  everyColumn(table, caller, new Sources({ catalogue, caller, table, alias: "r" }, "r_j"));

type To = { db: Db; catalogue: Catalogue };

/** If the database refuses the batch, each row is tried on its own and gets its own error. */
async function storeAll(to: To, table: Table, list: readonly New[]): Promise<(Stored | Error)[]> {
  try {
    return await store(to, table, list);
  } catch (error) {
    if (list.length === 1 || !isRefused(error)) throw error;
    return Promise.all(list.map((it) => store(to, table, [it]).then(([stored]) => stored!, asError)));
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

async function store({ db, catalogue }: To, table: Table, list: readonly New[]): Promise<Stored[]> {
  const rows = list.map(({ row }) => row);
  const columns = columnsOf(table, rows);
  const names = sql.join(["object_id", "owner_id", "created", ...columns.map(({ sqlName }) => sqlName)].map((name) => sql.id(name)));
  const moments = sql`${list.map(({ now }) => now)}::timestamptz[]`;
  const told = sql`${list.map(({ happening }) => JSON.stringify(happening))}::jsonb[]`;
  const lists = sql.join([told, idsOf(rows), ownersOf(rows), moments, ...columns.map((column) => listOf(rows, column))]);
  // The columns are the same for every caller.
  const shown = selected(columnsShown({ catalogue }, table, SEES_ALL), SEES_ALL);
  const stored = await withFaults(table, () =>
    many(
      db,
      sql<Stored & { row_id: string }>`${BY_CALLERS}
        with given as (select * from unnest(${lists}) as it (payload, ${names})),
        it as (insert into ${tableSql(table)} as r (${names}) select ${names} from given returning r.object_id as row_id, ${shown}),
        told as (
          insert into outbox (type, payload, at) select payload ->> 'type', payload, created from given
          returning id, payload ->> 'objectId' as row_id)
        select it.*, told.id as told from it join told using (row_id)`,
    ),
  );
  const byId = new Map(stored.map((it) => [it.row_id, it]));
  return rows.map(({ objectId }) => byId.get(objectId)!);
}

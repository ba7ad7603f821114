import { begunAgain, type Database, isCollision, type Tx } from "#platform/database";
import { KeptCatalogue } from "./catalogue/kept.ts";
import type { Noun, Table } from "./catalogue/types.ts";
import { CODES, TableFault } from "./faults.ts";
import type { Hooks } from "./hooks.ts";
import { collided, isOutdated } from "./writes/database-faults.ts";
import { type Quota, Room } from "./room.ts";
import { Turn } from "./turn.ts";
import { type Writing, writingIn } from "./writes/writing.ts";

/** The data tables and API entities. */
export type Tables = Pick<Database, "db" | "shared" | "inTransaction" | "world"> & {
  catalogue: KeptCatalogue;
  room: Room;
  /**
   * Queues for growing tables and for transactions that collided: each holds a connection while it waits for
   * another.
   */
  turns: { growth: Turn; collided: Turn };
  /** Limits transactions of several statements that hooks may delay. */
  inTurn?: Hooks["inTurn"];
};

type Options = {
  /** Connections of API clients only, so that slow queries do not delay pages. */
  database: Pick<Database, "db" | "shared" | "inTransaction" | "world">;
  /** API entities published as tables. */
  nouns?: Noun[];
  /** Whether unknown names create tables and columns, until the configuration says otherwise. */
  dynamicSchema: boolean;
  /** Whether the API currently has the defaults of the hosted service; off by default. */
  hosted?: () => Promise<boolean>;
  /** Hooks around actions on records. */
  hooks?: Hooks;
  /** Current limits of all tables together; none by default. */
  quota?: () => Promise<Quota>;
};

const NO_QUOTA = async () => ({ rows: 0, bytes: 0 });

/** Opens the data tables. Nothing is read before the first call. */
export const openTables = ({
  database: { db, shared, inTransaction, world },
  nouns = [],
  dynamicSchema,
  hosted = async () => false,
  hooks,
  quota = NO_QUOTA,
}: Options): Tables => ({
  db,
  shared,
  inTransaction,
  world,
  catalogue: new KeptCatalogue({ db, nouns, dynamicSchema, hosted, hooks }),
  room: new Room({ db, now: world.now, quota }),
  turns: { growth: new Turn(), collided: new Turn() },
  inTurn: hooks?.inTurn,
});

/**
 * Reserves new rows of a table, or space for a change. API entities do not count.
 * @throws 1021
 */
export async function takeRoom({ catalogue, room }: Tables, name: string, rows: number): Promise<void> {
  await catalogue.config();
  if (!catalogue.known(name)?.noun) await room.take(rows);
}

/**
 * Runs `work` with a table from the cached catalogue, and again with the current one if the cache turns out
 * to be outdated.
 */
export async function onTable<T>({ catalogue }: Tables, name: string, work: (table: Table) => Promise<T>): Promise<T> {
  try {
    return await work(await catalogue.table(name));
  } catch (error) {
    if (!(await failedBehind(catalogue, error))) throw error;
    return work(await catalogue.table(name));
  }
}

/**
 * Whether an error may come from an outdated catalogue that has changed since: either the database reports
 * it, or a refusal could have become obsolete. The next reader rereads the catalogue.
 */
export async function failedBehind(catalogue: KeptCatalogue, error: unknown): Promise<boolean> {
  if (isOutdated(error)) return (catalogue.forget(), true);
  return error instanceof TableFault && OF_TABLES.has(error.code) && catalogue.isBehind();
}

/** Refusals that depend on the catalogue: unknown columns, invalid values, missing permissions. */
const OF_TABLES = new Set<number>([CODES.columnNotFound, CODES.clause, CODES.badValue, CODES.missingValues, CODES.notPermitted]);

/** A write of one statement, which commits automatically. */
export const oneStatement = ({ db, catalogue, world }: Tables): Writing => ({
  db,
  catalogue,
  now: world.now(),
  newId: world.newId,
  after: (what) => what(),
  alone: true,
});

/** Runs a write of several statements in one transaction. */
export const inOneGo = <T>(tables: Tables, work: (writing: Writing) => Promise<T>): Promise<T> =>
  oneTransaction(tables, (tx) => work(writingIn(tx, tables.catalogue)));

/** Limits transactions in which hooks may run: each holds a connection while a hook may need another. */
export const inTurn = <T>(tables: Tables, work: () => Promise<T>): Promise<T> => (tables.inTurn ? tables.inTurn(work) : work());

/** Runs a transaction, and repeats it after a collision with another. */
export const oneTransaction = <T>(tables: Tables, work: (tx: Tx) => Promise<T>): Promise<T> =>
  begunAgain(() => inTurn(tables, () => tables.inTransaction(work))).catch((error: unknown) => {
    throw isCollision(error) ? collided() : error;
  });

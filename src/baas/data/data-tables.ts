import { retryOnConflict, type Database, isSerializationConflict, type Tx } from "#platform/database";
import { KeyedQueue } from "#platform/queue";
import { CachedCatalogue } from "./catalogue/cached-catalogue.ts";
import type { EntityTable, Table } from "./catalogue/types.ts";
import { CODES, TableFault } from "./data-errors.ts";
import type { Hooks } from "./data-hooks.ts";
import { transactionConflict, isSchemaOutdated } from "./writes/database-errors.ts";
import { type Quota, DataQuota } from "./data-quota.ts";
import { type WriteContext, createWriteContext } from "./writes/write-context.ts";

/** The data tables and API entities. */
export type DataTables = Pick<Database, "db" | "inTransaction" | "runtime"> & {
  catalogue: CachedCatalogue;
  quota: DataQuota;
  /**
   * Queue for work that would otherwise occupy a connection while it waits. The key `growth` is for the
   * creation of missing columns, `collided` for transactions that collided with others.
   */
  queue: KeyedQueue;
  /** Limits transactions of several statements, in which hooks may run. */
  inTurn?: Hooks["inTurn"];
};

type TablesOptions = {
  /** Database with connections for API clients only, so that slow queries do not delay pages. */
  database: Pick<Database, "db" | "inTransaction" | "runtime">;
  /** API entities published as tables. */
  entities?: EntityTable[];
  /** Whether unknown names create tables and columns, unless the stored configuration says otherwise. */
  dynamicSchema: boolean;
  /** Whether the API currently has the defaults of the hosted service; false by default. */
  hosted?: () => Promise<boolean>;
  /** Hooks around actions on records. */
  hooks?: Hooks;
  /** Current limits of all tables together; unlimited by default. */
  quota?: () => Promise<Quota>;
};

const NO_QUOTA = async () => ({ rows: 0, bytes: 0 });

/** Creates the store of data tables. Nothing is read before the first call. */
export const createDataTableStore = ({
  database: { db, inTransaction, runtime },
  entities = [],
  dynamicSchema,
  hosted = async () => false,
  hooks,
  quota = NO_QUOTA,
}: TablesOptions): DataTables => ({
  db,
  inTransaction,
  runtime,
  catalogue: new CachedCatalogue({ db, entities, dynamicSchema, hosted, hooks }),
  quota: new DataQuota({ db, now: runtime.now, quota }),
  queue: new KeyedQueue(),
  inTurn: hooks?.inTurn,
});

/**
 * Reserves new rows of a table, or space for a change. Rows of API entities do not count.
 * @throws 1021
 */
export async function reserveRows(
  { catalogue, quota }: DataTables,
  name: string,
  rows: number,
): Promise<void> {
  await catalogue.config();
  if (!catalogue.known(name)?.entity) await quota.take(rows);
}

/**
 * Runs `work` with a table from the cached catalogue. If that turns out to be outdated, runs it again with
 * the current table.
 */
export async function withTable<T>(
  { catalogue }: DataTables,
  name: string,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  try {
    return await work(await catalogue.table(name));
  } catch (error) {
    if (!(await isStaleCatalogueError(catalogue, error))) throw error;
    return work(await catalogue.table(name));
  }
}

/**
 * Whether an error may come from an outdated catalogue: the database reports a changed schema, or the
 * refusal depends on a catalogue that has changed since. The catalogue is then read again on next use.
 */
export async function isStaleCatalogueError(catalogue: CachedCatalogue, error: unknown): Promise<boolean> {
  if (isSchemaOutdated(error)) return (catalogue.forget(), true);
  return error instanceof TableFault && CATALOGUE_CODES.has(error.code) && catalogue.isBehind();
}

/** Refusals that depend on the catalogue: unknown columns, invalid values, missing permissions. */
const CATALOGUE_CODES = new Set<number>([
  CODES.columnNotFound,
  CODES.clause,
  CODES.badValue,
  CODES.missingValues,
  CODES.notPermitted,
]);

/** Creates the context of a write that is one statement and commits automatically. */
export const createStatementContext = ({ db, catalogue, runtime }: DataTables): WriteContext => ({
  db,
  catalogue,
  now: runtime.now(),
  newId: runtime.newId,
  after: (what) => what(),
  alone: true,
});

/** Runs a write of several statements in one transaction. */
export const writeInTransaction = <T>(
  tables: DataTables,
  work: (writing: WriteContext) => Promise<T>,
): Promise<T> => runTransaction(tables, (tx) => work(createWriteContext(tx, tables.catalogue)));

/**
 * Limits transactions in which hooks may run: each occupies a connection, and its hook may need another one.
 */
export const withHookSlot = <T>(tables: DataTables, work: () => Promise<T>): Promise<T> =>
  tables.inTurn ? tables.inTurn(work) : work();

/** Runs a transaction, and repeats it after a collision with another. */
export const runTransaction = <T>(tables: DataTables, work: (tx: Tx) => Promise<T>): Promise<T> =>
  retryOnConflict(() => withHookSlot(tables, () => tables.inTransaction(work))).catch((error: unknown) => {
    throw isSerializationConflict(error) ? transactionConflict() : error;
  });

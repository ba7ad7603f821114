import { begunAgain, type Database, isCollision, type Tx } from "#platform/database";
import { KeptCatalogue } from "./catalogue/kept.ts";
import type { Noun, Table } from "./catalogue/types.ts";
import { CODES, TableFault } from "./faults.ts";
import type { Hooks } from "./hooks.ts";
import { collided, isOutdated } from "./writes/database-faults.ts";
import { type Quota, Room } from "./room.ts";
import { Turn } from "./turn.ts";
import { type Writing, writingIn } from "./writes/writing.ts";

/** All tables that programs reach, of their own and published ones. */
export type Tables = Pick<Database, "db" | "shared" | "inTransaction" | "world"> & {
  catalogue: KeptCatalogue;
  room: Room;
  /** Tables that grow take turns, and so do transactions that stood in the way of others: each holds a line while it waits for another. */
  turns: { growth: Turn; collided: Turn };
  /** The turn of whoever writes several statements in one go, where hooks may keep them waiting. */
  inTurn?: Hooks["inTurn"];
};

type Options = {
  /** Of programs alone, so that what they ask keeps nobody else waiting. */
  database: Pick<Database, "db" | "shared" | "inTransaction" | "world">;
  /** What others publish as tables. */
  nouns?: Noun[];
  /** Whether unknown names make tables and columns, until somebody sets it otherwise. */
  dynamicSchema: boolean;
  /** Whether the API has the defaults of the hosted service, at this moment; not unless somebody says so. */
  hosted?: () => Promise<boolean>;
  /** What others do before and after something is done with records. */
  hooks?: Hooks;
  /** What all tables together may come to, at this moment; any number unless somebody says otherwise. */
  quota?: () => Promise<Quota>;
};

const NO_QUOTA = async () => ({ rows: 0, bytes: 0 });

/** Opens the tables. Nothing is read before the first question. */
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

/** Takes room for so many new rows of a table, or for a change of some. Throws 1021 where there is none; nouns are not counted here. */
export async function takeRoom({ catalogue, room }: Tables, name: string, rows: number): Promise<void> {
  await catalogue.config();
  if (!catalogue.known(name)?.noun) await room.take(rows);
}

/** Runs on a table as it is known here. Where that turns out to be behind what the database has, once more with what it is by now. */
export async function onTable<T>({ catalogue }: Tables, name: string, work: (table: Table) => Promise<T>): Promise<T> {
  try {
    return await work(await catalogue.table(name));
  } catch (error) {
    if (!(await failedBehind(catalogue, error))) throw error;
    return work(await catalogue.table(name));
  }
}

/**
 * Whether something failed for what is known of tables here, and they have changed since: the database says so itself, or it was refused for
 * what another process has made possible a moment ago. Then they are read anew by whoever asks next.
 */
export async function failedBehind(catalogue: KeptCatalogue, error: unknown): Promise<boolean> {
  if (isOutdated(error)) return (catalogue.forget(), true);
  return error instanceof TableFault && OF_TABLES.has(error.code) && catalogue.isBehind();
}

/** What somebody is refused who asks for what a table does not have, gives what it does not take, or may not do it. */
const OF_TABLES = new Set<number>([CODES.columnNotFound, CODES.clause, CODES.badValue, CODES.missingValues, CODES.notPermitted]);

/** A writing of one statement, which is its own transaction: when it is through, it is stored. */
export const oneStatement = ({ db, catalogue, world }: Tables): Writing => ({
  db,
  catalogue,
  now: world.now(),
  newId: world.newId,
  after: (what) => what(),
  alone: true,
});

/** A writing of several statements: all of them, or none. */
export const inOneGo = <T>(tables: Tables, work: (writing: Writing) => Promise<T>): Promise<T> =>
  oneTransaction(tables, (tx) => work(writingIn(tx, tables.catalogue)));

/** Transactions in which hooks may run take turns: each holds a connection while a hook may be asking for another. */
export const inTurn = <T>(tables: Tables, work: () => Promise<T>): Promise<T> => (tables.inTurn ? tables.inTurn(work) : work());

/** One transaction, begun anew where it and another wanted the same in another order. */
export const oneTransaction = <T>(tables: Tables, work: (tx: Tx) => Promise<T>): Promise<T> =>
  begunAgain(() => inTurn(tables, () => tables.inTransaction(work))).catch((error: unknown) => {
    throw isCollision(error) ? collided() : error;
  });

import type pg from "pg";
import type { Runtime } from "#platform/clock";
import type { Db } from "./queries.ts";

/** Runs a statement on a connection. */
export type SendStatement = (
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
) => Promise<pg.QueryResult>;

/**
 * A transaction with one timestamp, its ids, and callbacks that run after the commit. Commands take a `Tx`;
 * queries take a `Db`, which can also be a transaction.
 *
 * Queries that are sent without waiting for each other share a round trip. They still run in order, and each
 * sees what was committed before it; when one fails, the later ones fail too.
 */
export class Tx implements Db {
  readonly now: Date;
  readonly newId: () => string;
  readonly query: Db["query"];
  readonly #callbacks: (() => void)[] = [];

  constructor({ now, newId }: Runtime, query: Db["query"]) {
    this.now = now();
    this.newId = newId;
    this.query = query;
  }

  readonly afterCommit = (callback: () => void): void => void this.#callbacks.push(callback);

  runCallbacks(): void {
    for (const callback of this.#callbacks) callback();
  }
}

/**
 * Runs `work` on a connection of its own between `begin` and COMMIT; when `work` throws, everything is
 * rolled back.
 */
export async function runTransaction<T>(
  pool: pg.Pool,
  send: SendStatement,
  begin: string,
  work: (query: Db["query"]) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isOver = false;
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(async (text, values) => {
      if (isOver) throw new Error("The transaction has ended: nothing can follow.");
      return send(client, text, values);
    });
    const { command } = await client.query("commit");
    // PostgreSQL answers ROLLBACK when a statement failed and the work caught its error.
    if (command !== "COMMIT") throw new Error("The transaction was aborted by an earlier error.");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    isOver = true;
    client.release(broken);
  }
}

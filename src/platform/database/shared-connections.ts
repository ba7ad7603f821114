import { availableParallelism } from "node:os";
import type pg from "pg";

/** Queries that share one connection. */
const GROUP_SIZE = 8;
/**
 * Groups that run at once, slow ones aside: more than there are processors would only wait for each other.
 */
const MAX_GROUPS = Math.max(2, availableParallelism());
/** Milliseconds after which a group counts as slow. */
const SLOW_AFTER = 25;

/** Start of statements that may run on shared connections: no transaction control, no plain writes. */
const READ_ONLY_START = /^\s*(?:\/\*[^*]*\*\/\s*)*(?:select|with)\b/i;

type QueuedQuery = {
  text: string;
  values: unknown[];
  answered: (result: pg.QueryResult) => void;
  failed: (error: unknown) => void;
  settled: boolean;
  /** True once the query was retried on another connection. */
  again: boolean;
};
type QueryGroup = { asked: QueuedQuery[]; isQuick: boolean };

/**
 * Shares the connections of a pool among single queries: those of one event-loop turn run one after the other
 * on few connections. Waking the other process and being woken by it costs more than most queries do.
 *
 * Reads only: queries behind a slow one are sent again on another free connection.
 */
export class SharedConnections {
  readonly #pool: pg.Pool;
  readonly #patience: number;
  readonly #waiting: QueuedQuery[] = [];
  #gathering = false;
  /** Groups that wait for a connection; never more than there are queries. */
  #begun = 0;
  #quick = 0;

  constructor(pool: pg.Pool, patience = SLOW_AFTER) {
    this.#pool = pool;
    this.#patience = patience;
  }

  /** The pool interface that Kysely needs, with one of its connections. */
  asPool = () => ({ connect: async () => ({ query: this.#query, release: () => {} }), end: async () => {} });

  #query = (text: string, values: readonly unknown[]) =>
    new Promise<pg.QueryResult>((answered, failed) => {
      if (!READ_ONLY_START.test(text))
        throw new Error(`This statement cannot use a shared connection: ${text.slice(0, 60)}`);
      this.#waiting.push({ text, values: [...values], answered, failed, settled: false, again: false });
      if (this.#gathering) return;
      this.#gathering = true;
      setImmediate(this.#begin);
    });

  #begin = () => {
    this.#gathering = false;
    while (this.#begun * GROUP_SIZE < this.#waiting.length && this.#quick < MAX_GROUPS) void this.#ask();
  };

  async #ask(): Promise<void> {
    const group: QueryGroup = { asked: [], isQuick: true };
    this.#quick++;
    this.#begun++;
    const passing = setTimeout(() => this.#passBy(group), this.#patience);
    await this.#askAll(group);
    clearTimeout(passing);
    if (group.isQuick) this.#quick--;
    this.#begin();
  }

  /** Takes the queries that have waited longest. The pool limits how long one waits for a connection. */
  async #askAll(group: QueryGroup): Promise<void> {
    try {
      const client = await this.#pool.connect().finally(() => this.#begun--);
      group.asked = this.#waiting.splice(0, GROUP_SIZE).filter(({ settled }) => !settled);
      await Promise.all(group.asked.map((asked) => runQuery(client, asked)));
      client.release();
    } catch (error) {
      for (const { failed } of this.#waiting.splice(0, GROUP_SIZE)) failed(error);
    }
  }

  #passBy(group: QueryGroup) {
    group.isQuick = false;
    this.#quick--;
    const { idleCount, totalCount, waitingCount, options } = this.#pool;
    const isFree = waitingCount === 0 && (idleCount > 0 || totalCount < options.max);
    const [, ...behind] = group.asked.filter(({ settled }) => !settled);
    const first = behind.filter(({ again }) => isFree && !again);
    for (const asked of first) asked.again = true;
    this.#waiting.push(...first);
    this.#begin();
  }
}

async function runQuery(client: pg.PoolClient, asked: QueuedQuery): Promise<void> {
  try {
    asked.answered(await client.query(asked.text, asked.values));
  } catch (error) {
    asked.failed(error);
  }
  asked.settled = true;
}

import { availableParallelism } from "node:os";
import type pg from "pg";

/** Questions that go over one line together. */
const TOGETHER = 8;
/** Groups of them that are under way at once, but for those that take long: more than there are processors would wait for each other. */
const GROUPS = Math.max(2, availableParallelism());
/** Milliseconds after which a group takes long. */
const PATIENCE = 25;

/** How statements begin that may be asked over shared lines: no transaction, and no writing that says so at once. */
const ASKING = /^\s*(?:\/\*[^*]*\*\/\s*)*(?:select|with)\b/i;

type Asked = {
  text: string;
  values: unknown[];
  answered: (result: pg.QueryResult) => void;
  failed: (error: unknown) => void;
  settled: boolean;
  /** It was asked once more, on another line. */
  again: boolean;
};
type Group = { asked: Asked[]; isQuick: boolean };

/**
 * Gives out the lines of a pool for single questions: those that come in one turn of the process go over few lines, and are answered one
 * after the other there. Waking the other process, and being woken by it, costs more than most questions do.
 *
 * Nothing may be written so: where a question takes long, those behind it are asked once more on another line, if there is a free one.
 */
export class SharedLines {
  readonly #pool: pg.Pool;
  readonly #patience: number;
  readonly #waiting: Asked[] = [];
  #gathering = false;
  /** Groups that wait for a line: no more of them than there is to ask. */
  #begun = 0;
  #quick = 0;

  constructor(pool: pg.Pool, patience = PATIENCE) {
    this.#pool = pool;
    this.#patience = patience;
  }

  /** What Kysely takes for a pool, and for one of its connections. */
  asPool = () => ({ connect: async () => ({ query: this.#query, release: () => {} }), end: async () => {} });

  #query = (text: string, values: readonly unknown[]) =>
    new Promise<pg.QueryResult>((answered, failed) => {
      if (!ASKING.test(text)) throw new Error(`This is not asked over a shared line: ${text.slice(0, 60)}`);
      this.#waiting.push({ text, values: [...values], answered, failed, settled: false, again: false });
      if (this.#gathering) return;
      this.#gathering = true;
      setImmediate(this.#begin);
    });

  #begin = () => {
    this.#gathering = false;
    while (this.#begun * TOGETHER < this.#waiting.length && this.#quick < GROUPS) void this.#ask();
  };

  async #ask(): Promise<void> {
    const group: Group = { asked: [], isQuick: true };
    this.#quick++;
    this.#begun++;
    const passing = setTimeout(() => this.#passBy(group), this.#patience);
    await this.#askAll(group);
    clearTimeout(passing);
    if (group.isQuick) this.#quick--;
    this.#begin();
  }

  /** Those that have waited longest. How long one waits for a line, the pool says. */
  async #askAll(group: Group): Promise<void> {
    try {
      const client = await this.#pool.connect().finally(() => this.#begun--);
      group.asked = this.#waiting.splice(0, TOGETHER).filter(({ settled }) => !settled);
      await Promise.all(group.asked.map((asked) => answer(client, asked)));
      client.release();
    } catch (error) {
      for (const { failed } of this.#waiting.splice(0, TOGETHER)) failed(error);
    }
  }

  #passBy(group: Group) {
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

async function answer(client: pg.PoolClient, asked: Asked): Promise<void> {
  try {
    asked.answered(await client.query(asked.text, asked.values));
  } catch (error) {
    asked.failed(error);
  }
  asked.settled = true;
}

import { randomUUID } from "node:crypto";
import pg from "pg";
import { type Db, run, sql } from "#platform/database";
import type { Log } from "#platform/log";

const CHANNEL = "kith";
/** PostgreSQL takes 8000 bytes at a time; what is longer is told as "anything". */
const MOST = 7_000;
const LONGEST_PAUSE = 5_000;

/** What changed, by name; null means: anything. */
export type Things = string[] | null;
type Options = {
  connection: pg.ClientConfig;
  log: Log;
  /** `news` is what else the others had to say, each as it was handed in, in its order. */
  onTold: (things: Things, news: unknown[]) => void;
  onLost: () => void;
};

/** Tells all processes on the database at once, from one that has no line of its own: a command. */
export const tellAll = (db: Db, things: Things) =>
  run(db, sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ from: randomUUID(), things })})`);

/**
 * Words between processes through PostgreSQL's NOTIFY, sent after the commit and not within it: a NOTIFY inside makes
 * commits queue up one behind the other. A line that broke is opened anew with growing pauses.
 */
export class Bus {
  #me = randomUUID();
  #options: Options;
  #client: pg.Client | null = null;
  #closed = false;
  #pause = 100;
  #waiting: Set<string> | null | undefined;
  #news: unknown[] = [];
  #telling = false;

  constructor(options: Options) {
    this.#options = options;
    void this.#connect();
  }

  /** Tells the other processes on the same database. What is told within two milliseconds travels together. */
  tell(things: Things, ...news: unknown[]): void {
    if (this.#waiting === undefined) setTimeout(() => void this.#flush(), 2);
    this.#news.push(...news);
    if (things === null || this.#waiting === null) this.#waiting = null;
    else this.#waiting = new Set([...(this.#waiting ?? []), ...things]);
  }

  /** False while the line is down: what the others did meanwhile is not known here. */
  get listening(): boolean {
    return this.#client !== null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ ...this.#options.connection, application_name: "kith-bus", keepAlive: true });
    client.on("error", () => {});
    client.on("notification", ({ payload }) => this.#hear(payload ?? "{}"));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch {
      return this.#again();
    }
    if (this.#closed) return client.end();
    this.#client = client;
    this.#pause = 100;
    client.once("end", () => this.#lost());
  }

  #lost(): void {
    this.#client = null;
    if (this.#closed) return;
    this.#options.log.warn("the line to the other processes broke");
    this.#options.onLost();
    this.#again();
  }

  #again(): void {
    if (this.#closed) return;
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    setTimeout(() => void this.#connect(), this.#pause).unref();
  }

  #hear(payload: string): void {
    // Who has nothing but names to tell sends no news.
    const { from, things, news = [] } = JSON.parse(payload) as { from: string; things: Things; news?: unknown[] };
    if (from !== this.#me) this.#options.onTold(things, news);
  }

  /** One at a time: what comes while a word is on its way travels together after it. */
  async #flush(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    while (this.#waiting !== undefined) {
      const texts = this.#texts();
      // A word that is not heard costs a listener nothing but its own broken line, which it knows of.
      await this.#client?.query("select pg_notify($1, it) from unnest($2::text[]) it", [CHANNEL, texts]).catch(() => {});
    }
    this.#telling = false;
  }

  /** All that waits, in words of the length that PostgreSQL takes. */
  #texts(): string[] {
    const things = this.#waiting === null ? null : [...(this.#waiting ?? [])];
    const news = this.#news;
    this.#waiting = undefined;
    this.#news = [];
    const text = (told: Things, some: unknown[]) => JSON.stringify({ from: this.#me, things: told, news: some });
    const [first = [], ...more] = portionsOf(news);
    const whole = text(things, first);
    return [whole.length <= MOST ? whole : text(null, first), ...more.map((portion) => text([], portion))];
  }
}

/** In portions of half a message each: names of things have room beside them. */
function portionsOf(news: unknown[]): unknown[][] {
  const portions: unknown[][] = [];
  let room = 0;
  for (const one of news) {
    const size = JSON.stringify(one).length + 1;
    if (size > room) {
      portions.push([]);
      room = MOST / 2;
    }
    portions.at(-1)!.push(one);
    room -= size;
  }
  return portions;
}

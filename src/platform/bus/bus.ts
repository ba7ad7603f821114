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
type Options = { connection: pg.ClientConfig; log: Log; onTold: (things: Things) => void; onLost: () => void };

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

  constructor(options: Options) {
    this.#options = options;
    void this.#connect();
  }

  /** Tells the other processes on the same database. What is told within two milliseconds travels together. */
  tell(things: Things): void {
    if (this.#waiting === undefined) setTimeout(() => this.#flush(), 2);
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
    const { from, things } = JSON.parse(payload) as { from: string; things: Things };
    if (from !== this.#me) this.#options.onTold(things);
  }

  #flush(): void {
    const things = this.#waiting === null ? null : [...(this.#waiting ?? [])];
    this.#waiting = undefined;
    const text = JSON.stringify({ from: this.#me, things });
    const short = text.length > MOST ? JSON.stringify({ from: this.#me, things: null }) : text;
    // A word that is not heard costs a listener nothing but its own broken line, which it knows of.
    this.#client?.query("select pg_notify($1, $2)", [CHANNEL, short]).catch(() => {});
  }
}

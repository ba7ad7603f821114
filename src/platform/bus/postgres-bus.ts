import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Log } from "#platform/log";
import { KeyedQueue } from "#platform/queue";
import { MessageBatcher, type BusListener, type ChangedTags } from "./message-batcher.ts";

export const CHANNEL = "kith";
/** Bytes. PostgreSQL takes 8000 in one NOTIFY; a longer list of tags is sent as "anything". */
const MAX_MESSAGE_BYTES = 7_000;
/** Bytes. A longer payload is stored in a row of its own, which listeners fetch. */
const MAX_INLINE_BYTES = 3_000;
const MAX_PAUSE = 5_000;
/**
 * A NOTIFY is a transaction and would wait for the disk. The message only matters to current listeners, and
 * the data that it is about is already on disk.
 */
const ASYNC_COMMIT_OPTIONS = { options: "-c synchronous_commit=off" };

type Options = BusListener & { connection: pg.ClientConfig; log: Log };

/**
 * Bus over PostgreSQL's NOTIFY, sent after the commit and not within it: a NOTIFY inside a transaction makes
 * commits queue behind each other. A broken connection is reopened with growing pauses.
 */
export class PostgresBus {
  #me = randomUUID();
  #options: Options;
  #client: pg.Client | null = null;
  #closed = false;
  #pause = 100;
  /** True after an established connection broke. */
  #broken = false;
  readonly #gathering = new MessageBatcher((changedTags, news) => this.#send(changedTags, news));
  /** Messages that wait for long payloads, and those that arrive meanwhile, to keep their order. */
  readonly #queue = new KeyedQueue();

  constructor(options: Options) {
    this.#options = options;
    void this.#connect();
  }

  /** Publishes to the other processes on the same database. */
  tell(changedTags: ChangedTags, ...news: unknown[]): void {
    this.#gathering.add(changedTags, news);
  }

  /** False while the connection is down: changes by other processes are unknown meanwhile. */
  get listening(): boolean {
    return this.#client !== null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...this.#options.connection,
      ...ASYNC_COMMIT_OPTIONS,
      application_name: "kith-bus",
      keepAlive: true,
    });
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
    // Listeners that reloaded when the connection broke have missed what was published since.
    if (this.#broken) this.#options.onLost();
    this.#broken = false;
  }

  #lost(): void {
    this.#client = null;
    if (this.#closed) return;
    this.#broken = true;
    this.#options.log.warn("the connection to the other processes was lost");
    this.#options.onLost();
    this.#again();
  }

  #again(): void {
    if (this.#closed) return;
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE);
    setTimeout(() => void this.#connect(), this.#pause).unref();
  }

  #hear(payload: string): void {
    // A message with nothing but tags has no `news`.
    const {
      from,
      things,
      news = [],
    } = JSON.parse(payload) as { from: string; things: ChangedTags; news?: unknown[] };
    if (from === this.#me) return;
    if (this.#queue.size === 0 && !news.some(isParcel)) return this.#options.onTold(things, news);
    this.#queue
      .run("messages", async () =>
        this.#options.onTold(
          things,
          await Promise.all(news.map((one) => (isParcel(one) ? this.#fetch(one) : one))),
        ),
      )
      // A row that is already deleted means that this listener was too slow: as after a lost connection,
      // events are missing.
      .catch(() => this.#options.onLost());
  }

  async #fetch({ parcel }: Parcel): Promise<unknown> {
    const found = await this.#client!.query<{ content: string }>(
      "select content from bus_payloads where id = $1",
      [parcel],
    );
    return JSON.parse(found.rows[0]!.content) as unknown;
  }

  /**
   * Payload as it is sent. Rows of long payloads are deleted after a minute: every listener has fetched them
   * by then.
   */
  async #packed(one: unknown): Promise<unknown> {
    const content = JSON.stringify(one);
    if (countBytes(content) <= MAX_INLINE_BYTES) return one;
    const parcel = randomUUID();
    await this.#client!.query(
      "with gone as (delete from bus_payloads where at < clock_timestamp() - interval '1 minute') " +
        "insert into bus_payloads (id, content) values ($1, $2)",
      [parcel, content],
    );
    return { parcel } satisfies Parcel;
  }

  async #send(changedTags: ChangedTags, news: unknown[]): Promise<void> {
    if (!this.#client) return;
    const texts = this.#texts(changedTags, await Promise.all(news.map((one) => this.#packed(one))));
    await this.#client.query("select pg_notify($1, it) from unnest($2::text[]) it", [CHANNEL, texts]);
  }

  /** Everything that waits, split into messages of the length that PostgreSQL takes. */
  #texts(changedTags: ChangedTags, news: unknown[]): string[] {
    const text = (tags: ChangedTags, some: unknown[]) =>
      JSON.stringify({ from: this.#me, things: tags, news: some });
    const [first = [], ...more] = splitIntoPortions(news);
    const whole = text(changedTags, first);
    return [
      countBytes(whole) <= MAX_MESSAGE_BYTES ? whole : text(null, first),
      ...more.map((portion) => text([], portion)),
    ];
  }
}

type Parcel = { parcel: string };
const isParcel = (one: unknown): one is Parcel => typeof one === "object" && one !== null && "parcel" in one;

const countBytes = (text: string) => Buffer.byteLength(text);

/** Portions of half a message each leave space for the cache tags. */
function splitIntoPortions(news: unknown[]): unknown[][] {
  const portions: unknown[][] = [];
  let room = 0;
  for (const one of news) {
    const size = countBytes(JSON.stringify(one)) + 1;
    if (size > room) {
      portions.push([]);
      room = MAX_MESSAGE_BYTES / 2;
    }
    portions.at(-1)!.push(one);
    room -= size;
  }
  return portions;
}

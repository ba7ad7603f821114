import { randomUUID } from "node:crypto";
import pg from "pg";
import { parseTrustedJson } from "#platform/json";
import type { Log } from "#platform/log";
import { KeyedQueue } from "#platform/queue";
import { MessageBatcher, type BusListener, type ChangedTags } from "./message-batcher.ts";

export const CHANNEL = "kith";
/**
 * Maximum bytes of one NOTIFY; PostgreSQL accepts 8000. A longer list of tags is sent as null (anything may
 * have changed).
 */
const MAX_MESSAGE_BYTES = 7_000;
/**
 * Maximum bytes of a payload within a NOTIFY. A longer payload is stored in a row of its own, which listeners
 * fetch.
 */
const MAX_INLINE_BYTES = 3_000;
const MAX_PAUSE = 5_000;
/**
 * A NOTIFY is a transaction, whose commit would wait for the disk. That is unnecessary: only current
 * listeners need the message, and the changed data is already on disk.
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
  /** True from the loss of an established connection until the next one is open. */
  #broken = false;
  readonly #gathering = new MessageBatcher((changedTags, messages) => this.#send(changedTags, messages));
  /**
   * Received messages. Fetching a long payload takes time, so later messages wait behind it to keep their
   * order.
   */
  readonly #queue = new KeyedQueue();

  constructor(options: Options) {
    this.#options = options;
    void this.#connect();
  }

  /** Publishes to the other processes on the same database. */
  publish(changedTags: ChangedTags, ...messages: unknown[]): void {
    this.#gathering.add(changedTags, messages);
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
    client.on("notification", ({ payload }) => this.#receive(payload ?? "{}"));
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
    // Listeners reloaded when the connection broke, but have missed all messages since then.
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

  #receive(payload: string): void {
    // A message that holds only tags may omit `news`.
    const {
      from,
      things,
      news: messages = [],
    } = parseTrustedJson<{ from: string; things: ChangedTags; news?: unknown[] }>(payload);
    if (from === this.#me) return;
    if (this.#queue.size === 0 && !messages.some(isParcel)) return this.#options.onMessages(things, messages);
    this.#queue
      .run("messages", async () =>
        this.#options.onMessages(
          things,
          await Promise.all(messages.map((one) => (isParcel(one) ? this.#fetch(one) : one))),
        ),
      )
      // The row was deleted before this listener fetched it. The listener was too slow and has missed
      // messages, as after a lost connection.
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
   * Returns the payload itself or, when it is long, a reference to the row in which it is now stored. Such
   * rows are deleted after a minute: every listener has fetched them by then.
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

  async #send(changedTags: ChangedTags, messages: unknown[]): Promise<void> {
    if (!this.#client) return;
    const texts = this.#texts(changedTags, await Promise.all(messages.map((one) => this.#packed(one))));
    await this.#client.query("select pg_notify($1, it) from unnest($2::text[]) it", [CHANNEL, texts]);
  }

  /** Splits the pending tags and payloads into messages of the length that PostgreSQL accepts. */
  #texts(changedTags: ChangedTags, messages: unknown[]): string[] {
    const text = (tags: ChangedTags, some: unknown[]) =>
      JSON.stringify({ from: this.#me, things: tags, news: some });
    const [first = [], ...more] = splitIntoPortions(messages);
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

/** Splits payloads into portions of half a message each, so that the cache tags fit beside them. */
function splitIntoPortions(messages: unknown[]): unknown[][] {
  const portions: unknown[][] = [];
  let room = 0;
  for (const one of messages) {
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

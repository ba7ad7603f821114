import { randomUUID } from "node:crypto";
import type { Redis } from "#platform/redis";
import { MessageBatcher, type BusListener, type ChangedTags } from "./message-batcher.ts";

export const CHANNEL = "bus";
/**
 * Characters of payload in one message: Redis disconnects a slow listener when too much data is queued for
 * it.
 */
const MAX_MESSAGE_LENGTH = 500_000;

type Options = BusListener & { redis: Redis };

/** Bus over a Redis channel. Redis stores no messages, so a process that was not listening has to reload. */
export class RedisBus {
  readonly #me = randomUUID();
  readonly #options: Options;
  readonly #gathering = new MessageBatcher((changedTags, news) => this.#send(changedTags, news));
  readonly #end: () => void;
  /** Null until the first subscription. */
  #listening: boolean | null = null;

  constructor(options: Options) {
    this.#options = options;
    const { redis, onLost } = options;
    this.#end = redis.listen(CHANNEL, {
      onHeard: (text) => this.#hear(text),
      onLine: (stands) => {
        // Called when the connection is lost and again when it is restored: clients that connected to us in
        // between have missed events.
        if (this.#listening !== null && this.#listening !== stands) onLost();
        if (stands || this.#listening !== null) this.#listening = stands;
      },
    });
  }

  /** Publishes to the other processes on the same Redis. */
  tell(changedTags: ChangedTags, ...news: unknown[]): void {
    this.#gathering.add(changedTags, news);
  }

  /** False while the connection is down: changes by other processes are unknown meanwhile. */
  get listening(): boolean {
    return this.#listening === true;
  }

  async close(): Promise<void> {
    this.#end();
  }

  #hear(text: string): void {
    const { from, things, news } = JSON.parse(text) as { from: string; things: ChangedTags; news: unknown[] };
    if (from !== this.#me) this.#options.onTold(things, news);
  }

  async #send(changedTags: ChangedTags, news: unknown[]): Promise<void> {
    const { redis } = this.#options;
    const [first = [], ...more] = splitIntoPortions(news);
    for (const word of [
      { things: changedTags, news: first },
      ...more.map((portion) => ({ things: [], news: portion })),
    ])
      await redis.call("PUBLISH", redis.prefix + CHANNEL, JSON.stringify({ from: this.#me, ...word }));
  }
}

function splitIntoPortions(news: unknown[]): unknown[][] {
  const portions: unknown[][] = [];
  let room = 0;
  for (const one of news) {
    const size = JSON.stringify(one).length;
    if (size > room) {
      portions.push([]);
      room = MAX_MESSAGE_LENGTH;
    }
    portions.at(-1)!.push(one);
    room -= size;
  }
  return portions;
}

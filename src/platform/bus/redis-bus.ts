import { randomUUID } from "node:crypto";
import { parseTrustedJson } from "#platform/json";
import type { Redis } from "#platform/redis";
import { MessageBatcher, type BusListener, type ChangedTags } from "./message-batcher.ts";

export const CHANNEL = "bus";
/**
 * Maximum characters of payload in one message: Redis disconnects a slow listener when too much data is
 * queued for it.
 */
const MAX_MESSAGE_LENGTH = 500_000;

type Options = BusListener & { redis: Redis };

/** Bus over a Redis channel. Redis stores no messages, so a process that was not listening has to reload. */
export class RedisBus {
  readonly #me = randomUUID();
  readonly #options: Options;
  readonly #gathering = new MessageBatcher((changedTags, messages) => this.#send(changedTags, messages));
  readonly #end: () => void;
  /** Null until the first subscription. */
  #listening: boolean | null = null;

  constructor(options: Options) {
    this.#options = options;
    const { redis, onLost } = options;
    this.#end = redis.listen(CHANNEL, {
      onMessage: (text) => this.#receive(text),
      onConnection: (isConnected) => {
        // Called when the connection is lost and again when it is restored: clients that connected to us in
        // between have missed events.
        if (this.#listening !== null && this.#listening !== isConnected) onLost();
        if (isConnected || this.#listening !== null) this.#listening = isConnected;
      },
    });
  }

  /** Publishes to the other processes on the same Redis. */
  publish(changedTags: ChangedTags, ...messages: unknown[]): void {
    this.#gathering.add(changedTags, messages);
  }

  /** False while the connection is down: changes by other processes are unknown meanwhile. */
  get listening(): boolean {
    return this.#listening === true;
  }

  async close(): Promise<void> {
    this.#end();
  }

  #receive(text: string): void {
    const {
      from,
      things,
      news: messages,
    } = parseTrustedJson<{ from: string; things: ChangedTags; news: unknown[] }>(text);
    if (from !== this.#me) this.#options.onMessages(things, messages);
  }

  async #send(changedTags: ChangedTags, messages: unknown[]): Promise<void> {
    const { redis } = this.#options;
    const [first = [], ...more] = splitIntoPortions(messages);
    for (const word of [
      { things: changedTags, news: first },
      ...more.map((portion) => ({ things: [], news: portion })),
    ])
      await redis.call("PUBLISH", redis.prefix + CHANNEL, JSON.stringify({ from: this.#me, ...word }));
  }
}

function splitIntoPortions(messages: unknown[]): unknown[][] {
  const portions: unknown[][] = [];
  let room = 0;
  for (const one of messages) {
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

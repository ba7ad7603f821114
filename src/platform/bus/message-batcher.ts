import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds between two messages: a busy process batches what it sends. */
const SEND_DELAY = 8;

/** Cache tags of what changed; null means anything may have changed. */
export type ChangedTags = string[] | null;

export type BusListener = {
  /**
   * Called with the changed tags and the messages of other processes; the messages are in the order of
   * publishing.
   */
  onMessages: (changedTags: ChangedTags, messages: unknown[]) => void;
  /** Called when messages of other processes may have been missed. */
  onLost: () => void;
};

/**
 * Batches everything that is published within a few milliseconds, or while a message is being sent, into the
 * next message. Messages are sent one at a time, in order.
 */
export class MessageBatcher {
  readonly #send: (changedTags: ChangedTags, messages: unknown[]) => Promise<void>;
  #waiting: Set<string> | null | undefined;
  #messages: unknown[] = [];
  #telling = false;

  constructor(send: (changedTags: ChangedTags, messages: unknown[]) => Promise<void>) {
    this.#send = send;
  }

  add(changedTags: ChangedTags, messages: unknown[]): void {
    if (this.#waiting === undefined) setTimeout(() => void this.#flush(), 2);
    this.#messages.push(...messages);
    if (changedTags === null || this.#waiting === null) this.#waiting = null;
    else this.#waiting = new Set([...(this.#waiting ?? []), ...changedTags]);
  }

  async #flush(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    while (this.#waiting !== undefined) {
      const [changedTags, messages] = this.#taken();
      // A listener that misses a message notices its own broken connection, so the sender ignores the
      // failure.
      await this.#send(changedTags, messages).catch(() => {});
      await pause(SEND_DELAY);
    }
    this.#telling = false;
  }

  #taken(): [ChangedTags, unknown[]] {
    const things = this.#waiting === null ? null : [...(this.#waiting ?? [])];
    const messages = this.#messages;
    this.#waiting = undefined;
    this.#messages = [];
    return [things, messages];
  }
}

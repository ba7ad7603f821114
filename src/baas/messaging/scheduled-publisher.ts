import { SECOND } from "#platform/clock";
import type { Log } from "#platform/log";
import type { Messaging } from "./channels.ts";
import { findNextDue, publishDueBatch, PUBLISH_BATCH } from "./message-schedule.ts";

/**
 * Milliseconds between polls. A poll also finds messages that another process left unpublished when it ended.
 */
const POLL_INTERVAL = 2 * SECOND;

/** Publishes messages when they are due. A class, because it holds the timer. */
export class ScheduledPublisher {
  readonly #channels: Messaging;
  readonly #log: Log;
  #alarm: NodeJS.Timeout | undefined;
  #set = Infinity;
  #stopped = false;
  #looking: Promise<void> | null = null;

  constructor(channels: Messaging, log: Log) {
    this.#channels = channels;
    this.#log = log;
    channels.planners.add(this.#plan);
    this.#setFor(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#channels.planners.delete(this.#plan);
    clearTimeout(this.#alarm);
    await this.#looking;
  }

  #plan = (due: Date) => {
    if (due.getTime() < this.#set) this.#setFor(due.getTime());
  };

  #setFor(moment: number) {
    if (this.#stopped) return;
    clearTimeout(this.#alarm);
    this.#set = moment;
    this.#alarm = setTimeout(() => void this.#poll(), Math.max(0, moment - this.#now()));
  }

  #now = () => this.#channels.runtime.now().getTime();

  async #poll() {
    // A message scheduled during a poll sets the timer again; the next poll begins after the current poll
    // has ended.
    this.#set = Infinity;
    const before = this.#looking;
    this.#looking = (async () => {
      await before;
      const next = await this.#look();
      if (next < this.#set) this.#setFor(next);
    })();
    await this.#looking;
  }

  /** Publishes due messages and returns when to poll again. */
  async #look(): Promise<number> {
    const looked = this.#channels.runtime.now();
    const net = looked.getTime() + POLL_INTERVAL;
    try {
      while (
        !this.#stopped &&
        (await this.#channels.inTransaction((tx) => publishDueBatch(this.#channels, tx))) === PUBLISH_BATCH
      );
      const next = await findNextDue(this.#channels, looked);
      return Math.min(net, next?.getTime() ?? net);
    } catch (error) {
      this.#log.warn({ err: error }, "scheduled messages could not be read");
      return net;
    }
  }
}

import { setTimeout } from "node:timers/promises";
import { many, one, sql } from "#platform/database";
import type { Happening } from "#platform/outbox";
import type { Index } from "../engine.ts";
import { dueAfter, putDue } from "./due.ts";
import type { At } from "./parts.ts";
import { beginAgain, fileDue, fileMore } from "./rounds.ts";

/** How far a filing of everything is: of each kind, how many things have been read. */
export type Progress = { index: Index; filed: number; finished: boolean }[];

const MOMENT = 50;
/** Milliseconds for which things gather before they are filed: of many who write in one place, it is filed once. */
const GATHERED = 25;
/** The net below the wake-up calls: for what another process has put down, and for a filing of everything that it has begun. */
const POLL = 1_000;

/**
 * Keeps what is found the same as what is there. Whatever happens is put down as due, which survives the process, and filed in
 * shares by whoever comes first. Between them, a filing of everything goes on, if one is under way.
 */
export class Filing {
  readonly #options: At;
  #running: Promise<void> | null = null;
  #again = false;
  /** Whether a filing of everything may be under way. */
  #more = true;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: At) {
    this.#options = options;
  }

  /** From now on things are filed by themselves, until `stop`. */
  start() {
    const look = () => {
      this.#more = true;
      this.wake();
    };
    this.#timer = setInterval(look, POLL);
    look();
  }

  /** Puts down what happenings changed. */
  async react(...happenings: Happening[]): Promise<void> {
    const due = happenings.flatMap(dueAfter);
    await putDue(this.#options.database.db, due);
    if (due.length > 0) this.wake();
  }

  wake() {
    this.#again = true;
    if (this.#running || this.#stopped || !this.#timer) return;
    this.#running = this.#work()
      .catch((error: unknown) => this.#options.log?.warn({ err: error }, "search could not file"))
      .finally(() => (this.#running = null));
  }

  async #work() {
    do {
      await setTimeout(GATHERED);
      this.#again = false;
      await this.#fileDue();
      if (!this.#more) continue;
      this.#more = false;
      // What has just happened comes first.
      while (!this.#stopped && (await fileMore(this.#options))) await this.#fileDue();
    } while (this.#again && !this.#stopped);
  }

  async #fileDue() {
    while (!this.#stopped && (await fileDue(this.#options)));
  }

  /** Everything that is due, and what is under way, to the end: for commands and tests, where nothing runs by itself. */
  async finish(onProgress?: (progress: Progress) => void): Promise<void> {
    await this.#fileDue();
    for (let more = await fileMore(this.#options); more !== null; more = await fileMore(this.#options)) {
      // Somebody else is at it: what they do is done.
      if (more === 0) await setTimeout(MOMENT);
      onProgress?.(await this.progress());
      await this.#fileDue();
    }
  }

  /** Begins to file everything anew. What is there is found all the while. */
  async beginAgain(): Promise<void> {
    await this.#options.database.inTransaction(beginAgain);
    this.#more = true;
    this.wake();
  }

  progress(): Promise<Progress> {
    return many(
      this.#options.database.db,
      sql<Progress[number]>`select in_index as index, filed, finished_at is not null as finished from search_runs order by in_index`,
    );
  }

  /** Things that wait to be filed. */
  async waiting(): Promise<number> {
    return (await one(this.#options.database.db, sql<{ count: number }>`select count(*)::int as count from search_due`)).count;
  }

  async stop() {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
  }
}

import { setTimeout } from "node:timers/promises";
import { many, one, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import type { Index } from "../search-engine.ts";
import { indexingTargetsFor, enqueueIndexing } from "./indexing-queue.ts";
import type { IndexingContext } from "./index-documents.ts";
import { startReindex, indexQueued, continueReindex } from "./indexing-batches.ts";

/** Progress of a reindex: documents read per index. */
export type IndexingProgress = { index: Index; filed: number; finished: boolean }[];

const LOCK_WAIT = 50;
/**
 * Milliseconds for which changes are collected before indexing, so that many posts in one discussion cause
 * one update.
 */
const GATHER_DELAY = 25;
/**
 * Interval of a fallback poll, in case a notification was missed: it finds targets that another process
 * queued, and reindexes that it started.
 */
const POLL_INTERVAL = 1_000;

/**
 * Keeps the search index current. Changes are queued persistently; the first free process indexes them in
 * batches. A running reindex continues between these batches.
 */
export class Indexer {
  readonly #options: IndexingContext;
  #running: Promise<void> | null = null;
  #again = false;
  /** True if a reindex may be running. */
  #more = true;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: IndexingContext) {
    this.#options = options;
  }

  /** Starts automatic indexing until `stop`. */
  start() {
    const look = () => {
      this.#more = true;
      this.wake();
    };
    this.#timer = setInterval(look, POLL_INTERVAL);
    look();
  }

  /** Queues the targets that these domain events changed. */
  async react(...domainEvents: DomainEvent[]): Promise<void> {
    const due = domainEvents.flatMap(indexingTargetsFor);
    await enqueueIndexing(this.#options.database.db, due);
    if (due.length > 0) this.wake();
  }

  wake() {
    this.#again = true;
    if (this.#running || this.#stopped || !this.#timer) return;
    this.#running = this.#work()
      .catch((error: unknown) => this.#options.log?.warn({ err: error }, "search could not index"))
      .finally(() => (this.#running = null));
  }

  async #work() {
    do {
      await setTimeout(GATHER_DELAY);
      this.#again = false;
      await this.#fileDue();
      if (!this.#more) continue;
      this.#more = false;
      // Recent changes have precedence over the reindex.
      while (!this.#stopped && (await continueReindex(this.#options))) await this.#fileDue();
    } while (this.#again && !this.#stopped);
  }

  async #fileDue() {
    while (!this.#stopped && (await indexQueued(this.#options)));
  }

  /**
   * Processes the whole queue and any reindex. For commands and tests, in which nothing runs in the
   * background.
   */
  async finish(onProgress?: (progress: IndexingProgress) => void): Promise<void> {
    await this.#fileDue();
    for (
      let more = await continueReindex(this.#options);
      more !== null;
      more = await continueReindex(this.#options)
    ) {
      // Another process holds the lock and may be indexing: wait and check its progress.
      if (more === 0) await setTimeout(LOCK_WAIT);
      onProgress?.(await this.progress());
      await this.#fileDue();
    }
  }

  /** Starts a reindex. Existing documents stay searchable meanwhile. */
  async beginAgain(): Promise<void> {
    await this.#options.database.inTransaction(startReindex);
    this.#more = true;
    this.wake();
  }

  progress(): Promise<IndexingProgress> {
    return many(
      this.#options.database.db,
      sql<
        IndexingProgress[number]
      >`select in_index as index, filed, finished_at is not null as finished from search_runs
        order by in_index`,
    );
  }

  /** Number of queued targets. */
  async waiting(): Promise<number> {
    return (
      await one(
        this.#options.database.db,
        sql<{ count: number }>`select count(*)::int as count from search_queue`,
      )
    ).count;
  }

  async stop() {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
  }
}

import { setTimeout as pause } from "node:timers/promises";
import { startOrAdoptServer } from "./start-or-adopt.ts";
import { toEmbeddedFailure } from "./embedded-failure.ts";
import { limitLog } from "./server-log.ts";
import { stopPostmaster, type PostmasterOptions } from "./postmaster.ts";
import { isProcessAlive, sendSignal } from "./processes.ts";
import { removeSocketFolder } from "./socket-folder.ts";

/**
 * Milliseconds between two checks of the process. An adopted postmaster is not our child, so its end causes
 * no event.
 */
const CHECK_INTERVAL = 250;
const LIMIT_LOG_INTERVAL = 10 * 60_000;
const MAX_PAUSE = 30_000;
/**
 * Milliseconds after which a postmaster counts as stable: its next crash starts with the shortest pause
 * again.
 */
const STABLE_AFTER = 60_000;

/**
 * Restarts a postmaster whenever it ends, until `stop` is called. A class, because it stores the current pid
 * and its start time.
 */
export class Supervisor {
  readonly #start: PostmasterOptions;
  readonly #abort: AbortController;
  readonly #release: () => void;
  readonly #timers: NodeJS.Timeout[];
  readonly #listeners: ((why: string) => void)[] = [];
  #pid: number | null;
  #since = Date.now();
  #attempts = 0;
  #return: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | null = null;

  constructor(start: PostmasterOptions, pid: number, abort: AbortController, release: () => void) {
    this.#start = start;
    this.#pid = pid;
    this.#abort = abort;
    this.#release = release;
    this.#timers = [setInterval(this.#look, CHECK_INTERVAL), setInterval(this.#boundLog, LIMIT_LOG_INTERVAL)];
    for (const timer of this.#timers) timer.unref();
    process.once("exit", this.#leave);
  }

  onExit = (listener: (why: string) => void) => void this.#listeners.push(listener);

  stop = () => (this.#stopped ??= this.#end());

  #look = () => {
    if (this.#pid === null || isProcessAlive(this.#pid)) return;
    this.#pid = null;
    if (Date.now() - this.#since > STABLE_AFTER) this.#attempts = 0;
    const why = "PostgreSQL has stopped unexpectedly; restarting it.";
    this.#start.print(why);
    this.#return = this.#bringBack();
    for (const listener of this.#listeners) listener(why);
  };

  /** Retries for ever: clients can wait, and a full disk may have space again in a minute. */
  async #bringBack(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      const wait = this.#attempts === 0 ? 0 : Math.min(250 * 2 ** this.#attempts, MAX_PAUSE);
      this.#attempts += 1;
      try {
        await pause(wait, undefined, { signal: this.#abort.signal });
        this.#pid = (await startOrAdoptServer(this.#start)).pid;
        this.#since = Date.now();
        return this.#start.print("PostgreSQL is running again.");
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        const { message, advice } = toEmbeddedFailure(error, this.#start.dataDir);
        this.#start.print(`${message} ${advice} Retrying.`);
      }
    }
  }

  async #end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#abort.abort();
    await this.#return;
    if (this.#pid !== null) await stopPostmaster(this.#pid);
    this.#pid = null;
    process.off("exit", this.#leave);
    removeSocketFolder(this.#start.socketDir, this.#start.port);
    this.#release();
  }

  /** Called when the process exits without a stop: signals PostgreSQL and does not wait. */
  #leave = () => {
    if (this.#pid !== null) sendSignal(this.#pid, "SIGINT");
    this.#release();
  };

  #boundLog = () => {
    try {
      limitLog(this.#start.dataDir);
    } catch {
      // The disk is full: the next attempt may find space.
    }
  };
}

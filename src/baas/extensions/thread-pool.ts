import { toError } from "#platform/errors";
import { msg } from "#platform/messages";
import { ExtensionFault, EXTENSION_ERROR_CODES } from "./extension-errors.ts";
import { MAX_TRANSFER, type Manifest } from "./thread-protocol.ts";
import type { Snapshot } from "./source-snapshot.ts";
import { type ThreadContext, ThreadConnection, type ParentCall } from "./thread-connection.ts";

/** Maximum calls waiting for a thread. */
const MAX_WAITING_CALLS = 500;
/** Milliseconds for which an awaited call may wait for a thread. */
const WAIT_LIMIT = 10_000;
/** Milliseconds for which a background call may wait for a thread. */
const BACKGROUND_WAIT_LIMIT = 120_000;
/** Maximum nesting of calls: services that call services, and hooks of their writes. */
const MAX_CALL_DEPTH = 8;

export type PartCall<Context> = {
  part: string;
  input: unknown;
  context: Context;
  /** Maximum milliseconds of the call. */
  limit: number;
  within: ParentCall | null;
  /** Whether this is a background call. Such calls always leave one thread free for awaited calls. */
  background: boolean;
};

type WaitingCall = { background: boolean; take: () => void };

/**
 * Pool of threads for one set of sources. Each thread runs one call at a time, with its nested calls.
 * Stopping one does not affect the others.
 */
export class ThreadPool<Context> {
  readonly #snapshot: Snapshot;
  readonly #context: ThreadContext<Context>;
  readonly #most: number;
  readonly #idle: ThreadConnection<Context>[] = [];
  readonly #lines = new Set<ThreadConnection<Context>>();
  readonly #waiting: WaitingCall[] = [];
  #busy = 0;

  constructor(snapshot: Snapshot, app: ThreadContext<Context>, most: number) {
    this.#snapshot = snapshot;
    this.#context = app;
    this.#most = most;
  }

  /** Starts the first thread. Returns its manifest, or the error with the file at fault (`loading`). */
  async begin(): Promise<{ manifest: Manifest } | { fault: Error; loading: string | null }> {
    const line = this.#open();
    try {
      const manifest = await line.manifest;
      this.#idle.push(line);
      return { manifest };
    } catch (error) {
      return { fault: toError(error), loading: line.loading };
    }
  }

  /**
   * Runs a part.
   * @throws the refusals of the part, and `busy`, `tooDeep`, `tooLong`, `tooMuchMemory`, `badAnswer`
   */
  async run({ part, input, context, limit, within, background }: PartCall<Context>): Promise<unknown> {
    const json = JSON.stringify(input ?? null);
    if (json.length > MAX_TRANSFER)
      throw new ExtensionFault(
        EXTENSION_ERROR_CODES.badAnswer,
        msg("{what} can have at most {count} characters as JSON.", {
          what: msg("The input of an extension"),
          count: MAX_TRANSFER,
        }),
        "too-large",
      );
    if (within && within.thread instanceof ThreadConnection) {
      if (within.depth + 1 >= MAX_CALL_DEPTH)
        throw new ExtensionFault(
          EXTENSION_ERROR_CODES.tooDeep,
          msg("{what} can be nested at most {count} levels.", {
            what: msg("Extension calls"),
            count: MAX_CALL_DEPTH,
          }),
        );
      const thread: ThreadConnection<Context> = within.thread;
      return thread.run(part, json, context, within.depth + 1);
    }
    const line = await this.#lineFor(background);
    try {
      return await line.runWithin(limit, part, json, context);
    } finally {
      this.#giveBack(line);
    }
  }

  /** Waits for running calls, and ends all threads. */
  async close(): Promise<void> {
    while (this.#busy > 0 || this.#waiting.length > 0) await new Promise((later) => setTimeout(later, 20));
    const stopped = new ExtensionFault(
      EXTENSION_ERROR_CODES.busy,
      "The extensions are shutting down.",
      "unavailable",
    );
    for (const line of this.#lines) line.stop(stopped);
    await Promise.all([...this.#lines].map((line) => line.gone));
  }

  #open(): ThreadConnection<Context> {
    const line = new ThreadConnection(this.#snapshot, this.#context);
    this.#lines.add(line);
    void line.gone.then(() => this.#lines.delete(line));
    return line;
  }

  async #lineFor(background: boolean): Promise<ThreadConnection<Context>> {
    if (!this.#hasRoom(background)) await this.#turn(background);
    else this.#busy++;
    for (let line = this.#idle.pop(); line; line = this.#idle.pop()) if (line.alive) return line;
    try {
      const line = this.#open();
      await line.manifest;
      return line;
    } catch (error) {
      this.#next();
      throw error;
    }
  }

  /** Whether a call may start. If the pool has several threads, one is reserved for awaited calls. */
  #hasRoom = (background: boolean) => this.#busy < (background ? Math.max(1, this.#most - 1) : this.#most);

  #turn(background: boolean): Promise<void> {
    const busy = () =>
      new ExtensionFault(EXTENSION_ERROR_CODES.busy, "The extensions are busy.", "unavailable");
    if (this.#waiting.length >= MAX_WAITING_CALLS) return Promise.reject(busy());
    return new Promise((taken, failed) => {
      const waiting: WaitingCall = { background, take: () => (clearTimeout(late), taken()) };
      const late = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
          failed(busy());
        },
        background ? BACKGROUND_WAIT_LIMIT : WAIT_LIMIT,
      );
      this.#waiting.push(waiting);
    });
  }

  #giveBack(line: ThreadConnection<Context>) {
    if (line.alive) this.#idle.push(line);
    this.#next();
  }

  /** Assigns a free thread to the next waiting call; awaited calls come first. */
  #next() {
    this.#busy--;
    const at = this.#waiting.findIndex((it) => !it.background);
    const next = at >= 0 ? at : this.#hasRoom(true) ? 0 : -1;
    const [waiting] = next >= 0 ? this.#waiting.splice(next, 1) : [];
    if (!waiting) return;
    this.#busy++;
    waiting.take();
  }
}

import { ExtensionFault, FAULTS } from "./faults.ts";
import { LARGEST, type Manifest } from "./protocol.ts";
import type { Snapshot } from "./snapshot.ts";
import { type ThreadHouse, ThreadLine, type Within } from "./thread-line.ts";

/** Calls that may wait for a thread, and how many milliseconds: awaited ones, and background ones. */
const MOST_WAITING = 500;
const PATIENCE = 10_000;
const PATIENCE_BESIDE = 120_000;
/** Nesting of calls: services that call services, hooks of their writes. */
const DEEPEST = 8;

export type Call<Context> = {
  part: string;
  input: unknown;
  context: Context;
  /** Milliseconds. */
  limit: number;
  within: Within | null;
  /** A background call, which leaves one thread to awaited ones. */
  background: boolean;
};

type Waiting = { background: boolean; take: () => void };

/**
 * Threads for one set of sources. Each runs one call at a time with its nested calls; stopping one does not
 * affect the others.
 */
export class Threads<Context> {
  readonly #snapshot: Snapshot;
  readonly #house: ThreadHouse<Context>;
  readonly #most: number;
  readonly #idle: ThreadLine<Context>[] = [];
  readonly #lines = new Set<ThreadLine<Context>>();
  readonly #waiting: Waiting[] = [];
  #busy = 0;

  constructor(snapshot: Snapshot, house: ThreadHouse<Context>, most: number) {
    this.#snapshot = snapshot;
    this.#house = house;
    this.#most = most;
  }

  /** Starts the first thread and returns its manifest, or its fault with `loading`, the file at fault. */
  async begin(): Promise<{ manifest: Manifest } | { fault: Error; loading: string | null }> {
    const line = this.#open();
    try {
      const manifest = await line.manifest;
      this.#idle.push(line);
      return { manifest };
    } catch (error) {
      return { fault: error as Error, loading: line.loading };
    }
  }

  /**
   * Runs a part.
   * @throws its refusals, and our own: `busy`, `tooDeep`, `tooLong`, `tooMuchMemory`, `badAnswer`
   */
  async run({ part, input, context, limit, within, background }: Call<Context>): Promise<unknown> {
    const json = JSON.stringify(input ?? null);
    if (json.length > LARGEST)
      throw new ExtensionFault(FAULTS.badAnswer, `What an extension is given has ${LARGEST} characters as JSON at the most.`, "too-large");
    if (within && within.thread instanceof ThreadLine) {
      if (within.depth + 1 >= DEEPEST)
        throw new ExtensionFault(FAULTS.tooDeep, `Calls of extensions stand ${DEEPEST} deep in one another at the most.`);
      return (within.thread as ThreadLine<Context>).run(part, json, context, within.depth + 1);
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
    const stopped = new ExtensionFault(FAULTS.busy, "The extensions are being closed.", "unavailable");
    for (const line of this.#lines) line.stop(stopped);
    await Promise.all([...this.#lines].map((line) => line.gone));
  }

  #open(): ThreadLine<Context> {
    const line = new ThreadLine(this.#snapshot, this.#house);
    this.#lines.add(line);
    void line.gone.then(() => this.#lines.delete(line));
    return line;
  }

  async #lineFor(background: boolean): Promise<ThreadLine<Context>> {
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

  /** One thread is reserved for awaited calls, if there are several. */
  #hasRoom = (background: boolean) => this.#busy < (background ? Math.max(1, this.#most - 1) : this.#most);

  #turn(background: boolean): Promise<void> {
    const busy = () => new ExtensionFault(FAULTS.busy, "The extensions have too much to do just now.", "unavailable");
    if (this.#waiting.length >= MOST_WAITING) return Promise.reject(busy());
    return new Promise((taken, failed) => {
      const waiting: Waiting = { background, take: () => (clearTimeout(late), taken()) };
      const late = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
          failed(busy());
        },
        background ? PATIENCE_BESIDE : PATIENCE,
      );
      this.#waiting.push(waiting);
    });
  }

  #giveBack(line: ThreadLine<Context>) {
    if (line.alive) this.#idle.push(line);
    this.#next();
  }

  /** A thread is free: awaited calls come first. */
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

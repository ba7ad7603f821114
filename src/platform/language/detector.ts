import { Worker } from "node:worker_threads";

export type LanguageScores = Record<string, number>;
type DetectorReply = { id: number; scores: LanguageScores };

const THREAD_FILE = new URL("./detector-thread.ts", import.meta.url);
/** Milliseconds without a text after which the thread ends. */
const IDLE_TIMEOUT = 60_000;
/** Milliseconds that a request waits for the detected language of its text. */
const REPLY_TIMEOUT = 3_000;

/**
 * Detects languages in a separate thread: the tables take 90 MB and a quarter of a second to load, too much
 * for the event loop and for an idle process. The thread starts with the first text and ends after a minute
 * without one.
 */
export class LanguageDetector {
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #last = 0;
  readonly #waiting = new Map<number, (scores: LanguageScores) => void>();

  /** Score of a text per language; empty when the thread does not answer in time. */
  async scores(text: string): Promise<LanguageScores> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<LanguageScores>();
    this.#waiting.set(id, resolve);
    const late = setTimeout(() => resolve({}), REPLY_TIMEOUT);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread takes no target origin
    worker.postMessage({ id, text });
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#endWhenIdle(worker);
    }
  }

  #start(): Worker {
    const worker = new Worker(THREAD_FILE, {
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 200 },
    });
    worker.unref();
    worker.on("message", ({ id, scores }: DetectorReply) => this.#waiting.get(id)?.(scores));
    worker.on("error", () => this.#lose(worker));
    worker.on("exit", () => this.#lose(worker));
    return worker;
  }

  #endWhenIdle(worker: Worker) {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#waiting.size > 0 || this.#worker !== worker) return;
      this.#worker = null;
      void worker.terminate();
    }, IDLE_TIMEOUT);
    this.#idle.unref();
  }

  /** Answers the requests of a dead thread with an empty result; the next text starts a new thread. */
  #lose(worker: Worker) {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const resolve of this.#waiting.values()) resolve({});
  }
}

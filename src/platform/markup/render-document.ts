import { Worker } from "node:worker_threads";
import { Refusal } from "#platform/refusal";
import { renderMarkdown } from "./render-markdown.ts";

/**
 * Maximum characters of a text that is rendered on the event loop, in a few milliseconds. Longer texts would
 * block it.
 */
const SHORT_LENGTH = 20_000;
/** Milliseconds that one text may take. An idle thread ends after the same time. */
const TIME_LIMIT = 20_000;
const IDLE_TIMEOUT = 30_000;
/** Maximum number of queued texts, because a waiting request may hold a database connection. */
const MAX_WAITING = 8;

type RenderTask = {
  text: string;
  longest: number;
  done: (html: string) => void;
  failed: (error: unknown) => void;
};

let renderingThread: RenderingThread | null = null;

/**
 * Renders Markdown of document length outside the event loop, one text at a time, in a thread that is started
 * when needed. `longest` is the time limit in milliseconds.
 * @throws `too-large` for a text that takes too long, `unavailable` when too many texts wait
 */
export async function renderDocument(
  text: string,
  { longest = TIME_LIMIT }: { longest?: number } = {},
): Promise<string> {
  if (text.length <= SHORT_LENGTH) return renderMarkdown(text);
  if (renderingThread === null || renderingThread.hasEnded) renderingThread = new RenderingThread();
  return renderingThread.render(text, longest);
}

/** A thread and its queue. */
class RenderingThread {
  readonly #worker = new Worker(new URL("./rendering-thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  readonly #waiting: RenderTask[] = [];
  #timer: NodeJS.Timeout | null = null;
  hasEnded = false;

  constructor() {
    // The thread itself does not keep the process running; a waiting request does.
    this.#worker.unref();
    this.#worker.on("message", (html: string) => this.#settle((task) => task.done(html)));
    this.#worker.once("error", (error) => this.#end(error));
    this.#worker.once("exit", () => this.#end(new Error("the document rendering thread has stopped")));
  }

  render(text: string, longest: number): Promise<string> {
    if (this.#waiting.length > MAX_WAITING)
      throw new Refusal("unavailable", "Too many long texts are being formatted. Try again in a moment.", {
        retryAfter: 5,
      });
    return new Promise((done, failed) => {
      this.#waiting.push({ text, longest, done, failed });
      if (this.#waiting.length === 1) this.#begin();
    });
  }

  #begin(): void {
    const [task] = this.#waiting;
    if (this.#timer) clearTimeout(this.#timer);
    if (!task) {
      this.#worker.unref();
      this.#timer = setTimeout(() => this.#end(null), IDLE_TIMEOUT).unref();
      return;
    }
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread takes no target origin
    this.#worker.postMessage(task.text);
    this.#timer = setTimeout(
      () =>
        this.#end(
          new Refusal("too-large", "This text takes too long to format. Make it shorter or simpler."),
        ),
      task.longest,
    );
  }

  #settle(how: (task: RenderTask) => void): void {
    const task = this.#waiting.shift();
    if (task) how(task);
    this.#begin();
  }

  /** The current text fails with this error; the texts queued behind it restart in another thread. */
  #end(error: unknown): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (this.#timer) clearTimeout(this.#timer);
    void this.#worker.terminate();
    const [first, ...others] = this.#waiting.splice(0);
    first?.failed(error);
    for (const task of others) void retryTask(task);
  }
}

async function retryTask({ text, longest, done, failed }: RenderTask): Promise<void> {
  try {
    done(await renderDocument(text, { longest }));
  } catch (error) {
    failed(error);
  }
}

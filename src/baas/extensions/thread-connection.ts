import { Worker } from "node:worker_threads";
import { parseTrustedJson } from "#platform/json";
import type { Log } from "#platform/log";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import {
  deserializeRefusal,
  ExtensionFault,
  EXTENSION_ERROR_CODES,
  type SerializedRefusal,
  serializeRefusal,
} from "./extension-errors.ts";
import {
  type Caller,
  type FromThread,
  MAX_TRANSFER,
  type Manifest,
  type ThreadData,
  type ToThread,
} from "./thread-protocol.ts";
import type { Snapshot } from "./source-snapshot.ts";

const THREAD_URL = new URL("./thread.ts", import.meta.url);
const API_URL = new URL("./api.ts", import.meta.url).href;
/** Maximum milliseconds of CPU time for loading all files. */
const LOAD_WORK_LIMIT = 5_000;
/** Maximum milliseconds until all files are loaded: longer than the CPU time, as the machine may be busy. */
const LOAD_WAIT_LIMIT = 60_000;
/** Milliseconds between two checks of a running thread's memory outside the heap. */
const MEMORY_CHECK_INTERVAL = 200;
const MEGABYTE = 1_000_000;
/** Maximum requests to the host during one call. */
const MAX_REQUESTS_PER_CALL = 5_000;

/**
 * The parent of a nested call. A nested call runs in the thread of its parent, so that no call waits for a
 * thread that is waiting for it.
 */
export type ParentCall = { readonly thread: object; readonly depth: number };

/** Host functions for extensions, by name; each runs as the caller. */
export type HostFunctions<Context> = Record<
  string,
  (context: Context, args: unknown[], within: ParentCall) => Promise<unknown>
>;

export type ThreadContext<Context> = {
  log: Log;
  /** Maximum megabytes of a thread. */
  memory: number;
  callerOf: (context: Context) => Caller;
  hostFunctions: () => HostFunctions<Context>;
  /** Returns a caller with the rights of the server, on behalf of this caller. */
  serverFor: (context: Context) => Context;
};

type PendingCall<Context> = ParentCall & { context: Context; settle: PromiseWithResolvers<unknown> };

/** A thread that runs extensions, and the host's connection to it. */
export class ThreadConnection<Context> {
  readonly #context: ThreadContext<Context>;
  readonly #worker: Worker;
  readonly #calls = new Map<number, PendingCall<Context>>();
  readonly #ready = Promise.withResolvers<Manifest>();
  readonly #gone = Promise.withResolvers<void>();
  #last = 0;
  #asked = 0;
  #fault: Refusal | null = null;
  /** The file that is being loaded; used to identify a file that loops. */
  loading: string | null = null;

  constructor({ sources, entries }: Snapshot, app: ThreadContext<Context>) {
    this.#context = app;
    const workerData: ThreadData = { apiUrl: API_URL, sources, entries };
    const resourceLimits = {
      maxOldGenerationSizeMb: app.memory,
      maxYoungGenerationSizeMb: Math.ceil(app.memory / 4),
      stackSizeMb: 4,
    };
    // The thread has no environment variables, no flags and no output.
    this.#worker = new Worker(THREAD_URL, {
      workerData,
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits,
    });
    this.#worker.unref();
    this.#worker.on("message", (message: FromThread) => this.#receive(message));
    this.#worker.on("error", (error: NodeJS.ErrnoException) => this.#end(classifyExit(error)));
    this.#worker.on("exit", () => {
      this.#end(
        new ExtensionFault(
          EXTENSION_ERROR_CODES.threw,
          "The extension ended its own thread.",
          "invalid",
          undefined,
          true,
        ),
      );
      this.#gone.resolve();
    });
    this.#ready.promise.catch(() => {});
    this.#watchLoading();
  }

  #watchLoading() {
    const tooLong = () =>
      this.stop(new ExtensionFault(EXTENSION_ERROR_CODES.tooLong, "Loading took too long.", "unavailable"));
    const late = setTimeout(tooLong, LOAD_WAIT_LIMIT);
    const timer = setInterval(async () => {
      const used = await this.#worker.cpuUsage().catch(() => null);
      if (used && (used.user + used.system) / 1_000 > LOAD_WORK_LIMIT) tooLong();
    }, MEMORY_CHECK_INTERVAL);
    const over = () => (clearTimeout(late), clearInterval(timer));
    this.#ready.promise.then(over, over);
  }

  /**
   * The loaded parts.
   * @throws when a file loops or exhausts memory; `loading` is that file
   */
  get manifest(): Promise<Manifest> {
    return this.#ready.promise;
  }

  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  get alive(): boolean {
    return this.#fault === null;
  }

  /** Runs a part until it answers, throws or is stopped. */
  run(part: string, input: string, context: Context, depth: number): Promise<unknown> {
    if (this.#fault) return Promise.reject(this.#fault);
    const id = ++this.#last;
    if (depth === 0) this.#asked = 0;
    const settle = Promise.withResolvers<unknown>();
    this.#calls.set(id, { thread: this, depth, context, settle });
    this.#send({ kind: "run", id, part, input, caller: this.#context.callerOf(context) });
    return settle.promise;
  }

  /** Runs an outermost call; it is stopped after `limit` milliseconds or when it takes too much memory. */
  async runWithin(limit: number, part: string, input: string, context: Context): Promise<unknown> {
    const late = setTimeout(
      () =>
        this.stop(
          new ExtensionFault(
            EXTENSION_ERROR_CODES.tooLong,
            msg("This took longer than {limit} seconds and was stopped.", { limit: limit / 1_000 }),
            "unavailable",
          ),
        ),
      limit,
    );
    const timer = setInterval(() => void this.#look(), MEMORY_CHECK_INTERVAL);
    try {
      return await this.run(part, input, context, 0);
    } finally {
      clearTimeout(late);
      clearInterval(timer);
      // After a call has ended, its later requests are refused and its unfinished nested calls end.
      this.#refuseAll(callEnded());
    }
  }

  /** Ends the thread; its running calls fail with `why`. */
  stop(why: Refusal): void {
    this.#end(why);
    void this.#worker.terminate();
  }

  #end(why: Refusal) {
    this.#fault ??= why;
    this.#refuseAll(this.#fault);
    this.#ready.reject(this.#fault);
  }

  #refuseAll(why: Refusal) {
    for (const { settle } of this.#calls.values()) settle.reject(why);
    this.#calls.clear();
  }

  /**
   * Stops the thread if its memory outside the heap, such as buffers, exceeds the limit; Node limits only
   * the heap.
   */
  async #look() {
    const used = await this.#worker.getHeapStatistics().catch(() => null);
    if (used && used.external_memory > this.#context.memory * MEGABYTE) this.stop(tooMuchMemory());
  }

  #send(message: ToThread) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread takes no target origin
    this.#worker.postMessage(message);
  }

  #receive(message: FromThread) {
    if (message.kind === "loading") this.loading = message.file;
    else if (message.kind === "ready") this.#ready.resolve(message.manifest);
    else if (message.kind === "line")
      this.#context.log[message.level]({ facts: message.facts, of: "extension" }, message.message);
    else if (message.kind === "ask") void this.#answer(message);
    else this.#settle(message);
  }

  #settle(message: Extract<FromThread, { kind: "done" | "failed" }>) {
    const call = this.#calls.get(message.id);
    this.#calls.delete(message.id);
    if (!call) return;
    if (message.kind === "done") return call.settle.resolve(JSON.parse(message.json));
    const { stack, sentence } = message.fault;
    if (stack !== undefined) this.#context.log.warn({ stack, of: "extension" }, sentence);
    call.settle.reject(deserializeRefusal(message.fault));
  }

  async #answer({ id, ask, functionName, server, args }: Extract<FromThread, { kind: "ask" }>) {
    try {
      const call = this.#calls.get(id);
      if (!call) throw callEnded();
      if (++this.#asked > MAX_REQUESTS_PER_CALL)
        throw new ExtensionFault(
          EXTENSION_ERROR_CODES.tooLong,
          msg("One call can use host functions at most {count} times.", { count: MAX_REQUESTS_PER_CALL }),
        );
      const hostFunctions = this.#context.hostFunctions();
      const hostFunction = Object.hasOwn(hostFunctions, functionName)
        ? hostFunctions[functionName]
        : undefined;
      if (!hostFunction)
        throw new Refusal("not-found", msg("There is no host function ''{hand}''.", { hand: functionName }));
      const answer = await hostFunction(
        server ? this.#context.serverFor(call.context) : call.context,
        parseTrustedJson(args),
        call,
      );
      const json = JSON.stringify(answer ?? null);
      if (json.length > MAX_TRANSFER)
        throw new Refusal(
          "too-large",
          msg("The result of ''{hand}'' has more than {count} characters as JSON.", {
            hand: functionName,
            count: MAX_TRANSFER,
          }),
        );
      if (this.alive) this.#send({ kind: "answer", ask, json });
    } catch (error) {
      if (this.alive) this.#send({ kind: "refused", ask, fault: this.#faultOf(error) });
    }
  }

  /**
   * Converts an error for the extension. Anything but a refusal is a bug of ours, which is logged and not
   * disclosed.
   */
  #faultOf(error: unknown): SerializedRefusal {
    if (error instanceof Refusal) return serializeRefusal(error);
    this.#context.log.error({ err: error }, "a host function failed");
    return { sentence: "Something went wrong on the server.", reason: "unavailable", code: null };
  }
}

const callEnded = () => new Refusal("gone", "This call has ended.");
const tooMuchMemory = () =>
  new ExtensionFault(
    EXTENSION_ERROR_CODES.tooMuchMemory,
    "This took too much memory and was stopped.",
    "unavailable",
  );

function classifyExit(error: NodeJS.ErrnoException): Refusal {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return tooMuchMemory();
  return new ExtensionFault(
    EXTENSION_ERROR_CODES.threw,
    error.message.slice(0, 1_000),
    "invalid",
    undefined,
    true,
  );
}

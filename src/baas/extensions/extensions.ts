import { msg } from "#platform/messages";
import { watch } from "node:fs";
import { resolve } from "node:path";
import type { Caller as TableCaller, Hooks } from "#baas/data";
import type { Log } from "#platform/log";
import { KeyedQueue } from "#platform/queue";
import { errorMessage, ExtensionFault, EXTENSION_ERROR_CODES } from "./extension-errors.ts";
import { createHookRunner } from "./hook-runner.ts";
import type { Caller, PartInfo, Manifest } from "./thread-protocol.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { readSnapshot, type Snapshot } from "./source-snapshot.ts";
import type { HostFunctions, ParentCall } from "./thread-connection.ts";
import { ThreadPool } from "./thread-pool.ts";
import { findPartFault } from "./part-faults.ts";

export type ExtensionOptions<Context> = {
  /** Folder of the operator's files; it may be missing. */
  folder: string;
  log: Log;
  /** Maximum seconds per call. */
  seconds: number;
  /** Maximum megabytes per thread. */
  memory: number;
  threads: number;
  /** Maximum transactions in which hooks run at the same time; each occupies a connection. */
  transactions: number;
  now: () => Date;
  callerOf: (context: Context) => Caller;
  withinOf: FindCall<Context>;
  /** Whether a built-in service has a method of this name. */
  isTaken: (service: string, method: string) => boolean;
  /** Converts a caller of data tables to a caller of extensions. */
  fromTable: (caller: TableCaller) => Context;
  /** Returns a caller with the rights of the server, on behalf of `context` if given. */
  serverFor: (context: Context | null) => Context;
};

/** An error in a part of an extension, shown to its operator. */
export type ExtensionErrorRecord = { at: Date; part: string; sentence: string };

/** Factor by which a background call may take longer than an awaited one. */
const BACKGROUND_FACTOR = 12;
const MAX_ERRORS = 50;
/** Maximum files that loop or exhaust memory while loading; beyond it no files are loaded. */
const MAX_BROKEN_FILES = 5;
/** Milliseconds between a change and the reload, in which an editor can finish writing. */
const RELOAD_DELAY = 150;

/** Returns the parent call of a call; null for an outermost call. */
export type FindCall<Context> = (context: Context) => ParentCall | null;
type LoadedExtensions<Context> = { manifest: Manifest; threads: ThreadPool<Context> };
type RunOptions = { within?: ParentCall | null; background?: boolean };

/** Loads and runs the operator's extensions. A class, because it holds the loaded version. */
export class Extensions<Context> {
  readonly folder: string;
  readonly hooks: Hooks;
  readonly #options: ExtensionOptions<Context>;
  readonly #settled: () => Promise<void>;
  readonly #sickness: CircuitBreaker;
  readonly #mishaps: ExtensionErrorRecord[] = [];
  readonly #changed = new Set<() => void>();
  #hostFunctions: HostFunctions<Context> = {};
  #loaded: LoadedExtensions<Context> | null = null;
  /** Errors in the current files, while an older version keeps running. */
  #faults: Manifest["faults"] = [];

  constructor(options: ExtensionOptions<Context>) {
    this.#options = options;
    this.folder = resolve(options.folder);
    this.#sickness = new CircuitBreaker(() => options.now().getTime());
    const { settled, ...hooks } = createHookRunner({
      parts: () => this.parts,
      log: options.log,
      atOnce: options.transactions,
      run: (hook, caller, payload, background) => {
        const context = options.fromTable(caller);
        return this.run(hook.key, payload, context, {
          background,
          within: background ? null : options.withinOf(context),
        });
      },
    });
    this.hooks = hooks;
    this.#settled = settled;
  }

  get parts(): readonly PartInfo[] {
    return this.#loaded?.manifest.parts ?? [];
  }

  /** The running parts, load errors, and recent errors of calls. */
  get status() {
    const { files, parts } = this.#loaded?.manifest ?? { files: [], parts: [] };
    return { folder: this.folder, files, parts, faults: this.#faults, mishaps: this.#mishaps };
  }

  /** Sets the host functions. Must be called before any part runs. */
  setHostFunctions(functions: HostFunctions<Context>): void {
    this.#hostFunctions = functions;
  }

  /** Registers a callback that is called after every reload. */
  onChange(call: () => void): void {
    this.#changed.add(call);
  }

  /**
   * Loads the folder. On the first load, files with errors are left out; later, any error keeps the running
   * version.
   */
  async load(): Promise<void> {
    const { log } = this.#options;
    const found = await this.#read();
    this.#faults = found.manifest.faults;
    for (const fault of this.#faults) log.error(fault, "an extension file could not be loaded");
    if (this.#loaded && this.#faults.length > 0) return void found.threads.close();
    const before = this.#loaded;
    this.#loaded = found;
    this.#sickness.forget();
    for (const call of this.#changed) call();
    if (found.manifest.files.length > 0)
      log.info({ parts: found.manifest.parts.length }, "extensions loaded");
    await before?.threads.close();
  }

  /** Reloads the extensions whenever a file in the folder changes. Returns a function that stops watching. */
  watch(): () => void {
    let settling: NodeJS.Timeout | undefined;
    const queue = new KeyedQueue();
    const again = () =>
      queue
        .run("load", () => this.load())
        .catch((error: unknown) => this.#options.log.error({ err: error }, "extensions could not be loaded"));
    try {
      const watcher = watch(this.folder, { recursive: true, persistent: false }, () => {
        clearTimeout(settling);
        settling = setTimeout(again, RELOAD_DELAY);
      });
      watcher.on("error", () => watcher.close());
      return () => (clearTimeout(settling), watcher.close());
    } catch {
      // If the folder is missing, there is nothing to watch.
      return () => {};
    }
  }

  /**
   * Runs a part by its key.
   * @throws its refusal, or an `ExtensionFault` when it exceeds its time or memory or its answer is invalid
   */
  async run(
    key: string,
    input: unknown,
    context: Context,
    { within = null, background = false }: RunOptions = {},
  ): Promise<unknown> {
    const { seconds } = this.#options;
    if (!this.#loaded)
      throw new ExtensionFault(
        EXTENSION_ERROR_CODES.busy,
        "The extensions are not loaded yet.",
        "unavailable",
      );
    this.#sickness.assertWell(key);
    try {
      const limit = seconds * 1_000 * (background ? BACKGROUND_FACTOR : 1);
      return await this.#loaded.threads.run({ part: key, input, context, limit, within, background });
    } catch (error) {
      this.#sickness.note(key, error);
      this.#noteMishap(key, error);
      throw error;
    }
  }

  /**
   * Dispatches a custom event to its handler.
   * @throws `noEvent` when there is none
   */
  async dispatch(event: string, args: unknown, context: Context, how: RunOptions = {}): Promise<unknown> {
    return this.run(this.eventPart(event), args, context, how);
  }

  /**
   * Key of the handler of a custom event.
   * @throws `noEvent` when there is none
   */
  eventPart(event: string): string {
    if (this.parts.some((it) => it.kind === "event" && it.event === event)) return `event:${event}`;
    // Clients expect this wording.
    throw new ExtensionFault(
      EXTENSION_ERROR_CODES.noEvent,
      msg("Custom event handler with name ''{event}'' does not exists", { event: event.slice(0, 100) }),
      "not-found",
    );
  }

  /** Runs a part in the background with the rights of the server. */
  async runBeside(key: string): Promise<void> {
    await this.run(key, null, this.#options.serverFor(null), { background: true });
  }

  /** Waits for running calls, then stops. */
  async close(): Promise<void> {
    await this.#settled();
    await this.#loaded?.threads.close();
  }

  async #read(): Promise<LoadedExtensions<Context>> {
    const snapshot = await readSnapshot(this.folder).catch((error: unknown) => ({
      sources: {},
      entries: [],
      fault: errorMessage(error),
    }));
    const found = await this.#begin(snapshot);
    if ("fault" in snapshot) found.manifest.faults.push({ file: ".", sentence: snapshot.fault });
    found.manifest.parts = found.manifest.parts.filter((part) => {
      const sentence = this.#whyNot(part);
      if (sentence !== null) found.manifest.faults.push({ file: part.file, sentence });
      return sentence === null;
    });
    return found;
  }

  /**
   * Starts threads for the sources. Each attempt can find one file that loops while loading; the next attempt
   * leaves that file out.
   */
  async #begin(snapshot: Snapshot): Promise<LoadedExtensions<Context>> {
    const { log, memory, callerOf, serverFor, threads: most } = this.#options;
    const sick: Manifest["faults"] = [];
    const app = { log, memory, callerOf, serverFor, hostFunctions: () => this.#hostFunctions };
    for (;;) {
      const entries = snapshot.entries.filter(({ file }) => !sick.some((it) => it.file === file));
      const threads = new ThreadPool(
        { ...snapshot, entries: sick.length < MAX_BROKEN_FILES ? entries : [] },
        app,
        most,
      );
      if (snapshot.entries.length === 0) return { manifest: { files: [], parts: [], faults: [] }, threads };
      const begun = await threads.begin();
      if ("manifest" in begun) {
        const { manifest } = begun;
        return { manifest: { ...manifest, faults: [...sick, ...manifest.faults] }, threads };
      }
      if (entries.length === 0 || sick.length > MAX_BROKEN_FILES) {
        log.error({ err: begun.fault }, "the extensions could not be started");
        return {
          manifest: { files: [], parts: [], faults: [...sick, { file: ".", sentence: begun.fault.message }] },
          threads,
        };
      }
      sick.push({ file: begun.loading ?? ".", sentence: begun.fault.message });
    }
  }

  #whyNot(part: PartInfo): string | null {
    if (part.kind === "service" && this.#options.isTaken(part.service, part.method))
      return `Kith itself has a method ${part.service}/${part.method}.`;
    return findPartFault(part);
  }

  #noteMishap(part: string, error: unknown) {
    if (!(error instanceof ExtensionFault) || !error.isMishap) return;
    this.#mishaps.unshift({ at: this.#options.now(), part, sentence: error.message });
    this.#mishaps.splice(MAX_ERRORS);
  }
}

import { watch } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import type { Caller as TableCaller, Hooks } from "#backend/tables";
import type { Log } from "#platform/log";
import { readSchedule } from "./cron.ts";
import { ExtensionFault, FAULTS } from "./faults.ts";
import { openHooks } from "./hooking.ts";
import type { Caller, Known, Manifest } from "./protocol.ts";
import type { Method, Services } from "./services.ts";
import { Sickness } from "./sickness.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";
import type { Hands, Within } from "./thread-line.ts";
import { Threads } from "./threads.ts";

export type ExtensionOptions<Context> = {
  /** Where an operator's files lie. It need not be there. */
  folder: string;
  log: Log;
  /** Seconds that a call may take, megabytes that a thread may take, and how many threads there are. */
  seconds: number;
  memory: number;
  threads: number;
  /** Transactions that may wait for hooks at a time: each holds a connection meanwhile. */
  transactions: number;
  now: () => Date;
  callerOf: (context: Context) => Caller;
  withinOf: WithinOf<Context>;
  /** Whether the house has a method of this name of its own. */
  isTaken: (service: string, method: string) => boolean;
  /** Who writes to a table, as whoever calls an extension. */
  fromTable: (caller: TableCaller) => Context;
  /** Who has the rights of the server: by themselves, or in the place of who calls. */
  serverFor: (context: Context | null) => Context;
};

/** Something that went wrong in a part, for whoever looks after it. */
export type Mishap = { at: Date; part: string; sentence: string };

/** How much longer than a call that is waited for one may take that nobody waits for. */
const BESIDE = 12;
const MOST_MISHAPS = 50;
/** Files in a row that loop, or take too much memory, while they are taken up. */
const MOST_SICK_FILES = 5;
/** Milliseconds for which an editor may still be writing. */
const SETTLING = 150;

/** The call within which a call is made, if it is. */
type WithinOf<Context> = (context: Context) => Within | null;
type Loaded<Context> = { manifest: Manifest; threads: Threads<Context> };
type How = { within?: Within | null; background?: boolean };

/** An operator's own code: what there is of it, and the way to run it. A class, because it remembers what is loaded. */
export class Extensions<Context> {
  readonly folder: string;
  readonly hooks: Hooks;
  readonly #options: ExtensionOptions<Context>;
  readonly #settled: () => Promise<void>;
  readonly #sickness: Sickness;
  readonly #mishaps: Mishap[] = [];
  readonly #changed = new Set<() => void>();
  #hands: Hands<Context> = {};
  #loaded: Loaded<Context> | null = null;
  /** Why files as they are now are not those that run. */
  #faults: Manifest["faults"] = [];

  constructor(options: ExtensionOptions<Context>) {
    this.#options = options;
    this.folder = resolve(options.folder);
    this.#sickness = new Sickness(() => options.now().getTime());
    const { settled, ...hooks } = openHooks({
      parts: () => this.parts,
      log: options.log,
      atOnce: options.transactions,
      run: (hook, caller, told, background) => {
        const context = options.fromTable(caller);
        return this.run(hook.key, told, context, { background, within: background ? null : options.withinOf(context) });
      },
    });
    this.hooks = hooks;
    this.#settled = settled;
  }

  get parts(): readonly Known[] {
    return this.#loaded?.manifest.parts ?? [];
  }

  /** What runs, what does not and why, and what went wrong lately. */
  get status() {
    const { files, parts } = this.#loaded?.manifest ?? { files: [], parts: [] };
    return { folder: this.folder, files, parts, faults: this.#faults, mishaps: this.#mishaps };
  }

  /** What extensions can ask of the house. To be given before anything is run. */
  reach(hands: Hands<Context>): void {
    this.#hands = hands;
  }

  /** Calls back whenever other parts are loaded. */
  onChange(call: () => void): void {
    this.#changed.add(call);
  }

  /**
   * Takes up what lies in the folder. The first time, files with faults are left out; later, as long as there is one with a fault,
   * everything stays as it was.
   */
  async load(): Promise<void> {
    const { log } = this.#options;
    const found = await this.#read();
    this.#faults = found.manifest.faults;
    for (const fault of this.#faults) log.error(fault, "a file of the extensions is not taken up");
    if (this.#loaded && this.#faults.length > 0) return void found.threads.close();
    const before = this.#loaded;
    this.#loaded = found;
    this.#sickness.forget();
    for (const call of this.#changed) call();
    if (found.manifest.files.length > 0) log.info({ parts: found.manifest.parts.length }, "extensions are loaded");
    await before?.threads.close();
  }

  /** Loads anew whenever a file of the folder changes. Returns the way to stop. */
  watch(): () => void {
    let settling: NodeJS.Timeout | undefined;
    let loading = Promise.resolve();
    const again = () =>
      (loading = loading
        .then(() => this.load())
        .catch((error: unknown) => this.#options.log.error({ err: error }, "extensions could not be loaded")));
    try {
      const watcher = watch(this.folder, { recursive: true, persistent: false }, () => {
        clearTimeout(settling);
        settling = setTimeout(again, SETTLING);
      });
      watcher.on("error", () => watcher.close());
      return () => (clearTimeout(settling), watcher.close());
    } catch {
      // There is no such folder to watch.
      return () => {};
    }
  }

  /** Runs a part by its key. Throws what it refuses, and refusals of our own for what takes too long, too much, or answers what cannot be told. */
  async run(key: string, input: unknown, context: Context, { within = null, background = false }: How = {}): Promise<unknown> {
    const { seconds } = this.#options;
    if (!this.#loaded) throw new ExtensionFault(FAULTS.busy, "The extensions are not loaded yet.", "unavailable");
    this.#sickness.assertWell(key);
    try {
      const limit = seconds * 1_000 * (background ? BESIDE : 1);
      return await this.#loaded.threads.run({ part: key, input, context, limit, within, background });
    } catch (error) {
      this.#sickness.note(key, error);
      this.#noteMishap(key, error);
      throw error;
    }
  }

  /** Dispatches an event to whoever handles it. Throws `noEvent` where nobody does. */
  async dispatch(event: string, args: unknown, context: Context, how: How = {}): Promise<unknown> {
    return this.run(this.eventPart(event), args, context, how);
  }

  /** The key of whoever handles an event. Throws `noEvent` where nobody does. */
  eventPart(event: string): string {
    if (this.parts.some((it) => it.kind === "event" && it.event === event)) return `event:${event}`;
    // Clients know it in these words.
    throw new ExtensionFault(FAULTS.noEvent, `Custom event handler with name '${event.slice(0, 100)}' does not exists`, "not-found");
  }

  /** What somebody runs of an extension with the rights of the server, and nobody waits for. */
  async runBeside(key: string): Promise<void> {
    await this.run(key, null, this.#options.serverFor(null), { background: true });
  }

  /** Stops to run anything, once what runs has come to its end. */
  async close(): Promise<void> {
    await this.#settled();
    await this.#loaded?.threads.close();
  }

  async #read(): Promise<Loaded<Context>> {
    const snapshot = await readSnapshot(this.folder).catch((error: unknown) => ({ sources: {}, entries: [], fault: sentenceOf(error) }));
    const found = await this.#begin(snapshot);
    if ("fault" in snapshot) found.manifest.faults.push({ file: ".", sentence: snapshot.fault });
    found.manifest.parts = found.manifest.parts.filter((part) => {
      const sentence = this.#whyNot(part);
      if (sentence !== null) found.manifest.faults.push({ file: part.file, sentence });
      return sentence === null;
    });
    return found;
  }

  /** Files that loop as they are taken up are found one by one, and left out. */
  async #begin(snapshot: Snapshot): Promise<Loaded<Context>> {
    const { log, memory, callerOf, serverFor, threads: most } = this.#options;
    const sick: Manifest["faults"] = [];
    const house = { log, memory, callerOf, serverFor, hands: () => this.#hands };
    for (;;) {
      const entries = snapshot.entries.filter(({ file }) => !sick.some((it) => it.file === file));
      const threads = new Threads({ ...snapshot, entries: sick.length < MOST_SICK_FILES ? entries : [] }, house, most);
      if (snapshot.entries.length === 0) return { manifest: { files: [], parts: [], faults: [] }, threads };
      const begun = await threads.begin();
      if ("manifest" in begun) {
        const { manifest } = begun;
        return { manifest: { ...manifest, faults: [...sick, ...manifest.faults] }, threads };
      }
      if (entries.length === 0 || sick.length > MOST_SICK_FILES) {
        log.error({ err: begun.fault }, "the extensions could not be started");
        return { manifest: { files: [], parts: [], faults: [...sick, { file: ".", sentence: begun.fault.message }] }, threads };
      }
      sick.push({ file: begun.loading ?? ".", sentence: begun.fault.message });
    }
  }

  #whyNot(part: Known): string | null {
    if (part.kind === "service" && this.#options.isTaken(part.service, part.method))
      return `The house has a method ${part.service}/${part.method} of its own.`;
    return whyNot(part);
  }

  #noteMishap(part: string, error: unknown) {
    if (!(error instanceof ExtensionFault) || !error.isMishap) return;
    this.#mishaps.unshift({ at: this.#options.now(), part, sentence: error.message });
    this.#mishaps.splice(MOST_MISHAPS);
  }
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const NAME = /^[A-Za-z][\w-]{0,63}$/;
const named = (name: string) => (NAME.test(name) ? null : `'${name.slice(0, 80)}' cannot be a name.`);

/** Why a part cannot be what it says it is. */
function whyNot(part: Known): string | null {
  if (part.kind === "service") return named(part.service) ?? named(part.method);
  if (part.kind === "event")
    return part.event.length > 0 && part.event.length <= 100 ? null : "An event has a name of 1 to 100 characters.";
  if (part.kind === "hook") return part.table === "*" ? null : named(part.table);
  try {
    readSchedule(part.at);
    return named(part.name);
  } catch (error) {
    return `${part.name}: ${sentenceOf(error)}`;
  }
}

/** The services of extensions, as methods that are called as any other; anew whenever other parts are loaded. */
export function offerServices<Context, Call extends Context>(
  extensions: Extensions<Context>,
  services: Services<Call>,
  withinOf: WithinOf<Context>,
): void {
  extensions.onChange(() =>
    services.setOwn(
      extensions.parts.flatMap((part): Method<Call>[] => {
        if (part.kind !== "service") return [];
        const { key, service, method: name, about, schema } = part;
        const run = (context: Call, input: unknown) => extensions.run(key, input, context, { within: withinOf(context) });
        // What was sent is read in the extension's own thread; here its schema is for the documentation.
        return [{ service, name, about, input: z.unknown(), schema, run, part: key }];
      }),
    ),
  );
}

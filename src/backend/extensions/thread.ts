import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { FAULTS, type TravellingFault } from "./faults.ts";
import { kithOf, type Reach } from "./reaching.ts";
import { resolveWithin } from "./modules.ts";
import { Part, Refused } from "./parts.ts";
import {
  type Caller,
  type FromThread,
  type Known,
  LARGEST,
  type Level,
  type Manifest,
  type ThreadData,
  type ToThread,
} from "./protocol.ts";

/**
 * The thread that runs extensions. It has its sources and a connection to the host; no environment, no
 * database connection and no keys. Errors stay within the thread.
 */
const port = parentPort!;
const { door, sources, entries } = workerData as ThreadData;
const tell = (message: FromThread) => port.postMessage(message);

/** Open requests of one thread to the host, and log lines of one call. */
const MOST_OPEN = 32;
const MOST_LINES = 100;
const MOST_PARTS = 500;

const parts = new Map<string, Part>();
const open = new Map<number, PromiseWithResolvers<unknown>>();
const waiting: (() => void)[] = [];
let asked = 0;

/** A refusal by the host, which passes through an extension like any error. */
class HouseRefused extends Error {
  override name = "Refused";
  readonly code: number | null;
  readonly fault: TravellingFault;
  constructor(fault: TravellingFault) {
    super(fault.sentence);
    this.code = fault.code;
    this.fault = fault;
  }
}

class BadAnswer extends Error {}

/** @throws when the value is not JSON or too large */
function jsonOf(value: unknown, what: string): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw new BadAnswer(`${what} cannot be written as JSON: ${firstLine(error)}`);
  }
  if ((json?.length ?? 0) > LARGEST) throw new BadAnswer(`${what} is larger than ${LARGEST} characters as JSON.`);
  return json ?? "null";
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]!.slice(0, 300);

async function ask(id: number, hand: string, server: boolean, args: unknown[]): Promise<unknown> {
  const json = jsonOf(args, `What '${hand}' is given`);
  if (open.size >= MOST_OPEN) await new Promise<void>((next) => waiting.push(next));
  const answer = Promise.withResolvers<unknown>();
  const number = ++asked;
  open.set(number, answer);
  tell({ kind: "ask", id, ask: number, hand, server, args: json });
  return answer.promise;
}

function answered(number: number, settle: (answer: PromiseWithResolvers<unknown>) => void) {
  const answer = open.get(number);
  open.delete(number);
  waiting.shift()?.();
  if (answer) settle(answer);
}

/** Log function of one call, or of none; lines beyond the limit are dropped. */
function liner(id: number | null): Reach["line"] {
  let lines = 0;
  return (level, message, facts = {}) => {
    if (++lines > MOST_LINES) return;
    let json = "{}";
    try {
      json = JSON.stringify(facts).slice(0, 4_000);
    } catch {
      // A line without facts is better than none.
    }
    tell({ kind: "line", id, level, message: String(message).slice(0, 2_000), facts: json });
  };
}

async function run(id: number, key: string, input: string, caller: Caller) {
  try {
    const kith = kithOf({ ask: (...question) => ask(id, ...question), line: liner(id) }, Object.freeze(caller));
    const part = parts.get(key);
    if (!part) throw new Error("There is no such part.");
    const answer = await part.run(kith, await taken(part, JSON.parse(input)));
    tell({ kind: "done", id, json: jsonOf(answer, "The answer") });
  } catch (error) {
    tell({ kind: "failed", id, fault: faultOf(error) });
  }
}

class NotTaken extends Error {
  readonly issues: z.core.$ZodIssue[];
  constructor(issues: z.core.$ZodIssue[]) {
    super("That is not what this takes.");
    this.issues = issues;
  }
}

async function taken({ shape }: Part, given: unknown): Promise<unknown> {
  if (!("input" in shape)) return given;
  const read = await shape.input.safeParseAsync(given);
  if (!read.success) throw new NotTaken(read.error.issues);
  return read.data;
}

function faultOf(error: unknown): TravellingFault {
  if (error instanceof HouseRefused) return error.fault;
  if (error instanceof NotTaken) return faultOfInput(error.issues);
  if (error instanceof BadAnswer) return { sentence: error.message, reason: "invalid", code: FAULTS.badAnswer };
  if (error instanceof Refused) {
    const data = error.data && (JSON.parse(jsonOf(error.data, "What a refusal carries")) as Record<string, unknown>);
    return { sentence: sentenceOf(error.message), reason: "invalid", code: numberOf(error.code), data };
  }
  if (typeof error === "string")
    return { sentence: sentenceOf(error), reason: "invalid", code: FAULTS.threw, stack: "a string was thrown" };
  if (!(error instanceof Error))
    return { sentence: "What was thrown is no error.", reason: "invalid", code: FAULTS.threw, stack: typeof error };
  const code = "code" in error ? numberOf(error.code) : FAULTS.threw;
  return { sentence: sentenceOf(error.message), reason: "invalid", code, stack: error.stack?.slice(0, 4_000) };
}

const sentenceOf = (text: unknown) => String(text).slice(0, 1_000) || "It failed, and does not say why.";
const numberOf = (code: unknown) =>
  Number.isInteger(code) && (code as number) > 0 && (code as number) < 1_000_000 ? (code as number) : FAULTS.threw;

function faultOfInput(issues: z.core.$ZodIssue[]): TravellingFault {
  const placed = issues.map(({ path, message }) => ({ place: path.map(String).join("."), message }));
  const { place, message } = placed[0]!;
  const fields = Object.fromEntries(placed.toReversed().map((it) => [it.place, it.message]));
  return { sentence: sentenceOf(place ? `${place}: ${message}` : message), reason: "invalid", code: null, fields };
}

/** Loads what the files export. A file that throws is reported, and the others load. */
async function load(): Promise<Manifest> {
  const manifest: Manifest = { files: entries.map(({ file }) => file), parts: [], faults: [] };
  for (const { file, url } of entries) {
    tell({ kind: "loading", file });
    try {
      const found = (await import(url)) as Record<string, unknown>;
      const offered = Object.values(found).filter((it) => it instanceof Part);
      if (offered.length === 0) throw new Error("It exports nothing that was made with #extensions.");
      const known = offered.map((part, at) => knownOf(part, file, at));
      if (manifest.parts.length + known.length > MOST_PARTS) throw new Error(`There are more than ${MOST_PARTS} parts.`);
      for (const [at, { key }] of known.entries()) {
        if (parts.has(key)) throw new Error(`There are two of ${key.replace(":", " ")}.`);
        parts.set(key, offered[at]!);
      }
      manifest.parts.push(...known);
    } catch (error) {
      manifest.faults.push({ file, sentence: sentenceOf(error instanceof Error ? error.message : String(error)) });
    }
  }
  return manifest;
}

function knownOf({ shape }: Part, file: string, at: number): Known {
  if (shape.kind === "service") {
    const { input, ...it } = shape;
    return {
      ...it,
      key: `service:${it.service}/${it.method}`,
      file,
      schema: z.toJSONSchema(input, { io: "input", unrepresentable: "any" }),
    };
  }
  if (shape.kind === "event") return { kind: "event", event: shape.event, about: shape.about, key: `event:${shape.event}`, file };
  if (shape.kind === "timer") return { ...shape, key: `timer:${shape.name}`, file };
  return { ...shape, key: `hook:${shape.when}:${shape.table}:${shape.act}:${file}:${at}`, file };
}

/** Console output of extensions goes to the server log; unhandled errors are logged and end nothing. */
function keepQuiet() {
  const line = liner(null);
  const said =
    (level: Level) =>
    (...words: unknown[]) =>
      line(level, words.map((word) => (typeof word === "string" ? word : JSON.stringify(word))).join(" "), {});
  Object.assign(console, {
    log: said("info"),
    info: said("info"),
    debug: said("debug"),
    warn: said("warn"),
    error: said("error"),
    trace: said("debug"),
  });
  for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) => line("error", `left unhandled: ${firstLine(error)}`, {}));
}

keepQuiet();
resolveWithin(sources, door);
const manifest = await load();
port.on("message", (message: ToThread) => {
  if (message.kind === "run") void run(message.id, message.part, message.input, message.caller);
  else if (message.kind === "answer") answered(message.ask, (answer) => answer.resolve(JSON.parse(message.json)));
  else answered(message.ask, (answer) => answer.reject(new HouseRefused(message.fault)));
});
tell({ kind: "ready", manifest });

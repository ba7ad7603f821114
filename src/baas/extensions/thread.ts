import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { EXTENSION_ERROR_CODES, type SerializedRefusal } from "./extension-errors.ts";
import { createKith, type HostConnection } from "./host-client.ts";
import { registerModuleResolver } from "./module-resolver.ts";
import { Part, Refused } from "./extension-parts.ts";
import {
  type Caller,
  type FromThread,
  type PartInfo,
  MAX_TRANSFER,
  type Level,
  type Manifest,
  type ThreadData,
  type ToThread,
} from "./thread-protocol.ts";

/**
 * Runs extensions in a thread of its own. The thread has the sources and a connection to the host, but no
 * environment variables, database connection or keys. Errors do not affect the process.
 */
const port = parentPort!;
const { apiUrl, sources, entries }: ThreadData = workerData;
const sendToHost = (message: FromThread) => port.postMessage(message);

/** Maximum open requests of one thread to the host. */
const MAX_OPEN_REQUESTS = 32;
/** Maximum log lines of one call. */
const MAX_LOG_LINES = 100;
const MAX_PARTS = 500;

const parts = new Map<string, Part>();
type OpenRequest = { resolve: (json: string) => void; reject: (error: unknown) => void };
const openRequests = new Map<number, OpenRequest>();
const waitingRequests: (() => void)[] = [];
let requestCount = 0;

/** A refusal by the host, thrown in the extension like any error. */
class HostRefused extends Error {
  override name = "Refused";
  readonly code: number | null;
  readonly fault: SerializedRefusal;
  constructor(fault: SerializedRefusal) {
    super(fault.sentence);
    this.code = fault.code;
    this.fault = fault;
  }
}

class InvalidAnswer extends Error {}

/**
 * Returns a value as JSON.
 * @throws when the value cannot be written as JSON or is too large
 */
function toBoundedJson(value: unknown, what: string): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw new InvalidAnswer(`${what} cannot be written as JSON: ${firstLine(error)}`);
  }
  if ((json?.length ?? 0) > MAX_TRANSFER)
    throw new InvalidAnswer(`${what} has more than ${MAX_TRANSFER} characters as JSON.`);
  return json ?? "null";
}

const firstLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]!.slice(0, 300);

async function requestHost<T>(
  id: number,
  functionName: string,
  server: boolean,
  args: unknown[],
): Promise<T> {
  const json = toBoundedJson(args, `The input of '${functionName}'`);
  if (openRequests.size >= MAX_OPEN_REQUESTS) await new Promise<void>((next) => waitingRequests.push(next));
  const answer = Promise.withResolvers<T>();
  const number = ++requestCount;
  openRequests.set(number, {
    resolve: (text) => answer.resolve(JSON.parse(text)),
    reject: answer.reject,
  });
  sendToHost({ kind: "ask", id, ask: number, functionName, server, args: json });
  return answer.promise;
}

function settleRequest(number: number, settle: (answer: OpenRequest) => void) {
  const answer = openRequests.get(number);
  openRequests.delete(number);
  waitingRequests.shift()?.();
  if (answer) settle(answer);
}

/** Creates the log function of one call, or of code outside calls. Lines beyond the limit are dropped. */
function createLogger(id: number | null): HostConnection["line"] {
  let lines = 0;
  return (level, message, facts = {}) => {
    if (++lines > MAX_LOG_LINES) return;
    let json = "{}";
    try {
      json = JSON.stringify(facts).slice(0, 4_000);
    } catch {
      // If the values cannot be written as JSON, the line is logged without them.
    }
    sendToHost({ kind: "line", id, level, message: String(message).slice(0, 2_000), facts: json });
  };
}

async function runPart(id: number, key: string, input: string, caller: Caller) {
  try {
    const kith = createKith(
      { ask: (...question) => requestHost(id, ...question), line: createLogger(id) },
      Object.freeze(caller),
    );
    const part = parts.get(key);
    if (!part) throw new Error("There is no such handler.");
    const answer = await part.run(kith, await parseInput(part, JSON.parse(input)));
    sendToHost({ kind: "done", id, json: toBoundedJson(answer, "The answer") });
  } catch (error) {
    sendToHost({ kind: "failed", id, fault: toFault(error) });
  }
}

class InvalidInput extends Error {
  readonly issues: z.core.$ZodIssue[];
  constructor(issues: z.core.$ZodIssue[]) {
    super("The input is not valid.");
    this.issues = issues;
  }
}

async function parseInput({ shape }: Part, given: unknown): Promise<unknown> {
  if (!("input" in shape)) return given;
  const parsed = await shape.input.safeParseAsync(given);
  if (!parsed.success) throw new InvalidInput(parsed.error.issues);
  return parsed.data;
}

function toFault(error: unknown): SerializedRefusal {
  if (error instanceof HostRefused) return error.fault;
  if (error instanceof InvalidInput) return toInputFault(error.issues);
  if (error instanceof InvalidAnswer)
    return { sentence: error.message, reason: "invalid", code: EXTENSION_ERROR_CODES.badAnswer };
  if (error instanceof Refused) {
    const data: Record<string, unknown> | undefined =
      error.data && JSON.parse(toBoundedJson(error.data, "The data of a refusal"));
    return { sentence: toSentence(error.message), reason: "invalid", code: toFaultCode(error.code), data };
  }
  if (typeof error === "string")
    return {
      sentence: toSentence(error),
      reason: "invalid",
      code: EXTENSION_ERROR_CODES.threw,
      stack: "a string was thrown",
    };
  if (!(error instanceof Error))
    return {
      sentence: "The thrown value is not an error.",
      reason: "invalid",
      code: EXTENSION_ERROR_CODES.threw,
      stack: typeof error,
    };
  const code = "code" in error ? toFaultCode(error.code) : EXTENSION_ERROR_CODES.threw;
  return {
    sentence: toSentence(error.message),
    reason: "invalid",
    code,
    stack: error.stack?.slice(0, 4_000),
  };
}

const toSentence = (text: unknown) => String(text).slice(0, 1_000) || "It failed without a message.";
const toFaultCode = (code: unknown) =>
  typeof code === "number" && Number.isInteger(code) && code > 0 && code < 1_000_000
    ? code
    : EXTENSION_ERROR_CODES.threw;

function toInputFault(issues: z.core.$ZodIssue[]): SerializedRefusal {
  const placed = issues.map(({ path, message }) => ({ place: path.map(String).join("."), message }));
  const { place, message } = placed[0]!;
  const fields = Object.fromEntries(placed.toReversed().map((it) => [it.place, it.message]));
  return {
    sentence: toSentence(place ? `${place}: ${message}` : message),
    reason: "invalid",
    code: null,
    fields,
  };
}

/** Loads the parts that files export. A file that throws is reported; the others are still loaded. */
async function loadParts(): Promise<Manifest> {
  const manifest: Manifest = { files: entries.map(({ file }) => file), parts: [], faults: [] };
  for (const { file, url } of entries) {
    sendToHost({ kind: "loading", file });
    try {
      const found: Record<string, unknown> = await import(url);
      const offered = Object.values(found).filter((it) => it instanceof Part);
      if (offered.length === 0) throw new Error("It exports nothing created with #extensions.");
      const known = offered.map((part, at) => describePart(part, file, at));
      if (manifest.parts.length + known.length > MAX_PARTS)
        throw new Error(`There are more than ${MAX_PARTS} handlers.`);
      for (const [at, { key }] of known.entries()) {
        if (parts.has(key)) throw new Error(`${key.replace(":", " ")} is defined twice.`);
        parts.set(key, offered[at]!);
      }
      manifest.parts.push(...known);
    } catch (error) {
      manifest.faults.push({
        file,
        sentence: toSentence(error instanceof Error ? error.message : String(error)),
      });
    }
  }
  return manifest;
}

function describePart({ shape }: Part, file: string, at: number): PartInfo {
  if (shape.kind === "service") {
    const { input, ...it } = shape;
    return {
      ...it,
      key: `service:${it.service}/${it.method}`,
      file,
      schema: z.toJSONSchema(input, { io: "input", unrepresentable: "any" }),
    };
  }
  if (shape.kind === "event")
    return { kind: "event", event: shape.event, about: shape.about, key: `event:${shape.event}`, file };
  if (shape.kind === "timer") return { ...shape, key: `timer:${shape.name}`, file };
  return { ...shape, key: `hook:${shape.when}:${shape.table}:${shape.act}:${file}:${at}`, file };
}

/**
 * Sends console output of extensions to the server log. Unhandled errors are logged and do not end the
 * thread.
 */
function redirectConsole() {
  const line = createLogger(null);
  const logAt =
    (level: Level) =>
    (...words: unknown[]) =>
      line(
        level,
        words.map((word) => (typeof word === "string" ? word : JSON.stringify(word))).join(" "),
        {},
      );
  Object.assign(console, {
    log: logAt("info"),
    info: logAt("info"),
    debug: logAt("debug"),
    warn: logAt("warn"),
    error: logAt("error"),
    trace: logAt("debug"),
  });
  for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) => line("error", `unhandled rejection: ${firstLine(error)}`, {}));
}

redirectConsole();
registerModuleResolver(sources, apiUrl);
const manifest = await loadParts();
port.on("message", (message: ToThread) => {
  if (message.kind === "run") void runPart(message.id, message.part, message.input, message.caller);
  else if (message.kind === "answer") settleRequest(message.ask, (answer) => answer.resolve(message.json));
  else settleRequest(message.ask, (answer) => answer.reject(new HostRefused(message.fault)));
});
sendToHost({ kind: "ready", manifest });

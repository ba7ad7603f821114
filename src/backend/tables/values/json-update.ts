import { badRequest, tooMuch } from "../faults.ts";
import { jsonFor } from "./in.ts";

/** A change of a JSON value, in the format of clients. */
export type JsonUpdate = { ___operation: Operation; args: Record<string, unknown> | string[] };
const OPERATIONS = ["JSON_SET", "JSON_INSERT", "JSON_REPLACE", "JSON_REMOVE", "JSON_ARRAY_APPEND", "JSON_ARRAY_INSERT"] as const;
type Operation = (typeof OPERATIONS)[number];

const MOST_PATHS = 100;
const MOST_STEPS = 32;
/** Larger indexes are refused. */
const MOST_INDEX = 100_000;

type Step = string | number;
const STEP = /\.([\p{L}\p{N}_$-]+)|\."((?:[^"\\]|\\.)*)"|\[\s*(\d{1,6})\s*\]/uy;

export const isJsonUpdate = (value: unknown): value is JsonUpdate =>
  typeof value === "object" && value !== null && "___operation" in value && OPERATIONS.includes(value.___operation as Operation);

/** Parses `$.a.b[0]`. Wildcards are refused, since they name no single position. */
function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  STEP.lastIndex = 1;
  for (let next = 1; path.startsWith("$") && next < path.length; next = STEP.lastIndex) {
    const match = STEP.exec(path);
    if (!match || steps.length === MOST_STEPS) throw unreadable(path);
    const [, plain, quoted, index] = match;
    steps.push(index === undefined ? (plain ?? quoted!.replaceAll(/\\(.)/g, "$1")) : Number(index));
  }
  if (!path.startsWith("$") || steps.includes("__proto__")) throw unreadable(path);
  if (steps.some((step) => typeof step === "number" && step > MOST_INDEX)) throw tooMuch(`The list at ${path} would be too long.`);
  return steps;
}

const unreadable = (path: string) => badRequest(`The JSON path '${path.slice(0, 60)}' cannot be read.`);

/**
 * Parses a change once; the result maps the value of a column to its new JSON.
 * @throws for invalid paths, and for a new value that is too deep or too long
 */
export function readJsonUpdate(update: JsonUpdate, column: string): (value: unknown) => string | null {
  const change = changeOf(update);
  return (value) => {
    const changed = change(value);
    if (changed === null || changed === undefined) return null;
    // Many small changes could grow a value beyond the limit.
    return jsonFor(changed, column);
  };
}

/** Pairs values with paths. */
function changeOf({ ___operation: operation, args }: JsonUpdate): (value: unknown) => unknown {
  const removes = operation === "JSON_REMOVE";
  const places: [Step[], unknown][] = removes
    ? (Array.isArray(args) ? args : []).map((path) => [stepsOf(path), null])
    : Object.entries(isPlain(args) ? args : {}).map(([path, value]) => [stepsOf(path), value]);
  if (places.length === 0) throw badRequest(`${operation} needs paths.`);
  if (places.length > MOST_PATHS) throw tooMuch(`One change of a JSON value can have ${MOST_PATHS} paths.`);
  return (value) => places.reduce((so, [steps, it]) => CHANGES[operation](so, steps, it), structuredClone(value));
}

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

type Holder = Record<string, unknown> | unknown[];
type Change = (root: unknown, steps: Step[], value: unknown) => unknown;

/** The container of the last step; null if the path does not exist. Only the last step may be created. */
function holderOf(root: unknown, steps: Step[]): Holder | null {
  let at = root;
  for (const step of steps.slice(0, -1)) at = has(at, step) ? (at as Record<Step, unknown>)[step] : undefined;
  return typeof at === "object" && at !== null ? (at as Holder) : null;
}

const has = (holder: unknown, step: Step): boolean =>
  Array.isArray(holder)
    ? typeof step === "number" && step < holder.length
    : isPlain(holder) && typeof step === "string" && Object.hasOwn(holder, step);

function put(holder: Holder, step: Step, value: unknown) {
  if (Array.isArray(holder)) {
    // Any index past the end appends.
    if (typeof step === "number") holder[Math.min(step, holder.length)] = value;
  } else if (typeof step === "string") holder[step] = value;
}

/** Writes at a path, depending on whether it exists. The path `$` is the value itself. */
const writing =
  (may: (exists: boolean) => boolean): Change =>
  (root, steps, value) => {
    if (steps.length === 0) return may(root !== null && root !== undefined) ? value : root;
    const whole = root ?? {};
    const holder = holderOf(whole, steps);
    const last = steps.at(-1)!;
    if (holder && may(has(holder, last))) put(holder, last, value);
    return whole;
  };

const found = (root: unknown, steps: Step[]): unknown =>
  steps.length === 0 ? root : (holderOf(root, steps) as Record<Step, unknown> | null)?.[steps.at(-1)!];

const CHANGES: Record<Operation, Change> = {
  JSON_SET: writing(() => true),
  JSON_INSERT: writing((exists) => !exists),
  JSON_REPLACE: writing((exists) => exists),
  JSON_REMOVE(root, steps) {
    const holder = steps.length === 0 ? null : holderOf(root, steps);
    const last = steps.at(-1)!;
    if (!holder || !has(holder, last)) return root;
    if (Array.isArray(holder)) holder.splice(last as number, 1);
    else delete holder[last as string];
    return root;
  },
  JSON_ARRAY_APPEND(root, steps, value) {
    const list = found(root, steps);
    if (Array.isArray(list)) list.push(value);
    // A single value becomes a list that starts with it.
    else if (list !== undefined) return CHANGES.JSON_REPLACE(root, steps, [list, value]);
    return root;
  },
  JSON_ARRAY_INSERT(root, steps, value) {
    const holder = steps.length === 0 ? null : holderOf(root, steps);
    const last = steps.at(-1);
    if (Array.isArray(holder) && typeof last === "number") holder.splice(Math.min(last, holder.length), 0, value);
    return root;
  },
};

import { msg } from "#platform/messages";
import { isObject, isOneOf } from "#platform/objects";
import { badRequest, dataTooLarge } from "../data-errors.ts";
import { toJsonColumn } from "./column-values.ts";

/** A change within a JSON value, in the format of clients. */
export type JsonUpdate = { ___operation: Operation; args: Record<string, unknown> | string[] };
const OPERATIONS = [
  "JSON_SET",
  "JSON_INSERT",
  "JSON_REPLACE",
  "JSON_REMOVE",
  "JSON_ARRAY_APPEND",
  "JSON_ARRAY_INSERT",
] as const;
type Operation = (typeof OPERATIONS)[number];

const MAX_PATHS = 100;
const MAX_STEPS = 32;
/** Maximum array index in a path. */
const MAX_INDEX = 100_000;

type Step = string | number;
const STEP = /\.([\p{L}\p{N}_$-]+)|\."((?:[^"\\]|\\.)*)"|\[\s*(\d{1,6})\s*\]/uy;

export const isJsonUpdate = (value: unknown): value is JsonUpdate =>
  typeof value === "object" &&
  value !== null &&
  "___operation" in value &&
  isOneOf(OPERATIONS, value.___operation);

/** Parses a path such as `$.a.b[0]`. Wildcards are refused, because the path must name a single position. */
function parseSteps(path: string): Step[] {
  const steps: Step[] = [];
  STEP.lastIndex = 1;
  for (let next = 1; path.startsWith("$") && next < path.length; next = STEP.lastIndex) {
    const match = STEP.exec(path);
    if (!match || steps.length === MAX_STEPS) throw invalidPath(path);
    const [, plain, quoted, index] = match;
    steps.push(index === undefined ? (plain ?? quoted!.replaceAll(/\\(.)/g, "$1")) : Number(index));
  }
  if (!path.startsWith("$") || steps.includes("__proto__")) throw invalidPath(path);
  if (steps.some((step) => typeof step === "number" && step > MAX_INDEX))
    throw dataTooLarge(msg("The list at {path} would be too long.", { path }));
  return steps;
}

const invalidPath = (path: string) =>
  badRequest(msg("The JSON path ''{path}'' cannot be read.", { path: path.slice(0, 60) }));

/**
 * Parses a change and returns a function that applies it to the value of a column.
 * @throws for invalid paths, and for a new value that is too deep or too long
 */
export function parseJsonUpdate(update: JsonUpdate, column: string): (value: unknown) => string | null {
  const change = createJsonChange(update);
  return (value) => {
    const changed = change(value);
    if (changed === null || changed === undefined) return null;
    // The result is checked again, since many small changes could make a value too long.
    return toJsonColumn(changed, column);
  };
}

/** Pairs each value with its path. */
function createJsonChange({ ___operation: operation, args }: JsonUpdate): (value: unknown) => unknown {
  const removes = operation === "JSON_REMOVE";
  const paths: [Step[], unknown][] = removes
    ? (Array.isArray(args) ? args : []).map((path) => [parseSteps(path), null])
    : Object.entries(isObject(args) ? args : {}).map(([path, value]) => [parseSteps(path), value]);
  if (paths.length === 0) throw badRequest(msg("{name} needs paths.", { name: operation }));
  if (paths.length > MAX_PATHS)
    throw dataTooLarge(
      msg("One change of a JSON value can have at most {count} paths.", { count: MAX_PATHS }),
    );
  return (value) =>
    paths.reduce((so, [steps, it]) => JSON_CHANGES[operation](so, steps, it), structuredClone(value));
}

type JsonContainer = Record<string, unknown> | unknown[];
type JsonChange = (root: unknown, steps: Step[], value: unknown) => unknown;

/**
 * Finds the container that the last step of a path refers to; null if it does not exist. A change creates
 * only the last step, never a container.
 */
function findContainer(root: unknown, steps: Step[]): JsonContainer | null {
  let at = root;
  for (const step of steps.slice(0, -1)) at = getStep(at, step);
  return Array.isArray(at) || isObject(at) ? at : null;
}

const getStep = (holder: unknown, step: Step): unknown =>
  typeof holder === "object" && holder !== null && hasStep(holder, step)
    ? Reflect.get(holder, step)
    : undefined;

const hasStep = (holder: unknown, step: Step): boolean =>
  Array.isArray(holder)
    ? typeof step === "number" && step < holder.length
    : isObject(holder) && typeof step === "string" && Object.hasOwn(holder, step);

function putAt(holder: JsonContainer, step: Step, value: unknown) {
  if (Array.isArray(holder)) {
    // Any index past the end appends.
    if (typeof step === "number") holder[Math.min(step, holder.length)] = value;
  } else if (typeof step === "string") holder[step] = value;
}

/**
 * Creates a change that writes a value at a path. `may` decides whether to write, given whether the path
 * exists. The path `$` is the whole value.
 */
const createWrite =
  (may: (exists: boolean) => boolean): JsonChange =>
  (root, steps, value) => {
    if (steps.length === 0) return may(root !== null && root !== undefined) ? value : root;
    const whole = root ?? {};
    const holder = findContainer(whole, steps);
    const last = steps.at(-1)!;
    if (holder && may(hasStep(holder, last))) putAt(holder, last, value);
    return whole;
  };

const getAt = (root: unknown, steps: Step[]): unknown =>
  steps.length === 0 ? root : getStep(findContainer(root, steps), steps.at(-1)!);

const JSON_CHANGES: Record<Operation, JsonChange> = {
  JSON_SET: createWrite(() => true),
  JSON_INSERT: createWrite((exists) => !exists),
  JSON_REPLACE: createWrite((exists) => exists),
  JSON_REMOVE(root, steps) {
    const holder = steps.length === 0 ? null : findContainer(root, steps);
    const last = steps.at(-1)!;
    if (!holder || !hasStep(holder, last)) return root;
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else delete holder[String(last)];
    return root;
  },
  JSON_ARRAY_APPEND(root, steps, value) {
    const list = getAt(root, steps);
    if (Array.isArray(list)) list.push(value);
    // A single value is replaced by a list that contains it and the new value.
    else if (list !== undefined) return JSON_CHANGES.JSON_REPLACE(root, steps, [list, value]);
    return root;
  },
  JSON_ARRAY_INSERT(root, steps, value) {
    const holder = steps.length === 0 ? null : findContainer(root, steps);
    const last = steps.at(-1);
    if (Array.isArray(holder) && typeof last === "number")
      holder.splice(Math.min(last, holder.length), 0, value);
    return root;
  },
};

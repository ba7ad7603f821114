import { msg } from "#platform/messages";
import { clauseFault, truncateQuote } from "./clause-errors.ts";

/** A step of a JSON path: a key, an index, all properties, all items, or everything below. */
export type PathStep = { key: string } | { index: number } | "values" | "items" | "below";
export type JsonPath = { steps: PathStep[]; /** Whether the path can match several values. */ many: boolean };

const MAX_STEPS = 30;
/** Matches one step: `**`, `.*`, `.name`, `."any name"`, `[*]` or `[12]`. */
const STEP =
  /(\*\*)|\.(\*)(?!\*)|\.([\p{L}\p{N}_$-]+)|\."((?:[^"\\]|\\.)*)"|\[\s*(\*)\s*\]|\[\s*(\d{1,6})\s*\]/uy;

/**
 * Parses a path such as `$.a.b[0]`, `$[1].*` or `$**.name`. `at` is its position in the clause.
 * @throws `invalid`
 */
export function parseJsonPath(text: string, at: number): JsonPath {
  const fault = () =>
    clauseFault(
      msg("The JSON path at character {place} of the clause cannot be read: {rest}", {
        place: at + 1,
        rest: truncateQuote(text),
      }),
    );
  if (!text.startsWith("$")) throw fault();
  const steps: PathStep[] = [];
  STEP.lastIndex = 1;
  for (let next = 1; next < text.length; next = STEP.lastIndex) {
    const match = STEP.exec(text);
    if (!match || steps.length === MAX_STEPS) throw fault();
    steps.push(parseStep(match));
  }
  // A `**` must be followed by a name.
  if (steps.at(-1) === "below" || steps.filter((step) => step === "below").length > 2) throw fault();
  return { steps, many: steps.some((step) => typeof step === "string") };
}

function parseStep([, below, values, name, quotedName, items, index]: RegExpExecArray): PathStep {
  if (below) return "below";
  if (values) return "values";
  if (items) return "items";
  if (index !== undefined) return { index: Number(index) };
  return { key: name ?? quotedName!.replaceAll(/\\(.)/g, "$1") };
}

/** Writes a path in PostgreSQL's syntax. */
export const toPostgresPath = ({ steps }: JsonPath): string =>
  steps.reduce<string>((path, step) => {
    if (step === "values") return `${path}.*`;
    if (step === "items") return `${path}[*]`;
    if (step === "below") return `${path}.**`;
    return "index" in step ? `${path}[${step.index}]` : `${path}.${JSON.stringify(step.key)}`;
  }, "$");

/**
 * Returns all values at a path. As in PostgreSQL, a key applied to an array is looked up in each item, and a
 * single value counts as an array of one.
 */
export function followPath({ steps }: JsonPath, value: unknown): unknown[] {
  return steps.reduce<unknown[]>(
    (found, step) => found.flatMap((it) => followStep(step, it)),
    value === undefined ? [] : [value],
  );
}

function followStep(step: PathStep, value: unknown): unknown[] {
  if (step === "below") return listDescendants(value);
  if (step === "items") return Array.isArray(value) ? value : [value];
  if (step !== "values" && "index" in step)
    return (Array.isArray(value) ? value : [value]).slice(step.index, step.index + 1);
  const objects = (Array.isArray(value) ? value : [value]).filter(isObject);
  if (step === "values") return objects.flatMap(Object.values);
  return objects.flatMap((it) => (Object.hasOwn(it, step.key) ? [it[step.key]] : []));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function listDescendants(value: unknown): unknown[] {
  const found = [value];
  // The list grows while the loop runs; recursion could overflow the stack for deep values.
  for (const it of found)
    if (typeof it === "object" && it !== null) for (const below of Object.values(it)) found.push(below);
  return found;
}

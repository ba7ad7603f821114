import { badRequest, tooMuch } from "../faults.ts";

/** Markers by which clients repeat an object: in place of a repetition, and in the original. */
const [REPEATS, NAMED] = ["__originSubID", "__subID"];
/** Values of all repeated objects together. */
const MOST_VALUES = 20_000;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** The id by which a client can repeat this object. */
export const nameOf = (record: Json): string | null => (typeof record[NAMED] === "string" ? record[NAMED] : null);
/** The id of the object that this marker repeats. */
export const repeatedBy = (record: Json): string | null => (typeof record[REPEATS] === "string" ? record[REPEATS] : null);

/** Keys of markers, which are not properties of a record. */
export const isMark = (key: string) => key.startsWith("__");

/**
 * Expands objects that a client wrote once and repeated by marker. Refuses circular references and too large
 * a result.
 */
export function writtenOut(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const named = new Map<string, Json>();
  if (!findNamed(value, named)) return value;
  let count = 0;
  const within = new Set<string>();
  const copied = (it: unknown): unknown => {
    if (++count > MOST_VALUES) throw tooMuch("The objects that this record repeats are too large.");
    if (Array.isArray(it)) return it.map(copied);
    if (!isObject(it)) return it;
    const id = repeatedBy(it) ?? nameOf(it);
    if (id === null) return withoutMarks(it, copied);
    const original = named.get(id);
    if (!original || within.has(id)) throw badRequest("An object refers to itself, which a column cannot hold.");
    within.add(id);
    const copy = withoutMarks(original, copied);
    within.delete(id);
    return copy;
  };
  return copied(value);
}

const withoutMarks = (it: Json, copied: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(it).flatMap(([key, value]) => (key === NAMED || key === REPEATS ? [] : [[key, copied(value)]])));

/** Collects repeatable objects. Returns whether there is anything to expand. */
function findNamed(value: object, named: Map<string, Json>): boolean {
  let any = false;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const it = open.pop();
    if (typeof it !== "object" || it === null) continue;
    if (isObject(it)) {
      const name = nameOf(it);
      if (name !== null) named.set(name, it);
      any ||= name !== null || repeatedBy(it) !== null;
    }
    open.push(...Object.values(it).slice(0, MOST_VALUES));
  }
  return any;
}

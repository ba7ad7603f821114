import { badRequest, dataTooLarge } from "../data-errors.ts";

/**
 * Keys with which clients avoid sending an object twice: `REPEATS` replaces a repeated object, `NAMED` marks
 * the original.
 */
const [REPEATS, NAMED] = ["__originSubID", "__subID"];
/** Maximum values in all repeated objects together. */
const MAX_VALUES = 20_000;

type JsonObject = Record<string, unknown>;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the id by which other parts of the request can repeat this object. */
export const getReferenceableId = (record: JsonObject): string | null =>
  typeof record[NAMED] === "string" ? record[NAMED] : null;
/** Returns the id of the object that this one repeats. */
export const getRepeatedId = (record: JsonObject): string | null =>
  typeof record[REPEATS] === "string" ? record[REPEATS] : null;

/** Whether a key is a marker and not a property of the record. */
export const isMarkerKey = (key: string) => key.startsWith("__");

/**
 * Replaces markers by the objects that they repeat. Refuses circular references, and a result that is too
 * large.
 */
export function expandRepeated(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const named = new Map<string, JsonObject>();
  if (!collectNamed(value, named)) return value;
  let count = 0;
  const within = new Set<string>();
  const copied = (it: unknown): unknown => {
    if (++count > MAX_VALUES) throw dataTooLarge("This record repeats too many objects.");
    if (Array.isArray(it)) return it.map(copied);
    if (!isObject(it)) return it;
    const id = getRepeatedId(it) ?? getReferenceableId(it);
    if (id === null) return withoutMarkers(it, copied);
    const original = named.get(id);
    if (!original || within.has(id))
      throw badRequest("A column cannot store an object that refers to itself.");
    within.add(id);
    const copy = withoutMarkers(original, copied);
    within.delete(id);
    return copy;
  };
  return copied(value);
}

const withoutMarkers = (object: JsonObject, copied: (value: unknown) => unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) =>
      key === NAMED || key === REPEATS ? [] : [[key, copied(value)]],
    ),
  );

/** Collects objects that can be repeated. Returns whether any marker has to be replaced. */
function collectNamed(value: object, named: Map<string, JsonObject>): boolean {
  let any = false;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const it = open.pop();
    if (typeof it !== "object" || it === null) continue;
    if (isObject(it)) {
      const name = getReferenceableId(it);
      if (name !== null) named.set(name, it);
      any ||= name !== null || getRepeatedId(it) !== null;
    }
    open.push(...Object.values(it).slice(0, MAX_VALUES));
  }
  return any;
}

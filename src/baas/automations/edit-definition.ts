import { notFound } from "#platform/refusal";
import type { Definition, Step } from "./automation-definition.ts";
import type { Trigger } from "./trigger-schemas.ts";

type DefinitionItem = Trigger | Step;
const LIST_PATH = /^(?:triggers|steps(?:\.\d{1,3}\.(?:do|otherwise))*)$/;

/**
 * Copies a definition. Returns the copy and, from within the copy, the list at a path (`triggers`,
 * `steps.2.do`), so that a change of the list changes the copy.
 * @throws `not-found` for an unknown path
 */
function copyWithList<Item = DefinitionItem>(
  definition: Definition,
  list: string,
): { copy: Definition; items: Item[] } {
  if (!LIST_PATH.test(list)) throw notFound();
  const copy = structuredClone(definition);
  let at: unknown = copy;
  for (const part of list.split("."))
    at = typeof at === "object" && at !== null && Object.hasOwn(at, part) ? Reflect.get(at, part) : undefined;
  if (!Array.isArray(at)) throw notFound();
  return { copy, items: at };
}

function splitPath(path: string): [string, number] {
  const cut = path.lastIndexOf(".");
  const n = path.slice(cut + 1);
  if (cut < 0 || !/^\d{1,3}$/.test(n)) throw notFound();
  return [path.slice(0, cut), Number(n)];
}

function getItem<Item>(items: Item[], n: number): Item {
  const item = items[n];
  if (!item) throw notFound();
  return item;
}

/**
 * Returns the length of the list at a path.
 * @throws `not-found`
 */
export const countItems = (definition: Definition, list: string): number =>
  copyWithList(definition, list).items.length;

/**
 * Returns the trigger or step at a path such as `steps.2.do.0`.
 * @throws `not-found`
 */
export function findItem(definition: Definition, path: string): DefinitionItem {
  const [list, n] = splitPath(path);
  return getItem(copyWithList(definition, list).items, n);
}

/**
 * Returns the definition with an item appended to a list, or replacing the item at a path.
 * @throws `not-found`
 */
export function insertItem(
  definition: Definition,
  at: { list: string } | { place: string },
  item: unknown,
): unknown {
  if ("list" in at) {
    const { copy, items } = copyWithList<unknown>(definition, at.list);
    items.push(item);
    return copy;
  }
  const [list, n] = splitPath(at.place);
  const { copy, items } = copyWithList<unknown>(definition, list);
  getItem(items, n);
  items[n] = item;
  return copy;
}

/**
 * Returns the definition without the item at a path.
 * @throws `not-found`
 */
export function removeItem(definition: Definition, path: string): unknown {
  const [list, n] = splitPath(path);
  const { copy, items } = copyWithList(definition, list);
  getItem(items, n);
  items.splice(n, 1);
  return copy;
}

/**
 * Returns the definition with the item at a path swapped with its neighbour; unchanged if there is no
 * neighbour.
 * @throws `not-found`
 */
export function moveItem(definition: Definition, path: string, how: "up" | "down"): unknown {
  const [list, n] = splitPath(path);
  const { copy, items } = copyWithList(definition, list);
  const item = getItem(items, n);
  const to = how === "up" ? n - 1 : n + 1;
  if (to < 0 || to >= items.length) return copy;
  items.splice(n, 1);
  items.splice(to, 0, item);
  return copy;
}

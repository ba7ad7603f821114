import { Refusal } from "#platform/refusal";

const LONGEST_NAME = 250;
/** Characters of a value as JSON. */
const LARGEST = 10_000;
/** How deep lists and objects stand in one another at the most. */
const DEEPEST = 50;

/** Throws `invalid` for what no object and no key can be called. */
export function assertName(name: string): void {
  if (name === "" || name.length > LONGEST_NAME || name.includes("\0") || !name.isWellFormed())
    throw new Refusal("invalid", `Names of shared objects and keys have 1 to ${LONGEST_NAME} characters.`);
}

/** A value as JSON. Throws `invalid` for one that is too deep, `too-large`. */
export function textOf(value: unknown): string {
  if (isTooDeep(value)) throw new Refusal("invalid", `Lists and objects can stand ${DEEPEST} deep in one another.`);
  const text = JSON.stringify(value ?? null);
  if (text.length > LARGEST) throw new Refusal("too-large", `What is shared has ${LARGEST} characters as JSON at the most.`);
  return text;
}

/** Throws what `textOf` throws: for what is told and not kept. */
export const assertShareable = (value: unknown): void => void textOf(value);

/** Level by level, without calling itself: a value that is too deep would end the stack. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    level = level.flatMap((it) => (typeof it === "object" && it !== null ? (Object.values(it) as unknown[]) : []));
    if (level.length === 0) return false;
  }
  return true;
}

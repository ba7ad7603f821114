import { Refusal } from "#platform/refusal";

const LONGEST_NAME = 250;
const LARGEST = 10_000;
/** Nesting depth of lists and objects. */
const DEEPEST = 50;

/** @throws `invalid` for an invalid name of an object or key */
export function assertName(name: string): void {
  if (name === "" || name.length > LONGEST_NAME || name.includes("\0") || !name.isWellFormed())
    throw new Refusal("invalid", `Names of shared objects and keys have 1 to ${LONGEST_NAME} characters.`);
}

/**
 * A value as JSON.
 * @throws `invalid` for too deep a value, `too-large`
 */
export function textOf(value: unknown): string {
  if (isTooDeep(value)) throw new Refusal("invalid", `Lists and objects can stand ${DEEPEST} deep in one another.`);
  const text = JSON.stringify(value ?? null);
  if (text.length > LARGEST) throw new Refusal("too-large", `What is shared has ${LARGEST} characters as JSON at the most.`);
  return text;
}

/**
 * Checks a value that is sent but not stored.
 * @throws as `toBoundedJson` does
 */
export const assertShareable = (value: unknown): void => void textOf(value);

/** Iterative, since recursion into a deep value could overflow the stack. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    level = level.flatMap((it) => (typeof it === "object" && it !== null ? (Object.values(it) as unknown[]) : []));
    if (level.length === 0) return false;
  }
  return true;
}

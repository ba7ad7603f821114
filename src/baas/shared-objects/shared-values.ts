import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";

const MAX_NAME_LENGTH = 250;
const MAX_VALUE_LENGTH = 10_000;
/** Maximum nesting of lists and objects. */
const MAX_DEPTH = 50;

/**
 * Checks the name of an object or key.
 * @throws `invalid`
 */
export function assertName(name: string): void {
  if (name === "" || name.length > MAX_NAME_LENGTH || name.includes("\0") || !name.isWellFormed())
    throw new Refusal(
      "invalid",
      msg("Names of shared objects and keys must have 1 to {count} characters.", { count: MAX_NAME_LENGTH }),
    );
}

/**
 * Returns a value as JSON.
 * @throws `invalid` for a value nested too deep, `too-large`
 */
export function toBoundedJson(value: unknown): string {
  if (isTooDeep(value))
    throw new Refusal(
      "invalid",
      msg("{what} can be nested at most {count} levels.", {
        what: msg("Lists and objects"),
        count: MAX_DEPTH,
      }),
    );
  const text = JSON.stringify(value ?? null);
  if (text.length > MAX_VALUE_LENGTH)
    throw new Refusal(
      "too-large",
      msg("{what} can have at most {count} characters as JSON.", {
        what: msg("A shared value"),
        count: MAX_VALUE_LENGTH,
      }),
    );
  return text;
}

/**
 * Checks a value that is sent but not stored.
 * @throws as `toBoundedJson` does
 */
export const assertShareable = (value: unknown): void => void toBoundedJson(value);

/** Whether a value is nested too deep. Not recursive, because recursion could overflow the stack. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((it) =>
      typeof it === "object" && it !== null ? (Object.values(it) as unknown[]) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

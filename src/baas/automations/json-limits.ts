import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { AUTOMATION_LIMITS } from "./automation-limits.ts";

/**
 * Returns the value as JSON text.
 * @throws `too-large` for JSON that is too long or nested too deep, because code that reads it is recursive
 */
export function assertJsonSize(value: unknown, most: number, what: string): string {
  if (measureDepth(value) > AUTOMATION_LIMITS.nesting)
    throw new Refusal(
      "too-large",
      msg("{what} can be nested at most {count} levels.", { what, count: AUTOMATION_LIMITS.nesting }),
    );
  const text = JSON.stringify(value) ?? "null";
  if (text.length > most)
    throw new Refusal(
      "too-large",
      msg("{what} can have at most {count} characters as JSON.", { what, count: most }),
    );
  return text;
}

/** Measures the depth level by level, up to the limit: recursion could overflow the stack. */
function measureDepth(value: unknown): number {
  let level = [value];
  let depth = 0;
  while (depth <= AUTOMATION_LIMITS.nesting) {
    const inner = level.filter((it) => typeof it === "object" && it !== null);
    if (inner.length === 0) return depth;
    level = inner.flatMap((it) => Object.values(it) as unknown[]);
    depth++;
  }
  return depth;
}

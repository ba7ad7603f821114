import { Refusal } from "#platform/refusal";
import { BOUNDS } from "./bounds.ts";

/**
 * Throws `too-large` for JSON that is longer than that, or in which things stand too deep in one another: whoever reads it goes as deep
 * as it does. Gives its text.
 */
export function assertWithin(value: unknown, most: number, what: string): string {
  if (depthOf(value) > BOUNDS.nesting) throw new Refusal("too-large", `${what} can hold things ${BOUNDS.nesting} deep at the most.`);
  const text = JSON.stringify(value) ?? "null";
  if (text.length > most) throw new Refusal("too-large", `${what} can have ${most} characters at the most, as JSON.`);
  return text;
}

/** How deep it goes, a level at a time and no deeper than matters: a function that called itself could be made to fall. */
function depthOf(value: unknown): number {
  let level = [value];
  let depth = 0;
  while (depth <= BOUNDS.nesting) {
    const inner = level.filter((it) => typeof it === "object" && it !== null);
    if (inner.length === 0) return depth;
    level = inner.flatMap((it) => Object.values(it) as unknown[]);
    depth++;
  }
  return depth;
}

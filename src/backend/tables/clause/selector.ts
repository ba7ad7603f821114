import { bindCondition } from "./bind.ts";
import { evaluate } from "./evaluate.ts";
import { clauseFault } from "./fault.ts";
import { parseClause } from "./parse.ts";
import type { Term } from "./tree.ts";

/** Which messages somebody wants to hear, by their headers. */
export type Selector = Term<{ name: string }>;

/** Reads a selector: a clause whose names are headers. What they hold is text, and a number beside a number. Throws `invalid`. */
export const readSelector = (text: string): Selector =>
  bindCondition(parseClause(text), {
    aggregates: false,
    find({ names, inverse, at }) {
      if (inverse) throw clauseFault(`At character ${at + 1} of the selector stands a relation, and messages have none.`);
      return { ref: { name: names.join(".") }, kind: "text" };
    },
  });

/** Whether a message with these headers is one of them; of a header that it lacks nothing is known. */
export const selects = (selector: Selector, headers: Readonly<Record<string, string>>): boolean => evaluate(selector, headers) === true;

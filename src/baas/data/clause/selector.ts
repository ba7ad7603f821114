import { msg } from "#platform/messages";
import { bindCondition } from "./bind.ts";
import { evaluateCondition } from "./evaluate.ts";
import { clauseFault } from "./clause-errors.ts";
import { parseClause } from "./clause-parser.ts";
import type { Term } from "./clause-terms.ts";

/** A condition on the headers of messages. */
export type Selector = Term<{ name: string }>;

/**
 * Parses a selector, which is a clause whose names are headers. A header is text, or a number when compared
 * with one.
 * @throws `invalid`
 */
export const parseSelector = (text: string): Selector =>
  bindCondition(parseClause(text), {
    aggregates: false,
    find({ names, inverse, at }) {
      if (inverse)
        throw clauseFault(
          msg("Unexpected relation at character {at} of the selector: messages have no relations.", {
            at: at + 1,
          }),
        );
      return { ref: { name: names.join(".") }, kind: "text" };
    },
  });

/** Whether a message with these headers matches. The value of a missing header is unknown. */
export const matchesSelector = (selector: Selector, headers: Readonly<Record<string, string>>): boolean =>
  evaluateCondition(selector, headers) === true;

import type { z } from "zod";
import { type Message, type MessageDescriptor, msg, toDescriptor } from "./messages.ts";

const MAX_NAMES = 5;
const MAX_NAMES_LENGTH = 200;

/** Message about unknown names, for schemas of objects that allow no other properties. */
export const UNKNOWN_NAMES = { text: "Not found: {names}." };

/**
 * Returns the message of a schema's issue. Its text may use values of the issue: `{count, number}` is a
 * limit, `{list}` the allowed values; a custom issue has its values in `params`.
 */
export function issueMessage(issue: z.core.$ZodIssue): MessageDescriptor {
  switch (issue.code) {
    case "too_small":
      return msg(issue.message, { count: Number(issue.minimum) });
    case "too_big":
      return msg(issue.message, { count: Number(issue.maximum) });
    case "invalid_value":
      return msg(issue.message, { list: issue.values.join(", ") });
    case "unrecognized_keys":
      // The library's own text quotes the names, whatever characters they have.
      return issue.message === UNKNOWN_NAMES.text
        ? msg(issue.message, { names: issue.keys.slice(0, MAX_NAMES).join(", ").slice(0, MAX_NAMES_LENGTH) })
        : msg(issue.message);
    case "invalid_union":
      return msg(issue.message, { list: "options" in issue ? issue.options?.join(", ") : undefined });
    case "custom":
      return msg(issue.message, issue.params);
    case "invalid_element":
    case "invalid_format":
    case "invalid_key":
    case "invalid_type":
    case "not_multiple_of":
      return msg(issue.message);
  }
}

/** A custom issue with a message, for refinements. */
export function toIssue(message: Message) {
  const { message: text, values } = toDescriptor(message);
  return { code: "custom" as const, message: text, ...(values && { params: values }) };
}

type TextRefinement = (text: string, context: z.core.$RefinementCtx<string>) => void;

/** Limits the length of a text; `what` begins the message for a longer one. */
export const maxCharacters =
  (what: string, most: number): TextRefinement =>
  (text, context) => {
    if (text.length > most)
      context.addIssue(
        toIssue(msg("{what} can have {count, number} characters at most.", { what: msg(what), count: most })),
      );
  };

/** Requires a minimum length; `what` begins the message for a shorter text. */
export const minCharacters =
  (what: string, least: number): TextRefinement =>
  (text, context) => {
    if (text.length < least)
      context.addIssue(
        toIssue(msg("{what} needs {count} characters at least.", { what: msg(what), count: least })),
      );
  };

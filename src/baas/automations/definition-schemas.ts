import { maxCharacters, msg, toIssue, UNKNOWN_NAMES } from "#platform/messages";
import { z } from "zod";
import { AUTOMATION_LIMITS } from "./automation-limits.ts";
import { findConditionFault } from "./runs/run-conditions.ts";
import { findBadTemplate } from "./runs/run-templates.ts";

const NOT_AN_OBJECT = { text: "This must be a JSON object." };
const RESERVED_NAME = { text: "This name is reserved for a built-in value." };
/** Names that have a built-in meaning in runs. */
const RESERVED_NAMES = new Set(["trigger", "flow", "execution", "now", "loop", "event"]);

/** Schema of an optional text. `what` begins the message about a text that is too long. */
export const optionalText = (what: string, most: number) =>
  z.string("This must be a text.").trim().superRefine(maxCharacters(what, most));
/** Schema of a required text. `missing` is the message about an empty one. */
export const requiredText = (what: string, missing: string, most: number) =>
  z.string(missing).trim().min(1, missing).superRefine(maxCharacters(what, most));
/** Message for a value that is not one of the allowed ones. */
export const ONE_OF_MESSAGE = { text: "This must be one of {list}." };
/** Schema of an object that allows no further properties. */
export const strictShape = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (it) => (it.code === "unrecognized_keys" ? UNKNOWN_NAMES.text : NOT_AN_OBJECT.text),
  });
export const checkTemplates = (
  it: string,
  context: { addIssue: (issue: ReturnType<typeof toIssue>) => void },
) => {
  const template = findBadTemplate(it);
  if (template !== null)
    context.addIssue(
      toIssue(
        msg("''{template}'' is not a valid path to data of the run. Use a path such as {example}.", {
          template,
          example: "{{trigger.data.name}}",
        }),
      ),
    );
};
/** Schema of a required text that may contain templates. */
export const requiredTemplate = (what: string, missing: string, most = 1_000) =>
  requiredText(what, missing, most).superRefine(checkTemplates);
export const conditionClause = requiredText("The condition", "Write a condition.", 4_000).superRefine(
  (it, context) => {
    const fault = findConditionFault(it);
    if (fault !== null) context.addIssue(toIssue(fault));
  },
);
export const VariableName = z
  .string("Write a name.")
  .regex(
    /^[A-Za-z_]\w{0,59}$/,
    "A name has 1 to 60 letters, digits and underscores, and begins with a letter.",
  )
  .refine((it) => !RESERVED_NAMES.has(it), RESERVED_NAME.text);
export const secondsSchema = (least: number) =>
  z
    .number("This must be a number of seconds.")
    .min(least, "Enter at least {count} seconds.")
    .max(AUTOMATION_LIMITS.runTime / 1_000, "At most {count, number} seconds.");
const MISSING_VALUE = { text: "Write a value." };
/**
 * Schema of any JSON whose texts may contain templates. The value has already been parsed as JSON, so the
 * only possible error is that it is missing.
 */
export const TemplateValue = z
  .custom<z.core.util.JSONType>((it) => it !== undefined, MISSING_VALUE.text)
  .superRefine((it, context) => {
    for (const one of listTexts(it)) checkTemplates(one, context);
  });
const ValueKey = z.string();
export const TemplateValues = z.record(ValueKey, TemplateValue, "This must be a JSON object.");

function* listTexts(it: unknown): Generator<string> {
  if (typeof it === "string") yield it;
  else if (typeof it === "object" && it !== null)
    for (const inner of Object.values(it)) yield* listTexts(inner);
}

import { z } from "zod";
import { LIMITS } from "./automation-limits.ts";
import { findConditionFault } from "./runs/run-conditions.ts";
import { findBadTemplate } from "./runs/run-templates.ts";

const NOT_AN_OBJECT = { say: "This must be an object with a value for each name." };
const RESERVED_NAME = { say: "That name is reserved in runs." };
/** Names with a built-in meaning in runs. */
const RESERVED_NAMES = new Set(["trigger", "flow", "execution", "now", "loop", "event"]);

// Messages are translated on admin pages, where numbers are recognised in the format of
// `src/web/i18n/translate-sentence.ts`.
const numberFormat = new Intl.NumberFormat("en");
/** `what` begins the message about too long a text. */
export const optionalText = (what: string, most: number) =>
  z
    .string("This must be a text.")
    .trim()
    .max(most, `${what} can have ${numberFormat.format(most)} characters at most.`);
/** `missing` is the message about an empty text. */
export const requiredText = (what: string, missing: string, most: number) =>
  z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(most, `${what} can have ${numberFormat.format(most)} characters at most.`);
export const tooManyMessage = (count: number, of: "triggers" | "steps" | "roles" | "seconds") =>
  `At most ${numberFormat.format(count)} ${of}.`;
export const oneOfMessage = (words: readonly string[]) => `This must be one of ${words.join(", ")}.`;
/** An object without other properties. */
export const strictShape = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (it) =>
      it.code === "unrecognized_keys"
        ? `Not found: ${it.keys.slice(0, 5).join(", ").slice(0, 200)}.`
        : NOT_AN_OBJECT.say,
  });
export const checkTemplates = (it: string, context: z.core.$RefinementCtx<string>) => {
  const bad = findBadTemplate(it);
  if (bad !== null)
    context.addIssue({
      code: "custom",
      message: `'${bad}' is not a path: templates name data of the run, as in {{trigger.data.name}}.`,
    });
};
/** A required text that may contain templates. */
export const requiredTemplate = (what: string, missing: string, most = 1_000) =>
  requiredText(what, missing, most).superRefine(checkTemplates);
export const conditionClause = requiredText("The condition", "Write a condition.", 4_000).superRefine(
  (it, context) => {
    const fault = findConditionFault(it);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  },
);
export const VariableName = z
  .string("Write a name.")
  .regex(
    /^[A-Za-z_]\w{0,59}$/,
    "A name has 1 to 60 letters, digits and underscores, and begins with a letter.",
  )
  .refine((it) => !RESERVED_NAMES.has(it), RESERVED_NAME.say);
export const secondsSchema = (least: number) =>
  z
    .number("This must be a number of seconds.")
    .min(least, `There have to be ${least} seconds at least.`)
    .max(LIMITS.runTime / 1_000, tooManyMessage(LIMITS.runTime / 1_000, "seconds"));
const MISSING_VALUE = { say: "Write a value." };
/** Any JSON with templates in its texts. It was parsed as JSON before, so that it can only be missing. */
export const TemplateValue = z
  .custom<z.core.util.JSONType>((it) => it !== undefined, MISSING_VALUE.say)
  .superRefine((it, context) => {
    for (const one of listTexts(it)) checkTemplates(one, context as z.core.$RefinementCtx<string>);
  });
const ValueKey = z.string();
export const TemplateValues = z.record(
  ValueKey,
  TemplateValue,
  "This must be an object with a value for each name.",
);

function* listTexts(it: unknown): Generator<string> {
  if (typeof it === "string") yield it;
  else if (typeof it === "object" && it !== null)
    for (const inner of Object.values(it)) yield* listTexts(inner);
}

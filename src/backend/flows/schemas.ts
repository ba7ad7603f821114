import { z } from "zod";
import { BOUNDS } from "./bounds.ts";
import { conditionFault } from "./conditions.ts";
import { badTemplate } from "./templates.ts";

const MEANT = { say: "That name means something in a run already." };
/** Names with a built-in meaning in runs. */
const TAKEN = new Set(["trigger", "flow", "execution", "now", "loop", "event"]);

// Messages are translated on admin pages, where numbers are recognised in the format of
// `src/web/words/whole.ts`.
const figure = new Intl.NumberFormat("en");
/** `what` begins the message about too long a text. */
export const optionalText = (what: string, most: number) =>
  z
    .string("This is a text.")
    .trim()
    .max(most, `${what} can have ${figure.format(most)} characters at most.`);
/** `missing` is the message about an empty text. */
export const neededText = (what: string, missing: string, most: number) =>
  z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(most, `${what} can have ${figure.format(most)} characters at most.`);
export const atMost = (count: number, of: "triggers" | "steps" | "roles" | "seconds") =>
  `There can be ${figure.format(count)} ${of} at the most.`;
export const oneOf = (words: readonly string[]) => `This is one of ${words.join(", ")}.`;
/** An object without other properties. */
export const having = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (it) =>
      it.code === "unrecognized_keys"
        ? `Nothing here is called ${it.keys.slice(0, 5).join(", ").slice(0, 200)}.`
        : "This is an object, with a value for each name.",
  });
export const templates = (it: string, context: z.core.$RefinementCtx<string>) => {
  const bad = badTemplate(it);
  if (bad !== null)
    context.addIssue({ code: "custom", message: `'${bad}' is no path: a template names what the run knows, as in {{trigger.data.name}}.` });
};
/** A required text that may contain templates. */
export const neededLine = (what: string, missing: string, most = 1_000) => neededText(what, missing, most).superRefine(templates);
export const clause = neededText("The condition", "Write a condition.", 4_000).superRefine((it, context) => {
  const fault = conditionFault(it);
  if (fault !== null) context.addIssue({ code: "custom", message: fault });
});
export const Name = z
  .string("Write a name.")
  .regex(/^[A-Za-z_]\w{0,59}$/, "A name has 1 to 60 letters, digits and underscores, and begins with a letter.")
  .refine((it) => !TAKEN.has(it), MEANT.say);
export const seconds = (least: number) =>
  z
    .number("This is a number of seconds.")
    .min(least, `There have to be ${least} seconds at least.`)
    .max(BOUNDS.runTime / 1_000, atMost(BOUNDS.runTime / 1_000, "seconds"));
const MISSING = { say: "Write a value." };
/** Any JSON with templates in its texts. It was parsed as JSON before, so that it can only be missing. */
export const Value = z
  .custom<z.core.util.JSONType>((it) => it !== undefined, MISSING.say)
  .superRefine((it, context) => {
    for (const one of textsIn(it)) templates(one, context as z.core.$RefinementCtx<string>);
  });
const Key = z.string();
export const Values = z.record(Key, Value, "This is an object, with a value for each name.");

function* textsIn(it: unknown): Generator<string> {
  if (typeof it === "string") yield it;
  else if (typeof it === "object" && it !== null) for (const inner of Object.values(it)) yield* textsIn(inner);
}

import { z } from "zod";
import { BOUNDS } from "./bounds.ts";
import { conditionFault } from "./conditions.ts";
import { badTemplate } from "./templates.ts";

/** Names that mean something in a run already. */
const TAKEN = new Set(["trigger", "flow", "execution", "now", "loop", "event"]);

export const text = (what: string, most: number) =>
  z.string(`${what}.`).trim().min(1, `${what}.`).max(most, `There can be ${most} characters at the most.`);
export const templates = (it: string, context: z.core.$RefinementCtx<string>) => {
  const bad = badTemplate(it);
  if (bad !== null)
    context.addIssue({ code: "custom", message: `'${bad}' is no path: a template names what the run knows, as in {{trigger.data.name}}.` });
};
/** A text in which templates may stand. */
export const line = (what: string, most = 1_000) => text(what, most).superRefine(templates);
export const clause = z
  .string("Write a condition.")
  .trim()
  .min(1, "Write a condition.")
  .max(4_000, "There can be 4000 characters at the most.")
  .superRefine((it, context) => {
    const fault = conditionFault(it);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });
export const Name = z
  .string("Write a name.")
  .regex(/^[A-Za-z_]\w{0,59}$/, "A name has 1 to 60 letters, digits and underscores, and begins with a letter.")
  .refine((it) => !TAKEN.has(it), "That name means something in a run already.");
export const seconds = (least: number) =>
  z
    .number("This is a number of seconds.")
    .min(least, `There have to be ${least} seconds at least.`)
    .max(BOUNDS.runTime / 1_000, `There can be ${BOUNDS.runTime / 1_000} seconds at the most.`);
/** Any JSON, with templates in its texts. */
export const Value = z.json("This is JSON.").superRefine((it, context) => {
  for (const one of textsIn(it)) templates(one, context as z.core.$RefinementCtx<string>);
});
export const Values = z.record(z.string(), Value, "This is an object, with a value for each name.");

function* textsIn(it: unknown): Generator<string> {
  if (typeof it === "string") yield it;
  else if (typeof it === "object" && it !== null) for (const inner of Object.values(it)) yield* textsIn(inner);
}

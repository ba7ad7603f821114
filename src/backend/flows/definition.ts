import { z } from "zod";
import { Refusal } from "#platform/refusal";
import { BOUNDS } from "./bounds.ts";
import { atMost, clause, having, Name, neededLine, neededText, oneOf, optionalText, seconds, Value, Values } from "./schemas.ts";
import { assertWithin } from "./sizes.ts";
import { Trigger, triggerName } from "./triggers.ts";

const step = { name: neededText("The name", "Give the step a name.", 100).optional() };
const retries = z
  .int("This is a whole number.")
  .min(0, "This is a whole number.")
  .max(BOUNDS.retries, `This can be ${BOUNDS.retries} at the most.`)
  .optional();
const as = Name.optional();
const ACTS = ["create", "update", "delete", "find"] as const;

const Plain = [
  having({ ...step, kind: z.literal("set"), as: Name, value: Value }),
  having({
    ...step,
    kind: z.literal("call"),
    service: neededText("The name of the service", "Name the service.", 64),
    method: neededText("The name of the method", "Name the method.", 64),
    input: Values.optional(),
    as,
    retries,
  }),
  having({
    ...step,
    kind: z.literal("message"),
    channel: neededLine("The name of the channel", "Name the channel.", 200),
    message: Value,
    headers: Values.optional(),
    retries,
  }),
  having({
    ...step,
    kind: z.literal("mail"),
    to: neededLine("The address", "Say whom the mail is for."),
    subject: neededLine("The subject", "Write a subject.", 200),
    text: neededLine("The text", "Write the text.", 20_000),
    retries,
  }),
  having({
    ...step,
    kind: z.literal("record"),
    act: z.enum(ACTS, oneOf(ACTS)),
    table: neededText("The name of the table", "Name the table.", 64),
    id: neededLine("The id", "Name the record by its id.", 250).optional(),
    values: Values.optional(),
    where: neededLine("The condition", "Write a condition.", 4_000).optional(),
    as,
    retries,
  })
    .refine(({ act, id }) => id !== undefined || (act !== "update" && act !== "delete"), {
      path: ["id"],
      message: "Name the record by its id.",
    })
    .refine(({ act, values }) => values !== undefined || (act !== "create" && act !== "update"), {
      path: ["values"],
      message: "Say what the record is to hold.",
    }),
  having({
    ...step,
    kind: z.literal("wait"),
    seconds: seconds(0).optional(),
    for: triggerName.optional(),
    if: clause.optional(),
    as,
  }).refine((it) => it.seconds !== undefined || it.for !== undefined, {
    path: ["seconds"],
    message: "Say for how long, or for which trigger.",
  }),
] as const;

type PlainStep = z.output<(typeof Plain)[number]>;
export type Step =
  | PlainStep
  | { kind: "condition"; name?: string | undefined; if: string; do: Step[]; otherwise: Step[] }
  | { kind: "loop"; name?: string | undefined; over: string | unknown[]; as: string; do: Step[] };
export type StepOf<K extends Step["kind"]> = Extract<Step, { kind: K }>;
const STEP_KINDS = ["set", "condition", "loop", "wait", "record", "call", "message", "mail"] as const;

const LIST = { say: "Name the list by its path, or write one." };
const Steps: z.ZodType<Step[]> = z.lazy(() => z.array(Step, "This is a list of steps."));
const Step: z.ZodType<Step> = z.lazy(() =>
  z.discriminatedUnion(
    "kind",
    [
      ...Plain,
      having({ ...step, kind: z.literal("condition"), if: clause, do: Steps.default([]), otherwise: Steps.default([]) }),
      having({
        ...step,
        kind: z.literal("loop"),
        over: z.union([neededLine("The list", "Name the list."), z.array(Value)], LIST.say),
        as: Name,
        do: Steps.default([]),
      }),
    ],
    oneOf(STEP_KINDS),
  ),
);

const WHO = ["admins", "roles", "members", "everyone"] as const;
const RIGHTS = ["house", "starter"] as const;
const Role = neededText("The name of a role", "Name a role.", 64);

/** An automation as data: who may start it, with whose rights it runs, its triggers and its steps. */
const Definition = having({
  about: optionalText("The description", 500).default(""),
  who: z.enum(WHO, oneOf(WHO)).default("admins"),
  roles: z.array(Role, "This is a list of roles.").max(20, atMost(20, "roles")).default([]),
  rights: z.enum(RIGHTS, oneOf(RIGHTS)).default("house"),
  triggers: z.array(Trigger, "This is a list of triggers.").max(BOUNDS.triggers, atMost(BOUNDS.triggers, "triggers")).default([]),
  steps: Steps.default([]),
}).superRefine((it, context) => {
  const names = new Set<string>();
  for (const [at, { name }] of it.triggers.entries()) {
    if (names.has(name)) context.addIssue({ code: "custom", path: ["triggers", at, "name"], message: "Another trigger has that name." });
    names.add(name);
  }
  let count = 0;
  for (const [place, one, depth] of stepsIn(it.steps)) {
    count++;
    if (depth > BOUNDS.depth) context.addIssue({ code: "custom", path: place, message: `Steps stand ${BOUNDS.depth} deep at the most.` });
    if (one.kind === "wait" && one.for !== undefined && !names.has(one.for))
      context.addIssue({ code: "custom", path: [...place, "for"], message: "This flow has no trigger of that name." });
  }
  if (count > BOUNDS.steps) context.addIssue({ code: "custom", path: ["steps"], message: atMost(BOUNDS.steps, "steps") });
});
export type Definition = z.output<typeof Definition>;
export const EMPTY: Definition = { about: "", who: "admins", roles: [], rights: "house", triggers: [], steps: [] };

/** All steps with their paths, including nested ones. */
function* stepsIn(steps: Step[], at: (string | number)[] = ["steps"], depth = 1): Generator<[(string | number)[], Step, number]> {
  for (const [n, one] of steps.entries()) {
    const place = [...at, n];
    yield [place, one, depth];
    if (one.kind === "loop" || one.kind === "condition") yield* stepsIn(one.do, [...place, "do"], depth + 1);
    if (one.kind === "condition") yield* stepsIn(one.otherwise, [...place, "otherwise"], depth + 1);
  }
}

/** Removes what PostgreSQL cannot store in a text. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/**
 * Parses a definition.
 * @throws `invalid` with a sentence per path, such as `steps.2.do.0.service`
 */
export function definitionIn(given: unknown): Definition {
  const text = assertWithin(given, BOUNDS.definition, "A flow");
  const read = Definition.safeParse(JSON.parse(text, (_key, it: unknown) => (typeof it === "string" ? storable(it) : it)));
  if (read.success) return read.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of read.error.issues) fields[path.map(String).join(".") || "definition"] ??= message;
  throw faulty(fields);
}

/** A refusal with a sentence per path. */
export function faulty(fields: Record<string, string>): Refusal {
  const [place, sentence] = Object.entries(fields)[0]!;
  return new Refusal("invalid", `${place}: ${sentence}`, { fields, kind: "bad-flow" });
}

import { z } from "zod";
import { issueMessage, type Message, msg, toDescriptor, toIssue } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { AUTOMATION_LIMITS } from "./automation-limits.ts";
import {
  conditionClause,
  strictShape,
  VariableName,
  requiredTemplate,
  requiredText,
  ONE_OF_MESSAGE,
  optionalText,
  secondsSchema,
  TemplateValue,
  TemplateValues,
} from "./definition-schemas.ts";
import { assertJsonSize } from "./json-limits.ts";
import { Trigger, triggerName } from "./trigger-schemas.ts";

const stepFields = { name: requiredText("The name", "Give the step a name.", 100).optional() };
const retryCount = z
  .int("This must be a whole number.")
  .min(0, "This must be a whole number.")
  .max(AUTOMATION_LIMITS.retries, "This can be at most {count, number}.")
  .optional();
const resultName = VariableName.optional();
const RECORD_ACTIONS = ["create", "update", "delete", "find"] as const;

const PLAIN_STEPS = [
  strictShape({ ...stepFields, kind: z.literal("set"), as: VariableName, value: TemplateValue }),
  strictShape({
    ...stepFields,
    kind: z.literal("call"),
    service: requiredText("The name of the service", "Enter the service.", 64),
    method: requiredText("The name of the method", "Enter the method.", 64),
    input: TemplateValues.optional(),
    as: resultName,
    retries: retryCount,
  }),
  strictShape({
    ...stepFields,
    kind: z.literal("message"),
    channel: requiredTemplate("The name of the channel", "Enter a channel.", 200),
    message: TemplateValue,
    headers: TemplateValues.optional(),
    retries: retryCount,
  }),
  strictShape({
    ...stepFields,
    kind: z.literal("mail"),
    to: requiredTemplate("The address", "Enter a recipient."),
    subject: requiredTemplate("The subject", "Write a subject.", 200),
    text: requiredTemplate("The text", "Write the text.", 20_000),
    retries: retryCount,
  }),
  strictShape({
    ...stepFields,
    kind: z.literal("record"),
    act: z.enum(RECORD_ACTIONS, ONE_OF_MESSAGE.text),
    table: requiredText("The name of the table", "Enter the table.", 64),
    id: requiredTemplate("The id", "Enter the id of the record.", 250).optional(),
    values: TemplateValues.optional(),
    where: requiredTemplate("The condition", "Write a condition.", 4_000).optional(),
    as: resultName,
    retries: retryCount,
  })
    .refine(({ act, id }) => id !== undefined || (act !== "update" && act !== "delete"), {
      path: ["id"],
      message: "Enter the id of the record.",
    })
    .refine(({ act, values }) => values !== undefined || (act !== "create" && act !== "update"), {
      path: ["values"],
      message: "Enter the values of the record.",
    }),
  strictShape({
    ...stepFields,
    kind: z.literal("wait"),
    seconds: secondsSchema(0).optional(),
    for: triggerName.optional(),
    if: conditionClause.optional(),
    as: resultName,
  }).refine((it) => it.seconds !== undefined || it.for !== undefined, {
    path: ["seconds"],
    message: "Enter a duration or a trigger to wait for.",
  }),
] as const;

type PlainStep = z.output<(typeof PLAIN_STEPS)[number]>;
export type Step =
  | PlainStep
  | { kind: "condition"; name?: string | undefined; if: string; do: Step[]; otherwise: Step[] }
  | { kind: "loop"; name?: string | undefined; over: string | unknown[]; as: string; do: Step[] };
export type StepOf<K extends Step["kind"]> = Extract<Step, { kind: K }>;

const MISSING_LIST = { text: "Enter a list, or a path to a list." };
const Steps: z.ZodType<Step[]> = z.lazy(() => z.array(Step, "This must be a list of steps."));
const Step: z.ZodType<Step> = z.lazy(() =>
  z.discriminatedUnion(
    "kind",
    [
      ...PLAIN_STEPS,
      strictShape({
        ...stepFields,
        kind: z.literal("condition"),
        if: conditionClause,
        do: Steps.default([]),
        otherwise: Steps.default([]),
      }),
      strictShape({
        ...stepFields,
        kind: z.literal("loop"),
        over: z.union(
          [requiredTemplate("The list", "Enter the list."), z.array(TemplateValue)],
          MISSING_LIST.text,
        ),
        as: VariableName,
        do: Steps.default([]),
      }),
    ],
    ONE_OF_MESSAGE.text,
  ),
);

const STARTERS = ["admins", "roles", "members", "everyone"] as const;
export const STEP_RIGHTS = ["system", "starter"] as const;
const RoleName = requiredText("The name of a role", "Enter a role.", 64);

/** The definition of an automation: who may start it, whose rights it has, its triggers and its steps. */
const Definition = strictShape({
  about: optionalText("The description", 500).default(""),
  who: z.enum(STARTERS, ONE_OF_MESSAGE.text).default("admins"),
  roles: z
    .array(RoleName, "This must be a list of roles.")
    .max(20, "At most {count, number} roles.")
    .default([]),
  rights: z.enum(STEP_RIGHTS, ONE_OF_MESSAGE.text).default("system"),
  triggers: z
    .array(Trigger, "This must be a list of triggers.")
    .max(AUTOMATION_LIMITS.triggers, "At most {count, number} triggers.")
    .default([]),
  steps: Steps.default([]),
}).superRefine((it, context) => {
  const names = new Set<string>();
  for (const [at, { name }] of it.triggers.entries()) {
    if (names.has(name))
      context.addIssue({
        code: "custom",
        path: ["triggers", at, "name"],
        message: "Another trigger already has that name.",
      });
    names.add(name);
  }
  let count = 0;
  for (const [path, one, depth] of walkSteps(it.steps)) {
    count++;
    if (depth > AUTOMATION_LIMITS.depth)
      context.addIssue({
        ...toIssue(msg("Steps can be nested at most {count} levels.", { count: AUTOMATION_LIMITS.depth })),
        path,
      });
    if (one.kind === "wait" && one.for !== undefined && !names.has(one.for))
      context.addIssue({
        code: "custom",
        path: [...path, "for"],
        message: "This automation has no trigger with that name.",
      });
  }
  if (count > AUTOMATION_LIMITS.steps)
    context.addIssue({
      ...toIssue(msg("At most {count} steps.", { count: AUTOMATION_LIMITS.steps })),
      path: ["steps"],
    });
});
export type Definition = z.output<typeof Definition>;
export const EMPTY_DEFINITION: Definition = {
  about: "",
  who: "admins",
  roles: [],
  rights: "system",
  triggers: [],
  steps: [],
};

/** Iterates over all steps with their paths, including nested ones. */
function* walkSteps(
  steps: Step[],
  at: (string | number)[] = ["steps"],
  depth = 1,
): Generator<[(string | number)[], Step, number]> {
  for (const [n, one] of steps.entries()) {
    const path = [...at, n];
    yield [path, one, depth];
    if (one.kind === "loop" || one.kind === "condition") yield* walkSteps(one.do, [...path, "do"], depth + 1);
    if (one.kind === "condition") yield* walkSteps(one.otherwise, [...path, "otherwise"], depth + 1);
  }
}

/** Removes NUL characters, which PostgreSQL cannot store in a text. */
const toStorable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/**
 * Parses a definition.
 * @throws `invalid` with an error per path, such as `steps.2.do.0.service`
 */
export function parseDefinition(input: unknown): Definition {
  const text = assertJsonSize(input, AUTOMATION_LIMITS.definition, "An automation");
  const parsed = Definition.safeParse(
    JSON.parse(text, (_key, it: unknown) => (typeof it === "string" ? toStorable(it) : it)),
  );
  if (parsed.success) return parsed.data;
  const fields: Record<string, Message> = {};
  for (const issue of parsed.error.issues)
    fields[issue.path.map(String).join(".") || "definition"] ??= issueMessage(issue);
  throw invalidDefinition(fields);
}

/** Creates a refusal with an error per path. */
export function invalidDefinition(fields: Record<string, Message>): Refusal {
  const [path, what] = Object.entries(fields)[0]!;
  return new Refusal("invalid", msg("{place}: {what}", { place: path, what: toDescriptor(what) }), {
    fields,
    kind: "bad-flow",
  });
}

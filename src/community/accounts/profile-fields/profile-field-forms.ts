import { z } from "zod";
import { AUDIENCES, LIMITS } from "#community/rules";
import { plainTextField } from "../plain-text-field.ts";

const FIELD_LIMITS = LIMITS.profileFields;

const FIELD_KINDS = ["line", "text", "link", "date", "choice", "choices"] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];
export const hasChoices = (kind: FieldKind) => kind === "choice" || kind === "choices";

/** Choices, one per line, without duplicates. */
const choices = z
  .string()
  .default("")
  .transform((typed) => [
    ...new Set(
      typed
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    ),
  ])
  .pipe(z.array(plainTextField(FIELD_LIMITS.choice)).max(FIELD_LIMITS.choices, "At most 50 choices."));

/** Definition of a profile field, whose kind cannot change later. */
export const FieldForm = z.object({
  label: plainTextField(FIELD_LIMITS.label).pipe(z.string().min(1, "Give the field a name.")),
  hint: plainTextField(FIELD_LIMITS.hint).default(""),
  choices,
  audience: z.enum(AUDIENCES, "Choose who can see the field."),
  locked: z.boolean(),
  required: z.boolean(),
});
export type FieldForm = z.output<typeof FieldForm>;

export const NewFieldForm = FieldForm.extend({ kind: z.enum(FIELD_KINDS, "Choose a field type.") });
export type NewFieldForm = z.output<typeof NewFieldForm>;

/** Answers to the fields of a form, each with an audience. */
export const AnswersForm = z
  .array(
    z.object({
      fieldId: z.uuid("Unknown value."),
      said: z.array(plainTextField(LIMITS.url)).max(FIELD_LIMITS.choices),
      audience: z.enum(AUDIENCES, "Choose who can see the field."),
    }),
  )
  .max(FIELD_LIMITS.count);
export type AnswersForm = z.output<typeof AnswersForm>;

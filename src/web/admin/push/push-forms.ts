import { TEMPLATE_KINDS } from "#baas/devices";
import { z } from "zod";
import { parseKeyValueLines } from "./key-value-lines.ts";

const textInput = (most: number, words: string) => z.string().trim().max(most, words).default("");

const values = textInput(2_000, "Please write no more than 2000 characters.")
  .refine((lines) => parseKeyValueLines(lines) !== null, "Each line is a name, a colon and a text.")
  .transform((lines) => parseKeyValueLines(lines)!);

/** Form of a push template. */
export const TemplateForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Enter a name.")
    .max(100, "At most 100 characters.")
    .regex(/^[^\p{Cc}/]+$/u, "A name has no slashes and no control characters."),
  os: z.enum(TEMPLATE_KINDS, "Choose a kind of device."),
  channel: textInput(100, "At most 100 characters.").transform((name) => name || null),
  title: textInput(200, "At most 200 characters."),
  subtitle: textInput(200, "At most 200 characters."),
  body: z.string().trim().min(1, "Enter a text.").max(1_000, "At most 1000 characters."),
  sound: textInput(100, "At most 100 characters."),
  badge: z
    .string()
    .trim()
    .regex(/^\d{0,5}$/, "Enter a whole number up to 99999.")
    .default("")
    .transform((badge) => (badge === "" ? null : Number(badge))),
  headers: values,
});

/** Form to test a template on a device. */
export const TrialForm = z.object({
  template: z.string().max(100, "At most 100 characters."),
  device: z.string().trim().min(1, "Enter a device.").max(200, "At most 200 characters."),
  values,
});

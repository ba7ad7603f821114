import { TEMPLATE_KINDS } from "#backend/devices";
import { z } from "zod";
import { valuesIn } from "./push-lines.ts";

const text = (most: number, words: string) => z.string().trim().max(most, words).default("");

const values = text(2_000, "Please write no more than 2000 characters.")
  .refine((lines) => valuesIn(lines) !== null, "Each line is a name, a colon and a text.")
  .transform((lines) => valuesIn(lines)!);

/** Form of a push template. */
export const TemplateForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Please give it a name.")
    .max(100, "Please write no more than 100 characters.")
    .regex(/^[^\p{Cc}/]+$/u, "A name has no slashes and no control characters."),
  os: z.enum(TEMPLATE_KINDS, "Please choose a kind of device."),
  channel: text(100, "Please write no more than 100 characters.").transform((name) => name || null),
  title: text(200, "Please write no more than 200 characters."),
  subtitle: text(200, "Please write no more than 200 characters."),
  body: z.string().trim().min(1, "Please write what it says.").max(1_000, "Please write no more than 1000 characters."),
  sound: text(100, "Please write no more than 100 characters."),
  badge: z
    .string()
    .trim()
    .regex(/^\d{0,5}$/, "This is a whole number up to 99999.")
    .default("")
    .transform((badge) => (badge === "" ? null : Number(badge))),
  headers: values,
});

/** Form to try a template on a device. */
export const TriedForm = z.object({
  template: z.string().max(100, "Please write no more than 100 characters."),
  device: z.string().trim().min(1, "Please name a device.").max(200, "Please write no more than 200 characters."),
  values,
});

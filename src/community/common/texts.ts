import { z } from "zod";

/** A text from outside. PostgreSQL keeps no NUL characters, and nobody writes them on purpose. */
const text = (most: number, tooLong: string) =>
  z
    .string()
    .transform((it) => it.replaceAll("\0", "").trim())
    .pipe(z.string().max(most, tooLong));

const number = new Intl.NumberFormat("en");

/** A text that may stay empty, of `most` characters. `what` begins the sentence that refuses a longer one. */
export const optionalText = (what: string, most: number) =>
  text(most, `${what} can have ${number.format(most)} characters at most.`).default("");

/** A text that has to be there: `missing` is the sentence for who left it out. */
export const neededText = (what: string, missing: string, most: number, least = 1) =>
  text(most, `${what} can have ${number.format(most)} characters at most.`).pipe(
    z.string().min(1, missing).min(least, `${what} needs ${least} characters at least.`),
  );

/** The name a client gives to one submission, so that sending it again stores nothing twice. */
export const clientId = z.uuid("That submission has no usable id.").optional();
export const id = z.uuid("That is not something we know.");

/** Up to five tags, lower case, told apart by commas or given as a list. */
export const tags = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((given) => (typeof given === "string" ? given.split(",") : given).map(asTag).filter((tag) => tag !== ""))
  .transform((given) => [...new Set(given)])
  .pipe(z.array(z.string().max(20, "A tag can have 20 characters at most.")).max(5, "Five tags at most."));

const asTag = (typed: string) => typed.replaceAll("\0", "").trim().replace(/^#/, "").replace(/\s+/g, " ").toLowerCase();

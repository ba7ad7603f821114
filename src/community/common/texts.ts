import { z } from "zod";

/**
 * A text as the database can keep it: PostgreSQL has no place for the character NUL and for halves of characters,
 * and nobody writes them on purpose.
 */
export const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** A text from outside. */
const text = (most: number, tooLong: string) =>
  z
    .string()
    .transform((it) => storable(it).trim())
    .pipe(z.string().max(most, tooLong));

const number = new Intl.NumberFormat("en");

/** A text that may stay empty, of `most` characters. `what` begins the sentence that refuses a longer one. */
export const optionalText = (what: string, most: number) =>
  text(most, `${what} can have ${number.format(most)} characters at most.`).default("");

/** Something that takes room or leaves a mark: no spaces and signs alone that nobody sees, nor letters that are drawn as nothing. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u;

/** A text that has to be there: `missing` is the sentence for who left it out. */
export const neededText = (what: string, missing: string, most: number, least = 1) =>
  text(most, `${what} can have ${number.format(most)} characters at most.`).pipe(
    z.string().regex(SEEN, missing).min(least, `${what} needs ${least} characters at least.`),
  );

/** The name a client gives to one submission, so that sending it again stores nothing twice. */
export const clientId = z.uuid("That submission has no usable id.").optional();
/** Which version of the draft a form was sent from: that one is no draft any more. */
export const draftVersion = z.coerce.number().int().min(0).max(1_000_000_000).optional();
export const id = z.uuid("That is not something we know.");

/** Up to five tags, lower case, told apart by commas or given as a list. */
const tagsAsTyped = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => (typeof given === "string" ? given.split(",") : given).map(asTag).filter((tag) => tag !== ""))
  .transform((given) => [...new Set(given)])
  .pipe(z.array(z.string().max(20, "A tag can have 20 characters at most.")).max(5, "Five tags at most."));
export const tags = tagsAsTyped.default([]);
/** The same for what has tags already: who says nothing of them leaves them. */
export const tagsIfAny = tagsAsTyped.optional();

const asTag = (typed: string) => storable(typed).trim().replace(/^#/, "").replace(/\s+/g, " ").toLowerCase();

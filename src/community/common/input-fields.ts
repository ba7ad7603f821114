import { maxCharacters, minCharacters } from "#platform/messages";
import { z } from "zod";

/** Text that PostgreSQL can store: without NUL and lone surrogates. */
export const toStorableText = (text: string) => text.replaceAll("\0", "").toWellFormed();

const limitedText = (what: string, most: number) =>
  z
    .string()
    .transform((it) => toStorableText(it).trim())
    .pipe(z.string().superRefine(maxCharacters(what, most)));

/** An optional text of `most` characters. `what` begins the error message for a longer text. */
export const optionalText = (what: string, most: number) => limitedText(what, most).default("");

/** Matches a visible character: no spaces, controls or letters that are drawn as nothing. */
const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u;

/** A required text of `least` to `most` characters. `missing` is the error message for an empty text. */
export const requiredText = (what: string, missing: string, most: number, least = 1) =>
  limitedText(what, most).pipe(
    z.string().regex(VISIBLE_CHARACTER, missing).superRefine(minCharacters(what, least)),
  );

/** Id that the client gives one submission, so that a retry is stored only once. */
export const clientId = z.uuid("The submission id is not valid.").optional();
/** Version of the draft from which a form was sent. The draft is then deleted. */
export const draftVersion = z.coerce.number().int().min(0).max(1_000_000_000).optional();
export const id = z.uuid("Unknown value.");

/**
 * Usernames in lower case, each once, as a list or as one text with commas or spaces. Fields limit their number
 * with another `pipe`.
 */
export const usernames = z
  .union([z.string().max(4_000), z.array(z.string()).max(100)])
  .transform((given) => (typeof given === "string" ? given.split(/[\s,]+/) : given))
  .transform((given) => [
    ...new Set(
      given
        .map((each) => toStorableText(each).trim().replace(/^@/, "").toLowerCase())
        .filter((each) => each !== ""),
    ),
  ])
  .pipe(z.array(z.string().max(50, "That is not a valid username.")));

/** At most five tags in lower case, separated by commas or given as a list. */
const parsedTags = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    (typeof given === "string" ? given.split(",") : given).map(normalizeTag).filter((tag) => tag !== ""),
  )
  .transform((given) => [...new Set(given)])
  .pipe(z.array(z.string().max(20, "A tag can have 20 characters at most.")).max(5, "Five tags at most."));
export const tags = parsedTags.default([]);
/** For edits: omitted tags stay unchanged. */
export const optionalTags = parsedTags.optional();

const normalizeTag = (typed: string) =>
  toStorableText(typed).trim().replace(/^#/, "").replace(/\s+/g, " ").toLowerCase();

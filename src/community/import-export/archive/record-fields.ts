import { z } from "zod";
import { LIMITS, SERVER_LIMITS } from "#community/rules";

// Building blocks of record fields. Each has its own error message.

const EARLIEST_DATE = Date.UTC(1970, 0, 1);
const LATEST_DATE = Date.UTC(2100, 0, 1);

/** Removes what PostgreSQL cannot store: NUL and unpaired surrogates. Trims white space. */
export const cleanText = (it: string) => it.replaceAll("\0", "").toWellFormed().trim();
/** Length in characters, as PostgreSQL counts: to JavaScript an emoji is two. */
export const countCharacters = (it: string) => Array.from(it).length;
/** The first `most` characters; surrogate pairs stay whole. */
export const truncate = (it: string, most: number) => Array.from(it).slice(0, most).join("");
/** Appends `…` characters until the text has `least` characters. */
export const padWithDots = (it: string, least: number) =>
  it + "…".repeat(Math.max(0, least - countCharacters(it)));

export const text = (most: number) =>
  z
    .string()
    .transform(cleanText)
    .pipe(z.string().max(most, `has more than ${most} characters`))
    .default("");
export const requiredText = (most: number) =>
  z
    .string()
    .transform(cleanText)
    .pipe(z.string().min(1, { error: "is empty" }).max(most, `has more than ${most} characters`));
/**
 * A short text. A longer text is cut at `most` characters instead of refused. White space at the cut is
 * removed, so that exporting and importing the text again does not change it.
 */
export const headingText = (most: number) =>
  z
    .string()
    .transform((it) => cleanText(truncate(cleanText(it), most)))
    .default("");

export const id = z
  .union([z.string(), z.int()])
  .transform((it) => cleanText(String(it)))
  .pipe(z.string().min(1, { error: "is empty" }).max(200, { error: "has more than 200 characters" }));

/** Whether the date is plausible. */
export const isValidMoment = (at: Date) => at.getTime() >= EARLIEST_DATE && at.getTime() < LATEST_DATE;

const ISO = /^\d{4}-\d\d-\d\d(?:T|$)/;

/** ISO 8601; without a zone it is read as UTC. */
export const moment = z
  .string()
  .max(40)
  .transform((it, context) => {
    const at = new Date(
      !ISO.test(it) ? Number.NaN : /(?:z|[+-]\d\d:?\d\d)$/i.test(it) || !it.includes("T") ? it : `${it}Z`,
    );
    if (isValidMoment(at)) return at;
    context.addIssue({ code: "custom", message: "is not a date between 1970 and 2100" });
    return z.NEVER;
  });

export const paths = z
  .array(
    z
      .string()
      .transform(cleanText)
      .pipe(z.string().regex(/^\/[^\s#]{0,998}$/, { error: "is not a path" })),
  )
  .max(1_000, { error: "has more than 1000 old addresses" })
  .default([]);
export const tags = z
  .array(z.string())
  .max(100)
  .transform((all) =>
    [...new Set(all.map((tag) => truncate(cleanText(tag), SERVER_LIMITS.tags.length)).filter(Boolean))].slice(
      0,
      SERVER_LIMITS.tags.count,
    ),
  )
  .default([]);
export const language = z
  .string()
  .regex(/^[a-z]{2}$/)
  .catch("en")
  .default("en");
/** A language code, or null if missing or invalid: the language is then detected later. */
export const languageIfAny = z
  .string()
  .regex(/^[a-z]{2}$/)
  .nullish()
  .catch(null);
export const list = (most: number) => z.array(text(1_000)).max(most).default([]);
export const number = z.int().min(0).max(2_000_000_000);
/** Long texts are imported whole, even if longer than the limit for new ones. */
export const MAX_TEXT_LENGTH = LIMITS.document;

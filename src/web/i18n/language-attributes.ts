import { textDirection } from "./locales.ts";

const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Thaana}\p{sc=Syriac}]/gu;
/** Characters of a text, or of its HTML, that are examined for its direction. */
const EXAMINED_CHARACTERS = 1_000;

/**
 * `lang` and `dir` of a text in a discussion's language. If its letters run in the other direction, it is in
 * another language, and `lang` is omitted. Without letters, the direction is that of the language.
 */
export function languageAttributes(language: string, text: string): { lang?: string; dir: "ltr" | "rtl" } {
  const plain = text.slice(0, EXAMINED_CHARACTERS).replace(/<[^>]*(?:>|$)/g, "");
  const toLeft = plain.match(RIGHT_TO_LEFT)?.length ?? 0;
  // Letters are counted only where some run to the left: every post of a page is examined.
  const letters = toLeft > 0 ? (plain.match(/\p{L}/gu)?.length ?? 0) : Number(/\p{L}/u.test(plain));
  const dir = letters === 0 ? textDirection(language) : toLeft * 2 > letters ? "rtl" : "ltr";
  return dir === textDirection(language) ? { lang: language, dir } : { dir };
}

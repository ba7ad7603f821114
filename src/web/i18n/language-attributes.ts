import { textDirection } from "./locales.ts";

const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Thaana}\p{sc=Syriac}]/gu;
/** Number of characters of a text or its HTML from which the direction is determined. */
const EXAMINED_CHARACTERS = 1_000;

/**
 * Returns `lang` and `dir` of a text in a discussion's language. If the text's letters have the other
 * direction, the text is in another language, and `lang` is omitted. A text without letters has the
 * direction of the discussion's language.
 */
export function languageAttributes(language: string, text: string): { lang?: string; dir: "ltr" | "rtl" } {
  const plain = text.slice(0, EXAMINED_CHARACTERS).replace(/<[^>]*(?:>|$)/g, "");
  const toLeft = plain.match(RIGHT_TO_LEFT)?.length ?? 0;
  // Letters are only counted in texts with right-to-left letters, since this runs for every post of a page.
  const letters = toLeft > 0 ? (plain.match(/\p{L}/gu)?.length ?? 0) : Number(/\p{L}/u.test(plain));
  const dir = letters === 0 ? textDirection(language) : toLeft * 2 > letters ? "rtl" : "ltr";
  return dir === textDirection(language) ? { lang: language, dir } : { dir };
}

import { directionOf } from "./locales.ts";

const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Thaana}\p{sc=Syriac}]/gu;
/** Characters of a text, or of its HTML, that tell which way it runs. */
const LOOKED_AT = 1_000;

/**
 * Attributes of a text that stands in a language. Its letters say which way it runs, as a reply may be in another
 * language than its discussion: then that is not claimed of it. Without letters it runs as the language does.
 */
export function textIn(language: string, text: string): { lang?: string; dir: "ltr" | "rtl" } {
  const plain = text.slice(0, LOOKED_AT).replace(/<[^>]*(?:>|$)/g, "");
  const letters = plain.match(/\p{L}/gu)?.length ?? 0;
  const toLeft = plain.match(RIGHT_TO_LEFT)?.length ?? 0;
  const dir = letters === 0 ? directionOf(language) : toLeft * 2 > letters ? "rtl" : "ltr";
  return dir === directionOf(language) ? { lang: language, dir } : { dir };
}

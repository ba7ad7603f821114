/** Indexed words per line. */
const MOST_WORDS = 300;
/** Words per query. */
const MOST_ASKED = 8;

/** Longer words, which are never typed, are split. */
const wordsIn = (text: string): string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]{1,60}/gu) ?? [])];

/** Words of a line for `array_to_tsvector`. */
export const wordsOf = (...texts: (string | null)[]): string[] => wordsIn(texts.filter(Boolean).join(" ")).slice(0, MOST_WORDS);

/** A `tsquery` for lines with all these words as prefixes; null without words. */
export function questionOf(asked: string): string | null {
  const words = wordsIn(asked).slice(0, MOST_ASKED);
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(" & ");
}

/** Words of one line that it is found by. */
const MOST_WORDS = 300;
/** Words of one question. */
const MOST_ASKED = 8;

/** Longer ones, which nobody types, are so many characters each. */
const wordsIn = (text: string): string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]{1,60}/gu) ?? [])];

/** The words by which a line is found, for `array_to_tsvector`. */
export const wordsOf = (...texts: (string | null)[]): string[] => wordsIn(texts.filter(Boolean).join(" ")).slice(0, MOST_WORDS);

/** A question for these words as a `tsquery`: all of them, each the beginning of one; null without any. */
export function questionOf(asked: string): string | null {
  const words = wordsIn(asked).slice(0, MOST_ASKED);
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(" & ");
}

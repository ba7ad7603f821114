/** Indexed words per line. */
const MAX_WORDS = 300;
/** Words per query. */
const MAX_QUERY_WORDS = 8;

/** Longer words, which are never typed, are split. */
const splitWords = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]{1,60}/gu) ?? []),
];

/** Words of a line for `array_to_tsvector`. */
export const extractSearchWords = (...texts: (string | null)[]): string[] =>
  splitWords(texts.filter(Boolean).join(" ")).slice(0, MAX_WORDS);

/** A `tsquery` for lines with all these words as prefixes; null without words. */
export function toTsquery(asked: string): string | null {
  const words = splitWords(asked).slice(0, MAX_QUERY_WORDS);
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(" & ");
}

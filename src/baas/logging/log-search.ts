/** Maximum words indexed per line. */
const MAX_WORDS = 300;
/** Maximum words of a query. */
const MAX_QUERY_WORDS = 8;

/**
 * Splits a text into words. A word of more than 60 characters, which nobody types into a search, becomes
 * several.
 */
const splitWords = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]{1,60}/gu) ?? []),
];

/** Extracts the words of a line that are indexed by `array_to_tsvector`. */
export const extractSearchWords = (...texts: (string | null)[]): string[] =>
  splitWords(texts.filter(Boolean).join(" ")).slice(0, MAX_WORDS);

/**
 * Returns a `tsquery` for lines that contain words beginning with each of these; null if there are no words.
 */
export function toTsquery(query: string): string | null {
  const words = splitWords(query).slice(0, MAX_QUERY_WORDS);
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(" & ");
}

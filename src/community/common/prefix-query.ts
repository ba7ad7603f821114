/** Maximum number of words of a search text; further words are ignored. */
const MAX_WORDS = 8;

/**
 * Converts typed text to a query for PostgreSQL's `to_tsquery('simple', …)`, which matches texts with words
 * that begin with the typed ones. Only letters and digits are used, so that any input is valid. Null if
 * there is no word.
 */
export function prefixQuery(typed: string | undefined): string | null {
  const words =
    (typed ?? "")
      .slice(0, 200)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0
    ? null
    : words
        .slice(0, MAX_WORDS)
        .map((word) => `${word}:*`)
        .join(" & ");
}

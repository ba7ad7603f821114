/** Further words do not narrow a search. */
const MAX_WORDS = 8;

/**
 * Typed text as a query for PostgreSQL's `to_tsquery('simple', …)`: each word must begin some word. Only
 * letters and digits are used, so that any input is valid. Null without a word.
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

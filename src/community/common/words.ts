/** More words than this do not make a search narrower. */
const MOST_WORDS = 8;

/**
 * What a person typed, as a query for PostgreSQL's `to_tsquery('simple', …)`: every word must begin some word. Only
 * letters and digits get through, so no input is an error. Null where there is nothing to look for.
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
        .slice(0, MOST_WORDS)
        .map((word) => `${word}:*`)
        .join(" & ");
}

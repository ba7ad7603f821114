export type FilterContext = "home" | "discussion" | "notifications";
export type FilterFacts = { phrase: string; action: "collapse" | "hide" };
/** Match of a filter: its phrase, and whether the text is hidden rather than collapsed. */
export type FilterMatch = { phrase: string; hidden: boolean };

/** Normal form for comparison: no accents, lower case, single spaces. */
const normalizeText = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s\u2018\u2019]+/g, (found) => (/\s/.test(found) ? " " : "'"))
    .trim();

/**
 * Scripts with spaces between words, in which a phrase matches whole words. In other scripts it matches
 * anywhere.
 */
const SPACED_SCRIPTS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;

function compilePhrase(phrase: string): RegExp {
  const text = normalizeText(phrase);
  const [before, after] = [
    SPACED_SCRIPTS.test(text[0] ?? "") ? "(?<![\\p{L}\\p{N}])" : "",
    SPACED_SCRIPTS.test(text.at(-1) ?? "") ? "(?![\\p{L}\\p{N}])" : "",
  ];
  return new RegExp(`${before}${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}${after}`, "u");
}

/**
 * Returns a function that finds the filter that matches a text, if any. Filters that hide text have
 * precedence. The filters are compiled once for many texts.
 */
export function createFilterMatcher(filters: FilterFacts[]): (text: string) => FilterMatch | null {
  if (filters.length === 0) return () => null;
  const hidingFirst = filters.toSorted((a, b) => Number(b.action === "hide") - Number(a.action === "hide"));
  const patterns = hidingFirst.flatMap((filter) =>
    normalizeText(filter.phrase) === "" ? [] : [{ filter, pattern: compilePhrase(filter.phrase) }],
  );
  return (text) => {
    const words = normalizeText(text);
    const found = patterns.find(({ pattern }) => pattern.test(words));
    return found ? { phrase: found.filter.phrase, hidden: found.filter.action === "hide" } : null;
  };
}

/** Drops hidden rows and marks collapsed ones with their phrase. */
export function applyFilters<Row extends { mine: boolean }>(
  filters: FilterFacts[],
  rows: Row[],
  textOf: (row: Row) => string,
): (Row & { filtered?: string })[] {
  const sieve = createFilterMatcher(filters);
  return rows.flatMap((row) => {
    const caught = row.mine ? null : sieve(textOf(row));
    return caught === null ? [row] : caught.hidden ? [] : [{ ...row, filtered: caught.phrase }];
  });
}

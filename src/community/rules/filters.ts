export type FilterContext = "home" | "discussion" | "notifications";
export type FilterFacts = { phrase: string; action: "collapse" | "hide" };
/** What becomes of a text that somebody does not want to read: why, and whether it is there at all. */
export type Caught = { phrase: string; hidden: boolean };

/** Letters without their accents, in lower case, with single spaces: as texts are compared here. */
const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s\u2018\u2019]+/g, (found) => (/\s/.test(found) ? " " : "'"))
    .trim();

/** In these scripts spaces part the words: a phrase stands for whole ones. In others it is found within a line of text. */
const SPACED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u;

function patternOf(phrase: string): RegExp {
  const wanted = plain(phrase);
  const [before, after] = [
    SPACED.test(wanted[0] ?? "") ? "(?<![\\p{L}\\p{N}])" : "",
    SPACED.test(wanted.at(-1) ?? "") ? "(?![\\p{L}\\p{N}])" : "",
  ];
  return new RegExp(`${before}${wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}${after}`, "u");
}

/**
 * What catches a text, one of these filters or none; one that hides comes before those that fold. The filters are read once,
 * for many texts.
 */
export function sieveOf(filters: FilterFacts[]): (text: string) => Caught | null {
  if (filters.length === 0) return () => null;
  const hidingFirst = filters.toSorted((a, b) => Number(b.action === "hide") - Number(a.action === "hide"));
  const patterns = hidingFirst.flatMap((filter) => (plain(filter.phrase) === "" ? [] : [{ filter, pattern: patternOf(filter.phrase) }]));
  return (text) => {
    const words = plain(text);
    const found = patterns.find(({ pattern }) => pattern.test(words));
    return found ? { phrase: found.filter.phrase, hidden: found.filter.action === "hide" } : null;
  };
}

/** Rows without those that are hidden; of the others, those that stand folded say for which phrase. */
export function sifted<Row extends { mine: boolean }>(
  filters: FilterFacts[],
  rows: Row[],
  textOf: (row: Row) => string,
): (Row & { filtered?: string })[] {
  const sieve = sieveOf(filters);
  return rows.flatMap((row) => {
    const caught = row.mine ? null : sieve(textOf(row));
    return caught === null ? [row] : caught.hidden ? [] : [{ ...row, filtered: caught.phrase }];
  });
}

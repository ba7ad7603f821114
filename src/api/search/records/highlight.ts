import type { Mark } from "#community/search";

export type HighlightTags = { pre: string; post: string };
type MatchLevel = "none" | "partial" | "full";
export type Highlight = {
  value: string;
  matchLevel: MatchLevel;
  matchedWords: string[];
  fullyHighlighted?: boolean;
};

/** Maximum characters highlighted per answer; further text is returned unchanged. */
const MAX_CHARACTERS = 50_000;
const SNIPPET_WORDS = 10;

/** Counts the characters that may still be highlighted in an answer. */
export class HighlightBudget {
  #left = MAX_CHARACTERS;
  allows = (text: string) => (this.#left -= text.length) + text.length > 0;
}

/** Returns a text with its matches enclosed in the tags. Tags that the text contains itself are removed. */
export function highlightText(
  text: string,
  marks: Mark[],
  words: string[],
  { pre, post }: HighlightTags,
): Highlight {
  const tags = [pre, post].filter((tag) => tag !== "");
  const clean = (part: string) => removeTags(part, tags);
  let value = "";
  let rest = "";
  let at = 0;
  for (const { from, to } of removeOverlaps(marks)) {
    rest += text.slice(at, from);
    value += clean(text.slice(at, from)) + pre + clean(text.slice(from, to)) + post;
    at = to;
  }
  value += clean(text.slice(at));
  rest += text.slice(at);
  return {
    value,
    ...matchInfo(marks, words),
    ...(marks.length > 0 && { fullyHighlighted: !/[\p{L}\p{N}]/u.test(rest) }),
  };
}

/**
 * Removes tags from a text in one pass, however deeply they are nested. Removing a tag can join the halves
 * of another one at the end of the output, so the end is checked after each step.
 */
function removeTags(text: string, tags: string[]): string {
  if (!tags.some((tag) => text.includes(tag))) return text;
  const kept: string[] = [];
  for (const unit of text.split("")) {
    kept.push(unit);
    const tag = tags.find((it) => unit === it.at(-1) && kept.slice(-it.length).join("") === it);
    if (tag !== undefined) kept.length -= tag.length;
  }
  return kept.join("");
}

/** Sorts marks and removes those inside another mark. */
function removeOverlaps(marks: Mark[]): Mark[] {
  let end = 0;
  return marks
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => from >= end && ((end = to), true));
}

function matchInfo(marks: Mark[], words: string[]): { matchLevel: MatchLevel; matchedWords: string[] } {
  const matchedWords = words.filter((_, n) => marks.some(({ word }) => word === n));
  const matchLevel =
    matchedWords.length === 0 ? "none" : matchedWords.length === words.length ? "full" : "partial";
  return { matchLevel, matchedWords };
}

type SnippetSize = { words: number; ellipsis: string };

/** Returns some words of a text around its densest matches, or its beginning if nothing matches. */
export function createSnippet(
  text: string,
  marks: Mark[],
  words: string[],
  tags: HighlightTags,
  cut: SnippetSize,
): Pick<Highlight, "value" | "matchLevel"> {
  const spans = [...text.matchAll(/\S+/g)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
  const first = findWindowStart(spans, marks, cut.words);
  const shown = spans.slice(first, first + cut.words);
  const [from, to] = [shown[0]?.from ?? 0, shown.at(-1)?.to ?? 0];
  const inside = marks
    .filter((mark) => mark.from >= from && mark.to <= to)
    .map((mark) => ({ ...mark, from: mark.from - from, to: mark.to - from }));
  const { value } = highlightText(text.slice(from, to), inside, words, tags);
  const { matchLevel } = matchInfo(marks, words);
  return {
    value: `${first > 0 ? cut.ellipsis : ""}${value}${first + cut.words < spans.length ? cut.ellipsis : ""}`,
    matchLevel,
  };
}

/**
 * Finds the start of the excerpt that contains the most different matched words. The excerpt begins a few
 * words before the first matched word.
 */
function findWindowStart(spans: { from: number; to: number }[], marks: Mark[], size: number): number {
  const marked = removeOverlaps(marks)
    .slice(0, 200)
    .map((mark) => ({ word: mark.word, at: spans.findIndex(({ to }) => to > mark.from) }));
  let best = { first: 0, count: 0 };
  marked.forEach(({ at }, n) => {
    const count = new Set(
      marked
        .slice(n, n + size)
        .filter((it) => it.at < at + size)
        .map(({ word }) => word),
    ).size;
    if (count > best.count) best = { first: at, count };
  });
  if (best.count === 0) return 0;
  return Math.max(0, Math.min(best.first - Math.floor(size / 3), spans.length - size));
}

/** Parses `attribute:words`, or the attribute alone. */
export function parseSnippetAttribute(text: string): { attribute: string; words: number } {
  const [, attribute = text, words] = /^(.*):(\d{1,4})$/.exec(text) ?? [];
  return {
    attribute,
    words: words === undefined ? SNIPPET_WORDS : Math.max(1, Math.min(Number(words), 500)),
  };
}

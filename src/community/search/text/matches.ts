import type { Excerpt, Mark } from "../search-engine.ts";
import type { SearchTerm, TextQuery } from "./text-query.ts";
import { hasSameStem } from "./stemming.ts";
import { isUnspaced, prefixLength, type Token, tokenize } from "./tokenizer.ts";

/** A mark with details: number of typos, and whether the query word matches the whole word. */
export type Match = Mark & { typos: number; exact: boolean; position: number };

/** The words of a query with accepted typos, and the language of the text. */
export type MatchQuery = { asked: readonly SearchTerm[]; typos: TextQuery["typos"]; language: string };

/** Finds the matches of a query in a text, in order. Of a prefix match, only the prefix is marked. */
export function findMatches(text: string, matchQuery: MatchQuery): Match[] {
  if (matchQuery.asked.length === 0 || text === "") return [];
  const found: Match[] = [];
  const begun = new Set(matchQuery.asked.map(({ word }) => word[0]));
  for (const token of tokenize(text)) {
    const last = found.at(-1);
    // Stems and prefix matches have the first letter of a query word; only tokens with such a letter are
    // compared in detail.
    const mark = begun.has(token.word[0])
      ? matchToken(text, token, matchQuery)
      : matchTypo(token, matchQuery);
    if (!mark) continue;
    // Tokens of an unspaced script overlap, so their marks are merged.
    if (last && mark.from < last.to) last.to = Math.max(last.to, mark.to);
    else found.push(mark);
  }
  return found;
}

function matchToken(text: string, token: Token, matchQuery: MatchQuery): Match | null {
  const { word, from, to, position } = token;
  const { asked, language } = matchQuery;
  for (const [number, it] of asked.entries()) {
    if (word === it.word) return { from, to, word: number, typos: 0, exact: true, position };
    if (!isUnspaced(word) && hasSameStem(word, it.word, language))
      return { from, to, word: number, typos: 0, exact: false, position };
    if (it.prefix && word.startsWith(it.word)) {
      const end = from + prefixLength(text.slice(from, to), it.word.length);
      return { from, to: end, word: number, typos: 0, exact: false, position };
    }
  }
  return matchTypo(token, matchQuery);
}

function matchTypo({ word, from, to, position }: Token, { typos }: MatchQuery): Match | null {
  const near = typos.get(word);
  return near ? { from, to, word: near.word, typos: near.typos, exact: false, position } : null;
}

/** Smallest distance between neighbouring matched words: 1 if they are adjacent, 0 for a single word. */
export function measureProximity(found: readonly Match[]): number {
  let nearest = 8;
  for (const [i, it] of found.entries()) {
    const before = found[i - 1];
    if (before && before.word !== it.word) nearest = Math.min(nearest, it.position - before.position);
  }
  return new Set(found.map((it) => it.word)).size < 2 ? 0 : Math.max(1, nearest);
}

/**
 * Creates an excerpt of `letters` characters around the densest group of different matches; without matches,
 * the beginning of the text.
 */
export function createExcerpt(text: string, marks: readonly Mark[], letters: number): Excerpt {
  const start = findBestStart(marks, letters);
  let from = Math.max(0, Math.min(start - Math.floor(letters / 5), text.length - letters));
  if (from > 0) from += Math.max(0, text.slice(from, from + 30).search(/\s/) + 1);
  let to = Math.min(text.length, from + letters);
  if (to < text.length) to -= /\s\S*$/.exec(text.slice(to - 30, to))?.[0].length ?? 0;
  const within = marks
    .filter((it) => it.from >= from && it.to <= to)
    .map((it) => ({ from: it.from - from, to: it.to - from, word: it.word }));
  return { text: text.slice(from, to), marks: within, cutBefore: from > 0, cutAfter: to < text.length };
}

function findBestStart(marks: readonly Mark[], letters: number): number {
  let [best, most] = [marks[0]?.from ?? 0, 0];
  for (const [i, mark] of marks.entries()) {
    const words = new Set<number>();
    for (let k = i; k < marks.length && marks[k]!.to - mark.from <= letters * 0.75; k++)
      words.add(marks[k]!.word);
    if (words.size > most) [best, most] = [mark.from, words.size];
  }
  return best;
}

import type { Hit, Mark, SearchDocument } from "../engine.ts";
import { excerptAround, type Found, foundIn, proximityOf, type Sought } from "../words/marks.ts";
import { MOST_LETTERS } from "./documents.ts";
import type { Asked, Wanted } from "../words/question.ts";

/** Characters around a match that are searched when a text is too long to scan whole. */
const WINDOW = 20_000;
const EXCERPT = 240;

/** A document as a hit: where the query words match, and its ranking. */
export function hitOf(document: SearchDocument, asked: readonly Asked[], wanted: Wanted | null, fit: readonly number[]): Hit {
  const sought: Sought = { asked, slips: wanted?.slips ?? new Map(), language: document.language };
  const [title, names] = [foundIn(document.title, sought), foundIn(document.names, sought)];
  const tags = document.tags.map((tag) => foundIn(tag, sought));
  const body = inLongText(document.body, sought);
  const all = [title, names, ...tags, body];
  const excerpt = excerptAround(document.body, body, EXCERPT);
  return {
    document: { ...document, body: document.body.slice(0, MOST_LETTERS).replaceAll("\f", "\n") },
    marks: {
      title: title.map(bare),
      names: names.map(bare),
      tags: tags.map((it) => it.map(bare)),
      body: body.filter((it) => it.to <= MOST_LETTERS).map(bare),
    },
    excerpt: { ...excerpt, text: excerpt.text.replaceAll("\f", "\n") },
    ranking: {
      typos: fewestSlips(all.flat()),
      inTitle: title.length > 0,
      exact: new Set(all.flat().flatMap((it) => (it.exact ? [it.word] : []))).size,
      proximity: Math.min(...all.map(proximityOf).filter((it) => it > 0), 8) % 8,
      score: fit[5] ?? 0,
    },
    page: pageOf(document.body, body[0]?.from),
  };
}

const bare = ({ from, to, word }: Found): Mark => ({ from, to, word });

/** Scans a long text only around the likely first match. */
function inLongText(text: string, sought: Sought): Found[] {
  if (text.length <= MOST_LETTERS) return foundIn(text, sought);
  const words = [...sought.asked.map(({ word }) => word), ...sought.slips.keys()].filter((word) => word.length > 1);
  const first = words.length === 0 ? 0 : Math.max(0, text.search(new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "iu")));
  const from = Math.max(0, first - 1_000);
  return foundIn(text.slice(from, from + WINDOW), sought).map((it) => ({ ...it, from: it.from + from, to: it.to + from }));
}

/** The best match per word. */
function fewestSlips(found: readonly Found[]): number {
  const best = new Map<number, number>();
  for (const { word, slips } of found) best.set(word, Math.min(best.get(word) ?? Infinity, slips));
  return [...best.values()].reduce((sum, slips) => sum + slips, 0);
}

/** Page of a file with the first match; null outside of files and where pages have no number. */
function pageOf(text: string, from: number | undefined): number | null {
  if (from === undefined) return null;
  let pages = 0;
  for (let at = text.indexOf("\f"); at !== -1 && at < from; at = text.indexOf("\f", at + 1)) pages++;
  return pages === 0 ? null : pages;
}

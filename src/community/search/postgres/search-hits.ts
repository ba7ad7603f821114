import type { Hit, Mark, SearchDocument } from "../search-engine.ts";
import {
  createExcerpt,
  type Match,
  findMatches,
  measureProximity,
  type MatchQuery,
} from "../text/matches.ts";
import { MAX_BODY_CHARACTERS } from "./search-documents.ts";
import type { SearchTerm, TextQuery } from "../text/text-query.ts";

/** Number of characters that are scanned around a match in a text that is too long to scan whole. */
const SCAN_WINDOW = 20_000;
const EXCERPT_LENGTH = 240;

/** Creates a hit from a document: positions of the query words, and its ranking. */
export function createHit(
  document: SearchDocument,
  terms: readonly SearchTerm[],
  textQuery: Pick<TextQuery, "typos"> | null,
  fit: readonly number[],
): Hit {
  const matchQuery: MatchQuery = {
    asked: terms,
    typos: textQuery?.typos ?? new Map(),
    language: document.language,
  };
  const [title, names] = [findMatches(document.title, matchQuery), findMatches(document.names, matchQuery)];
  const tags = document.tags.map((tag) => findMatches(tag, matchQuery));
  const body = findInLongText(document.body, matchQuery);
  const all = [title, names, ...tags, body];
  const excerpt = createExcerpt(document.body, body, EXCERPT_LENGTH);
  return {
    document: { ...document, body: document.body.slice(0, MAX_BODY_CHARACTERS).replaceAll("\f", "\n") },
    marks: {
      title: title.map(toMark),
      names: names.map(toMark),
      tags: tags.map((it) => it.map(toMark)),
      body: body.filter((it) => it.to <= MAX_BODY_CHARACTERS).map(toMark),
    },
    excerpt: { ...excerpt, text: excerpt.text.replaceAll("\f", "\n") },
    ranking: {
      typos: countFewestTypos(all.flat()),
      inTitle: title.length > 0,
      exact: new Set(all.flat().flatMap((it) => (it.exact ? [it.word] : []))).size,
      proximity: Math.min(...all.map(measureProximity).filter((it) => it > 0), 8) % 8,
      score: fit[5] ?? 0,
    },
    page: findPage(document.body, body[0]?.from),
  };
}

const toMark = ({ from, to, word }: Match): Mark => ({ from, to, word });

/** Scans a long text only near the probable position of the first match. */
function findInLongText(text: string, matchQuery: MatchQuery): Match[] {
  if (text.length <= MAX_BODY_CHARACTERS) return findMatches(text, matchQuery);
  const words = [...matchQuery.asked.map(({ word }) => word), ...matchQuery.typos.keys()].filter(
    (word) => word.length > 1,
  );
  const first =
    words.length === 0
      ? 0
      : Math.max(0, text.search(new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "iu")));
  const from = Math.max(0, first - 1_000);
  return findMatches(text.slice(from, from + SCAN_WINDOW), matchQuery).map((match) => ({
    ...match,
    from: match.from + from,
    to: match.to + from,
  }));
}

/** Number of typos, counting only the best match of each word. */
function countFewestTypos(found: readonly Match[]): number {
  const best = new Map<number, number>();
  for (const { word, typos } of found) best.set(word, Math.min(best.get(word) ?? Infinity, typos));
  return [...best.values()].reduce((sum, typos) => sum + typos, 0);
}

/**
 * Page of a file that contains the first match. Null for other documents, and for files whose pages are not
 * numbered.
 */
function findPage(text: string, from: number | undefined): number | null {
  if (from === undefined) return null;
  let pages = 0;
  for (let at = text.indexOf("\f"); at !== -1 && at < from; at = text.indexOf("\f", at + 1)) pages++;
  return pages === 0 ? null : pages;
}

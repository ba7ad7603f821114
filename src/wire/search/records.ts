import { type Hit, type Mark, type SearchDocument, SEARCHABLE, type Searchable } from "#community/search";
import { Budget, highlight, type Highlight, snippet, snippetWish, type Tags } from "./highlight.ts";
import { docRecord, MARKED_AS } from "./doc-records.ts";
import type { Params } from "./params.ts";
import { atPath, pathsIn, putAt } from "./paths.ts";

export type WireRecord = { objectID: string } & Record<string, unknown>;

/** The index's own records or DocSearch's; `origin` is that of their pages. */
export type As = { shape: "record" | "docs"; origin: string };

/** Every record has its tags and its place as a hierarchy, beside the document's attributes. */
export const recordOf = (document: SearchDocument, { shape, origin }: As): WireRecord =>
  shape === "docs" ? docRecord(document, origin) : { ...document, _tags: document.tags, place: placeOf(document) };

/** Levels of a menu: the group, and the discussion or resource in it. Facets of the same names count them. */
function placeOf({ type, groupName, title }: SearchDocument) {
  if (groupName === null) return null;
  const isInside = type === "discussions" || type === "posts" || type === "resources";
  return { lvl0: groupName, ...(isInside && { lvl1: `${groupName} > ${title}` }) };
}

/** The requested attributes: `*` is all of them, `-name` excludes one; the id is always included. */
export function retrieved(record: WireRecord, wanted: string[] | undefined): WireRecord {
  if (wanted === undefined) return record;
  const less = wanted.filter((name) => name.startsWith("-")).map((name) => name.slice(1));
  const everything = wanted.includes("*") || (wanted.length > 0 && less.length === wanted.length);
  const named = (path: string, names: string[]) => names.some((name) => path === name || path.startsWith(`${name}.`));
  const kept: Record<string, unknown> = {};
  for (const path of pathsIn(record))
    if ((everything || named(path, wanted)) && !named(path, less)) putAt(kept, path, atPath(record, path));
  return { ...kept, objectID: record.objectID };
}

/** Formats a hit for clients: requested attributes, highlights and ranking. */
export function hitOf(hit: Hit, words: string[], params: Params, budget: Budget, as: As) {
  const record = recordOf(hit.document, as);
  const tags = { pre: params.highlightPreTag, post: params.highlightPostTag };
  const searched = as.shape === "docs" ? Object.keys(MARKED_AS) : [...SEARCHABLE];
  const highlighted = attributesIn(record, params.attributesToHighlight ?? searched);
  const snippets = params.attributesToSnippet.map(snippetWish);
  return {
    ...retrieved(record, params.attributesToRetrieve),
    ...(hit.page !== null && { page: hit.page }),
    ...(highlighted.length > 0 && {
      _highlightResult: each(highlighted, record, (text, marks) => highlighting(text, marks, words, tags, budget), hit, params),
    }),
    ...(snippets.length > 0 && { _snippetResult: snippetsOf(hit, record, snippets, words, params, tags) }),
    ...(params.getRankingInfo && { _rankingInfo: rankingOf(hit, words) }),
  };
}

/** Attributes of a record, by path: `hierarchy` selects all of its levels. */
function attributesIn(record: WireRecord, wanted: string[]): string[] {
  const all = pathsIn(record).filter((path) => path !== "objectID");
  if (wanted.includes("*")) return all;
  return [...new Set(wanted.flatMap((name) => all.filter((path) => path === name || path.startsWith(`${name}.`))))];
}

const highlighting = (text: string, marks: Mark[], words: string[], tags: Tags, budget: Budget): Highlight =>
  budget.allows(text) ? highlight(text, marks, words, tags) : highlight(text, [], words, tags);

function snippetsOf(hit: Hit, record: WireRecord, wishes: ReturnType<typeof snippetWish>[], words: string[], params: Params, tags: Tags) {
  const size = new Map(wishes.flatMap((wish) => attributesIn(record, [wish.attribute]).map((name) => [name, wish.words] as const)));
  const ellipsis = params.snippetEllipsisText;
  return each(
    [...size.keys()],
    record,
    (text, marks, name) => {
      // In a long text, the match may lie beyond the returned part.
      const behind = isBody(name) && marks.length === 0 && hit.excerpt.marks.length > 0 ? hit.excerpt : { text, marks };
      return snippet(behind.text, behind.marks, words, tags, { words: size.get(name)!, ellipsis });
    },
    hit,
    params,
  );
}

/**
 * Mirrors the record's shape: a list for a list, or only its matched entries on request. Missing attributes
 * have no entry, except searchable ones.
 */
function each<T>(
  names: string[],
  record: WireRecord,
  of: (text: string, marks: Mark[], name: string) => T,
  hit: Hit,
  { restrictHighlightAndSnippetArrays: restricted }: Params,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const value = atPath(record, name);
    const marks = marksIn(hit, name);
    if (Array.isArray(value))
      putAt(
        found,
        name,
        value
          .map((it, n) => ({ text: String(it), marked: (marks[n] as Mark[] | undefined) ?? [] }))
          .filter(({ marked }) => !restricted || marked.length > 0)
          .map(({ text, marked }) => of(text, marked, name)),
      );
    else if (value !== null && value !== undefined)
      putAt(found, name, of(typeof value === "string" ? value : JSON.stringify(value), marks as Mark[], name));
  }
  return found;
}

const isBody = (name: string) => name === "body" || MARKED_AS[name] === "body";

function marksIn(hit: Hit, name: string): Mark[] | Mark[][] {
  const searched = name === "_tags" ? "tags" : Object.hasOwn(MARKED_AS, name) ? MARKED_AS[name] : name;
  return SEARCHABLE.includes(searched as Searchable) ? hit.marks[searched as Searchable] : [];
}

const rankingOf = ({ ranking }: Hit, words: string[]) => ({
  nbTypos: ranking.typos,
  firstMatchedWord: words.length === 0 || ranking.inTitle ? 0 : 1_000,
  proximityDistance: ranking.proximity,
  userScore: Math.round(ranking.score),
  geoDistance: 0,
  geoPrecision: 1,
  nbExactWords: ranking.exact,
  words: words.length,
  filters: 0,
});

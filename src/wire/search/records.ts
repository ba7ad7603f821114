import { type Hit, type Mark, type SearchDocument, SEARCHABLE, type Searchable } from "#community/search";
import { Budget, highlight, type Highlight, snippet, snippetWish, type Tags } from "./highlight.ts";
import type { Params } from "./params.ts";

export type WireRecord = { objectID: string } & Record<string, unknown>;

/** What stands in every record beside the attributes of the document. */
export const recordOf = (document: SearchDocument): WireRecord => ({ ...document, _tags: document.tags });

/** The attributes that are asked for: `*` is all of them, `-name` takes one away, and the id is always there. */
export function retrieved(record: WireRecord, wanted: string[] | undefined): WireRecord {
  if (wanted === undefined) return record;
  const less = wanted.filter((name) => name.startsWith("-")).map((name) => name.slice(1));
  const everything = wanted.includes("*") || (wanted.length > 0 && less.length === wanted.length);
  const kept = Object.entries(record).filter(([name]) => (everything || wanted.includes(name)) && !less.includes(name));
  return { ...Object.fromEntries(kept), objectID: record.objectID };
}

/** One hit as clients read it: what was asked for of it, where the words stand in it, and why it stands where it does. */
export function hitOf(hit: Hit, words: string[], params: Params, budget: Budget) {
  const record = recordOf(hit.document);
  const tags = { pre: params.highlightPreTag, post: params.highlightPostTag };
  const highlighted = attributesIn(record, params.attributesToHighlight ?? [...SEARCHABLE]);
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

const attributesIn = (record: WireRecord, wanted: string[]) =>
  wanted.includes("*") ? Object.keys(record).filter((name) => name !== "objectID") : wanted.filter((name) => Object.hasOwn(record, name));

const highlighting = (text: string, marks: Mark[], words: string[], tags: Tags, budget: Budget): Highlight =>
  budget.allows(text) ? highlight(text, marks, words, tags) : highlight(text, [], words, tags);

function snippetsOf(hit: Hit, record: WireRecord, wishes: ReturnType<typeof snippetWish>[], words: string[], params: Params, tags: Tags) {
  const size = new Map(wishes.flatMap((wish) => attributesIn(record, [wish.attribute]).map((name) => [name, wish.words] as const)));
  const ellipsis = params.snippetEllipsisText;
  return each(
    [...size.keys()],
    record,
    (text, marks, name) => {
      // Of a long text, what was found may stand behind the end of what goes out.
      const behind = name === "body" && marks.length === 0 && hit.excerpt.marks.length > 0 ? hit.excerpt : { text, marks };
      return snippet(behind.text, behind.marks, words, tags, { words: size.get(name)!, ellipsis });
    },
    hit,
    params,
  );
}

type Shown<T> = T | T[];

/**
 * The same shape as the record: a list for a list, or for what was found in it where that is all that is wanted. What is not there has
 * no entry, except in the searched attributes.
 */
function each<T>(
  names: string[],
  record: WireRecord,
  of: (text: string, marks: Mark[], name: string) => T,
  hit: Hit,
  { restrictHighlightAndSnippetArrays: restricted }: Params,
): Record<string, Shown<T>> {
  const found: Record<string, Shown<T>> = {};
  for (const name of names) {
    const value = record[name];
    const marks = marksIn(hit, name);
    if (Array.isArray(value))
      found[name] = value
        .map((it, n) => ({ text: String(it), marked: (marks[n] as Mark[] | undefined) ?? [] }))
        .filter(({ marked }) => !restricted || marked.length > 0)
        .map(({ text, marked }) => of(text, marked, name));
    else if (value !== null && value !== undefined)
      found[name] = of(typeof value === "string" ? value : JSON.stringify(value), marks as Mark[], name);
  }
  return found;
}

function marksIn(hit: Hit, name: string): Mark[] | Mark[][] {
  const searched = name === "_tags" ? "tags" : name;
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

import { type Hit, type Mark, type SearchDocument, SEARCHABLE_ATTRIBUTES } from "#community/search";
import { isOneOf } from "#platform/objects";
import {
  HighlightBudget,
  highlightText,
  type Highlight,
  createSnippet,
  parseSnippetAttribute,
  type HighlightTags,
} from "./highlight.ts";
import { toDocRecord, MARKED_ATTRIBUTES } from "./doc-records.ts";
import type { SearchParams } from "../search-params.ts";
import { getAtPath, listRecordPaths, setAtPath } from "./record-paths.ts";

export type SearchRecord = { objectID: string } & Record<string, unknown>;

/** `shape`: the index's own records, or DocSearch's. `origin`: origin of the pages that records link to. */
export type RecordShape = { shape: "record" | "docs"; origin: string };

/**
 * Converts a document to a search record: its attributes, its tags, and its group and title as a hierarchy.
 */
export const toSearchRecord = (document: SearchDocument, { shape, origin }: RecordShape): SearchRecord =>
  shape === "docs"
    ? toDocRecord(document, origin)
    : { ...document, _tags: document.tags, place: placeHierarchy(document) };

/**
 * Levels for a hierarchical menu: the group, then the discussion or resource in it. Facets with the same
 * names count them.
 */
function placeHierarchy({ type, groupName, title }: SearchDocument) {
  if (groupName === null) return null;
  const isInside = type === "discussions" || type === "posts" || type === "resources";
  return { lvl0: groupName, ...(isInside && { lvl1: `${groupName} > ${title}` }) };
}

/** Selects the requested attributes: `*` is all of them, `-name` excludes one. The id is always included. */
export function pickAttributes(record: SearchRecord, wanted: string[] | undefined): SearchRecord {
  if (wanted === undefined) return record;
  const less = wanted.filter((name) => name.startsWith("-")).map((name) => name.slice(1));
  const everything = wanted.includes("*") || (wanted.length > 0 && less.length === wanted.length);
  const named = (path: string, names: string[]) =>
    names.some((name) => path === name || path.startsWith(`${name}.`));
  const kept: Record<string, unknown> = {};
  for (const path of listRecordPaths(record))
    if ((everything || named(path, wanted)) && !named(path, less))
      setAtPath(kept, path, getAtPath(record, path));
  return { ...kept, objectID: record.objectID };
}

/** Formats a hit for clients: requested attributes, highlights and ranking. */
export function formatHit(
  hit: Hit,
  words: string[],
  params: SearchParams,
  budget: HighlightBudget,
  as: RecordShape,
) {
  const record = toSearchRecord(hit.document, as);
  const tags = { pre: params.highlightPreTag, post: params.highlightPostTag };
  const searched = as.shape === "docs" ? Object.keys(MARKED_ATTRIBUTES) : [...SEARCHABLE_ATTRIBUTES];
  const highlighted = listAttributes(record, params.attributesToHighlight ?? searched);
  const snippets = params.attributesToSnippet.map(parseSnippetAttribute);
  return {
    ...pickAttributes(record, params.attributesToRetrieve),
    ...(hit.page !== null && { page: hit.page }),
    ...(highlighted.length > 0 && {
      _highlightResult: mapAttributes(
        highlighted,
        record,
        (text, marks) => highlightWithin(text, marks, words, tags, budget),
        hit,
        params,
      ),
    }),
    ...(snippets.length > 0 && {
      _snippetResult: formatSnippets(hit, record, snippets, words, params, tags),
    }),
    ...(params.getRankingInfo && { _rankingInfo: formatRanking(hit, words) }),
  };
}

/** Lists attributes of a record by path; `hierarchy` selects all of its levels. */
function listAttributes(record: SearchRecord, wanted: string[]): string[] {
  const all = listRecordPaths(record).filter((path) => path !== "objectID");
  if (wanted.includes("*")) return all;
  return [
    ...new Set(wanted.flatMap((name) => all.filter((path) => path === name || path.startsWith(`${name}.`)))),
  ];
}

const highlightWithin = (
  text: string,
  marks: Mark[],
  words: string[],
  tags: HighlightTags,
  budget: HighlightBudget,
): Highlight =>
  budget.allows(text) ? highlightText(text, marks, words, tags) : highlightText(text, [], words, tags);

function formatSnippets(
  hit: Hit,
  record: SearchRecord,
  attributes: ReturnType<typeof parseSnippetAttribute>[],
  words: string[],
  params: SearchParams,
  tags: HighlightTags,
) {
  const size = new Map(
    attributes.flatMap((attribute) =>
      listAttributes(record, [attribute.attribute]).map((name) => [name, attribute.words] as const),
    ),
  );
  const ellipsis = params.snippetEllipsisText;
  return mapAttributes(
    [...size.keys()],
    record,
    (text, marks, name) => {
      // In a long text the match may be outside the part stored in the record. Then the excerpt around the
      // match is used.
      const behind =
        isBodyAttribute(name) && marks.length === 0 && hit.excerpt.marks.length > 0
          ? hit.excerpt
          : { text, marks };
      return createSnippet(behind.text, behind.marks, words, tags, { words: size.get(name)!, ellipsis });
    },
    hit,
    params,
  );
}

/**
 * Applies `of` to the named attributes and returns the results in the shape of the record: a list for a
 * list, on request with only the matched entries. Missing attributes are left out, unless they are
 * searchable.
 */
function mapAttributes<T>(
  names: string[],
  record: SearchRecord,
  of: (text: string, marks: Mark[], name: string) => T,
  hit: Hit,
  { restrictHighlightAndSnippetArrays: restricted }: SearchParams,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const value = getAtPath(record, name);
    if (Array.isArray(value)) {
      const marks = findEntryMarks(hit, name);
      setAtPath(
        found,
        name,
        value
          .map((it, n) => ({ text: String(it), marked: marks[n] ?? [] }))
          .filter(({ marked }) => !restricted || marked.length > 0)
          .map(({ text, marked }) => of(text, marked, name)),
      );
    } else if (value !== null && value !== undefined) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      setAtPath(found, name, of(text, findTextMarks(hit, name), name));
    }
  }
  return found;
}

const isBodyAttribute = (name: string) => name === "body" || MARKED_ATTRIBUTES[name] === "body";

const TEXT_ATTRIBUTES = ["title", "names", "body"] as const;

function findTextMarks({ marks }: Hit, name: string): Mark[] {
  const searched = Object.hasOwn(MARKED_ATTRIBUTES, name) ? MARKED_ATTRIBUTES[name] : name;
  return isOneOf(TEXT_ATTRIBUTES, searched) ? marks[searched] : [];
}

/** The marks of each entry of a list; only tags are a list that is searched. */
const findEntryMarks = ({ marks }: Hit, name: string): Mark[][] =>
  name === "_tags" || name === "tags" ? marks.tags : [];

const formatRanking = ({ ranking }: Hit, words: string[]) => ({
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

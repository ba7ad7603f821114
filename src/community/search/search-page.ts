import type { Db } from "#platform/database";
import type { PersonCard } from "#community/common";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Excerpt, FacetValue, Hit, Index, Mark, Query, SearchEngine } from "./search-engine.ts";
import { resolveFilters, parseSearchInput, type OperatorValue } from "./search-input.ts";

/** A hit as a page shows it. */
export type SearchResultItem = {
  id: string;
  type: Index;
  kind: string;
  title: string;
  titleMarks: Mark[];
  names: string;
  excerpt: Excerpt;
  url: string;
  language: string;
  group: { slug: string; name: string } | null;
  /** The author, or the person found. */
  author: PersonCard | null;
  tags: string[];
  at: Date;
  likes: number;
  comments: number;
  members: number;
  page: number | null;
};
export type SearchResultSection = {
  index: Index;
  items: SearchResultItem[];
  total: number;
  exact: boolean;
  more: boolean;
};
export type SearchResultPage = {
  sections: SearchResultSection[];
  /** Only with a single kind: facets for narrowing, and whether there is a next page. */
  facets: Record<string, FacetValue[]>;
  /** Operators whose value is nothing the viewer may know of. */
  unknown: OperatorValue[];
  /** The input was empty: no search was made. */
  empty: boolean;
};

/** Order on the page. */
const SECTIONS: Index[] = ["people", "groups", "discussions", "posts", "resources", "messages"];
const HITS_PER_SECTION = 5;
/** Hits per page of a single kind, and the number of pages. */
const HITS_PER_PAGE = 20;
export const MAX_RESULT_PAGES = 50;
/** Facets counted with the hits of one kind. */
const FACETS: Record<Index, string[]> = {
  people: [],
  groups: ["tags"],
  discussions: ["groupName", "authorName", "tags", "language"],
  posts: ["groupName", "authorName", "has", "language"],
  resources: ["kind", "groupName", "tags", "language"],
  messages: ["authorName", "has"],
};

/**
 * A single letter matches too much: a search needs two letters, or one character of an ideographic script.
 * `C#` is a name.
 */
const isLongEnough = (words: string) => /[\p{L}\p{N}]{2}|[^\u0000-\u0dff]|[A-Za-z](?:\+\+|#)/u.test(words);

/**
 * Result page of a search box: five hits of each kind, or twenty of one. Fewer than two letters without an
 * operator run no query. Words may be dropped when no document has all of them.
 */
export async function loadSearchPage(
  engine: SearchEngine,
  db: Db,
  viewer: Viewer,
  asked: { text: string; page?: number; now: Date },
): Promise<SearchResultPage> {
  const { query, index, kinds, unknown } = await buildSearchQuery(db, viewer, asked);
  if (query === null) return { sections: [], facets: {}, unknown, empty: true };
  const offset = index ? (Math.min(MAX_RESULT_PAGES, Math.max(1, asked.page ?? 1)) - 1) * HITS_PER_PAGE : 0;
  const found = await Promise.all(
    kinds.map(async (it) => ({
      index: it,
      offset,
      ...(await engine.search(viewer, {
        ...query,
        needed: "all-or-any",
        index: it,
        offset,
        length: index ? HITS_PER_PAGE : HITS_PER_SECTION,
        distinct: it === "posts" && !index,
        facets: index ? FACETS[it] : [],
        valuesPerFacet: 8,
      })),
    })),
  );
  const sections = found.map(({ index: it, hits, total, exhaustive }) => ({
    index: it,
    items: hits.map(toResultItem),
    total,
    exact: exhaustive.total,
    more:
      index !== null &&
      hits.length === HITS_PER_PAGE &&
      offset + hits.length < Math.min(total, MAX_RESULT_PAGES * HITS_PER_PAGE),
  }));
  return {
    sections: sections.filter((it) => it.items.length > 0 || index !== null),
    facets: found[0]?.facets ?? {},
    unknown,
    empty: false,
  };
}

/** The query of a search box and its indices; `query` is null for an empty one. */
export async function buildSearchQuery(db: Db, viewer: Viewer, asked: { text: string; now: Date }) {
  const typed = parseSearchInput(asked.text);
  const { filter, index, sort, unknown } = await resolveFilters(db, viewer, typed, asked.now);
  const { words, phrases, without } = typed;
  const query: Omit<Query, "index"> | null =
    isLongEnough(words) || filter !== null ? { words, phrases, without, filter, sort } : null;
  const kinds = index
    ? [index]
    : SECTIONS.filter((it) => isSignedIn(viewer) || (it !== "people" && it !== "messages"));
  return { query, index, kinds, unknown };
}

const toResultItem = ({ document, marks, excerpt, page }: Hit): SearchResultItem => ({
  id: document.objectID,
  type: document.type,
  kind: document.kind,
  title: document.title,
  titleMarks: marks.title,
  names: document.names,
  excerpt,
  url: document.url,
  language: document.language,
  group:
    document.groupSlug && document.type !== "groups"
      ? { slug: document.groupSlug, name: document.groupName! }
      : null,
  author: document.authorId
    ? {
        id: document.authorId,
        username: document.authorUsername!,
        name: document.authorName!,
        photoId: document.photoId ?? null,
      }
    : null,
  tags: document.tags,
  at: new Date(document.createdAt * 1000),
  likes: document.likes,
  comments: document.commentCount,
  members: document.memberCount,
  page,
});

import type { Db } from "#platform/database";
import type { PersonCard } from "#community/common";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Excerpt, FacetValue, Filter, Hit, Index, Mark, Query, SearchEngine } from "./search-engine.ts";
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
  event: EventTimes | null;
};
/** When an event takes place, and whether it is called off. */
type EventTimes = {
  startsAt: Date;
  endsAt: Date;
  allDay: boolean;
  timeZone: string;
  state: "scheduled" | "cancelled" | "postponed";
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
  /** Facets that narrow the search; only for a search of a single kind. */
  facets: Record<string, FacetValue[]>;
  /** Operators with a value that does not exist or is hidden from the viewer. */
  unknown: OperatorValue[];
  /** The input was empty, so no search was made. */
  empty: boolean;
};

/** The sections in the order of the page. */
const SECTIONS: Index[] = ["people", "groups", "events", "discussions", "posts", "resources", "messages"];
const HITS_PER_SECTION = 5;
/** Number of hits per page in a search of a single kind. */
const HITS_PER_PAGE = 20;
/** Maximum number of pages in a search of a single kind. */
export const MAX_RESULT_PAGES = 50;
/** Facets counted in a search of a single kind. */
const FACETS: Record<Index, string[]> = {
  people: [],
  groups: ["tags"],
  discussions: ["groupName", "authorName", "tags", "language"],
  posts: ["groupName", "authorName", "has", "language"],
  resources: ["kind", "groupName", "tags", "language"],
  messages: ["authorName", "has"],
  events: ["groupName", "tags", "language"],
};

/**
 * A single letter matches too much: a search needs two letters, or one character of an ideographic script.
 * `C#` is a name.
 */
const isLongEnough = (words: string) => /[\p{L}\p{N}]{2}|[^\u0000-\u0dff]|[A-Za-z](?:\+\+|#)/u.test(words);

/**
 * Loads the result page of a search box: five hits of each kind, or twenty of a single one. Input of fewer
 * than two letters without an operator is not searched. If no document has all words, words may be dropped.
 */
export async function loadSearchPage(
  engine: SearchEngine,
  db: Db,
  viewer: Viewer,
  request: { text: string; page?: number; now: Date },
): Promise<SearchResultPage> {
  const { query, index, kinds, unknown } = await buildSearchQuery(db, viewer, request);
  if (query === null) return { sections: [], facets: {}, unknown, empty: true };
  const offset = index ? (Math.min(MAX_RESULT_PAGES, Math.max(1, request.page ?? 1)) - 1) * HITS_PER_PAGE : 0;
  const found = await Promise.all(
    kinds.map(async (it) => ({
      index: it,
      offset,
      ...(await engine.search(viewer, {
        ...query,
        ...(it === "events" && eventQuery(query, request.now)),
        needed: "all-or-any",
        index: it,
        offset,
        length: index ? HITS_PER_PAGE : HITS_PER_SECTION,
        distinct: (it === "posts" || it === "events") && !index,
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

/**
 * Query for events: those that are not over come first, the next one at the top. The operators `after` and
 * `before` concern their start.
 */
const eventQuery = ({ filter }: { filter?: Filter | null }, now: Date): Partial<Query> => ({
  filter: filter ? withEventTimes(filter) : null,
  optionalFilters: [{ number: "endsAt", is: ">", to: now.getTime() }],
});

function withEventTimes(filter: Filter): Filter {
  if ("and" in filter) return { and: filter.and.map(withEventTimes) };
  return "number" in filter && filter.number === "createdAt"
    ? { number: "startsAt", is: filter.is, to: filter.to * 1_000 }
    : filter;
}

/** Builds the query for a search box. `query` is null for empty input. */
export async function buildSearchQuery(db: Db, viewer: Viewer, request: { text: string; now: Date }) {
  const typed = parseSearchInput(request.text);
  const { filter, index, sort, unknown } = await resolveFilters(db, viewer, typed, request.now);
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
        isBot: document.isBot ?? false,
      }
    : null,
  tags: document.tags,
  at: new Date(document.createdAt * 1000),
  likes: document.likes,
  comments: document.commentCount,
  members: document.memberCount,
  page,
  event:
    document.startsAt === null
      ? null
      : {
          startsAt: new Date(document.startsAt),
          endsAt: new Date(document.endsAt!),
          allDay: document.allDay!,
          timeZone: document.timeZone!,
          state: document.is.includes("cancelled")
            ? "cancelled"
            : document.is.includes("postponed")
              ? "postponed"
              : "scheduled",
        },
});

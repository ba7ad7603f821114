import type { Tx } from "#platform/database";
import type { Viewer } from "#community/rules";

/** The separate search indices. */
export const INDICES = [
  "people",
  "groups",
  "discussions",
  "posts",
  "resources",
  "messages",
  "events",
] as const;
export type Index = (typeof INDICES)[number];

/** Scopes of several indices: `all`, and `documentation` for the search box of documentation sites. */
const COMBINED_SCOPES = {
  all: INDICES,
  documentation: ["groups", "discussions", "posts", "resources"],
} as const;
export type SearchScope = Index | keyof typeof COMBINED_SCOPES;

/** The indices of a scope. */
export const indicesInScope = (scope: SearchScope): readonly Index[] =>
  scope === "all" || scope === "documentation" ? COMBINED_SCOPES[scope] : [scope];

/** Attributes whose words are searched, in order of weight. */
export const SEARCHABLE_ATTRIBUTES = ["title", "names", "tags", "body"] as const;
export type SearchableAttribute = (typeof SEARCHABLE_ATTRIBUTES)[number];

/** Attributes that can be counted and filtered. Values are compared case-insensitively. */
export const FACETS = [
  "type",
  "kind",
  "tags",
  "_tags",
  "groupId",
  "groupName",
  "authorId",
  "authorName",
  "discussionId",
  "resourceId",
  "conversationId",
  "language",
  "is",
  "has",
  "isPublic",
  "place.lvl0",
  "place.lvl1",
] as const;
/**
 * Facets whose values are readable names. The others are ids, or duplicates of a facet under another name.
 */
export const READABLE_FACETS: readonly string[] = FACETS.filter(
  (name) => !name.endsWith("Id") && name !== "_tags",
);
export type Facet = (typeof FACETS)[number];

/** Numeric attributes. Times are seconds since 1970; start and end of events are milliseconds. */
export const NUMERIC_ATTRIBUTES = [
  "createdAt",
  "updatedAt",
  "likes",
  "commentCount",
  "memberCount",
  "number",
  "startsAt",
  "endsAt",
] as const;
export type NumericAttribute = (typeof NUMERIC_ATTRIBUTES)[number];

/** Search filter as a tree. A condition on an attribute the document lacks is false; `not` inverts it. */
export type Filter =
  | { and: Filter[] }
  | { or: Filter[] }
  | { not: Filter }
  | { facet: string; value: string }
  | { number: string; is: "<" | "<=" | "=" | "!=" | ">=" | ">"; to: number }
  /** Documents with content that the viewer has not read yet. */
  | { own: "unread" };

export type Sort =
  | "relevance"
  | { by: "createdAt" | "updatedAt" | "likes" | "commentCount" | "startsAt"; descending: boolean };

/** One search query. It never adds to what the viewer may see. */
export type Query = {
  index: SearchScope;
  /** The typed text, unchanged. If it contains no word, every document matches. */
  words: string;
  /** Words that must be adjacent, and words that must not appear. */
  phrases?: readonly string[];
  without?: readonly string[];
  /**
   * Which words may be the beginning of longer ones. Default: the last word, which the person may still be
   * typing.
   */
  prefix?: "last" | "all" | "none";
  /**
   * Whether typos are tolerated: one in words of four letters or more, two from eight. `min`: only the
   * lowest number of typos with a hit; `strict`: that number and one more.
   */
  typos?: boolean | "min" | "strict";
  /**
   * Languages in which singular and plural match each other; default: all. English texts are indexed in both
   * forms.
   */
  wordForms?: boolean | readonly string[];
  /** Languages whose stop words are ignored (`true`: every language), unless the query has no other words. */
  unasked?: boolean | readonly string[];
  /** Word lengths from which one or two typos are tolerated. */
  typosFrom?: { one: number; two: number };
  /**
   * Which words are required. If all are required and nothing is found, the `all-or-…` values allow dropping
   * words from the end, from the beginning, or any of them.
   */
  needed?: "all" | "any" | "all-or-fewer-last" | "all-or-fewer-first" | "all-or-any";
  /** Only these attributes are searched. */
  within?: readonly SearchableAttribute[];
  filter?: Filter | null;
  /**
   * Optional filters, which exclude nothing. Among documents with equally few typos, those that meet more
   * filters come first. Ignored with another sort order.
   */
  optionalFilters?: readonly Filter[];
  /** Attributes whose values are counted, and the number of values for each (default 100). */
  facets?: readonly string[];
  valuesPerFacet?: number;
  /** Number of the first hit, from 0, and number of hits; both within the first thousand. */
  offset?: number;
  length?: number;
  sort?: Sort;
  /** One hit per discussion, conversation, resource or series of events. */
  distinct?: boolean;
  /** Id of a document to exclude, in a search for similar ones. */
  except?: string;
};

/** A document as its reader may see it, with current names. Times are seconds since 1970. */
export type SearchDocument = {
  objectID: string;
  type: Index;
  /** Resources: link, file or document; otherwise empty. */
  kind: string;
  title: string;
  /** Other names, such as a user name, or the location of an event. */
  names: string;
  tags: string[];
  /**
   * Plain text: the content of a post, the description of a group or event, or the reason and text of a
   * resource.
   */
  body: string;
  language: string;
  /** Path on this site, with a leading slash, to the exact post or message. */
  url: string;
  groupId: string | null;
  groupName: string | null;
  groupSlug: string | null;
  authorId: string | null;
  authorName: string | null;
  authorUsername: string | null;
  /** Photo of the person or author. */
  photoId?: string | null;
  /** The author is a bot; only in documents for pages. */
  isBot?: boolean | null;
  discussionId: string | null;
  resourceId: string | null;
  conversationId: string | null;
  /** Number of a post or message in its discussion, resource or conversation. */
  number: number | null;
  /** States such as `resolved`, `locked`, `archived`, `pinned`, `answer`, `opening` and `cancelled`. */
  is: string[];
  /** Kinds of content such as `link`, `image`, `file`, `poll` and `code`. */
  has: string[];
  isPublic: boolean;
  likes: number;
  commentCount: number;
  memberCount: number;
  createdAt: number;
  updatedAt: number;
  /** Times of an event in milliseconds since 1970; null for other documents. */
  startsAt: number | null;
  endsAt: number | null;
  allDay: boolean | null;
  timeZone: string | null;
};

/** A matched word in a text: its UTF-16 range (`to` exclusive), and the index of the query word. */
export type Mark = { from: number; to: number; word: number };
/** Marks per attribute; `tags` has one list per value. */
export type Marks = { title: Mark[]; names: Mark[]; body: Mark[]; tags: Mark[][] };

/** Part of the text around the matches, with their marks. */
export type Excerpt = { text: string; marks: Mark[]; cutBefore: boolean; cutAfter: boolean };

export type Hit = {
  /** The body is cut after 32 000 characters; later matches are in the excerpt. */
  document: SearchDocument;
  marks: Marks;
  excerpt: Excerpt;
  /** Ranking details. `exact`: number of query words that match a whole word without typos. */
  ranking: { typos: number; inTitle: boolean; exact: number; proximity: number; score: number };
  /** Page (from 1) of the first match in a file whose text has pages; otherwise null. */
  page: number | null;
};

export type FacetValue = { value: string; count: number };
export type Results = {
  hits: Hit[];
  /** Number of hits for this viewer. If it is not exact, there are at least this many. */
  total: number;
  exhaustive: { total: boolean; facets: boolean };
  facets: Record<string, FacetValue[]>;
  /** Statistics, for numeric facets only. */
  stats: Record<string, { min: number; max: number; avg: number; sum: number }>;
  /** The query words as they were searched, in lower case; `Mark.word` is an index into them. */
  words: string[];
};

/** Maximum number of facet values that are searched or counted. */
export const MAX_FACET_VALUES = 10_000;

/** A query for facet values that begin with a text, among the hits of another query. */
export type FacetQuery = { facet: string; begins: string; most: number; of: Query };

/** A document to be indexed: content, audience, and a version that grows with every change. */
export type IndexDocument = {
  id: string;
  index: Index;
  kind: string;
  title: string;
  names: string;
  tags: string[];
  body: string;
  language: string;
  groupId: string | null;
  authorId: string | null;
  /** Id of the discussion, resource, conversation or series that contains the document. */
  placeId: string | null;
  number: number | null;
  is: string[];
  has: string[];
  /**
   * Everyone who can see the group may read the document. An engine without access to memberships decides by
   * this field, the group and the container.
   */
  open: boolean;
  startsAt: Date | null;
  endsAt: Date | null;
  /** In a group that hides earlier content, this time is compared with the joining time of new members. */
  saidAt: Date;
  likes: number;
  comments: number;
  members: number;
  createdAt: Date;
  updatedAt: Date;
  /** Score independent of any query. */
  score: number;
  version: number;
  /** The words of the document as a tsvector with positions. */
  vector: string;
  /** A tsvector of title and names only. */
  titleVector: string | null;
  /** The distinct words. */
  vocabulary: ReadonlySet<string>;
};

/**
 * The interface of every search engine. It answers for one viewer and never reveals more than the
 * community's rules allow. No typed text causes an error: text that cannot be searched finds nothing.
 */
export type SearchEngine = {
  search: (viewer: Viewer, query: Query) => Promise<Results>;
  facet: (viewer: Viewer, query: FacetQuery) => Promise<{ values: FacetValue[]; exhaustive: boolean }>;
  /**
   * Loads documents in the order of the ids, with up to 32 000 characters of each text. Null for ids that
   * the viewer may not find.
   */
  get: (viewer: Viewer, index: SearchScope, ids: readonly string[]) => Promise<(SearchDocument | null)[]>;
  /**
   * Indexes documents, except those stored with a higher version. Their ids are locked until the transaction
   * ends.
   */
  upsert: (tx: Tx, documents: readonly IndexDocument[]) => Promise<void>;
  remove: (tx: Tx, ids: readonly string[]) => Promise<void>;
  /**
   * Writes the word counts of a transaction. It must be called once before the transaction ends; otherwise
   * the words of its documents are not added to the vocabulary.
   */
  settle: (tx: Tx) => Promise<void>;
  capabilities: { name: string; unread: boolean; exactTotals: boolean };
};

/** The engine is unreachable or not ready. Queued documents remain queued. */
export class EngineUnavailable extends Error {
  override name = "EngineAway";
}

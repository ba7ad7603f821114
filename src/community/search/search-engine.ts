import type { Tx } from "#platform/database";
import type { Viewer } from "#community/rules";

/** The separate search indices. */
export const INDICES = ["people", "groups", "discussions", "posts", "resources", "messages"] as const;
export type Index = (typeof INDICES)[number];

/** Combined scopes: everything, and what a documentation search box shows. */
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
/** Facets with readable values; the others are ids, or duplicates under another name. */
export const READABLE_FACETS: readonly string[] = FACETS.filter(
  (name) => !name.endsWith("Id") && name !== "_tags",
);
export type Facet = (typeof FACETS)[number];

/** Numeric attributes. Times are seconds since 1970. */
export const NUMERIC_ATTRIBUTES = [
  "createdAt",
  "updatedAt",
  "likes",
  "commentCount",
  "memberCount",
  "number",
] as const;
export type NumericAttribute = (typeof NUMERIC_ATTRIBUTES)[number];

/** Search filter as a tree. A condition on an attribute the document lacks is false; `not` inverts it. */
export type Filter =
  | { and: Filter[] }
  | { or: Filter[] }
  | { not: Filter }
  | { facet: string; value: string }
  | { number: string; is: "<" | "<=" | "=" | "!=" | ">=" | ">"; to: number }
  /** Documents with content the viewer has not read. */
  | { own: "unread" };

export type Sort =
  | "relevance"
  | { by: "createdAt" | "updatedAt" | "likes" | "commentCount"; descending: boolean };

/** One search query. It only narrows what the viewer may see. */
export type Query = {
  index: SearchScope;
  /** The typed text, unchanged. Without a word in it everything matches. */
  words: string;
  /** Words that must be adjacent, and words that must not appear. */
  phrases?: readonly string[];
  without?: readonly string[];
  /** Which words may be prefixes of longer ones. Default: the last, which may still be being typed. */
  prefix?: "last" | "all" | "none";
  /**
   * Whether typos are tolerated: one from four letters, two from eight. `min`: only the fewest typos that
   * find something; `strict`: the fewest, and one more.
   */
  typos?: boolean | "min" | "strict";
  /**
   * Languages whose plural and singular forms match each other; default: all. English texts are indexed in
   * both forms.
   */
  forms?: boolean | readonly string[];
  /** Languages whose stop words are ignored (`true`: every language), unless the query has no other words. */
  unasked?: boolean | readonly string[];
  /** Word lengths from which one or two typos are tolerated. */
  typosFrom?: { one: number; two: number };
  /**
   * Which words are required; when all are and nothing is found, words may be dropped from one end, or any of
   * them.
   */
  needed?: "all" | "any" | "all-or-fewer-last" | "all-or-fewer-first" | "all-or-any";
  /** Only these attributes are searched. */
  within?: readonly SearchableAttribute[];
  filter?: Filter | null;
  /**
   * Optional filters: documents that meet more of them come first among those with equally few typos and no
   * other sort order. They exclude nothing.
   */
  rather?: readonly Filter[];
  /** Attributes whose values are counted, and how many values of each (default 100). */
  facets?: readonly string[];
  valuesPerFacet?: number;
  /** First hit, from 0, and the number of hits; within the first thousand. */
  offset?: number;
  length?: number;
  sort?: Sort;
  /** One hit per discussion, conversation or resource. */
  distinct?: boolean;
  /** Id of a document to leave out, when searching for similar ones. */
  except?: string;
};

/** A document as its reader may see it, with current names. Times are seconds since 1970. */
export type SearchDocument = {
  objectID: string;
  type: Index;
  /** Resources: link, file or document; otherwise empty. */
  kind: string;
  title: string;
  /** Other names, such as a user name. */
  names: string;
  tags: string[];
  /** Plain text: of a post its content, of a group its description, of a resource its reason and text. */
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
  discussionId: string | null;
  resourceId: string | null;
  conversationId: string | null;
  /** Number of a post or message in its discussion, resource or conversation. */
  number: number | null;
  /** `resolved`, `locked`, `archived`, `pinned`, `answer`, `opening` … */
  is: string[];
  /** `link`, `image`, `file`, `poll`, `code` … */
  has: string[];
  isPublic: boolean;
  likes: number;
  commentCount: number;
  memberCount: number;
  createdAt: number;
  updatedAt: number;
};

/** A matched word in a text: UTF-16 range (end exclusive), and which query word (from 0). */
export type Mark = { from: number; to: number; word: number };
/** Marks per attribute; `tags` has one list per value. */
export type Marks = { title: Mark[]; names: Mark[]; body: Mark[]; tags: Mark[][] };

/** Part of the text around the matches, with their marks. */
export type Excerpt = { text: string; marks: Mark[]; cutBefore: boolean; cutAfter: boolean };

export type Hit = {
  /** Its body ends after 32 000 characters; later matches are in the excerpt. */
  document: SearchDocument;
  marks: Marks;
  excerpt: Excerpt;
  /** Ranking details. `exact`: words that match as typed, to their end. */
  ranking: { typos: number; inTitle: boolean; exact: number; proximity: number; score: number };
  /** Page (from 1) of the first match in a file whose text has pages; otherwise null. */
  page: number | null;
};

export type FacetValue = { value: string; count: number };
export type Results = {
  hits: Hit[];
  /** Number of hits for this viewer, exact or at least this many. */
  total: number;
  exhaustive: { total: boolean; facets: boolean };
  facets: Record<string, FacetValue[]>;
  /** For numeric facets only. */
  stats: Record<string, { min: number; max: number; avg: number; sum: number }>;
  /** The query words as searched, in lower case; `Mark.word` is an index into them. */
  words: string[];
};

/** Maximum number of facet values that are searched or counted. */
export const MAX_FACET_VALUES = 10_000;

/** Facet values that begin with a text, among the hits of a query. */
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
  /** Its discussion, resource or conversation. */
  placeId: string | null;
  number: number | null;
  is: string[];
  has: string[];
  /**
   * Everyone who can see the group may read it. An engine that cannot query memberships decides by this, the
   * group and the container.
   */
  open: boolean;
  /** Compared with the joining time of new members, where a group hides earlier content. */
  saidAt: Date;
  likes: number;
  comments: number;
  members: number;
  createdAt: Date;
  updatedAt: Date;
  /** Weight independent of the query. */
  score: number;
  version: number;
  /** tsvector with positions, tsvector of title and names only, and the distinct words. */
  vector: string;
  titleVector: string | null;
  vocabulary: ReadonlySet<string>;
};

/**
 * The interface of every search engine. It answers for a viewer and never reveals more than the community's
 * rules allow. Typed text never throws: what cannot be searched finds nothing.
 */
export type SearchEngine = {
  search: (viewer: Viewer, query: Query) => Promise<Results>;
  facet: (viewer: Viewer, query: FacetQuery) => Promise<{ values: FacetValue[]; exhaustive: boolean }>;
  /**
   * Documents in the order of the ids, with 32 000 characters of each text; null where the viewer finds none.
   */
  get: (viewer: Viewer, index: SearchScope, ids: readonly string[]) => Promise<(SearchDocument | null)[]>;
  /** Indexes documents, keeping any stored with a higher version. The transaction locks their ids. */
  upsert: (tx: Tx, documents: readonly IndexDocument[]) => Promise<void>;
  remove: (tx: Tx, ids: readonly string[]) => Promise<void>;
  /**
   * Writes the word counts of a transaction. Called once, before its end; otherwise the words of its
   * documents stay unknown.
   */
  settle: (tx: Tx) => Promise<void>;
  capabilities: { name: string; unread: boolean; exactTotals: boolean };
};

/** The engine is unreachable or not ready; queued documents stay queued. */
export class EngineUnavailable extends Error {
  override name = "EngineAway";
}

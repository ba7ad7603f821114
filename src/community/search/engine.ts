import type { Tx } from "#platform/database";
import type { Viewer } from "#community/rules";

/** What can be searched, each apart; `all` is everything at once. */
export const INDICES = ["people", "groups", "discussions", "posts", "resources", "messages"] as const;
export type Index = (typeof INDICES)[number];
export type Searched = Index | "all";

/** Attributes whose words are found, in the order in which a hit there counts. */
export const SEARCHABLE = ["title", "names", "tags", "body"] as const;
export type Searchable = (typeof SEARCHABLE)[number];

/** Attributes whose values can be counted and asked for. Values are compared without regard to case. */
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
/** Facets whose values people can read; the others are ids, or say the same under another name. */
export const READABLE_FACETS: readonly string[] = FACETS.filter((name) => !name.endsWith("Id") && name !== "_tags");
export type Facet = (typeof FACETS)[number];

/** Attributes that are numbers. Moments are seconds since 1970. */
export const NUMBERS = ["createdAt", "updatedAt", "likes", "commentCount", "memberCount", "number"] as const;
export type NumberAttribute = (typeof NUMBERS)[number];

/** What is searched by, as a tree. What asks about an attribute that a document lacks is false; `not` turns it round. */
export type Filter =
  | { and: Filter[] }
  | { or: Filter[] }
  | { not: Filter }
  | { facet: string; value: string }
  | { number: string; is: "<" | "<=" | "=" | "!=" | ">=" | ">"; to: number }
  /** What has something that the viewer has not read. */
  | { own: "unread" };

export type Sort = "relevance" | { by: "createdAt" | "updatedAt" | "likes" | "commentCount"; descending: boolean };

/** One question. Everything in it only narrows what the viewer may see. */
export type Query = {
  index: Searched;
  /** What was typed, as it was typed. Without a word in it, everything is found. */
  words: string;
  /** Words that have to stand beside each other, and words that may not be there at all. */
  phrases?: readonly string[];
  without?: readonly string[];
  /** Which words may be the beginnings of longer ones: the last one, as somebody may be typing it still, by default. */
  prefix?: "last" | "all" | "none";
  /** Whether a word may be written otherwise: one slip from four letters, two from eight. `min`: only the fewest slips that find something; `strict`: the fewest, and one more. */
  typos?: boolean | "min" | "strict";
  /** By which languages a word is also found in its other forms, one for many and many for one: in all of them, unless somebody says so. English texts are filed in both. */
  forms?: boolean | readonly string[];
  /** Words that are in every text of these languages are not looked for, nor in any where it is true: unless there is nothing else. */
  unasked?: boolean | readonly string[];
  /** Letters from which one slip, or two, are forgiven. */
  typosFrom?: { one: number; two: number };
  /** Which words are needed; when all are and nothing is found, words may be left out from one end, or any of them. */
  needed?: "all" | "any" | "all-or-fewer-last" | "all-or-fewer-first" | "all-or-any";
  /** Only these attributes are searched. */
  within?: readonly Searchable[];
  filter?: Filter | null;
  /** What meets more of these comes first, as long as it is found by as few slips and nothing else says the order. They narrow nothing. */
  rather?: readonly Filter[];
  /** Attributes whose values are counted, and how many values of each (100). */
  facets?: readonly string[];
  valuesPerFacet?: number;
  /** The first hit, from 0, and how many; within the first thousand. */
  offset?: number;
  length?: number;
  sort?: Sort;
  /** One hit of each discussion, conversation or resource. */
  distinct?: boolean;
  /** The document itself is left out: for what is like it. */
  except?: string;
};

/** A document as its reader may have it: names are those of today. Times are seconds since 1970. */
export type SearchDocument = {
  objectID: string;
  /** The index it stands in. */
  type: Index;
  /** Of a resource: link, file, document. Else empty. */
  kind: string;
  title: string;
  /** Other names: a user name. */
  names: string;
  tags: string[];
  /** Plain text. Of a post its words, of a group what it is for, of a resource why, and what stands in it. */
  body: string;
  language: string;
  /** The path on this site, with its leading slash: the very post or message. */
  url: string;
  groupId: string | null;
  groupName: string | null;
  groupSlug: string | null;
  authorId: string | null;
  authorName: string | null;
  authorUsername: string | null;
  /** The photo of the person, or of who wrote it. */
  photoId?: string | null;
  discussionId: string | null;
  resourceId: string | null;
  conversationId: string | null;
  /** The number of a post or message in its place. */
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

/** Where a word was found in a text: from and up to which UTF-16 unit, and which of the words of the question (from 0). */
export type Mark = { from: number; to: number; word: number };
/** The marks in each attribute; one list for each of several values (`tags`). */
export type Marks = { title: Mark[]; names: Mark[]; body: Mark[]; tags: Mark[][] };

/** A stretch of the text around the words that were found, with their marks in it. */
export type Excerpt = { text: string; marks: Mark[]; cutBefore: boolean; cutAfter: boolean };

export type Hit = {
  /** Its text ends after 32 000 letters; what was found behind that is in the excerpt. */
  document: SearchDocument;
  marks: Marks;
  excerpt: Excerpt;
  /** Why it stands where it stands. `exact`: words that are there as they were typed, to their end. */
  ranking: { typos: number; inTitle: boolean; exact: number; proximity: number; score: number };
  /** The page, from 1, of a file whose text has pages, on which the words are first found; else null. */
  page: number | null;
};

export type FacetValue = { value: string; count: number };
export type Results = {
  hits: Hit[];
  /** How many there are for this viewer: all, or at least so many. */
  total: number;
  exhaustive: { total: boolean; facets: boolean };
  facets: Record<string, FacetValue[]>;
  /** Of facets that are numbers. */
  stats: Record<string, { min: number; max: number; avg: number; sum: number }>;
  /** The words of the question as they were searched, in lower case: what `Mark.word` counts. */
  words: string[];
};

/** Values of one facet that are looked through, or counted, at the most. */
export const MOST_VALUES = 10_000;

/** Which values of a facet begin with some words, among what a question finds. */
export type FacetQuery = { facet: string; begins: string; most: number; of: Query };

/** A document on its way into the engine: what it says, who it is for, and a number that grows with every change of it. */
export type Filed = {
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
  /** The discussion, resource or conversation it stands in. */
  placeId: string | null;
  number: number | null;
  is: string[];
  has: string[];
  /** Whoever can see the group reads it: an engine that cannot ask decides by this, by group and by place. */
  open: boolean;
  /** What decides for newcomers of a group that shows them nothing of before. */
  saidAt: Date;
  likes: number;
  comments: number;
  members: number;
  createdAt: Date;
  updatedAt: Date;
  /** What it counts for before any word is looked at. */
  score: number;
  version: number;
  /** Its words with their places, and those of its title and names alone, as PostgreSQL reads them; and each word once. */
  vector: string;
  titleVector: string | null;
  vocabulary: ReadonlySet<string>;
};

/**
 * What every engine can do. It is asked as somebody, and never tells them more than the rules of the community do. It throws
 * nothing for what somebody typed: what cannot be searched finds nothing.
 */
export type SearchEngine = {
  search: (viewer: Viewer, query: Query) => Promise<Results>;
  facet: (viewer: Viewer, query: FacetQuery) => Promise<{ values: FacetValue[]; exhaustive: boolean }>;
  /** The documents in the order of the ids, 32 000 letters of each text; null for what is not there for the viewer. */
  get: (viewer: Viewer, index: Searched, ids: readonly string[]) => Promise<(SearchDocument | null)[]>;
  /** Files documents. What is filed already under a higher version stays. Their ids are locked by the transaction. */
  upsert: (tx: Tx, documents: readonly Filed[]) => Promise<void>;
  remove: (tx: Tx, ids: readonly string[]) => Promise<void>;
  /** Writes what the filing of a transaction comes to in sum. Called once, before its end; without it, words of what was filed are not known. */
  settle: (tx: Tx) => Promise<void>;
  capabilities: { name: string; unread: boolean; exactTotals: boolean };
};

/** The engine cannot be reached, or is not ready: what waits to be filed goes on waiting. */
export class EngineAway extends Error {
  override name = "EngineAway";
}

import {
  FACETS,
  INDICES,
  indicesInScope,
  NUMERIC_ATTRIBUTES,
  SEARCHABLE_ATTRIBUTES,
  type SearchScope,
  type Sort,
} from "#community/search";
import { SearchApiError } from "./search-api-error.ts";

/** Sort orders of replica indices, by their name in the index name. */
const REPLICA_SORTS = {
  created: "createdAt",
  updated: "updatedAt",
  likes: "likes",
  comments: "commentCount",
} as const;

export const INDEX_NAMES: readonly SearchScope[] = [...INDICES, "all"];

/** Index for documentation search boxes, with records of another shape. */
export const DOCSEARCH_INDEX = "docsearch";

type NamedIndex = { index: SearchScope; sort: Sort; shape: "record" | "docs" };

/**
 * Index and sort order of a name.
 * @throws 404 for unknown names
 */
export function parseIndexName(name: string): NamedIndex {
  if (name === DOCSEARCH_INDEX) return { index: "documentation", sort: "relevance", shape: "docs" };
  const [, base = name, by, way] = /^([a-z]+)_([a-z]+)_(asc|desc)$/.exec(name) ?? [];
  const index = INDEX_NAMES.find((it) => it === base);
  const attribute =
    by === undefined
      ? null
      : Object.hasOwn(REPLICA_SORTS, by)
        ? REPLICA_SORTS[by as keyof typeof REPLICA_SORTS]
        : undefined;
  // The combined index has one order only: relevance.
  if (index === undefined || attribute === undefined || (index === "all" && attribute !== null))
    throw new SearchApiError(404, `Index ${name.slice(0, 100)} does not exist`);
  const sort: Sort = attribute === null ? "relevance" : { by: attribute, descending: way === "desc" };
  return { index, sort, shape: "record" };
}

/** Hits reachable by paging. */
export const MAX_REACHABLE_HITS = 1_000;

/** Replicas of an index: its other sort orders. */
export const listReplicas = (index: SearchScope): string[] =>
  indicesInScope(index).length > 1
    ? []
    : Object.keys(REPLICA_SORTS).flatMap((by) => [`${index}_${by}_desc`, `${index}_${by}_asc`]);

/** Index settings as clients read them; equal for all indices. */
export const indexSettings = (index: SearchScope) => ({
  searchableAttributes: [...SEARCHABLE_ATTRIBUTES],
  attributesForFaceting: FACETS.map((name) => `searchable(${name})`),
  numericAttributesForFiltering: [...NUMERIC_ATTRIBUTES],
  replicas: listReplicas(index),
  paginationLimitedTo: MAX_REACHABLE_HITS,
  hitsPerPage: 20,
  maxValuesPerFacet: 100,
  minWordSizefor1Typo: 4,
  minWordSizefor2Typos: 8,
  ranking: ["typo", "words", "proximity", "attribute", "exact", "custom"],
});

import {
  FACETS,
  INDICES,
  indicesInScope,
  NUMERIC_ATTRIBUTES,
  SEARCHABLE_ATTRIBUTES,
  type SearchScope,
  type Sort,
} from "#community/search";
import { isKeyOf } from "#platform/objects";
import { SearchApiError } from "./search-api-error.ts";

/** Sort orders of replica indices, by the suffix in the index name. */
const REPLICA_SORTS = {
  created: "createdAt",
  updated: "updatedAt",
  likes: "likes",
  comments: "commentCount",
  starts: "startsAt",
} as const;
/** The sort order by start, which only events have. */
const EVENT_SORT = "starts";

export const INDEX_NAMES: readonly SearchScope[] = [...INDICES, "all"];

/** Index for documentation search boxes, whose records have another shape. */
export const DOCSEARCH_INDEX = "docsearch";

type NamedIndex = { index: SearchScope; sort: Sort; shape: "record" | "docs" };

/**
 * Parses the name of an index into index and sort order.
 * @throws 404 for unknown names
 */
export function parseIndexName(name: string): NamedIndex {
  if (name === DOCSEARCH_INDEX) return { index: "documentation", sort: "relevance", shape: "docs" };
  const [, base = name, by, direction] = /^([a-z]+)_([a-z]+)_(asc|desc)$/.exec(name) ?? [];
  const index = INDEX_NAMES.find((it) => it === base);
  const attribute = by === undefined ? null : isKeyOf(REPLICA_SORTS, by) ? REPLICA_SORTS[by] : undefined;
  // The combined index has no replicas: it can only be sorted by relevance.
  if (
    index === undefined ||
    attribute === undefined ||
    (index === "all" && attribute !== null) ||
    (by === EVENT_SORT && index !== "events")
  )
    throw new SearchApiError(404, `Index ${name.slice(0, 100)} does not exist`);
  const sort: Sort = attribute === null ? "relevance" : { by: attribute, descending: direction === "desc" };
  return { index, sort, shape: "record" };
}

/** Maximum hits that can be reached by paging. */
export const MAX_REACHABLE_HITS = 1_000;

/** Names of the replicas of an index, one per sort order other than relevance. */
export const listReplicas = (index: SearchScope): string[] =>
  indicesInScope(index).length > 1
    ? []
    : Object.keys(REPLICA_SORTS)
        .filter((by) => by !== EVENT_SORT || index === "events")
        .flatMap((by) => [`${index}_${by}_desc`, `${index}_${by}_asc`]);

/** Index settings as clients read them; they are the same for all indices. */
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

import { FACETS, type Filter, INDICES, NUMBERS, SEARCHABLE, type Searched, type Sort } from "#community/search";
import { Fault } from "./fault.ts";

/** Sort orders of replica indices, by their name in the index name. */
const SORTED = { created: "createdAt", updated: "updatedAt", likes: "likes", comments: "commentCount" } as const;

export const NAMES: readonly Searched[] = [...INDICES, "all"];

/** Index for documentation search boxes: everything but people and messages, in records of another shape. */
export const DOCS = "docsearch";
const IN_DOCS: Filter = {
  not: {
    or: [
      { facet: "type", value: "people" },
      { facet: "type", value: "messages" },
    ],
  },
};

/** `only` restricts an index to part of the underlying one. */
type Named = { index: Searched; sort: Sort; shape: "record" | "docs"; only: Filter | null };

/**
 * Index and sort order of a name.
 * @throws 404 for unknown names
 */
export function indexOf(name: string): Named {
  if (name === DOCS) return { index: "all", sort: "relevance", shape: "docs", only: IN_DOCS };
  const [, base = name, by, way] = /^([a-z]+)_([a-z]+)_(asc|desc)$/.exec(name) ?? [];
  const index = NAMES.find((it) => it === base);
  const attribute = by === undefined ? null : Object.hasOwn(SORTED, by) ? SORTED[by as keyof typeof SORTED] : undefined;
  // The combined index has one order only: relevance.
  if (index === undefined || attribute === undefined || (index === "all" && attribute !== null))
    throw new Fault(404, `Index ${name.slice(0, 100)} does not exist`);
  const sort: Sort = attribute === null ? "relevance" : { by: attribute, descending: way === "desc" };
  return { index, sort, shape: "record", only: null };
}

/** Hits reachable by paging. */
export const REACHABLE = 1_000;

/** Replicas of an index: its other sort orders. */
export const replicasOf = (index: Searched): string[] =>
  index === "all" ? [] : Object.keys(SORTED).flatMap((by) => [`${index}_${by}_desc`, `${index}_${by}_asc`]);

/** Index settings as clients read them; equal for all indices. */
export const settingsOf = (index: Searched) => ({
  searchableAttributes: [...SEARCHABLE],
  attributesForFaceting: FACETS.map((name) => `searchable(${name})`),
  numericAttributesForFiltering: [...NUMBERS],
  replicas: replicasOf(index),
  paginationLimitedTo: REACHABLE,
  hitsPerPage: 20,
  maxValuesPerFacet: 100,
  minWordSizefor1Typo: 4,
  minWordSizefor2Typos: 8,
  ranking: ["typo", "words", "proximity", "attribute", "exact", "custom"],
});

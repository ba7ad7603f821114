import { FACETS, type Filter, INDICES, NUMBERS, SEARCHABLE, type Searched, type Sort } from "#community/search";
import { Fault } from "./fault.ts";

/** Attributes by which an index stands in another order, and what that order is called in its name. */
const SORTED = { created: "createdAt", updated: "updatedAt", likes: "likes", comments: "commentCount" } as const;

export const NAMES: readonly Searched[] = [...INDICES, "all"];

/** What a search box for documentation reads: everything but people and messages, in records of another shape. */
export const DOCS = "docsearch";
const IN_DOCS: Filter = {
  not: {
    or: [
      { facet: "type", value: "people" },
      { facet: "type", value: "messages" },
    ],
  },
};

/** `only` is what an index holds of the one behind it. */
type Named = { index: Searched; sort: Sort; shape: "record" | "docs"; only: Filter | null };

/** Which index and which order a name means. Throws 404 for what has no such name. */
export function indexOf(name: string): Named {
  if (name === DOCS) return { index: "all", sort: "relevance", shape: "docs", only: IN_DOCS };
  const [, base = name, by, way] = /^([a-z]+)_([a-z]+)_(asc|desc)$/.exec(name) ?? [];
  const index = NAMES.find((it) => it === base);
  const attribute = by === undefined ? null : Object.hasOwn(SORTED, by) ? SORTED[by as keyof typeof SORTED] : undefined;
  // What is of several kinds has one order only: that of how well it fits.
  if (index === undefined || attribute === undefined || (index === "all" && attribute !== null))
    throw new Fault(404, `Index ${name.slice(0, 100)} does not exist`);
  const sort: Sort = attribute === null ? "relevance" : { by: attribute, descending: way === "desc" };
  return { index, sort, shape: "record", only: null };
}

/** Hits that can be reached by paging. */
export const REACHABLE = 1_000;

/** The other orders of an index, each of which has a name of its own. */
export const replicasOf = (index: Searched): string[] =>
  index === "all" ? [] : Object.keys(SORTED).flatMap((by) => [`${index}_${by}_desc`, `${index}_${by}_asc`]);

/** How an index is searched, as full clients read it: in the same way as all the others. */
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

import type { Db } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { Sort } from "../search-engine.ts";
import type { CandidateQuery, CandidateList } from "./candidate-query.ts";
import { rankBestMatches } from "./rank-matches.ts";
import { scanManyMatches } from "./scan-matches.ts";

/** If more matches than this are expected, candidates are read in score order. */
const MANY_MATCHES = 5_000;

/** Finds the best documents of an index among those that this viewer may find. */
export const findCandidates = (db: Db, viewer: Viewer, asking: CandidateQuery): Promise<CandidateList> =>
  (asking.wanted === null || asking.wanted.estimate > MANY_MATCHES) &&
  hasSortIndex(asking.sort) &&
  !asking.distinct
    ? findOptionalMatches(db, viewer, asking)
    : rankBestMatches(db, viewer, asking);
/** Whether a database index supports the sort order. */
const hasSortIndex = (sort: Sort) => sort === "relevance" || sort.by === "createdAt";

/**
 * Searches for documents that meet optional filters separately and lists them first: in a long list of
 * matches they may be too far down to be found otherwise.
 */
async function findOptionalMatches(db: Db, viewer: Viewer, asking: CandidateQuery): Promise<CandidateList> {
  const { optionalFilters = [], filter, most, sort } = asking;
  if (optionalFilters.length === 0 || sort !== "relevance") return scanManyMatches(db, viewer, asking);
  const some: CandidateQuery["filter"] = { and: [...(filter ? [filter] : []), { or: [...optionalFilters] }] };
  const [wanted, all] = await Promise.all([
    rankBestMatches(db, viewer, { ...asking, filter: some, facets: [] }),
    scanManyMatches(db, viewer, asking),
  ]);
  const known = new Set(wanted.rows.map(({ id }) => id));
  const others = all.rows.filter(({ id }) => !known.has(id));
  return {
    ...all,
    rows: [...wanted.rows, ...others].sort((a, b) => compareRankingKeys(b.fit, a.fit)).slice(0, most),
  };
}

/** Compares by the first differing component. */
export const compareRankingKeys = (left: readonly number[], right: readonly number[]): number => {
  const i = left.findIndex((value, at) => value !== right[at]);
  return i === -1 ? 0 : left[i]! - right[i]!;
};

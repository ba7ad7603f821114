import type { Db } from "#platform/database";
import type { Viewer } from "#community/rules";
import { openSearch, type Query } from "#community/search";
import { NAME, INSIDE, type Place } from "../leaky-place.ts";
import { testDatabase } from "../setup/database.ts";

export const database = await testDatabase();
export const now = () => database.clock.at;

/** The name of somebody who has blocked whoever reads, and a title with it. */
export const PARTED = "Brombeere";
export const TITLE = `${PARTED} on ${NAME} and ${INSIDE}`;

/** Ways to read, by what is read in words. */
export type Reads = Record<string, (db: Db, viewer: Viewer, at: Place) => Promise<unknown>>;

export const { engine, filing } = openSearch({ database });
/** What a search tells: hits, counts of values, and that there is anything at all. The words of the question are no secret. */
export async function finds(viewer: Viewer, words: string, query: Partial<Query> = {}) {
  const {
    total,
    words: _,
    ...results
  } = await engine.search(viewer, { index: "all", words, facets: ["tags", "groupName", "authorName", "has", "createdAt"], ...query });
  return [results, total > 0 && words];
}

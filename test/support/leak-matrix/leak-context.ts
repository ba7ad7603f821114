import type { Db } from "#platform/database";
import type { Viewer } from "#community/rules";
import { createSearch, type Query } from "#community/search";
import { type LeakCommunity } from "./community.ts";
import { GROUP_NAME, INSIDE_WORD } from "./marker-words.ts";
import { testDatabase } from "../setup/test-database.ts";

export const database = await testDatabase();
export const now = () => database.clock.at;

/** Name of a person who has blocked the viewer. */
export const BLOCKED_NAME = "Brombeere";
/** A title that contains marker words and the name of the blocking person. */
export const MARKED_TITLE = `${BLOCKED_NAME} on ${GROUP_NAME} and ${INSIDE_WORD}`;

/** Reads by description. */
export type Reads = Record<string, (db: Db, viewer: Viewer, at: LeakCommunity) => Promise<unknown>>;

export const { engine, indexer } = createSearch({ database });
/**
 * Returns the result of a search: hits, facet counts, and whether there are results. The query is left out,
 * because the viewer knows it.
 */
export async function searchEverything(viewer: Viewer, words: string, query: Partial<Query> = {}) {
  const {
    total,
    words: _,
    ...results
  } = await engine.search(viewer, {
    index: "all",
    words,
    facets: ["tags", "groupName", "authorName", "has", "createdAt"],
    ...query,
  });
  return [results, total > 0 && words];
}

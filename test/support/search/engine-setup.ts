import { beforeEach } from "vitest";
import type { Viewer } from "#community/rules";
import { createTestUsers, type TestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import { createSearch, type Query, type Search } from "../../../src/community/search/index.ts";

export const database = await testDatabase();
export const { inTransaction: within, clock } = database;
export let people: TestUsers;
export let search: Search;
beforeEach(async () => {
  people = await createTestUsers(database);
  search = createSearch({ database });
});

export const indexEverything = async () => {
  await search.indexer.beginAgain();
  await search.indexer.finish();
};
export const searchPosts = (viewer: Viewer, words: string, query: Partial<Query> = {}) =>
  search.engine.search(viewer, { index: "posts", words, ...query });
export const searchTitles = async (viewer: Viewer, words: string, query: Partial<Query> = {}) =>
  (await searchPosts(viewer, words, { index: "discussions", ...query })).hits.map(
    ({ document }) => document.title,
  );

/** Replaces the search that all tests share. */
export const replaceSearch = (other: Search) => void (search = other);

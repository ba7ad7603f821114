import { afterAll, beforeAll, beforeEach } from "vitest";
import { createSearch, type Query, type Search } from "#community/search";
import type { Viewer } from "#community/rules";
import { testDatabase } from "../setup/test-database.ts";
import { createTestUsers, type TestUsers } from "../test-users.ts";
import { startTypesenseServer } from "./typesense-server.ts";

export const database = await testDatabase();
export const { inTransaction: within } = database;
export let typesenseServer: Awaited<ReturnType<typeof startTypesenseServer>>;
/** Search in PostgreSQL. */
export let postgresSearch: Search;
/** Search in Typesense. */
export let typesenseSearch: Search;
export let people: TestUsers;
beforeAll(async () => void (typesenseServer = await startTypesenseServer()));
afterAll(() => typesenseServer.close());
beforeEach(async () => {
  typesenseServer.collections.clear();
  typesenseServer.aliases.clear();
  typesenseServer.state.away = false;
  postgresSearch = createSearch({ database });
  typesenseSearch = createSearch({ database, outside: typesenseServer.address });
  people = await createTestUsers(database);
  await typesenseSearch.outside!.fillIfEmpty(new AbortController().signal);
});

export const INDICES = ["groups", "discussions", "posts", "resources"] as const;

export const indexEverything = async () => {
  await typesenseSearch.indexer.beginAgain();
  await typesenseSearch.indexer.finish();
};

/** Returns the result of a query with either engine: ids, total and tag counts. */
export async function searchWith({ engine }: Search, viewer: Viewer, query: Query) {
  const { hits, total, facets } = await engine.search(viewer, {
    facets: ["tags", "type", "likes"],
    length: 100,
    ...query,
  });
  const sorted = (list: { value: string; count: number }[] = []) =>
    list.map(({ value, count }) => `${value} ${count}`).toSorted();
  return {
    ids: hits.map(({ document }) => document.objectID).toSorted(),
    total,
    tags: sorted(facets["tags"]),
    types: sorted(facets["type"]),
    likes: sorted(facets["likes"]),
  };
}

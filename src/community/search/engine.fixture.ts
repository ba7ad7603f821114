import { beforeEach } from "vitest";
import type { Viewer } from "#community/rules";
import { cast, type Cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { openSearch, type Query, type Search } from "./index.ts";

export const database = await testDatabase();
export const { inTransaction: within, clock } = database;
export let people: Cast;
export let search: Search;
beforeEach(async () => {
  people = await cast(database);
  search = openSearch({ database });
});

export const fileAll = async () => {
  await search.filing.beginAgain();
  await search.filing.finish();
};
export const ask = (viewer: Viewer, words: string, query: Partial<Query> = {}) =>
  search.engine.search(viewer, { index: "posts", words, ...query });
export const titles = async (viewer: Viewer, words: string, query: Partial<Query> = {}) =>
  (await ask(viewer, words, { index: "discussions", ...query })).hits.map(({ document }) => document.title);

/** Replaces the search that all tests share. */
export const searchBy = (other: Search) => void (search = other);

import { beforeEach, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  deleteSavedSearch,
  clearRecentSearches,
  loadSearchPage,
  listSearchMisses,
  recordSearchMiss,
  createSearch,
  purgeSearchMisses,
  parseSearchInput,
  recordRecentSearch,
  saveSearch,
  listOwnSearches,
  formatSearchInput,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
let people: TestUsers;
beforeEach(async () => void (people = await createTestUsers(database)));

test("search input is parsed into words and operators for group, author and time", () => {
  const typed = parseSearchInput(
    'tomato in:long-beds FROM:@mira "slow water" -hose -"old can" tag:"two words" nonsense:x http://a.b after: ',
  );
  expect(typed).toEqual({
    words: "tomato slow water nonsense:x http://a.b after:",
    phrases: ["slow water"],
    without: ["hose", "old can"],
    operators: [
      { name: "in", value: "long-beds" },
      { name: "from", value: "@mira" },
      { name: "tag", value: "two words" },
    ],
  });
  expect(parseSearchInput(formatSearchInput(typed))).toEqual(typed);
  for (const text of ['"', "-", ":", 'in:"', "\0", "a:".repeat(10_000), "tag:x ".repeat(500)]) {
    const searchInput = parseSearchInput(text);
    expect([searchInput.operators.length <= 12, searchInput.words.length <= 500]).toEqual([true, true]);
  }
});

test("the search page shows the first hits of each kind, or all hits of one kind", async () => {
  const { mira, tomas, noor, guest } = people;
  const beds = await createTestGroup(database, people, { name: "Long Beds" });
  const secret = await createTestGroup(database, people, { name: "Cellar", visibility: "secret" });
  const one = await createTestDiscussion(database, mira, beds.id, {
    title: "Clover in the lawn",
    body: "Let it be.",
    tags: "lawn",
  });
  for (let n = 0; n < 24; n++) await createTestReply(database, tomas, one.id, { body: `Clover ${n}` });
  clock.pass(2 * 86_400_000);
  await createTestDiscussion(database, tomas, secret.id, { title: "Clover wine", body: "Hush." });
  const search = createSearch({ database });
  await search.indexer.beginAgain();
  await search.indexer.finish();
  const found = async (viewer: Viewer, text: string, page = 1) => {
    const { sections, unknown, empty } = await loadSearchPage(search.engine, db, viewer, {
      text,
      page,
      now: clock.at,
    });
    return {
      empty,
      unknown,
      ...Object.fromEntries(sections.map(({ index, total, items }) => [index, [total, items.length]])),
    };
  };
  // One post stands for all posts of its discussion.
  expect(await found(mira, "clover")).toMatchObject({ discussions: [2, 2], posts: [2, 2] });
  expect(await found(noor, "clover")).toMatchObject({ discussions: [1, 1], posts: [1, 1] });
  expect(await found(guest, "clover type:posts")).toMatchObject({ posts: [25, 20] });
  expect(await found(guest, "clover type:post", 2)).toMatchObject({ posts: [25, 5] });
  expect(await found(mira, "clover from:@tomas type:discussions")).toMatchObject({ discussions: [1, 1] });
  expect(await found(mira, 'in:"Long Beds" type:discussions')).toMatchObject({ discussions: [1, 1] });
  expect(await found(mira, "in:cellar type:discussions")).toMatchObject({ discussions: [1, 1], unknown: [] });
  expect(await found(mira, "tag:#lawn type:discussions")).toMatchObject({ discussions: [1, 1] });
  expect(await found(mira, "clover after:1d type:discussions")).toMatchObject({ discussions: [1, 1] });
  expect(await found(mira, "clover before:2026-5-5 type:discussions")).toMatchObject({ discussions: [1, 1] });
  expect(await found(tomas, "is:mine type:discussions")).toMatchObject({ discussions: [1, 1] });
  expect(await found(mira, "clover is:unread type:posts")).toMatchObject({ posts: [25, 20] });
  expect(await found(mira, "lawn forgotten words")).toMatchObject({ discussions: [1, 1] });
  // Names of built-in object members are ordinary values.
  expect(await found(mira, "clover sort:constructor type:discussions")).toMatchObject({
    discussions: [2, 2],
    unknown: [{ name: "sort", value: "constructor" }],
  });
  expect(await found(mira, "clover has:constructor type:discussions")).toMatchObject({ discussions: [0, 0] });
  // Hidden content and missing content give the same result.
  const nothing = { empty: false, discussions: [0, 0] };
  expect(await found(noor, "clover in:cellar type:discussions")).toEqual({
    ...nothing,
    unknown: [{ name: "in", value: "cellar" }],
  });
  expect(await found(noor, "clover in:nowhere type:discussions")).toEqual({
    ...nothing,
    unknown: [{ name: "in", value: "nowhere" }],
  });
  expect(await found(mira, "after:soon type:discussions")).toMatchObject({
    unknown: [{ name: "after", value: "soon" }],
  });
  for (const little of ["", " ", "a", "-", "type:posts"])
    expect(await found(mira, little)).toEqual({ empty: true, unknown: [] });
  const { facets } = await loadSearchPage(search.engine, db, mira, {
    text: "clover type:discussions",
    now: clock.at,
  });
  expect(facets["groupName"]).toEqual(
    expect.arrayContaining([
      { value: "Long Beds", count: 1 },
      { value: "Cellar", count: 1 },
    ]),
  );
});

test("recent and saved searches are visible only to their owner", async () => {
  const { mira, tomas, guest } = people;
  for (let n = 0; n < 12; n++) {
    clock.pass(1_000);
    await within((tx) => recordRecentSearch(tx, mira, `word ${n % 10}`));
  }
  expect((await listOwnSearches(db, mira)).recent).toEqual([
    "word 1",
    "word 0",
    "word 9",
    "word 8",
    "word 7",
    "word 6",
    "word 5",
    "word 4",
  ]);
  await within((tx) => recordRecentSearch(tx, guest, "nobody"));
  await within((tx) => saveSearch(tx, mira, { name: "Mine", asked: "is:unread", tells: false }));
  await within((tx) => saveSearch(tx, mira, { name: "Still mine", asked: "is:unread", tells: false }));
  const [kept] = (await listOwnSearches(db, mira)).saved;
  expect((await listOwnSearches(db, mira)).saved).toEqual([
    { id: kept!.id, name: "Still mine", asked: "is:unread", tells: false },
  ]);
  for (const other of [tomas, guest])
    expect(await listOwnSearches(db, other)).toEqual({ recent: [], saved: [] });
  await expect(within((tx) => deleteSavedSearch(tx, tomas, { id: kept!.id }))).rejects.toMatchObject({
    reason: "not-found",
  });
  for (const verb of [
    clearRecentSearches,
    (tx: Parameters<typeof clearRecentSearches>[0], viewer: Viewer) =>
      saveSearch(tx, viewer, { name: "x", asked: "y", tells: false }),
  ])
    await expect(within((tx) => verb(tx, guest))).rejects.toMatchObject({ reason: "not-signed-in" });
  await run(
    db,
    sql`insert into saved_searches (id, person_id, name, asked, created_at) select gen_random_uuid(),
      ${mira.id}, 'n', n::text, now() from generate_series(1, 29) n`,
  );
  await expect(
    within((tx) => saveSearch(tx, mira, { name: "One more", asked: "more", tells: false })),
  ).rejects.toMatchObject({
    reason: "too-many",
  });
  await within((tx) => deleteSavedSearch(tx, mira, { id: kept!.id }));
  await within((tx) => clearRecentSearches(tx, mira));
  expect(await listOwnSearches(db, mira)).toMatchObject({ recent: [] });
});

test("the words of a search without results become readable only when two people have made it", async () => {
  const { mira, tomas, ines, ada, guest } = people;
  for (const [viewer, words] of [
    [mira, "Secret Wish"],
    [mira, "secret  wish"],
    [mira, "compost"],
    [tomas, "Compost!"],
    [guest, "compost"],
  ] as const)
    await within((tx) => recordSearchMiss(tx, viewer, words));
  const searchMisses = await listSearchMisses(db, ada);
  expect(searchMisses.map(({ words, times, people: count }) => [words, times, count])).toEqual([
    ["compost", 2, 2],
    [null, 2, 1],
  ]);
  expect(
    JSON.stringify(await many(db, sql`select * from search_misses, search_miss_visitors`)),
  ).not.toContain("secret");
  await expect(listSearchMisses(db, ines)).rejects.toMatchObject({ reason: "not-allowed" });
  clock.pass(366 * 86_400_000);
  await within(purgeSearchMisses);
  expect(await listSearchMisses(db, ada)).toEqual([]);
});

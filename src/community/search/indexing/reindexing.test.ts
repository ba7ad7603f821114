import { beforeEach, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { startConversation } from "#community/conversations";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
  type TestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { type Index, createSearch, type Search } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
let people: TestUsers;
let search: Search;
beforeEach(async () => {
  people = await createTestUsers(database);
  search = createSearch({ database });
});
const found = async (viewer: Viewer, words: string, index: Index = "posts") =>
  (await search.engine.search(viewer, { index, words })).total;

test("reindexing runs in batches over existing documents and resumes after an interruption", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { name: "Beds" });
  const { id } = await createTestDiscussion(database, mira, group.id, {
    title: "Kohlrabi for all",
    body: "Kohlrabi.",
  });
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  await within((tx) => startConversation(tx, mira, { to: ["tomas"], name: "", body: "Kohlrabi tonight." }));
  await run(
    db,
    sql`insert into posts (id, discussion_id, number, author_id, body_md, body_html, created_at)
        select gen_random_uuid(), ${id}, n, ${tomas.id}, '', '<p>Kohlrabi ' || n || '</p>', now()
        from generate_series(2, 1301) n`,
  );
  await search.indexer.beginAgain();
  await search.indexer.finish();
  const all = await found(mira, "kohlrabi");
  expect(all).toBe(1301);
  // Words count once per post, discussion and message, whichever batch they are in; no pending list remains
  // for queries to scan.
  expect(await one(db, sql`select documents from search_words where word = 'kohlrabi'`)).toEqual({
    documents: 1303,
  });
  expect(await one(db, sql`select gin_clean_pending_list('search_posts')::int as waiting`)).toEqual({
    waiting: 0,
  });
  // One document whose row is gone without an event, and one that differs from its row.
  await run(db, sql`delete from posts where number = 1300`);
  await run(db, sql`update search_documents set words = '''stale'':1' where number = 7`);
  await search.indexer.beginAgain();
  const counts: number[] = [];
  const shares: string[] = [];
  await search.indexer.finish((progress) => {
    shares.push(progress.map(({ filed }) => filed).join());
    counts.push(1);
  });
  expect(counts.length).toBeGreaterThan(6);
  expect(await found(mira, "kohlrabi")).toBe(1300);
  // After an interruption, documents already indexed are not indexed again.
  await search.indexer.beginAgain();
  await expect(
    search.indexer.finish((progress) => {
      if (progress.some(({ index, filed }) => index === "posts" && filed >= 500))
        throw new Error("broken off");
    }),
  ).rejects.toThrow("broken off");
  expect(await found(mira, "kohlrabi")).toBe(1300);
  const before = (await search.indexer.progress()).find(({ index }) => index === "posts")!.filed;
  await createSearch({ database }).indexer.finish();
  const after = (await search.indexer.progress()).find(({ index }) => index === "posts")!;
  expect([before < after.filed, after]).toEqual([true, { index: "posts", filed: 1300, finished: true }]);
});

test("a document that cannot be indexed does not block others", async () => {
  const { mira } = people;
  const group = await createTestGroup(database, people);
  const bad = await createTestDiscussion(database, mira, group.id, { title: "The bad one" });
  await createTestDiscussion(database, mira, group.id, { title: "The good one" });
  const broken = { ...search.engine, upsert: search.engine.upsert };
  broken.upsert = async (tx, documents) => {
    if (documents.some((it) => it.id === bad.id)) throw new Error("no");
    await search.engine.upsert(tx, documents);
  };
  const { Indexer: Filing } = await import("./indexer.ts");
  const indexer = new Filing({ database, engine: broken });
  for (const { payload } of await many(
    db,
    sql<{ payload: DomainEvent }>`select payload from outbox order by id`,
  ))
    await indexer.react(payload);
  await indexer.finish();
  expect(await indexer.waiting()).toBe(0);
  const both = async () => [
    await found(mira, "good one", "discussions"),
    await found(mira, "bad one", "discussions"),
  ];
  expect(await both()).toEqual([1, 0]);
  // A document that was rolled back and indexed again counts once. Two documents contain the word: the
  // discussion and its first post, which has the same title.
  expect(await one(db, sql`select documents from search_words where word = 'good'`)).toEqual({
    documents: 2,
  });
  // The failing document does not block a reindex either, and its former version is removed.
  await search.indexer.beginAgain();
  await search.indexer.finish();
  expect(await both()).toEqual([1, 1]);
  await indexer.beginAgain();
  await indexer.finish();
  expect(await both()).toEqual([1, 0]);
});

import { beforeEach, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { renameDiscussion } from "#community/discussions";
import { addDocument } from "#community/resources";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createIndexFollower } from "../../../../test/support/search/index-follower.ts";
import { type Index, createSearch, type Search } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
let people: TestUsers;
let search: Search;
beforeEach(async () => {
  people = await createTestUsers(database);
  search = createSearch({ database });
});

const follow = createIndexFollower(database, () => search);
const found = async (viewer: Viewer, words: string, index: Index = "posts") =>
  (await search.engine.search(viewer, { index, words })).total;

test("any text can be indexed, including rare Unicode characters and endless words", async () => {
  const { mira } = people;
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, mira, group.id, {
    title: "Scripts",
    body: "Here they are.",
  });
  await createTestReply(database, mira, id, { body: `Yarrow a${"𞤀".repeat(30)}` });
  await createTestReply(database, mira, id, { body: `Yarrow あ${"ー".repeat(800)}` });
  const document = { why: "", tags: [], language: "en", licence: "" };
  const { id: long } = await within((tx) =>
    addDocument(tx, mira, { title: "Yarrow at length", body: "Words.", ...document }),
  );
  await run(
    db,
    sql`update resources
      set body_html = (select string_agg(repeat('ა', 42) || translate(n::text, '0123456789', 'ბგდევზთიკლ'),
        ' ') from generate_series(100000, 107999) n) where id = ${long}`,
  );
  const { id: cut } = await within((tx) =>
    addDocument(tx, mira, { title: "Yarrow, cut", body: "Words.", ...document }),
  );
  await run(db, sql`update resources set body_html = 'x' || repeat('🌱', 500000) where id = ${cut}`);
  await search.indexer.beginAgain();
  await search.indexer.finish();
  expect([
    await found(mira, "yarrow"),
    await found(mira, "yarrow", "resources"),
    await found(mira, `a${"𞤀".repeat(30)}`),
  ]).toEqual([2, 2, 1]);
});

test("long documents are indexed in batches of at most ten", async () => {
  const { mira } = people;
  const document = { body: "Words.", why: "", tags: [], language: "en", licence: "" };
  for (let n = 0; n < 12; n++)
    await within((tx) => addDocument(tx, mira, { title: `Number ${n}`, ...document }));
  const together: number[] = [];
  const { Indexer: Filing } = await import("./indexer.ts");
  const engine = {
    ...search.engine,
    upsert: async (
      tx: Parameters<typeof search.engine.upsert>[0],
      documents: Parameters<typeof search.engine.upsert>[1],
    ) => {
      if (documents[0]?.index === "resources") together.push(documents.length);
      await search.engine.upsert(tx, documents);
    },
  };
  const indexer = new Filing({ database, engine });
  await indexer.beginAgain();
  await indexer.finish();
  expect(together.toSorted((a, b) => b - a)).toEqual([10, 2]);
});

test("a removed document's words leave the vocabulary unless other documents contain them", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, mira, group.id, {
    title: "Of the beds",
    body: "Kohlrabi, beds and bed.",
  });
  const reply = await createTestReply(database, tomas, id, { body: "Kohlrabi and salsify beds, c\\d." });
  await follow();
  const words = async () =>
    (
      await many(
        db,
        sql<{
          word: string;
        }>`select word from search_words where word in ('kohlrabi', 'salsify', 'bed', 'beds') order by 1`,
      )
    ).map(({ word }) => word);
  expect([await words(), await found(mira, "salsfy")]).toEqual([["bed", "beds", "kohlrabi", "salsify"], 1]);
  await run(db, sql`delete from posts where id = ${reply.id}`);
  await search.indexer.react({ type: "post.deleted", postId: reply.id, discussionId: id, groupId: group.id });
  await search.indexer.finish();
  expect(await words()).toEqual(["bed", "beds", "kohlrabi"]);
  expect([await found(mira, "kohlraby"), await found(mira, "salsfy")]).toEqual([1, 0]);
});

test("a discussion is indexed in its own language, and again when its language changes", async () => {
  const { mira, noor } = people;
  const group = await createTestGroup(database, people);
  const title = "Zucchini";
  const { id } = await createTestDiscussion(database, mira, group.id, {
    title,
    body: "Chi annaffia domenica? Non ci sono.",
  });
  await follow();
  const languages = async () => {
    const all = await Promise.all(
      (["discussions", "posts"] as const).map((index) =>
        search.engine.search(noor, { index, words: "zucchini" }),
      ),
    );
    return all.flatMap(({ hits }) => hits.map((hit) => hit.document.language));
  };
  expect(await languages()).toEqual(["it", "it"]);
  await within((tx) => renameDiscussion(tx, mira, { discussionId: id, title, language: "de", reason: "" }));
  await follow();
  expect(await languages()).toEqual(["de", "de"]);
});

import { beforeEach, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { startConversation } from "#community/conversations";
import { deleteDiscussion, moveDiscussion, addReaction, renameDiscussion } from "#community/discussions";
import { restoreGroup, deleteGroup, updateGroup } from "#community/groups";
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
import { type Index, openSearch, type Search } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
let people: TestUsers;
let search: Search;
beforeEach(async () => {
  people = await createTestUsers(database);
  search = openSearch({ database });
});

let told = 0n;
/** Processes all events since, as the dispatcher would, then the indexing queue. */
async function follow() {
  const rows = await many(
    db,
    sql<{ id: string; payload: DomainEvent }>`select id, payload from outbox where id > ${told} order by id`,
  );
  for (const { id, payload } of rows) {
    await search.filing.react(payload);
    told = BigInt(id);
  }
  await search.filing.finish();
}
const found = async (viewer: Viewer, words: string, index: Index = "posts") =>
  (await search.engine.search(viewer, { index, words })).total;

test("changes are searchable a moment later", async () => {
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people, { name: "Damp Cellar" });
  const { id, postId } = await createTestDiscussion(database, mira, group.id, {
    title: "Chicory in boxes",
    body: "In the dark.",
  });
  const reply = await createTestReply(database, tomas, id, { body: "Endive, too." });
  await follow();
  expect([
    await found(noor, "chicory", "discussions"),
    await found(noor, "endive"),
    await found(noor, "cellar", "groups"),
  ]).toEqual([1, 1, 1]);
  await within((tx) => addReaction(tx, mira, { postId: reply.id, emoji: "👍" }));
  await within((tx) =>
    renameDiscussion(tx, mira, { discussionId: id, title: "Radicchio in boxes", reason: "" }),
  );
  await follow();
  const [hit] = (await search.engine.search(noor, { index: "posts", words: "endive" })).hits;
  expect([hit!.document.likes, hit!.document.title]).toEqual([1, "Radicchio in boxes"]);
  await within((tx) =>
    renameDiscussion(tx, mira, {
      discussionId: id,
      title: "Radicchio in boxes",
      tags: ["winter"],
      reason: "",
    }),
  );
  await follow();
  expect(
    (await search.engine.search(noor, { index: "discussions", words: "radicchio" })).hits[0]!.document.tags,
  ).toEqual(["winter"]);
  expect([
    await found(noor, "chicory"),
    await found(noor, "radicchio"),
    await found(noor, "radicchio", "discussions"),
  ]).toEqual([0, 1, 1]);

  // Hidden content disappears from hits before anything is reindexed, and its document afterwards.
  await run(db, sql`update posts set state = 'hidden' where id = ${reply.id}`);
  expect((await search.engine.search(noor, { index: "posts", words: "endive" })).hits).toEqual([]);
  await follow();
  await search.filing.react({ type: "post.deleted", postId: reply.id, discussionId: id, groupId: group.id });
  await search.filing.finish();
  expect(await found(tomas, "endive")).toBe(0);

  // Moves the discussion, with its posts, to a members-only group.
  const closed = await createTestGroup(database, people, { name: "Behind the door", visibility: "private" });
  await within((tx) =>
    moveDiscussion(tx, tomas, {
      discussionId: id,
      groupId: closed.id,
      visibility: "private",
      reason: "It belongs there.",
    }),
  );
  expect((await search.engine.search(noor, { index: "posts", words: "radicchio" })).hits).toEqual([]);
  await follow();
  expect([
    await found(noor, "radicchio"),
    await found(mira, "radicchio"),
    await found(noor, "radicchio", "discussions"),
  ]).toEqual([0, 1, 0]);
  const { groupId } = await one(
    db,
    sql<{ groupId: string }>`select group_id as "groupId" from search_documents where id = ${postId}`,
  );
  expect(groupId).toBe(closed.id);
  await within((tx) => deleteDiscussion(tx, tomas, { discussionId: id, reason: "Enough." }));
  await follow();
  expect(
    await many(db, sql`select id from search_documents where in_index in ('posts', 'discussions')`),
  ).toEqual([]);
});

test("group that closes disappears from hits and counts at once; one that opens appears after indexing", async () => {
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people, { name: "Beds" });
  await createTestDiscussion(database, mira, group.id, { title: "Salsify", body: "Salsify." });
  await follow();
  const seen = async () => [
    await found(noor, "salsify"),
    await found(noor, "salsify", "discussions"),
    await found(mira, "salsify"),
  ];
  expect(await seen()).toEqual([1, 1, 1]);
  await within((tx) =>
    updateGroup(tx, tomas, { groupId: group.id, visibility: "private", joinPolicy: "request" }),
  );
  expect(await seen()).toEqual([0, 0, 1]);
  await follow();
  expect(await seen()).toEqual([0, 0, 1]);
  await run(db, sql`update groups set visibility = 'public' where id = ${group.id}`);
  expect(await seen()).toEqual([0, 0, 1]);
  await search.filing.react({ type: "group.opened", groupId: group.id });
  await search.filing.finish();
  expect(await seen()).toEqual([1, 1, 1]);
});

test("restored group is found again with its content", async () => {
  const { mira, tomas, ada, noor } = people;
  const group = await createTestGroup(database, people, { name: "Orchard" });
  await createTestDiscussion(database, mira, group.id, { title: "Medlars", body: "Medlars." });
  await follow();
  const seen = async () => [
    await found(noor, "orchard", "groups"),
    await found(noor, "medlars", "discussions"),
    await found(noor, "medlars"),
  ];
  await within((tx) => deleteGroup(tx, tomas, { groupId: group.id, reason: "" }));
  await follow();
  expect(await seen()).toEqual([0, 0, 0]);
  // Engines that cannot query the group decide by this.
  const open = await many(
    db,
    sql`select id from search_documents where group_id = ${group.id} and audience = 'group'`,
  );
  expect(open).toEqual([]);
  await within((tx) => restoreGroup(tx, ada, { groupId: group.id }));
  await follow();
  expect(await seen()).toEqual([1, 1, 1]);
});

test("group change reindexes only the documents it affects", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { name: "Beds" });
  const { id } = await createTestDiscussion(database, mira, group.id, { title: "Salsify", body: "Salsify." });
  await follow();
  const filed = async () =>
    (await one(db, sql<{ version: string }>`select version from search_documents where id = ${id}`)).version;
  const before = await filed();
  await within((tx) =>
    updateGroup(tx, tomas, { groupId: group.id, purpose: "Beds, and what grows in them." }),
  );
  await follow();
  expect(await filed()).toBe(before);
  await within((tx) =>
    updateGroup(tx, tomas, { groupId: group.id, visibility: "private", joinPolicy: "request" }),
  );
  await follow();
  expect(await filed()).not.toBe(before);
});

test("reindex runs in batches over existing documents and resumes after an interruption", async () => {
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
        select gen_random_uuid(), ${id}, n, ${tomas.id}, '', '<p>Kohlrabi ' || n || '</p>', now() from generate_series(2, 1301) n`,
  );
  await search.filing.beginAgain();
  await search.filing.finish();
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
  await search.filing.beginAgain();
  const counts: number[] = [];
  const shares: string[] = [];
  await search.filing.finish((progress) => {
    shares.push(progress.map(({ filed }) => filed).join());
    counts.push(1);
  });
  expect(counts.length).toBeGreaterThan(6);
  expect(await found(mira, "kohlrabi")).toBe(1300);
  // After an interruption, documents already indexed are not indexed again.
  await search.filing.beginAgain();
  await expect(
    search.filing.finish((progress) => {
      if (progress.some(({ index, filed }) => index === "posts" && filed >= 500))
        throw new Error("broken off");
    }),
  ).rejects.toThrow("broken off");
  expect(await found(mira, "kohlrabi")).toBe(1300);
  const before = (await search.filing.progress()).find(({ index }) => index === "posts")!.filed;
  await openSearch({ database }).filing.finish();
  const after = (await search.filing.progress()).find(({ index }) => index === "posts")!;
  expect([before < after.filed, after]).toEqual([true, { index: "posts", filed: 1300, finished: true }]);
});

test("document that fails to index does not block others", async () => {
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
  const filing = new Filing({ database, engine: broken });
  for (const { payload } of await many(
    db,
    sql<{ payload: DomainEvent }>`select payload from outbox order by id`,
  ))
    await filing.react(payload);
  await filing.finish();
  expect(await filing.waiting()).toBe(0);
  const both = async () => [
    await found(mira, "good one", "discussions"),
    await found(mira, "bad one", "discussions"),
  ];
  expect(await both()).toEqual([1, 0]);
  // A document rolled back and indexed again counts once: titles of discussions are those of their first
  // posts.
  expect(await one(db, sql`select documents from search_words where word = 'good'`)).toEqual({
    documents: 2,
  });
  // It does not block a reindex either, and its old document does not survive that.
  await search.filing.beginAgain();
  await search.filing.finish();
  expect(await both()).toEqual([1, 1]);
  await filing.beginAgain();
  await filing.finish();
  expect(await both()).toEqual([1, 0]);
});

test("any text can be indexed: astral characters, endless signs and files of long words", async () => {
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
    sql`update resources set body_html = (select string_agg(repeat('ა', 42) || translate(n::text, '0123456789', 'ბგდევზთიკლ'), ' ') from generate_series(100000, 107999) n) where id = ${long}`,
  );
  const { id: cut } = await within((tx) =>
    addDocument(tx, mira, { title: "Yarrow, cut", body: "Words.", ...document }),
  );
  await run(db, sql`update resources set body_html = 'x' || repeat('🌱', 500000) where id = ${cut}`);
  await search.filing.beginAgain();
  await search.filing.finish();
  expect([
    await found(mira, "yarrow"),
    await found(mira, "yarrow", "resources"),
    await found(mira, `a${"𞤀".repeat(30)}`),
  ]).toEqual([2, 2, 1]);
});

test("few long documents are read at once", async () => {
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
  const filing = new Filing({ database, engine });
  await filing.beginAgain();
  await filing.finish();
  expect(together.toSorted((a, b) => b - a)).toEqual([10, 2]);
});

test("removed documents take their words out of the vocabulary unless others contain them", async () => {
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
  await search.filing.react({ type: "post.deleted", postId: reply.id, discussionId: id, groupId: group.id });
  await search.filing.finish();
  expect(await words()).toEqual(["bed", "beds", "kohlrabi"]);
  expect([await found(mira, "kohlraby"), await found(mira, "salsfy")]).toEqual([1, 0]);
});

test("discussion is indexed in its own language, and again when that changes", async () => {
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

import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { startConversation } from "#community/conversations";
import { blockPerson } from "#community/friends";
import { reply } from "#community/discussions";
import { addComment, addDocument } from "#community/resources";
import type { Viewer } from "#community/rules";
import { createTestDiscussion, createTestGroup } from "../../../test/support/test-users.ts";
import { createSearch } from "./index.ts";
import {
  database,
  within,
  people,
  search,
  indexEverything,
  searchPosts,
  searchTitles,
  replaceSearch,
} from "../../../test/support/search/engine-setup.ts";

test("members find people by part of their name, unless the person opted out", async () => {
  const { mira, noor, guest } = people;
  await run(
    database.db,
    sql`update people set display_name = 'Mira Lindqvist', bio_html = '<p>Keeps <b>axolotls</b>.</p>'
      where id = ${mira.id}`,
  );
  await indexEverything();
  const names = async (viewer: Viewer, words: string) =>
    (await searchPosts(viewer, words, { index: "people" })).hits.map(({ document }) => document.names);
  for (const words of ["mira", "lind", "lindqist", "qvist mira".slice(6), "mir lin", "axolotl"])
    expect([words, await names(noor, words)]).toEqual([words, ["mira"]]);
  expect(await names(guest, "mira")).toEqual([]);
  // Indexed content does not outlive a privacy change.
  await run(database.db, sql`update people set privacy = '{"bio":"friends"}' where id = ${mira.id}`);
  expect(await names(noor, "axolotl")).toEqual([]);
  await indexEverything();
  expect([await names(noor, "axolotl"), await names(noor, "lind")]).toEqual([[], ["mira"]]);
  await run(database.db, sql`update people set privacy = '{"inDirectory":false}' where id = ${mira.id}`);
  expect([await names(noor, "lind"), await names(mira, "lind")]).toEqual([[], ["mira"]]);
  await run(database.db, sql`update people set privacy = '{}' where id = ${mira.id}`);
  await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
  expect([await names(noor, "lind"), await names(mira, "noor")]).toEqual([[], []]);
});

test("messages of a conversation are found only by its participants", async () => {
  const { mira, tomas, noor, ada, guest } = people;
  await run(database.db, sql`update people set privacy = '{"messages":"everyone"}'`);
  await within((tx) =>
    startConversation(tx, mira, { to: ["tomas"], name: "", body: "The key is under the flowerpot." }),
  );
  await run(database.db, sql`update participants set state = 'accepted'`);
  await indexEverything();
  const countMessages = async (viewer: Viewer) =>
    (await searchPosts(viewer, "flowerpot", { index: "messages" })).total;
  expect([await countMessages(mira), await countMessages(tomas)]).toEqual([1, 1]);
  expect([await countMessages(noor), await countMessages(ada), await countMessages(guest)]).toEqual([
    0, 0, 0,
  ]);
  await run(
    database.db,
    sql`insert into hidden_messages (person_id, message_id, hidden_at) select ${tomas.id}, id, now()
      from messages`,
  );
  expect([await countMessages(mira), await countMessages(tomas)]).toEqual([1, 0]);
});

test("a file is found by its text, with the page number", async () => {
  const { mira } = people;
  const document = { why: "", tags: [], language: "en", licence: "" };
  const { id } = await within((tx) =>
    addDocument(tx, mira, { title: "Manual", body: "Words of its own.", ...document }),
  );
  await indexEverything();
  await run(
    database.db,
    sql`update search_documents
      set body = 'Why.' || E'\f' || repeat('Page one. ',
        5000) || E'\fOn the second the gasket is shown.\fThird', words = '''gasket'':9' where id = ${id}`,
  );
  const [hit] = (await searchPosts(mira, "gasket", { index: "resources" })).hits;
  expect([
    hit!.page,
    hit!.excerpt.text.slice(hit!.excerpt.marks[0]!.from, hit!.excerpt.marks[0]!.to),
  ]).toEqual([2, "gasket"]);
  expect(hit!.document.body.length).toBeLessThanOrEqual(32_000);
});

test("any text is accepted as a query, and nonsense finds nothing", async () => {
  const texts = [
    "",
    "   ",
    "%",
    "'",
    "a & | !",
    "((",
    ":*",
    "\\",
    "\0",
    "a\0b",
    "<->",
    "日本 語",
    "🌱",
    "'; drop table people",
    "½ ﷺ İ ŉ",
    "\ud800",
    "-",
    '"',
  ];
  for (const words of [...texts, "x".repeat(100_000), "a ".repeat(50_000)])
    for (const index of ["all", "people"] as const) {
      const query = {
        index,
        phrases: [words],
        without: [words],
        facets: [words],
        except: words,
        offset: 1e9,
        length: -1,
      };
      expect(await searchPosts(people.mira, words, query)).toMatchObject({ hits: [] });
    }
});

test("long texts are read in small batches, and only as far as they are returned", async () => {
  const document = { body: "Words.", why: "", tags: [], language: "en", licence: "" };
  const ids: string[] = [];
  for (let n = 0; n < 30; n++)
    ids.push((await within((tx) => addDocument(tx, people.mira, { title: `Manual ${n}`, ...document }))).id);
  await indexEverything();
  await run(
    database.db,
    sql`update search_documents set body = repeat('gasket ', 20000) where in_index = 'resources'`,
  );
  const [first] = await search.engine.get(people.mira, "resources", ids);
  expect(first!.body.length).toBe(32_000);
  const whole = watching(", s.body as body");
  replaceSearch(createSearch({ database, reading: whole.reading }));
  const of = (words: string) => searchPosts(people.mira, words, { index: "resources", length: 100 });
  expect([(await of("")).hits.length, whole.times]).toEqual([30, 0]);
  expect([(await of("manual")).hits.length, whole.times]).toEqual([30, 2]);
});

test("results do not reveal whether a word exists in content the viewer cannot read", async () => {
  const { mira, noor } = people;
  const open = await createTestGroup(database, people, { name: "Beds" });
  const shut = await createTestGroup(database, people, { name: "Closed", visibility: "secret" });
  const titles = [
    "Bankrupt soil one",
    "Bankrupt soil two",
    "Bank ruptcy",
    ...Array.from({ length: 5 }, (_, n) => `Soil ${n}`),
    "A berket",
  ];
  for (const title of titles)
    await createTestDiscussion(database, mira, open.id, { title, body: "Nothing more." });
  await indexEverything();
  const felt = async () => [
    (await searchTitles(noor, "bankruptcy")).toSorted(),
    (await searchTitles(noor, "soil barket", { needed: "any", prefix: "none", length: 50 })).toSorted(),
  ];
  const before = await felt();
  await createTestDiscussion(database, mira, shut.id, { title: "Bankruptcy", body: "And a barket." });
  await indexEverything();
  expect(await felt()).toEqual(before);
  replaceSearch(createSearch({ database }));
  expect(await felt()).toEqual(before);
});

test("the use count of a resource includes only uses that every reader of the resource may read", async () => {
  const { mira, noor } = people;
  const document = { body: "Words.", why: "", tags: [], language: "en", licence: "" };
  const { id } = await within((tx) => addDocument(tx, mira, { title: "Manual", ...document }));
  const use = async (group: { id: string }) => {
    const { postId } = await createTestDiscussion(database, mira, group.id, { title: "Look there" });
    await run(database.db, sql`insert into resource_uses (resource_id, post_id) values (${id}, ${postId})`);
    await indexEverything();
    return (await searchPosts(noor, "manual", { index: "resources" })).hits[0]!.document.likes;
  };
  expect(await use(await createTestGroup(database, people, { name: "Closed", visibility: "secret" }))).toBe(
    0,
  );
  expect(await use(await createTestGroup(database, people, { name: "Beds" }))).toBe(1);
});

/**
 * Connections that count statements containing these words; with a fault given, those statements time out.
 */
function watching(words: string, fault: Error | null = null) {
  const asked = { times: 0, reading: database.db };
  asked.reading = {
    async query(text, values) {
      if (text.includes(words)) {
        asked.times += 1;
        if (fault) throw fault;
      }
      return database.db.query(text, values);
    },
  };
  return asked;
}

const TOO_LONG = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });

test("the vocabulary is loaded without the short statement timeout", async () => {
  const group = await createTestGroup(database, people);
  await createTestDiscussion(database, people.mira, group.id, { title: "Quince jelly" });
  replaceSearch(createSearch({ database, reading: watching("search_words", TOO_LONG).reading }));
  await indexEverything();
  expect(await searchTitles(people.mira, "quinse")).toEqual(["Quince jelly"]);
});

test("a query that times out is not retried with other words", async () => {
  const group = await createTestGroup(database, people);
  await createTestDiscussion(database, people.mira, group.id, { title: "Quince jelly" });
  await indexEverything();
  const slow = watching("found as materialized", TOO_LONG);
  replaceSearch(createSearch({ database, reading: slow.reading }));
  const found = await searchPosts(people.mira, "quinse jellie today", { needed: "all-or-fewer-last" });
  expect([found.hits, found.exhaustive.total, slow.times]).toEqual([[], false, 1]);
});

test("an access token finds only what its areas contain", async () => {
  const { mira } = people;
  const { id: groupId } = await createTestGroup(database, people, { name: "Quince growers" });
  const { id: discussionId } = await createTestDiscussion(database, mira, groupId, { title: "Quince jelly" });
  const { id: resourceId } = await within((tx) =>
    addDocument(tx, mira, {
      title: "Quince manual",
      body: "Words.",
      why: "",
      tags: [],
      language: "en",
      licence: "",
    }),
  );
  await within((tx) => addComment(tx, mira, { resourceId, body: "Quince is sour." }));
  await within((tx) => reply(tx, mira, { discussionId, body: "More quince." }));
  await run(database.db, sql`update people set display_name = 'Quince' where id = ${mira.id}`);
  await indexEverything();
  const found = async (scopes?: readonly string[], groupIds?: readonly string[]) => {
    const viewer = { ...mira, ...(scopes && { scopes }), ...(groupIds && { groupIds }) };
    const { hits } = await searchPosts(viewer, "quince", { index: "all" });
    const kinds = hits.map(({ document: { type, kind } }) => (type === "posts" ? kind : type));
    return [...new Set(kinds)].toSorted();
  };
  expect(await found(["discussions:read"])).toEqual(["discussions", "post"]);
  expect(await found(["resources:write"])).toEqual(["comment", "resources"]);
  expect(await found(["groups:read"])).toEqual(["groups"]);
  expect(await found(["profile:read"])).toEqual(["people"]);
  expect(await found(["messages:read", "events:read", "moderation:write"])).toEqual([]);
  const areas = ["discussions:read", "groups:read", "profile:read", "resources:read", "messages:read"];
  expect(await found(areas, [groupId])).toEqual(["discussions", "groups", "post"]);
  expect(await found(areas, [discussionId])).toEqual([]);
  expect(await found()).toEqual(["comment", "discussions", "groups", "people", "post", "resources"]);
});

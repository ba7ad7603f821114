import { beforeEach, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { startConversation } from "#community/conversations";
import { block } from "#community/friends";
import { addDocument } from "#community/resources";
import type { Viewer } from "#community/rules";
import { aDiscussion, aGroup, aReply, cast, type Cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { type Filter, openSearch, type Query, type Search } from "./index.ts";

const database = await testDatabase();
const { inTransaction: within, clock } = database;
let people: Cast;
let search: Search;
beforeEach(async () => {
  people = await cast(database);
  search = openSearch({ database });
});

const fileAll = async () => {
  await search.filing.beginAgain();
  await search.filing.finish();
};
const ask = (viewer: Viewer, words: string, query: Partial<Query> = {}) =>
  search.engine.search(viewer, { index: "posts", words, ...query });
const titles = async (viewer: Viewer, words: string, query: Partial<Query> = {}) =>
  (await ask(viewer, words, { index: "discussions", ...query })).hits.map(({ document }) => document.title);

test("what was meant is found: forms of words, slips, accents, scripts without spaces", async () => {
  const group = await aGroup(database, people, { name: "Gärten" });
  const said = [
    "Watering tomatoes in July",
    "A tomato for the balcony",
    "Tomatenhaus im Garten",
    "東京の庭について",
    "Wasser sparen in Gärten",
  ];
  for (const title of [...said, "The rainwater butt", "Œuvres et jardins d’été", "الحديقة في الصيف"])
    await aDiscussion(database, people.mira, group.id, { title, body: "Nothing more." });
  await fileAll();
  const expected: Record<string, string[]> = {
    wateri: ["Watering tomatoes in July"],
    tomato: ["A tomato for the balcony", "Watering tomatoes in July", "Tomatenhaus im Garten"],
    "tomatoes balcony": ["A tomato for the balcony"],
    tomatos: ["Watering tomatoes in July", "A tomato for the balcony"],
    wattering: ["Watering tomatoes in July"],
    "WATERING july": ["Watering tomatoes in July"],
    garten: ["Wasser sparen in Gärten", "Tomatenhaus im Garten"],
    gaerten: ["Wasser sparen in Gärten", "Tomatenhaus im Garten"],
    庭: ["東京の庭について"],
    東京: ["東京の庭について"],
    京東: [],
    "oeuvre jardin": ["Œuvres et jardins d’été"],
    dete: ["Œuvres et jardins d’été"],
    حديقه: ["الحديقة في الصيف"],
    "rain water": ["The rainwater butt"],
    "tomato july balcony": [],
    zzzz: [],
  };
  for (const [words, wanted] of Object.entries(expected))
    expect([words, (await titles(people.mira, words)).toSorted()]).toEqual([words, wanted.toSorted()]);

  // Which of the words are needed, and how, is said by the question.
  const exactly = { typos: false };
  expect(await titles(people.mira, "tomato zzzz", { needed: "all-or-fewer-last", ...exactly })).toHaveLength(2);
  expect(await titles(people.mira, "zzzz tomato", { needed: "all-or-fewer-first", ...exactly })).toHaveLength(2);
  expect(await titles(people.mira, "zzzz tomato", { needed: "all-or-any", ...exactly })).toHaveLength(2);
  expect(await titles(people.mira, "july balcony", { needed: "any" })).toHaveLength(2);
  expect(await titles(people.mira, "tomat", { prefix: "none", ...exactly })).toEqual([]);
  expect(await titles(people.mira, "wattering", exactly)).toEqual([]);
  expect(await titles(people.mira, "wat jul", { prefix: "all" })).toEqual(["Watering tomatoes in July"]);
  expect(await titles(people.mira, "watering", { within: ["body"] })).toEqual([]);
  expect(await titles(people.mira, "tomato", { phrases: ["tomato for"], ...exactly })).toEqual(["A tomato for the balcony"]);
  expect(await titles(people.mira, "tomato", { phrases: ["for tomato"] })).toEqual([]);
  expect(await titles(people.mira, "tomato", { without: ["July"], ...exactly })).toEqual(["A tomato for the balcony"]);
});

test("the best comes first: without slips, in the title, to the letter, near each other, liked, late", async () => {
  const { mira } = people;
  const group = await aGroup(database, people);
  const post = async (title: string, body: string) => (await aDiscussion(database, mira, group.id, { title, body })).postId;
  const order = async (words: string, ...ids: string[]) => {
    const { hits } = await ask(mira, words);
    expect(hits.map(({ document }) => ids.indexOf(document.objectID))).toEqual(ids.map((_, i) => i));
  };
  const far = await post("One of many", `Kale is good. ${"Then we talked of other things. ".repeat(20)} The soup was hot.`);
  const near = await post("Another of many", "There was kale soup for all.");
  const inTitle = await post("Kale soup as we make it", "Here it is.");
  const begun = await post("A third of many", "Kale soupspoons are many.");
  const slip = await post("A fourth one", "Kalle soup came.");
  await fileAll();
  await order("kale soup", inTitle, near, far, begun, slip);
  // Of two that are alike, what is liked more and what is newer.
  const [older, newer] = [await post("Beans one", "Lovage!"), (clock.pass(86_400_000), await post("Beans two", "Lovage!"))];
  await fileAll();
  await order("lovage", newer, older);
  for (const person of [people.tomas, people.ines, people.ada])
    await run(database.db, sql`insert into reactions (post_id, person_id, emoji, created_at) values (${older}, ${person.id}, '👍', now())`);
  await fileAll();
  await order("lovage", older, newer);
  const latest = await ask(mira, "lovage", { sort: { by: "createdAt", descending: true } });
  expect(latest.hits.map(({ document }) => document.objectID)).toEqual([newer, older]);
});

test("a hit says where the words stand, and leads to the very post", async () => {
  const { mira } = people;
  const group = await aGroup(database, people, { name: "Beds" });
  const { id, postId } = await aDiscussion(database, mira, group.id, {
    title: "Über Gärten",
    body: `${"Vorher. ".repeat(90)}Die *Gärten* sind schön, und im Gartenhaus.`,
  });
  await fileAll();
  const [hit] = (await ask(mira, "garten")).hits;
  const cut = (text: string, marks: { from: number; to: number }[]) => marks.map(({ from, to }) => text.slice(from, to));
  expect(hit!.document).toMatchObject({
    objectID: postId,
    discussionId: id,
    title: "Über Gärten",
    groupName: "Beds",
    authorName: "Mira",
    url: `/posts/${postId}`,
    isPublic: true,
  });
  expect(cut(hit!.document.title, hit!.marks.title)).toEqual(["Gärten"]);
  expect(cut(hit!.document.body, hit!.marks.body)).toEqual(["Gärten", "Garten"]);
  expect(cut(hit!.excerpt.text, hit!.excerpt.marks)).toEqual(["Gärten", "Garten"]);
  expect(hit!.excerpt).toMatchObject({ cutBefore: true, cutAfter: false });
  expect(hit!.excerpt.text.length).toBeLessThan(260);
  expect(hit!.ranking).toMatchObject({ typos: 0, inTitle: true });
  const [slipped] = (await ask(mira, "gaerten")).hits;
  expect([slipped!.ranking.typos, cut(slipped!.document.title, slipped!.marks.title)]).toEqual([1, ["Gärten"]]);
});

test("conditions narrow, and values are counted among what is found", async () => {
  const { mira, tomas } = people;
  const beds = await aGroup(database, people, { name: "Beds" });
  const bees = await aGroup(database, people, { name: "Bees", visibility: "private" });
  const one = await aDiscussion(database, mira, beds.id, {
    title: "About clover",
    body: "See https://example.org for clover.",
    tags: "clover, lawn",
  });
  await aReply(database, tomas, one.id, { body: "Clover it is." });
  clock.pass(86_400_000);
  await aDiscussion(database, tomas, bees.id, { title: "Clover for bees", body: "Clover.", tags: "clover" });
  await fileAll();
  const count = async (filter: Filter, viewer: Viewer = mira) => (await ask(viewer, "clover", { filter })).total;
  const clockAt = Math.floor(clock.at.getTime() / 1000);
  const cases: [Filter, number][] = [
    [{ facet: "groupName", value: "BEDS" }, 2],
    [{ facet: "groupId", value: bees.id }, 1],
    [{ facet: "groupId", value: "no id" }, 0],
    [{ facet: "authorId", value: tomas.id }, 2],
    [{ facet: "authorName", value: "mira" }, 1],
    [{ facet: "tags", value: "Clover" }, 2],
    [{ not: { facet: "tags", value: "clover" } }, 1],
    [{ facet: "has", value: "link" }, 1],
    [{ facet: "is", value: "opening" }, 2],
    [{ facet: "isPublic", value: "true" }, 2],
    [{ facet: "nothing", value: "x" }, 0],
    [{ not: { facet: "nothing", value: "x" } }, 3],
    [{ number: "createdAt", is: ">=", to: clockAt }, 1],
    [{ number: "createdAt", is: "<", to: 1e300 }, 3],
    [{ number: "number", is: "=", to: 2 }, 1],
    [{ number: "constructor", is: "=", to: 2 }, 0],
    [
      {
        or: [
          { facet: "tags", value: "lawn" },
          { number: "number", is: "!=", to: 1 },
        ],
      },
      2,
    ],
    [{ and: [] }, 3],
    [{ or: [] }, 0],
    [{ or: Array.from({ length: 2_000 }, () => ({ facet: "tags", value: "clover" })) }, 0],
    [{ own: "unread" }, 2],
  ];
  for (const [filter, wanted] of cases)
    expect([JSON.stringify(filter).slice(0, 80), await count(filter)]).toEqual([JSON.stringify(filter).slice(0, 80), wanted]);
  expect(await count({ own: "unread" }, people.guest)).toBe(0);
  const { facets, stats } = await ask(mira, "clover", { facets: ["tags", "groupName", "number", "nonsense"], length: 0 });
  expect(facets).toEqual({
    tags: [
      { value: "clover", count: 2 },
      { value: "lawn", count: 1 },
    ],
    groupName: [
      { value: "Beds", count: 2 },
      { value: "Bees", count: 1 },
    ],
    number: [
      { value: "1", count: 2 },
      { value: "2", count: 1 },
    ],
  });
  expect(stats).toEqual({ number: { min: 1, max: 2, avg: 4 / 3, sum: 4 } });
  expect(
    await search.engine.facet(people.noor, { facet: "groupName", begins: "bee", most: 5, of: { index: "posts", words: "" } }),
  ).toMatchObject({ values: [] });
  expect(
    await search.engine.facet(mira, { facet: "tags", begins: "clovr", most: 5, of: { index: "discussions", words: "" } }),
  ).toMatchObject({ values: [{ value: "clover", count: 2 }] });
  expect((await ask(mira, "clover", { distinct: true })).total).toBe(2);
});

test("people are found by a part of their name, by members, unless they do not want to be", async () => {
  const { mira, noor, guest } = people;
  await run(
    database.db,
    sql`update people set display_name = 'Mira Lindqvist', bio_html = '<p>Keeps <b>axolotls</b>.</p>' where id = ${mira.id}`,
  );
  await fileAll();
  const names = async (viewer: Viewer, words: string) =>
    (await ask(viewer, words, { index: "people" })).hits.map(({ document }) => document.names);
  for (const words of ["mira", "lind", "lindqist", "qvist mira".slice(6), "mir lin", "axolotl"])
    expect([words, await names(noor, words)]).toEqual([words, ["mira"]]);
  expect(await names(guest, "mira")).toEqual([]);
  // What was filed does not outlive what is wanted now.
  await run(database.db, sql`update people set privacy = '{"bio":"friends"}' where id = ${mira.id}`);
  expect(await names(noor, "axolotl")).toEqual([]);
  await fileAll();
  expect([await names(noor, "axolotl"), await names(noor, "lind")]).toEqual([[], ["mira"]]);
  await run(database.db, sql`update people set privacy = '{"inDirectory":false}' where id = ${mira.id}`);
  expect([await names(noor, "lind"), await names(mira, "lind")]).toEqual([[], ["mira"]]);
  await run(database.db, sql`update people set privacy = '{}' where id = ${mira.id}`);
  await within((tx) => block(tx, mira, { personId: noor.id }));
  expect([await names(noor, "lind"), await names(mira, "noor")]).toEqual([[], []]);
});

test("messages are found by those in the conversation, and by nobody else", async () => {
  const { mira, tomas, noor, ada, guest } = people;
  await run(database.db, sql`update people set privacy = '{"messages":"everyone"}'`);
  await within((tx) => startConversation(tx, mira, { to: ["tomas"], name: "", body: "The key is under the flowerpot." }));
  await run(database.db, sql`update participants set state = 'accepted'`);
  await fileAll();
  const heard = async (viewer: Viewer) => (await ask(viewer, "flowerpot", { index: "messages" })).total;
  expect([await heard(mira), await heard(tomas)]).toEqual([1, 1]);
  expect([await heard(noor), await heard(ada), await heard(guest)]).toEqual([0, 0, 0]);
  await run(database.db, sql`insert into hidden_messages (person_id, message_id, hidden_at) select ${tomas.id}, id, now() from messages`);
  expect([await heard(mira), await heard(tomas)]).toEqual([1, 0]);
});

test("a file is found by what it says, with the page", async () => {
  const { mira } = people;
  const document = { why: "", tags: [], language: "en", licence: "" };
  const { id } = await within((tx) => addDocument(tx, mira, { title: "Manual", body: "Words of its own.", ...document }));
  await fileAll();
  await run(
    database.db,
    sql`update search_documents set body = 'Why.' || E'\f' || repeat('Page one. ', 5000) || E'\fOn the second the gasket is shown.\fThird', words = '''gasket'':9' where id = ${id}`,
  );
  const [hit] = (await ask(mira, "gasket", { index: "resources" })).hits;
  expect([hit!.page, hit!.excerpt.text.slice(hit!.excerpt.marks[0]!.from, hit!.excerpt.marks[0]!.to)]).toEqual([2, "gasket"]);
  expect(hit!.document.body.length).toBeLessThanOrEqual(32_000);
});

test("any text is taken, and what makes no sense finds nothing", async () => {
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
      const query = { index, phrases: [words], without: [words], facets: [words], except: words, offset: 1e9, length: -1 };
      expect(await ask(people.mira, words, query)).toMatchObject({ hits: [] });
    }
});

test("of long texts few are held at once, and of each as much as goes out", async () => {
  const document = { body: "Words.", why: "", tags: [], language: "en", licence: "" };
  const ids: string[] = [];
  for (let n = 0; n < 30; n++) ids.push((await within((tx) => addDocument(tx, people.mira, { title: `Manual ${n}`, ...document }))).id);
  await fileAll();
  await run(database.db, sql`update search_documents set body = repeat('gasket ', 20000) where in_index = 'resources'`);
  const [first] = await search.engine.get(people.mira, "resources", ids);
  expect(first!.body.length).toBe(32_000);
  const whole = watching(", s.body as body");
  search = openSearch({ database, reading: whole.reading });
  const of = (words: string) => ask(people.mira, words, { index: "resources", length: 100 });
  expect([(await of("")).hits.length, whole.times]).toEqual([30, 0]);
  expect([(await of("manual")).hits.length, whole.times]).toEqual([30, 2]);
});

test("whether a word stands where one does not read is not to be felt: the same is found, with it there or not", async () => {
  const { mira, noor } = people;
  const open = await aGroup(database, people, { name: "Beds" });
  const shut = await aGroup(database, people, { name: "Closed", visibility: "secret" });
  const said = ["Bankrupt soil one", "Bankrupt soil two", "Bank ruptcy", ...Array.from({ length: 5 }, (_, n) => `Soil ${n}`), "A berket"];
  for (const title of said) await aDiscussion(database, mira, open.id, { title, body: "Nothing more." });
  await fileAll();
  const felt = async () => [
    (await titles(noor, "bankruptcy")).toSorted(),
    (await titles(noor, "soil barket", { needed: "any", prefix: "none", length: 50 })).toSorted(),
  ];
  const before = await felt();
  await aDiscussion(database, mira, shut.id, { title: "Bankruptcy", body: "And a barket." });
  await fileAll();
  expect(await felt()).toEqual(before);
  search = openSearch({ database });
  expect(await felt()).toEqual(before);
});

test("how often a resource is used counts where whoever sees it reads", async () => {
  const { mira, noor } = people;
  const document = { body: "Words.", why: "", tags: [], language: "en", licence: "" };
  const { id } = await within((tx) => addDocument(tx, mira, { title: "Manual", ...document }));
  const use = async (group: { id: string }) => {
    const { postId } = await aDiscussion(database, mira, group.id, { title: "Look there" });
    await run(database.db, sql`insert into resource_uses (resource_id, post_id) values (${id}, ${postId})`);
    await fileAll();
    return (await ask(noor, "manual", { index: "resources" })).hits[0]!.document.likes;
  };
  expect(await use(await aGroup(database, people, { name: "Closed", visibility: "secret" }))).toBe(0);
  expect(await use(await aGroup(database, people, { name: "Beds" }))).toBe(1);
});

/** Connections on which statements that say this are counted, and take too long where a fault is given. */
function watching(words: string, fault: Error | null = null) {
  const asked = { times: 0, reading: database.db };
  asked.reading = database.db.withPlugin({
    transformQuery({ node }) {
      if (!textIn(node).includes(words)) return node;
      asked.times += 1;
      if (fault) throw fault;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return asked;
}

type Node = { sqlFragments?: readonly string[]; parameters?: readonly unknown[] };
const textIn = (node: unknown): string => {
  const { sqlFragments = [], parameters = [] } = node as Node;
  return sqlFragments.map((text, i) => text + (typeof parameters[i] === "object" && parameters[i] ? textIn(parameters[i]) : "")).join("");
};
const TOO_LONG = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });

test("all words are read on connections that have the time for it", async () => {
  const group = await aGroup(database, people);
  await aDiscussion(database, people.mira, group.id, { title: "Quince jelly" });
  search = openSearch({ database, reading: watching("search_words", TOO_LONG).reading });
  await fileAll();
  expect(await titles(people.mira, "quinse")).toEqual(["Quince jelly"]);
});

test("a question that takes too long is not asked again in other words", async () => {
  const group = await aGroup(database, people);
  await aDiscussion(database, people.mira, group.id, { title: "Quince jelly" });
  await fileAll();
  const slow = watching("with found as materialized", TOO_LONG);
  search = openSearch({ database, reading: slow.reading });
  const found = await ask(people.mira, "quinse jellie today", { needed: "all-or-fewer-last" });
  expect([found.hits, found.exhaustive.total, slow.times]).toEqual([[], false, 1]);
});

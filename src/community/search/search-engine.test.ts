import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { createTestDiscussion, createTestGroup } from "../../../test/support/test-users.ts";
import type { Query } from "./index.ts";
import {
  database,
  clock,
  people,
  indexEverything,
  searchPosts,
  searchTitles,
} from "../../../test/support/search/engine-setup.ts";

test("search finds word stems, typos, accents and scripts without spaces", async () => {
  const group = await createTestGroup(database, people, { name: "Gärten" });
  const titles = [
    "Watering tomatoes in July",
    "A tomato for the balcony",
    "Tomatenhaus im Garten",
    "東京の庭について",
    "Wasser sparen in Gärten",
  ];
  for (const title of [...titles, "The rainwater butt", "Œuvres et jardins d’été", "الحديقة في الصيف"])
    await createTestDiscussion(database, people.mira, group.id, { title, body: "Nothing more." });
  await indexEverything();
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
    expect([words, (await searchTitles(people.mira, words)).toSorted()]).toEqual([words, wanted.toSorted()]);

  // The query defines which words are required.
  const exactly = { typos: false };
  expect(
    await searchTitles(people.mira, "tomato zzzz", { needed: "all-or-fewer-last", ...exactly }),
  ).toHaveLength(2);
  expect(
    await searchTitles(people.mira, "zzzz tomato", { needed: "all-or-fewer-first", ...exactly }),
  ).toHaveLength(2);
  expect(await searchTitles(people.mira, "zzzz tomato", { needed: "all-or-any", ...exactly })).toHaveLength(
    2,
  );
  expect(await searchTitles(people.mira, "july balcony", { needed: "any" })).toHaveLength(2);
  expect(await searchTitles(people.mira, "tomat", { prefix: "none", ...exactly })).toEqual([]);
  expect(await searchTitles(people.mira, "wattering", exactly)).toEqual([]);
  expect(await searchTitles(people.mira, "wat jul", { prefix: "all" })).toEqual([
    "Watering tomatoes in July",
  ]);
  expect(await searchTitles(people.mira, "watering", { within: ["body"] })).toEqual([]);
  expect(await searchTitles(people.mira, "tomato", { phrases: ["tomato for"], ...exactly })).toEqual([
    "A tomato for the balcony",
  ]);
  expect(await searchTitles(people.mira, "tomato", { phrases: ["for tomato"] })).toEqual([]);
  expect(await searchTitles(people.mira, "tomato", { without: ["July"], ...exactly })).toEqual([
    "A tomato for the balcony",
  ]);
});

test("query options control typos, stems and ignored words", async () => {
  const group = await createTestGroup(database, people);
  for (const title of [
    "Compost for roses",
    "Compist for roses",
    "Compsit for rose",
    "Campust for the roses",
    "Les roses et le jardin",
  ])
    await createTestDiscussion(database, people.mira, group.id, { title, body: "Nothing more." });
  await indexEverything();
  const found = async (words: string, query: Partial<Query>) =>
    (await searchTitles(people.mira, words, { prefix: "none", ...query })).toSorted();
  const [none, one, swapped, two] = [
    "Compost for roses",
    "Compist for roses",
    "Compsit for rose",
    "Campust for the roses",
  ];
  expect(await found("compost", { typos: true, typosFrom: { one: 3, two: 4 } })).toEqual(
    [two, one, none, swapped].toSorted(),
  );
  const typos = { typosFrom: { one: 3, two: 4 } };
  expect(await found("compost", { typos: "min", ...typos })).toEqual([none]);
  expect(await found("compost", { typos: "strict", ...typos })).toEqual([one, none].toSorted());
  expect(await found("campist", { typos: "min", ...typos })).toEqual([one, two].toSorted());
  const exactly = { typos: false } as const;
  expect(await found("compsit rose", exactly)).toEqual([swapped]);
  expect(await found("compist rose", exactly)).toEqual([one]);
  expect(await found("compsit roses", exactly)).toEqual([swapped]);
  expect(await found("compsit roses", { wordForms: false, ...exactly })).toEqual([]);
  expect(await found("compsit roses", { wordForms: ["en"], ...exactly })).toEqual([swapped]);
  expect(await found("compsit roses", { wordForms: ["ar"], ...exactly })).toEqual([]);
  expect(await found("compost with the roses", exactly)).toEqual([]);
  expect(await found("compost with the roses", { unasked: true, ...exactly })).toEqual([none]);
  expect(await found("compost with the roses", { unasked: ["de", "en"], ...exactly })).toEqual([none]);
  expect(await found("compost with the roses", { unasked: ["fr"], ...exactly })).toEqual([]);
  expect(await found("les roses dans le jardin", { unasked: ["fr"], ...exactly })).toEqual([
    "Les roses et le jardin",
  ]);
  // Stop words count when there is nothing else.
  expect(await found("the", { unasked: true, ...exactly })).toEqual([two]);
  expect(
    await searchTitles(people.mira, "roses for the", { unasked: true, prefix: "last", ...exactly }),
  ).toEqual([two]);
});

test("hits are ranked by typos, title, exactness, proximity, likes and date", async () => {
  const { mira } = people;
  const group = await createTestGroup(database, people);
  const post = async (title: string, body: string) =>
    (await createTestDiscussion(database, mira, group.id, { title, body })).postId;
  const order = async (words: string, ...ids: string[]) => {
    const { hits } = await searchPosts(mira, words);
    expect(hits.map(({ document }) => ids.indexOf(document.objectID))).toEqual(ids.map((_, i) => i));
  };
  const far = await post(
    "One of many",
    `Kale is good. ${"Then we talked of other things. ".repeat(20)} The soup was hot.`,
  );
  const near = await post("Another of many", "There was kale soup for all.");
  const inTitle = await post("Kale soup as we make it", "Here it is.");
  const prefixPost = await post("A third of many", "Kale soupspoons are many.");
  const typo = await post("A fourth one", "Kalle soup came.");
  await indexEverything();
  await order("kale soup", inTitle, near, far, prefixPost, typo);
  // Equal matches are ordered by likes, then newest first.
  const [older, newer] = [
    await post("Beans one", "Lovage!"),
    (clock.pass(86_400_000), await post("Beans two", "Lovage!")),
  ];
  await indexEverything();
  await order("lovage", newer, older);
  for (const person of [people.tomas, people.ines, people.ada])
    await run(
      database.db,
      sql`insert into reactions (post_id, person_id, emoji, created_at)
        values (${older}, ${person.id}, '👍', now())`,
    );
  await indexEverything();
  await order("lovage", older, newer);
  const latest = await searchPosts(mira, "lovage", { sort: { by: "createdAt", descending: true } });
  expect(latest.hits.map(({ document }) => document.objectID)).toEqual([newer, older]);
});

test("a hit has highlights and links to the exact post", async () => {
  const { mira } = people;
  const group = await createTestGroup(database, people, { name: "Beds" });
  const { id, postId } = await createTestDiscussion(database, mira, group.id, {
    title: "Über Gärten",
    body: `${"Vorher. ".repeat(90)}Die *Gärten* sind schön, und im Gartenhaus.`,
  });
  await indexEverything();
  const [hit] = (await searchPosts(mira, "garten")).hits;
  const cut = (text: string, marks: { from: number; to: number }[]) =>
    marks.map(({ from, to }) => text.slice(from, to));
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
  const [slipped] = (await searchPosts(mira, "gaerten")).hits;
  expect([slipped!.ranking.typos, cut(slipped!.document.title, slipped!.marks.title)]).toEqual([
    1,
    ["Gärten"],
  ]);
});

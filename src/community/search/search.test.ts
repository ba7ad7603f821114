import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { block } from "#community/friends";
import { aDiscussion, aGroup, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { search, similarDiscussions } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

test("finds by the beginnings of words what the viewer may see", async () => {
  const people = await cast(database);
  const { mira, noor, tomas, guest } = people;
  const group = await aGroup(database, people, { visibility: "private", name: "Miracle beds" });
  await aDiscussion(database, mira, group.id, { title: "A miraculous harvest" });
  const found = await search(db, mira, "  mira  ");
  expect([found.people.map((it) => it.username), found.groups.length, found.discussions.map((it) => it.title)]).toEqual([
    ["mira"],
    1,
    ["A miraculous harvest"],
  ]);
  expect(await search(db, noor, "mira")).toMatchObject({
    people: [{ username: "mira" }],
    groups: [{ name: "Miracle beds" }],
    discussions: [],
  });
  expect(await search(db, guest, "mira")).toMatchObject({ people: [], discussions: [] });
  await within((tx) => block(tx, mira, { personId: noor.id }));
  expect((await search(db, noor, "mira")).people).toEqual([]);
  expect((await search(db, mira, "noor")).people).toEqual([]);
  await run(db, sql`update people set privacy = '{"inDirectory":false}' where id = ${mira.id}`);
  expect((await search(db, tomas, "mira")).people).toEqual([]);
});

test.each(["", "   ", "%", "'", "a & | !", "((", ":*", "\\", "\0", "a\0b", "<->", "x".repeat(5_000), "日本 語", "🌱", "a ".repeat(3_000)])(
  "takes anything, such as %j",
  async (text) => {
    const { mira } = await cast(database);
    await expect(search(db, mira, text)).resolves.toBeDefined();
  },
);

test("finds what a new title would say again, as far as the viewer may read", async () => {
  const people = await cast(database);
  const { mira, noor, guest } = people;
  const group = await aGroup(database, people, { visibility: "private" });
  for (const title of ["Watering rota for July", "Watering in the rain", "Cake on Sunday", "Who has the watering rota?"])
    await aDiscussion(database, mira, group.id, { title });
  const titles = async (title: string) => (await similarDiscussions(db, mira, title)).map((it) => it.title);
  expect(await titles("Watering rota for the summer")).toEqual([
    "Who has the watering rota?",
    "Watering rota for July",
    "Watering in the rain",
  ]);
  expect(await titles("Watering cake sunday again tomorrow together")).toEqual(["Cake on Sunday"]);
  for (const nothing of ["", "a b c", "%%%% ' & | !", "zzzz"]) expect(await titles(nothing)).toEqual([]);
  expect(await similarDiscussions(db, noor, "Watering rota")).toEqual([]);
  expect(await similarDiscussions(db, guest, "Watering rota")).toEqual([]);
});

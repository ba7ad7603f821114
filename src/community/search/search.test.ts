import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { block } from "#community/friends";
import { aDiscussion, aGroup, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { search } from "./index.ts";

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

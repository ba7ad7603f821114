import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { getGroup, moveStartItem, addStartItem, listStartItems, removeStartItem } from "#community/groups";
import { deleteDiscussion, restoreDiscussion } from "#community/discussions";
import { addDocument } from "#community/resources";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  setMembership,
  createTestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const about = { why: "Read me.", tags: [], language: "en", licence: "" };

async function scene() {
  const people = await createTestUsers(database);
  const { tomas, mira } = people;
  const group = await createTestGroup(database, people, { visibility: "private" });
  const welcome = await createTestDiscussion(database, mira, group.id, { title: "Welcome, all" });
  const plan = await within((tx) =>
    addDocument(tx, mira, { title: "The plan", body: "Beds.", groupId: group.id, ...about }),
  );
  const add = (who: Viewer, address: string) =>
    within((tx) => addStartItem(tx, who, { groupId: group.id, address }));
  const lines = async (who: Viewer) => listStartItems(db, who, await getGroup(db, who, group.id));
  const titles = async (who: Viewer) => (await lines(who)).map(({ title }) => title);
  await add(tomas, `https://kith.test/discussions/${welcome.id}?page=2#post-21`);
  await add(tomas, `/resources/${plan.id}`);
  return { ...people, group, welcome, plan, add, lines, titles };
}

describe("Start here", () => {
  test("lists its items in the order that moderators set", async () => {
    const { tomas, mira, group, lines, titles } = await scene();
    expect(await lines(mira)).toMatchObject([
      { kind: "discussion", title: "Welcome, all", why: "" },
      { kind: "resource", title: "The plan", why: "Read me." },
    ]);
    const [first, second] = await lines(mira);
    const move = (who: Viewer, itemId: string, way: "up" | "down") =>
      within((tx) => moveStartItem(tx, who, { groupId: group.id, itemId, way }));
    await move(tomas, second!.id, "up");
    expect(await titles(mira)).toEqual(["The plan", "Welcome, all"]);
    await move(tomas, second!.id, "up");
    await move(tomas, first!.id, "down");
    expect(await titles(mira)).toEqual(["The plan", "Welcome, all"]);
    await expect(move(mira, first!.id, "up")).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(move(tomas, group.id, "up")).rejects.toMatchObject({ reason: "not-found" });
    const take = (who: Viewer, itemId: string) =>
      within((tx) => removeStartItem(tx, who, { groupId: group.id, itemId }));
    await expect(take(mira, first!.id)).rejects.toMatchObject({ reason: "not-allowed" });
    await take(tomas, first!.id);
    await expect(take(tomas, first!.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await titles(mira)).toEqual(["The plan"]);
  });

  test("accepts up to ten different items, from the group or without a group", async () => {
    const { tomas, mira, noor, add, titles, welcome, ...people } = await scene();
    const elsewhere = await createTestGroup(database, { tomas, mira }, { name: "Elsewhere" });
    const other = await createTestDiscussion(database, mira, elsewhere.id);
    for (const address of [
      `/discussions/${other.id}`,
      "/discussions/new",
      "https://example.org",
      `/resources/${welcome.id}`,
    ])
      await expect(add(tomas, address)).rejects.toMatchObject({
        reason: "invalid",
        fields: { address: expect.any(String) },
      });
    await expect(add(mira, `/discussions/${welcome.id}`)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(add(noor, `/discussions/${welcome.id}`)).rejects.toMatchObject({ reason: "not-allowed" });
    await add(tomas, `/discussions/${welcome.id}`);
    expect(await titles(mira)).toHaveLength(2);
    for (let i = 3; i <= 10; i++) {
      const { id } = await within((tx) =>
        addDocument(tx, mira, { title: `Text ${i}`, body: "All.", ...about }),
      );
      await add(tomas, `/resources/${id}`);
    }
    const more = await createTestDiscussion(database, mira, people.group.id, { title: "One too many" });
    await expect(add(tomas, `/discussions/${more.id}`)).rejects.toMatchObject({ reason: "conflict" });
  });

  test("has room for another item after an item was deleted", async () => {
    const { tomas, mira, group, welcome, plan, add, lines, titles } = await scene();
    const texts = [];
    for (let i = 3; i <= 10; i++) {
      const { id } = await within((tx) =>
        addDocument(tx, mira, { title: `Text ${i}`, body: "All.", ...about }),
      );
      texts.push(id);
      await add(tomas, `/resources/${id}`);
    }
    await within((tx) => deleteDiscussion(tx, tomas, { discussionId: welcome.id, reason: "Old." }));
    await run(db, sql`update resources set state = 'removed' where id = any(${[plan.id, texts[1]]}::uuid[])`);
    expect((await titles(tomas)).slice(0, 2)).toEqual(["Text 3", "Text 5"]);
    const [, five] = await lines(tomas);
    await within((tx) => moveStartItem(tx, tomas, { groupId: group.id, itemId: five!.id, way: "up" }));
    expect((await titles(tomas)).slice(0, 2)).toEqual(["Text 5", "Text 3"]);
    for (const title of ["New one", "New two", "New three"])
      await add(
        tomas,
        `/discussions/${(await createTestDiscussion(database, mira, group.id, { title })).id}`,
      );
    expect((await titles(tomas)).slice(-3)).toEqual(["New one", "New two", "New three"]);
    const more = await createTestDiscussion(database, mira, group.id, { title: "One too many" });
    await expect(add(tomas, `/discussions/${more.id}`)).rejects.toMatchObject({ reason: "conflict" });
    // A restored item returns to its position.
    await within((tx) => restoreDiscussion(tx, tomas, { discussionId: welcome.id, reason: "" }));
    expect((await titles(tomas))[0]).toBe("Welcome, all");
  });

  test("shows each viewer what they may read", async () => {
    const { noor, guest, group, welcome, plan, lines, titles } = await scene();
    await expect(lines(noor)).rejects.toMatchObject({ reason: "not-found" });
    database.clock.pass(1_000);
    await run(db, sql`update groups set history_policy = 'from_joining'`);
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    expect(await titles(noor)).toEqual([]);
    await run(db, sql`update groups set history_policy = 'shared', visibility = 'public'`);
    await run(db, sql`update discussions set audience = 'members' where id = ${welcome.id}`);
    expect([await titles(noor), await titles(guest)]).toEqual([["Welcome, all", "The plan"], ["The plan"]]);
    await run(db, sql`update resources set state = 'removed' where id = ${plan.id}`);
    expect(await titles(noor)).toEqual(["Welcome, all"]);
  });
});

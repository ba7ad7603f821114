import { describe, expect, test } from "vitest";
import type { Viewer } from "#community/rules";
import {
  createTestGroup,
  setMembership,
  type TestUsers,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  deleteGroup,
  getGroup,
  listGroups,
  joinGroup,
  leaveGroup,
  pinGroup,
  setNotifyLevel,
  unpinGroup,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const pin = (viewer: Viewer, groupId: string) => within((tx) => pinGroup(tx, viewer, { groupId }));
const mine = async (viewer: Viewer) =>
  (await listGroups(db, viewer, { tab: "mine" })).rows.map(({ name, pinned }) =>
    pinned ? `${name}!` : name,
  );

/** Groups with these names, of which Mira is a member. The last one was active last. */
async function several(people: TestUsers, names: string[]) {
  const groups = [];
  for (const name of names) {
    database.clock.pass(1000);
    groups.push(await createTestGroup(database, people, { name }));
  }
  return groups;
}

describe("pinned group", () => {
  test("comes first, but only in the list of the member who pinned it", async () => {
    const people = await createTestUsers(database);
    const [first, second] = await several(people, ["First", "Second", "Third"]);
    await pin(people.mira, first!.id);
    expect(await mine(people.mira)).toEqual(["First!", "Third", "Second"]);
    expect(await mine(people.tomas)).toEqual(["Third", "Second", "First"]);
    expect((await getGroup(db, people.tomas, first!.id)).pinned).toBe(false);
    await pin(people.mira, second!.id);
    await pin(people.mira, second!.id);
    expect(await mine(people.mira), "pinned ones among themselves as the rest").toEqual([
      "Second!",
      "First!",
      "Third",
    ]);
  });

  test("returns to its usual position once unpinned", async () => {
    const people = await createTestUsers(database);
    const [first] = await several(people, ["First", "Second"]);
    await pin(people.mira, first!.id);
    await within((tx) => unpinGroup(tx, people.mira, { groupId: first!.id }));
    expect(await mine(people.mira)).toEqual(["Second", "First"]);
  });

  test("must be a group of the viewer; for other groups the answer is not-found", async () => {
    const people = await createTestUsers(database);
    const open = await createTestGroup(database, people);
    const secret = await createTestGroup(database, people, { name: "Hollow", visibility: "secret" });
    await expect(pin(people.guest, open.id)).rejects.toMatchObject({ reason: "not-signed-in" });
    for (const { id } of [open, secret])
      await expect(pin(people.noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(pin(people.mira, "x")).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => deleteGroup(tx, people.tomas, { groupId: open.id, reason: "" }));
    await expect(pin(people.mira, open.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("loses its pin when the member leaves, even after a return", async () => {
    const people = await createTestUsers(database);
    const [first] = await several(people, ["First", "Second"]);
    await pin(people.mira, first!.id);
    await within((tx) => leaveGroup(tx, people.mira, { groupId: first!.id }));
    expect((await getGroup(db, people.mira, first!.id)).pinned).toBe(false);
    await within((tx) => joinGroup(tx, people.mira, { groupId: first!.id }));
    expect(await mine(people.mira)).toEqual(["Second", "First"]);
  });

  test("appears on the right page of a long list", async () => {
    const people = await createTestUsers(database);
    const groups = await several(
      people,
      Array.from({ length: 30 }, (_, i) => `Group ${i}`),
    );
    for (const at of [0, 1, 29]) await pin(people.mira, groups[at]!.id);
    const first = await listGroups(db, people.mira, { tab: "mine" });
    const second = await listGroups(db, people.mira, { tab: "mine", after: first.next! });
    const names = [...first.rows, ...second.rows].map((it) => it.name);
    expect(names.slice(0, 4)).toEqual(["Group 29", "Group 1", "Group 0", "Group 28"]);
    expect([names.length, new Set(names).size, second.next]).toEqual([30, 30, null]);
  });
});

test("a group shows each person whether they have muted the group", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  await within((tx) => setNotifyLevel(tx, people.noor, { groupId: group.id, level: "mute" }));
  const muted = async (viewer: Viewer) => (await getGroup(db, viewer, group.id)).muted;
  expect([await muted(people.noor), await muted(people.mira), await muted(people.guest)]).toEqual([
    true,
    false,
    false,
  ]);
  await within((tx) => leaveGroup(tx, people.noor, { groupId: group.id }));
  expect(await muted(people.noor)).toBe(false);
});

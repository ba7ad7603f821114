import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { defaultSettings } from "#community/settings";
import {
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  restoreGroup,
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  joinGroup,
  leaveGroup,
  leaveOwnedGroups,
  NewGroup,
  unarchiveGroup,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** Tomas is the only member and deactivates his account. */
async function closed(visibility: "public" | "private" = "public") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  await within((tx) => leaveGroup(tx, people.mira, { groupId: group.id }));
  await within((tx) => closes(tx, people.tomas));
  return { ...people, group, it: { groupId: group.id, reason: "" } };
}

async function closes(tx: Parameters<typeof leaveOwnedGroups>[0], viewer: SignedIn) {
  await leaveOwnedGroups(tx, viewer);
  await run(
    tx,
    sql`update people set state = 'deactivated', deactivated_at = ${tx.now} where id = ${viewer.id}`,
  );
}

describe("group whose owner deactivates their account", () => {
  test("becomes archived at once if there are no other members", async () => {
    const { noor, tomas, group, it } = await closed();
    expect(await getGroup(db, noor, group.id)).toMatchObject({ state: "archived" });
    expect((await listGroups(db, noor, { tab: "discover" })).rows.map(({ id }) => id)).not.toContain(
      group.id,
    );
    await expect(within((tx) => joinGroup(tx, noor, it))).rejects.toMatchObject({ reason: "not-allowed" });
    expect(
      await many(db, sql`select act, actor_id as by from audit_events where object_id = ${group.id}`),
    ).toEqual([{ act: "group.archived", by: tomas.id }]);
    expect(await listEmittedEvents(database)).toContain("group.archived");
  });

  test("can be unarchived by its owner after a return", async () => {
    const { tomas, noor, group, it } = await closed();
    await run(db, sql`update people set state = 'active', deactivated_at = null where id = ${tomas.id}`);
    await within((tx) => unarchiveGroup(tx, tomas, it));
    await within((tx) => joinGroup(tx, noor, it));
    expect(await getGroup(db, noor, group.id)).toMatchObject({ state: "active", viewerState: "member" });
  });

  test("gets deleted if it was awaiting approval", async () => {
    const people = await createTestUsers(database);
    const newcomer = await within((tx) => createPerson(tx, "newcomer", "member", "new"));
    const wish = NewGroup.parse({ name: "Kites", visibility: "public", joinPolicy: "open" });
    const site = {
      ...defaultSettings,
      whoCreatesGroups: "members" as const,
      newcomersGroups: "approval" as const,
    };
    const { id } = await within((tx) => createGroup(tx, newcomer, wish, site));
    await within((tx) => leaveOwnedGroups(tx, people.mira));
    expect(await many(db, sql`select state from groups where id = ${id}`)).toEqual([{ state: "pending" }]);
    await within((tx) => leaveOwnedGroups(tx, newcomer));
    expect(await many(db, sql`select state from groups where id = ${id}`)).toEqual([]);
  });

  test("needs a successor if there are other members but no other owner", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await expect(within((tx) => leaveOwnedGroups(tx, people.tomas))).rejects.toMatchObject({
      reason: "conflict",
    });
    await within((tx) => setMembership(tx, group.id, people.mira, "owner"));
    await within((tx) => leaveOwnedGroups(tx, people.tomas));
    expect(await getGroup(db, people.mira, group.id)).toMatchObject({ state: "active" });
  });
});

describe("archived group without an owner", () => {
  test("cannot be unarchived before it has an owner", async () => {
    const { ada, mira, group, it } = await closed();
    await expect(within((tx) => unarchiveGroup(tx, mira, it))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => unarchiveGroup(tx, ada, it))).rejects.toMatchObject({
      reason: "conflict",
      message: /owner/,
    });
    expect(await getGroup(db, ada, group.id)).toMatchObject({ state: "archived" });
    await within((tx) => setMembership(tx, group.id, mira, "owner"));
    await within((tx) => unarchiveGroup(tx, ada, it));
    expect(await getGroup(db, ada, group.id)).toMatchObject({ state: "active" });
  });

  test("remains archived when restored, if its owner left after its deletion", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const it = { groupId: group.id, reason: "" };
    await within((tx) => leaveGroup(tx, people.mira, it));
    await within((tx) => deleteGroup(tx, people.tomas, it));
    await within((tx) => closes(tx, people.tomas));
    database.clock.pass(DAY);
    await within((tx) => restoreGroup(tx, people.ada, it));
    expect(await getGroup(db, people.ada, group.id)).toMatchObject({ state: "archived" });
  });
});

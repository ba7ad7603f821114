import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { createTestGroup, setMembership, createTestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createGroup, getGroup, leaveGroup, NewGroup } from "../index.ts";
import { assertSuccessors } from "../memberships/join-and-leave.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("group owner", () => {
  test("cannot leave before naming a successor", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await expect(within((tx) => leaveGroup(tx, people.tomas, { groupId: group.id }))).rejects.toMatchObject({
      reason: "conflict",
    });
    await expect(within((tx) => assertSuccessors(tx, people.tomas.id))).rejects.toMatchObject({
      reason: "conflict",
    });
    await expect(
      within((tx) => leaveGroup(tx, people.tomas, { groupId: group.id, successorId: people.noor.id })),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
    await within((tx) => leaveGroup(tx, people.tomas, { groupId: group.id, successorId: people.mira.id }));
    expect(await getGroup(db, people.mira, group.id)).toMatchObject({ viewerRole: "owner", membersCount: 1 });
    expect(await many(db, sql`select act, details from audit_events where object_id = ${group.id}`)).toEqual([
      { act: "group.role_changed", details: { personId: people.mira.id, role: "owner" } },
    ]);
    await within((tx) => assertSuccessors(tx, people.mira.id));
  });

  test("archives the group by leaving as its only member", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await within((tx) => leaveGroup(tx, people.mira, { groupId: group.id }));
    await within((tx) => leaveGroup(tx, people.tomas, { groupId: group.id }));
    expect(await getGroup(db, people.noor, group.id)).toMatchObject({ state: "archived", membersCount: 0 });
  });

  test("deletes a pending group by leaving it", async () => {
    const { tomas } = await createTestUsers(database);
    const wish = NewGroup.parse({
      name: "The Waiting Beds",
      visibility: "public",
      joinPolicy: "open",
      headerStyle: "meadow",
    });
    const waiting = { newcomersGroups: "approval" as const, whoCreatesGroups: "members" as const };
    const newcomer = { ...tomas, trust: "new" as const };
    const group = await within((tx) => createGroup(tx, newcomer, wish, waiting));
    expect(await getGroup(db, tomas, group.id)).toMatchObject({ state: "pending" });
    await run(
      db,
      sql`insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
          values (gen_random_uuid(), ${tomas.id}, ${"c".repeat(64)}, 1, 'image/webp', 'group', ${group.id},
            now())`,
    );
    await within((tx) => leaveGroup(tx, newcomer, { groupId: group.id }));
    // The group's cover is detached, so that it is deleted with other orphaned files.
    expect(await many(db, sql`select attached_kind as kind, attached_id as id from uploads`)).toEqual([
      { kind: null, id: null },
    ]);
    expect(await many(db, sql`select from groups where id = ${group.id}`)).toEqual([]);
    expect((await within((tx) => createGroup(tx, tomas, wish, waiting))).slug).toBe("the-waiting-beds");
  });

  test("cannot leave at the same moment as the only other owner", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await within((tx) => setMembership(tx, group.id, people.mira, "owner"));
    await within((tx) => setMembership(tx, group.id, people.noor, "member"));
    const left = await Promise.allSettled(
      [people.tomas, people.mira].map((viewer) =>
        within((tx) => leaveGroup(tx, viewer, { groupId: group.id })),
      ),
    );
    expect(left.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

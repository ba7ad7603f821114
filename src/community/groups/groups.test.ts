import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import {
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { getGroup, listGroups, inviteToGroup, joinGroup, listMembers } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const count = async (groupId: string) =>
  one(
    db,
    sql<{
      told: number;
      real: number;
    }>`select members_count as told, (select count(*)::int from memberships
      where group_id = g.id and state = 'member') as real from groups g where id = ${groupId}`,
  );

describe("open group", () => {
  test("can be joined by any signed-in person, and counts its members", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await within((tx) => joinGroup(tx, people.noor, { groupId: group.id }));
    expect(await getGroup(db, people.noor, group.slug)).toMatchObject({
      viewerState: "member",
      membersCount: 3,
    });
    expect(await count(group.id)).toEqual({ told: 3, real: 3 });
    expect(await listEmittedEvents(database)).toContain("group.joined");
  });

  test("cannot be joined by guests and members, or by anyone when archived", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await expect(within((tx) => joinGroup(tx, people.guest, { groupId: group.id }))).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    await expect(within((tx) => joinGroup(tx, people.mira, { groupId: group.id }))).rejects.toMatchObject({
      reason: "conflict",
    });
    await within((tx) => run(tx, sql`update groups set state = 'archived'`));
    await expect(within((tx) => joinGroup(tx, people.noor, { groupId: group.id }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });

  test("counts correctly when twenty people join at once", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const crowd = await within((tx) =>
      Promise.all(Array.from({ length: 20 }, (_, i) => createPerson(tx, `neighbour${i}`))),
    );
    await Promise.all(crowd.map((who) => within((tx) => joinGroup(tx, who, { groupId: group.id }))));
    expect(await count(group.id)).toEqual({ told: 22, real: 22 });
  });
});

describe("secret group", () => {
  test("returns not-found to non-members and to staff", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "secret" });
    for (const viewer of [people.guest, people.noor, people.ines, people.ada]) {
      await expect(getGroup(db, viewer, group.slug)).rejects.toMatchObject({
        reason: "not-found",
        message: "Not found.",
      });
      expect((await listGroups(db, viewer, { tab: "discover" })).rows).toEqual([]);
    }
    await expect(within((tx) => joinGroup(tx, people.noor, { groupId: group.id }))).rejects.toMatchObject({
      reason: "not-found",
    });
    await expect(
      within((tx) => inviteToGroup(tx, people.noor, { groupId: group.id, personId: people.ada.id })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("can be seen and joined by people whom a member invites", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "secret" });
    await within((tx) => inviteToGroup(tx, people.mira, { groupId: group.id, personId: people.noor.id }));
    expect((await listGroups(db, people.noor, { tab: "waiting" })).rows).toMatchObject([
      { slug: group.slug, viewerState: "invited" },
    ]);
    expect((await getGroup(db, people.noor, group.slug)).invitedBy).toMatchObject({ username: "mira" });
    await within((tx) => joinGroup(tx, people.noor, { groupId: group.id }));
    expect((await listGroups(db, people.noor, { tab: "mine" })).rows).toHaveLength(1);
  });
});

describe("group and member lists", () => {
  test("continue on the next page, and accept any cursor and any search text", async () => {
    const people = await createTestUsers(database);
    for (let i = 0; i < 27; i++) {
      database.clock.pass(1000);
      await createTestGroup(database, people, { name: `Group ${i}` });
    }
    const first = await listGroups(db, people.noor, { tab: "discover" });
    const second = await listGroups(db, people.noor, { tab: "discover", after: first.next! });
    expect([first.rows.length, second.rows.length, second.next]).toEqual([24, 3, null]);
    expect(first.rows[0]!.name).toBe("Group 26");
    for (const after of ["", "x", "%", "e30", Buffer.from('[1,"x"]').toString("base64url"), "\0"])
      expect((await listGroups(db, people.noor, { tab: "discover", after })).rows).toHaveLength(24);
    expect(
      (await listGroups(db, people.noor, { tab: "discover", search: "gro 26" })).rows.map((it) => it.name),
    ).toEqual(["Group 26"]);
    for (const search of ["'); drop", "& | !", "\0", ":*", "<->"])
      await listGroups(db, people.noor, { tab: "discover", search });
  });

  test("contain owners first, and no one who blocked the viewer", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await within((tx) => setMembership(tx, group.id, people.noor, "member"));
    const names = async (who: typeof people.mira) =>
      (await listMembers(db, who, await getGroup(db, who, group.id), {})).rows.map((it) => it.username);
    expect((await names(people.mira))[0]).toBe("tomas");
    await within((tx) =>
      run(
        tx,
        sql`insert into blocks (blocker_id, blocked_id, created_at)
        values (${people.noor.id}, ${people.mira.id}, ${tx.now})`,
      ),
    );
    expect(await names(people.mira)).toEqual(["tomas", "mira"]);
    expect(await names(people.noor)).toContain("mira");
    await expect(
      listMembers(db, people.guest, await getGroup(db, people.guest, group.id), {}),
    ).rejects.toMatchObject({
      reason: "not-signed-in",
    });
  });
});

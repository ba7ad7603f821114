import { describe, expect, test } from "vitest";
import { many, one, run, sql, type Tx } from "#platform/database";
import { defaultSettings } from "#community/settings";
import type { SignedIn } from "#community/rules";
import { runConcurrently } from "../../../test/support/concurrently.ts";
import {
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  acceptInvitation,
  GroupBan,
  banFromGroup,
  createGroup,
  getGroup,
  inviteAddress,
  InviteLink,
  joinGroup,
  leaveGroup,
  createInviteLink,
  NewGroup,
  removeMember,
  setGroupRole,
} from "./index.ts";
import { assertSuccessors } from "./memberships/join-and-leave.ts";
import { endGrantedMembership, grantMembership } from "./memberships/granted-memberships.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const fulfilled = { status: "fulfilled" };
const refused = (reason: string) => ({ status: "rejected", reason: expect.objectContaining({ reason }) });

/** Tomas and Lea own the group together; Mira is a member. */
async function scene() {
  const people = await createTestUsers(database);
  const lea = await within((tx) => createPerson(tx, "lea"));
  const group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, lea, "owner"));
  const owners = () =>
    many(
      db,
      sql<{
        id: string;
      }>`select person_id as id from memberships
        where group_id = ${group.id} and state = 'member' and role = 'owner'`,
    );
  const on = (viewer: SignedIn) => ({ groupId: group.id, personId: viewer.id });
  return { ...people, lea, group, owners, on };
}

describe("concurrent group changes", () => {
  test("keep one owner when two owners demote each other", async () => {
    const { tomas, lea, on, owners } = await scene();
    const ends = await runConcurrently(
      database,
      (tx) => setGroupRole(tx, tomas, { ...on(lea), role: "member" }),
      (tx) => setGroupRole(tx, lea, { ...on(tomas), role: "member" }),
    );
    expect(ends).toMatchObject([fulfilled, refused("not-allowed")]);
    expect(await owners()).toEqual([{ id: tomas.id }]);
  });

  test("require the second of two owners who deactivate their accounts to name a successor", async () => {
    const { tomas, lea } = await scene();
    const leaves = (viewer: SignedIn) => async (tx: Tx) => {
      await assertSuccessors(tx, viewer.id);
      await run(
        tx,
        sql`update people set state = 'deactivated', deactivated_at = ${tx.now} where id = ${viewer.id}`,
      );
    };
    expect(await runConcurrently(database, leaves(tomas), leaves(lea))).toMatchObject([
      fulfilled,
      refused("conflict"),
    ]);
  });

  test("keep one owner when two owners remove each other", async () => {
    const { tomas, lea, on, owners } = await scene();
    const ends = await runConcurrently(
      database,
      (tx) => removeMember(tx, tomas, { ...on(lea), reason: "Enough." }),
      (tx) => removeMember(tx, lea, { ...on(tomas), reason: "Enough." }),
    );
    expect(ends).toMatchObject([fulfilled, refused("not-allowed")]);
    expect(await owners()).toEqual([{ id: tomas.id }]);
  });

  test("require the second of two owners who leave to name a successor", async () => {
    const { tomas, lea, group, owners } = await scene();
    const ends = await runConcurrently(
      database,
      (tx) => leaveGroup(tx, tomas, { groupId: group.id }),
      (tx) => leaveGroup(tx, lea, { groupId: group.id }),
    );
    expect(ends).toMatchObject([fulfilled, refused("conflict")]);
    expect(await owners()).toEqual([{ id: lea.id }]);
  });

  test("end in a ban when a person joins while being banned, even with a purchase", async () => {
    const { tomas, noor, ines, group, on } = await scene();
    await within(async (tx) => {
      for (const viewer of [noor, ines]) await setMembership(tx, group.id, viewer, "left");
    });
    const keepOut = (viewer: SignedIn) => GroupBan.parse({ ...on(viewer), reason: "Shouting.", days: "" });
    const joins = await runConcurrently(
      database,
      (tx) => banFromGroup(tx, tomas, keepOut(noor)),
      (tx) => joinGroup(tx, noor, { groupId: group.id }),
    );
    expect(joins).toMatchObject([fulfilled, refused("not-allowed")]);
    const buys = await runConcurrently(
      database,
      (tx) => banFromGroup(tx, tomas, keepOut(ines)),
      (tx) => grantMembership(tx, { slug: group.slug, personId: ines.id }),
    );
    expect(buys).toMatchObject([fulfilled, { status: "fulfilled", value: null }]);
    const states = await many(
      db,
      sql`select state from memberships where person_id = any(${[noor.id, ines.id]}::uuid[])`,
    );
    expect(states).toEqual([{ state: "banned" }, { state: "banned" }]);
  });

  test("keep a member who becomes a moderator while their purchased membership ends", async () => {
    const { tomas, mira, group, on } = await scene();
    await runConcurrently(
      database,
      (tx) => setGroupRole(tx, tomas, { ...on(mira), role: "moderator" }),
      (tx) => endGrantedMembership(tx, { groupId: group.id, personId: mira.id }),
    );
    expect(await one(db, sql`select state, role from memberships where person_id = ${mira.id}`)).toEqual({
      state: "member",
      role: "moderator",
    });
  });

  test("count one use of an invitation link when one person opens it twice", async () => {
    const { tomas, noor, group } = await scene();
    const link = InviteLink.parse({ groupId: group.id, mostUses: "2" });
    const { token } = await within((tx) => createInviteLink(tx, tomas, link));
    const accept = (tx: Parameters<typeof acceptInvitation>[0]) =>
      acceptInvitation(tx, noor, { token, answers: [] });
    expect(await runConcurrently(database, accept, accept)).toMatchObject([fulfilled, fulfilled]);
    expect(await one(db, sql`select uses from group_invitations where ${true}`)).toEqual({ uses: 1 });
  });

  test("give different slugs to two groups of the same name", async () => {
    const { tomas, lea } = await scene();
    const wish = NewGroup.parse({
      name: "Night walks",
      visibility: "public",
      joinPolicy: "open",
      historyPolicy: "shared",
    });
    const found = (viewer: SignedIn) => (tx: Parameters<typeof createGroup>[0]) =>
      createGroup(tx, viewer, wish, defaultSettings);
    expect(await runConcurrently(database, found(tomas), found(lea))).toMatchObject([
      { value: { slug: "night-walks" } },
      { value: { slug: expect.stringMatching(/^night-walks-/) } },
    ]);
  });

  test("create one group for the same submission sent twice, but two groups for different names", async () => {
    const { tomas, lea } = await scene();
    const clientId = "01a20a51-0000-7000-8000-000000000001";
    const found = (viewer: SignedIn, name: string) => (tx: Parameters<typeof createGroup>[0]) =>
      createGroup(
        tx,
        viewer,
        NewGroup.parse({ name, visibility: "public", joinPolicy: "open", clientId }),
        defaultSettings,
      );
    const once = { value: { id: clientId, slug: "night-walks" } };
    expect(
      await runConcurrently(database, found(tomas, "Night walks"), found(tomas, "Night walks")),
    ).toMatchObject([once, once]);
    const others = [await within(found(tomas, "Day walks")), await within(found(lea, "Night walks"))];
    expect(new Set([clientId, ...others.map(({ id }) => id)]).size).toBe(3);
    await within((tx) => getGroup(tx, lea, clientId));
    expect(await one(db, sql`select created_by as by from groups where id = ${clientId}`)).toEqual({
      by: tomas.id,
    });
  });

  test("refuse the eleventh invitation of a day, even if sent concurrently with the tenth", async () => {
    const { mira, group } = await scene();
    const invite = (n: number) => (tx: Parameters<typeof inviteAddress>[0]) =>
      inviteAddress(
        tx,
        mira,
        { groupId: group.id, email: `friend${n}@example.org`, entry: "join" },
        { community: "Kith", linkTo: (token) => `https://kith.test/${token}` },
      );
    for (let n = 1; n <= 9; n++) await within(invite(n));
    expect(await runConcurrently(database, invite(10), invite(11))).toMatchObject([
      fulfilled,
      refused("too-many"),
    ]);
  });
});

describe("successor of a group owner", () => {
  test("must have an open account; without any, the group is archived when its owner leaves", async () => {
    const { tomas, lea, mira, group, owners } = await scene();
    const deactivate = (...who: SignedIn[]) =>
      run(
        db,
        sql`update people set state = 'deactivated', deactivated_at = now()
          where id = any(${who.map(({ id }) => id)}::uuid[])`,
      );
    const leave = (successorId?: string) =>
      within((tx) => leaveGroup(tx, tomas, { groupId: group.id, successorId: successorId }));
    await deactivate(lea);
    await expect(leave()).rejects.toMatchObject({ reason: "conflict" });
    await expect(leave(lea.id)).rejects.toMatchObject({
      reason: "invalid",
      fields: { successorId: expect.any(String) },
    });
    expect(await owners()).toHaveLength(2);
    await deactivate(mira);
    await leave();
    expect(await one(db, sql`select state from groups where id = ${group.id}`)).toEqual({
      state: "archived",
    });
  });
});

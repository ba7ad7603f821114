import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { listEmittedEvents, setMembership, createPerson } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  declineJoinRequest,
  declineInvitation,
  getGroup,
  InviteAddress,
  inviteByName,
  listInvitations,
  joinGroup,
  leaveGroup,
  removeMember,
  listJoinRequests,
  revokeInvitation,
  updateGroup,
} from "../index.ts";
import { setUpInvitations } from "../../../../test/support/groups/invitation-setup.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { scene } = setUpInvitations(database);

describe("invitation link", () => {
  test("admits as many people as it allows, and describes the group to guests", async () => {
    const { mira, noor, ada, guest, group, link, look, accept, list } = await scene();
    const { token } = await link(mira, { mostUses: "1" });
    expect(await look(guest, token)).toMatchObject({
      state: "open",
      entry: "join",
      by: { username: "mira" },
      group: { name: "Zauberberg" },
    });
    await expect(accept(guest, token)).rejects.toMatchObject({ reason: "not-signed-in" });
    expect(await accept(noor, token)).toEqual({ slug: group.slug });
    expect(await getGroup(db, noor, group.id)).toMatchObject({ viewerState: "member", membersCount: 3 });
    expect(await accept(noor, token)).toEqual({ slug: group.slug });
    expect(await look(ada, token)).toEqual({ state: "used" });
    await expect(accept(ada, token)).rejects.toMatchObject({ reason: "gone" });
    expect(await list(mira)).toMatchObject([{ kind: "link", state: "used", uses: 1, mostUses: 1 }]);
    const rows = await many(db, sql`select * from group_invitations`);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("with questions creates a join request with answers", async () => {
    const { tomas, mira, noor, group, link, accept, list } = await scene("private", ["Why?"]);
    const { token } = await link(mira, { entry: "ask" });
    await expect(accept(noor, token)).rejects.toMatchObject({
      reason: "invalid",
      fields: { answers: expect.any(String) },
    });
    await accept(noor, token, ["Beans."]);
    await accept(noor, token, ["Beans."]);
    expect(await list(mira)).toMatchObject([{ uses: 1 }]);
    expect(await getGroup(db, noor, group.id)).toMatchObject({ viewerState: "requested" });
    expect(await listJoinRequests(db, tomas, await getGroup(db, tomas, group.id))).toMatchObject([
      { answers: [{ question: "Why?", answer: "Beans." }] },
    ]);
  });

  test("stays blocked for thirty days after a decline if it has questions, but works if it has none", async () => {
    const { tomas, mira, noor, group, link, accept } = await scene("private");
    const asking = await link(mira, { entry: "ask" });
    await accept(noor, asking.token);
    await within((tx) => declineJoinRequest(tx, tomas, { groupId: group.id, personId: noor.id, reason: "" }));
    await expect(accept(noor, asking.token)).rejects.toMatchObject({
      reason: "not-allowed",
      message: expect.stringContaining("30 days"),
    });
    database.clock.pass(30 * DAY);
    await accept(noor, (await link(mira, { entry: "ask" })).token);
    await within((tx) => declineJoinRequest(tx, tomas, { groupId: group.id, personId: noor.id, reason: "" }));
    await accept(noor, (await link(mira)).token);
    expect(await getGroup(db, noor, group.id)).toMatchObject({ viewerState: "member", askAgainAt: null });
  });

  test("expires after thirty days, when revoked, or when its creator leaves the group", async () => {
    const { tomas, mira, noor, group, link, look, accept, list } = await scene();
    const [late, revoked, orphaned] = [await link(mira), await link(mira), await link(mira)];
    const second = (await list(mira))[1]!;
    await expect(
      within((tx) => revokeInvitation(tx, noor, { invitationId: second.id })),
    ).rejects.toMatchObject({ reason: "not-found" });
    const all = await list(tomas);
    expect(all).toHaveLength(3);
    for (const token of [late, revoked, orphaned]) expect((await look(noor, token.token)).state).toBe("open");
    await within((tx) => revokeInvitation(tx, tomas, { invitationId: second.id }));
    await expect(
      within((tx) => revokeInvitation(tx, mira, { invitationId: second.id })),
    ).rejects.toMatchObject({ reason: "conflict" });
    expect((await look(noor, revoked.token)).state).toBe("revoked");
    database.clock.pass(30 * DAY);
    expect((await look(noor, late.token)).state).toBe("expired");
    await expect(accept(noor, late.token)).rejects.toMatchObject({ reason: "gone" });
    database.clock.pass(-30 * DAY);
    await within((tx) =>
      removeMember(tx, tomas, { groupId: group.id, personId: mira.id, reason: "Shouting." }),
    );
    expect(await look(noor, orphaned.token)).toEqual({ state: "revoked" });
    await expect(look(noor, "nonsense")).rejects.toMatchObject({
      reason: "not-found",
      message: expect.stringContaining("The link may be incomplete"),
    });
  });

  test("appears as revoked while its creator is not a member, and permanently after their removal", async () => {
    const { tomas, mira, noor, group, link, look, list } = await scene();
    const { token } = await link(mira);
    expect(await list(tomas)).toMatchObject([{ state: "open" }]);
    await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
    expect(await list(tomas)).toMatchObject([{ state: "revoked" }]);
    await within((tx) => setMembership(tx, group.id, mira, "member"));
    expect([await list(tomas), (await look(noor, token)).state]).toMatchObject([[{ state: "open" }], "open"]);
    await within((tx) =>
      removeMember(tx, tomas, { groupId: group.id, personId: mira.id, reason: "Shouting." }),
    );
    await within((tx) => setMembership(tx, group.id, mira, "member"));
    expect([await list(tomas), await look(noor, token)]).toMatchObject([
      [{ state: "revoked" }],
      { state: "revoked" },
    ]);
  });

  test("refuses banned people, people blocked by its creator, and everyone in archived groups", async () => {
    const { mira, noor, ada, group, link, look, accept } = await scene("private");
    const { token } = await link(mira);
    await within((tx) => setMembership(tx, group.id, noor, "banned"));
    expect(await look(noor, token)).toEqual({ state: "closed" });
    await expect(accept(noor, token)).rejects.toMatchObject({ reason: "not-allowed" });
    await run(
      db,
      sql`insert into blocks (blocker_id, blocked_id, created_at) values (${mira.id}, ${ada.id}, now())`,
    );
    expect(await look(ada, token)).toEqual({ state: "revoked" });
    const lea = await within((tx) => createPerson(tx, "lea"));
    expect((await look(lea, token)).state).toBe("open");
    await run(db, sql`update groups set state = 'archived'`);
    expect(await look(lea, token)).toEqual({ state: "closed" });
  });

  test("has limits of ten links a day and ten people each, and requires permission to invite", async () => {
    const { tomas, mira, noor, ada, group, link } = await scene();
    await expect(link(noor)).rejects.toMatchObject({ reason: "not-found" });
    await expect(link(mira, { entry: "ask" })).rejects.toMatchObject({
      reason: "invalid",
      fields: { entry: expect.any(String) },
    });
    await expect(link(mira, { mostUses: 11 })).rejects.toMatchObject({
      reason: "invalid",
      fields: { mostUses: expect.any(String) },
    });
    for (let i = 0; i < 10; i++) await link(mira, { mostUses: 10 });
    await expect(link(mira)).rejects.toMatchObject({ reason: "too-many", retryAfter: 86_400 });
    database.clock.pass(DAY);
    await link(mira);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, invitesBy: "moderators" }));
    await expect(link(mira)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(
      listInvitations(db, mira, await getGroup(db, mira, group.id), { now: database.clock.at }),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => setMembership(tx, group.id, ada, "owner"));
    await link(ada, { mostUses: 5_000 });
  });
});

describe("invitation by email", () => {
  test("works once, for its address only, in upper or lower case", async () => {
    const { mira, noor, ada, guest, group, mail, look, accept, list } = await scene();
    const token = await mail(mira, "Noor@Example.org");
    expect((await look(guest, token)).state).toBe("open");
    expect(await look(ada, token)).toEqual({ state: "other-address" });
    await expect(accept(ada, token)).rejects.toMatchObject({ reason: "not-allowed" });
    await accept(noor, token);
    expect(await getGroup(db, noor, group.id)).toMatchObject({ viewerState: "member" });
    expect(await list(mira)).toMatchObject([{ kind: "address", email: "Noor@Example.org", state: "used" }]);
    expect(await listEmittedEvents(database)).toEqual(
      expect.arrayContaining(["group.invitation_created", "group.joined"]),
    );
  });

  test("can be declined by its recipient", async () => {
    const { tomas, mira, noor, ada, mail, look, list } = await scene();
    await mail(mira, "lea@example.org");
    await within(async (tx) => revokeInvitation(tx, tomas, { invitationId: (await list(mira))[0]!.id }));
    database.clock.pass(1);
    const token = await mail(mira, "noor@example.org");
    await within((tx) => declineInvitation(tx, ada, { token }));
    expect((await look(noor, token)).state).toBe("open");
    await within((tx) => declineInvitation(tx, noor, { token }));
    expect(await look(noor, token)).toEqual({ state: "revoked" });
    expect(await list(tomas)).toMatchObject([
      { email: "noor@example.org", state: "declined" },
      { email: "lea@example.org", state: "revoked" },
    ]);
    expect(InviteAddress.safeParse({ groupId: "x", email: "no" }).success).toBe(false);
  });
});

describe("invitation from an established member", () => {
  const trustOf = async (viewer: SignedIn) =>
    (await one(db, sql<{ trust: string }>`select trust from people where id = ${viewer.id}`)).trust;
  const asNew = (viewer: SignedIn) => run(db, sql`update people set trust = 'new' where id = ${viewer.id}`);

  test("by email or name makes the person established, but an invitation link does not", async () => {
    const { mira, tomas, noor, ada, group, link, mail, accept } = await scene();
    const byName = (by: SignedIn) =>
      within((tx) => inviteByName(tx, by, { groupId: group.id, username: "noor" }));
    const join = () => within((tx) => joinGroup(tx, noor, { groupId: group.id }));
    const leave = () => run(db, sql`delete from memberships where person_id = ${noor.id}`);
    await asNew(noor);
    await accept(noor, (await link(mira)).token);
    expect(await trustOf(noor)).toBe("new");
    await leave();
    await asNew(tomas);
    await byName(tomas);
    await join();
    expect(await trustOf(noor)).toBe("new");
    await leave();
    await byName(mira);
    await join();
    expect(await trustOf(noor)).toBe("established");
    await asNew(ada);
    await run(db, sql`update people set site_role = 'member' where id = ${ada.id}`);
    await accept(ada, await mail(mira, "ada@example.org"));
    expect(await trustOf(ada)).toBe("established");
  });
});

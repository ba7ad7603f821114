import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
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
  appointOwner,
  requestNewOwner,
  createGroup,
  declineOwnerRequest,
  deleteGroup,
  getGroup,
  getGroupApprovalQueue,
  listGroups,
  getOwnerRequestState,
  joinGroup,
  approvePendingGroup,
  NewGroup,
  declinePendingGroup,
  updateGroup,
} from "../index.ts";
import { assertSuccessors } from "../memberships/join-and-leave.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("new member's group", () => {
  const site = { ...defaultSettings, whoCreatesGroups: "members" as const };
  const wish = NewGroup.parse({ name: "Kites", visibility: "public", joinPolicy: "open", purpose: "Up." });

  async function scene() {
    const people = await createTestUsers(database);
    const newcomer = await within((tx) => createPerson(tx, "newcomer", "member", "new"));
    const group = await within((tx) => createGroup(tx, newcomer, wish, site));
    return { ...people, newcomer, group, it: { groupId: group.id } };
  }

  test("stays hidden until staff approve it", async () => {
    const { newcomer, mira, guest, ines, ada, group, it } = await scene();
    expect(await getGroup(db, newcomer, group.slug)).toMatchObject({ state: "pending", viewerRole: "owner" });
    for (const viewer of [mira, guest, ines, ada]) {
      await expect(getGroup(db, viewer, group.slug)).rejects.toMatchObject({ reason: "not-found" });
      expect((await listGroups(db, viewer, { tab: "discover" })).rows).toEqual([]);
    }
    for (const viewer of [ines, ada])
      expect((await getGroupApprovalQueue(db, viewer)).pending).toMatchObject([
        { name: "Kites", owner: { username: "newcomer" } },
      ]);
    for (const viewer of [mira, newcomer, guest])
      await expect(getGroupApprovalQueue(db, viewer)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(within((tx) => approvePendingGroup(tx, mira, it))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => approvePendingGroup(tx, ines, it));
    await expect(within((tx) => approvePendingGroup(tx, ines, it))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => joinGroup(tx, mira, it));
    expect(await listEmittedEvents(database)).toEqual(
      expect.arrayContaining(["group.pending", "group.approved"]),
    );
    expect(await listEmittedEvents(database)).not.toContain("group.created");
  });

  test("returns to the queue when its founder changes it after a decline", async () => {
    const { newcomer, mira, ines, group, it } = await scene();
    await expect(
      within((tx) => declinePendingGroup(tx, mira, { ...it, reason: "No." })),
    ).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => declinePendingGroup(tx, ines, { ...it, reason: "There is one already." }));
    expect(await getGroup(db, newcomer, group.slug)).toMatchObject({
      state: "pending",
      reason: "There is one already.",
    });
    expect((await getGroupApprovalQueue(db, ines)).pending).toEqual([]);
    await within((tx) => updateGroup(tx, newcomer, { ...it, purpose: "Stunt kites." }));
    expect((await getGroupApprovalQueue(db, ines)).pending).toMatchObject([{ purpose: "Stunt kites." }]);
    await within((tx) => updateGroup(tx, newcomer, { ...it, purpose: "Stunt kites, too." }));
    expect((await listEmittedEvents(database)).filter((type) => type === "group.pending")).toHaveLength(2);
    await within((tx) => deleteGroup(tx, newcomer, { ...it, reason: "" }));
    expect((await getGroupApprovalQueue(db, ines)).pending).toEqual([]);
    await expect(getGroup(db, newcomer, group.slug)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("needs no approval if its founder is established or staff, or the site does not require it", async () => {
    const { newcomer, mira, ines } = await scene();
    const at = { ...site, newcomersGroups: "open" as const };
    for (const [who, where] of [
      [newcomer, at],
      [mira, site],
      [{ ...ines, trust: "new" as const }, site],
    ] as const) {
      const { id } = await within((tx) => createGroup(tx, who, wish, where));
      expect(await getGroup(db, who, id)).toMatchObject({ state: "active" });
    }
  });
});

describe("group with an absent owner", () => {
  async function scene() {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "secret", name: "Candles" });
    const lea = await within((tx) => createPerson(tx, "lea"));
    await within((tx) => setMembership(tx, group.id, lea, "moderator"));
    const seen = (viewer = people.tomas) =>
      run(db, sql`update people set seen_at = ${database.clock.at} where id = ${viewer.id}`);
    const standing = async (who: typeof lea) =>
      getOwnerRequestState(db, who, await getGroup(db, who, group.id), database.clock.at);
    const ask = (who: typeof lea) => within((tx) => requestNewOwner(tx, who, { groupId: group.id }));
    await seen();
    const appoint = (who: typeof lea, whom: typeof lea) =>
      within((tx) => appointOwner(tx, who, { groupId: group.id, personId: whom.id }));
    return { ...people, lea, group, seen, standing, ask, appoint };
  }

  test("lets moderators request a new owner after sixty days, whom an admin appoints", async () => {
    const { tomas, mira, noor, lea, ines, ada, group, seen, standing, ask, appoint } = await scene();
    database.clock.pass(60 * DAY - 1);
    await seen(lea);
    expect([await standing(lea), await standing(mira), await standing(tomas)]).toEqual([
      "owned",
      "owned",
      "owned",
    ]);
    await expect(ask(lea)).rejects.toMatchObject({ reason: "conflict" });
    database.clock.pass(1);
    expect([await standing(lea), await standing(mira)]).toEqual(["may-ask", "owned"]);
    await expect(ask(mira)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(ask(noor)).rejects.toMatchObject({ reason: "not-found" });
    await ask(lea);
    await expect(ask(lea)).rejects.toMatchObject({ reason: "conflict" });
    expect(await standing(lea)).toBe("asked");
    expect((await getGroupApprovalQueue(db, ines)).orphaned).toEqual([]);
    expect((await getGroupApprovalQueue(db, ada)).orphaned).toMatchObject([
      { name: "Candles", askedBy: { username: "lea" }, proposed: [{ username: "lea", role: "moderator" }] },
    ]);
    // Requesting an owner does not reveal a secret group.
    await expect(getGroup(db, ada, group.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(appoint(ines, lea)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(appoint(ada, mira)).rejects.toMatchObject({ reason: "invalid" });
    await expect(appoint(ada, ada)).rejects.toMatchObject({ reason: "invalid" });
    await appoint(ada, lea);
    expect(await getGroup(db, lea, group.id)).toMatchObject({ viewerRole: "owner" });
    await expect(appoint(ada, lea)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("lets any member request a new owner if no moderator is active either", async () => {
    const { mira, noor, lea, ada, group, seen, standing, ask, appoint } = await scene();
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    database.clock.pass(60 * DAY);
    await seen(lea);
    expect(await standing(mira)).toBe("owned");
    database.clock.pass(60 * DAY);
    expect([await standing(mira), await standing(lea)]).toEqual(["may-ask", "may-ask"]);
    await expect(ask(ada)).rejects.toMatchObject({ reason: "not-found" });
    await ask(noor);
    await expect(ask(mira)).rejects.toMatchObject({ reason: "conflict" });
    expect(await standing(mira)).toBe("asked");
    // Moderators come first, then the members who joined first.
    await run(
      db,
      sql`update memberships set joined_at = joined_at - interval '1 day' where person_id = ${noor.id}`,
    );
    expect(
      (await getGroupApprovalQueue(db, ada)).orphaned[0]!.proposed.map(({ username }) => username),
    ).toEqual(["lea", "noor", "mira"]);
    await expect(appoint(ada, ada)).rejects.toMatchObject({ reason: "invalid" });
    await appoint(ada, mira);
    expect(await getGroup(db, mira, group.id)).toMatchObject({ viewerRole: "owner" });
  });

  test("offers up to ten candidates including the requester if no moderator is active", async () => {
    const { lea, ada, group, ask, appoint } = await scene();
    const members = await within(async (tx) => {
      await setMembership(tx, group.id, lea, "member");
      return Promise.all(Array.from({ length: 11 }, (_, i) => createPerson(tx, `reader${i}`)));
    });
    for (const one of members) {
      database.clock.pass(1000);
      await within((tx) => setMembership(tx, group.id, one, "member"));
    }
    database.clock.pass(60 * DAY);
    await ask(members[10]!);
    const names = (await getGroupApprovalQueue(db, ada)).orphaned[0]!.proposed.map(
      ({ username }) => username,
    );
    expect(names).toHaveLength(10);
    expect([names.at(0), names.at(-1), names.includes("reader9")]).toEqual(["mira", "reader10", false]);
    await expect(appoint(ada, members[9]!)).rejects.toMatchObject({ reason: "invalid" });
    await appoint(ada, members[10]!);
  });

  test("keeps its owner if they return", async () => {
    const { lea, ines, ada, group, seen, standing, ask } = await scene();
    database.clock.pass(61 * DAY);
    await ask(lea);
    await seen();
    await expect(within((tx) => declineOwnerRequest(tx, ines, { groupId: group.id }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => declineOwnerRequest(tx, ada, { groupId: group.id }));
    expect([await standing(lea), (await getGroupApprovalQueue(db, ada)).orphaned]).toEqual(["owned", []]);
  });

  test("cannot get a closed account as successor", async () => {
    const { tomas, mira, group } = await scene();
    await within((tx) => setMembership(tx, group.id, mira, "owner"));
    await within((tx) => assertSuccessors(tx, tomas.id));
    await run(db, sql`update people set state = 'deactivated', deactivated_at = now() where id = ${mira.id}`);
    await expect(within((tx) => assertSuccessors(tx, tomas.id))).rejects.toMatchObject({
      reason: "conflict",
    });
  });
});

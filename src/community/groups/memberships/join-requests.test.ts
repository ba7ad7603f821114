import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { createTestGroup, createTestUsers } from "../../../../test/support/test-users.ts";
import { groupRules } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  approveJoinRequest,
  archiveGroup,
  requestToJoin,
  declineJoinRequest,
  getGroup,
  inviteToGroup,
  joinGroup,
  leaveGroup,
  listMembers,
  declineOwnInvitation,
  listJoinRequests,
  revokeInvitation,
  withdrawRequest,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("group with join requests", () => {
  const questions = ["Why?"];

  test("shows a non-member its description, but not its content", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, {
      visibility: "private",
      about: "Thirty beds.",
      rules: ["Close the gate."],
    });
    const found = await getGroup(db, people.noor, group.id);
    expect(found).toMatchObject({
      rules: ["Close the gate."],
      membersCount: 2,
      faces: [],
      discussionsCount: 0,
      friendsInside: 0,
    });
    expect(found.moderators.map((it) => it.username)).toEqual(["tomas"]);
    await expect(listMembers(db, people.noor, found, {})).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("stores the applicant's answers for its moderators", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "private", questions });
    const wish = { groupId: group.id, answers: ["Beans."] };
    await expect(
      within((tx) => requestToJoin(tx, people.noor, { ...wish, answers: [""] })),
    ).rejects.toMatchObject({ reason: "invalid" });
    await within((tx) => requestToJoin(tx, people.noor, wish));
    const seenByTomas = await getGroup(db, people.tomas, group.id);
    expect(seenByTomas.requestsCount).toBe(1);
    expect(await listJoinRequests(db, people.tomas, seenByTomas)).toMatchObject([
      { person: { username: "noor" }, answers: [{ question: "Why?", answer: "Beans." }] },
    ]);
    await expect(
      listJoinRequests(db, people.mira, await getGroup(db, people.mira, group.id)),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(
      within((tx) => approveJoinRequest(tx, people.mira, { groupId: group.id, personId: people.noor.id })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) =>
      approveJoinRequest(tx, people.tomas, { groupId: group.id, personId: people.noor.id }),
    );
    expect(await getGroup(db, people.noor, group.id)).toMatchObject({
      viewerState: "member",
      viewerRole: "member",
    });
  });

  test("accepts only one decision per request", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "private" });
    const noor = { groupId: group.id, personId: people.noor.id };
    await expect(within((tx) => approveJoinRequest(tx, people.tomas, noor))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => requestToJoin(tx, people.noor, { groupId: group.id, answers: [] }));
    await within((tx) => approveJoinRequest(tx, people.tomas, noor));
    await expect(within((tx) => approveJoinRequest(tx, people.tomas, noor))).rejects.toMatchObject({
      reason: "conflict",
    });
    await expect(
      within((tx) => declineJoinRequest(tx, people.tomas, { ...noor, reason: "" })),
    ).rejects.toMatchObject({
      reason: "conflict",
    });
    expect(await getGroup(db, people.noor, group.id)).toMatchObject({ viewerState: "member" });
  });

  test("can decline pending requests but approve none when archived", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "private" });
    const noor = { groupId: group.id, personId: people.noor.id };
    await within((tx) => requestToJoin(tx, people.noor, { groupId: group.id, answers: [] }));
    await within((tx) => archiveGroup(tx, people.tomas, { groupId: group.id, reason: "" }));
    await expect(within((tx) => approveJoinRequest(tx, people.tomas, noor))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    expect(await listJoinRequests(db, people.tomas, await getGroup(db, people.tomas, group.id))).toHaveLength(
      1,
    );
    await within((tx) => declineJoinRequest(tx, people.tomas, { ...noor, reason: "Closed." }));
    expect(await getGroup(db, people.noor, group.id)).toMatchObject({ viewerState: "declined" });
  });

  test("can be joined by a requester once it becomes open", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { joinPolicy: "request" });
    await within((tx) => requestToJoin(tx, people.noor, { groupId: group.id, answers: [] }));
    await within((tx) => run(tx, sql`update groups set join_policy = 'open' where id = ${group.id}`));
    await within((tx) => joinGroup(tx, people.noor, { groupId: group.id }));
    expect(await getGroup(db, people.noor, group.id)).toMatchObject({
      viewerState: "member",
      membersCount: 3,
    });
  });

  test("can be requested again thirty days after a decline", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "private" });
    const ask = () => within((tx) => requestToJoin(tx, people.noor, { groupId: group.id, answers: [] }));
    await ask();
    await within((tx) =>
      declineJoinRequest(tx, people.tomas, { groupId: group.id, personId: people.noor.id, reason: "Full." }),
    );
    await expect(ask()).rejects.toMatchObject({ reason: "not-allowed" });
    const declined = await getGroup(db, people.noor, group.id);
    expect(declined).toMatchObject({
      viewerState: "declined",
      reason: "Full.",
      askAgainAt: addMilliseconds(database.clock.at, 30 * DAY),
    });
    const may = () => groupRules.ask(people.noor, declined, database.clock.at);
    expect(may()).toBe(false);
    database.clock.pass(31 * DAY);
    expect(may()).toBe(true);
    await ask();
    await within((tx) => withdrawRequest(tx, people.noor, { groupId: group.id }));
    await expect(
      within((tx) => withdrawRequest(tx, people.noor, { groupId: group.id })),
    ).rejects.toMatchObject({ reason: "not-found" });
  });

  test.each(["refused", "expired"])(
    "still applies an earlier decline after an invitation was %s, unless the person was a member since",
    async (end) => {
      const people = await createTestUsers(database);
      const { tomas, noor } = people;
      const group = await createTestGroup(database, people, { visibility: "private" });
      const it = { groupId: group.id, personId: noor.id };
      const ask = () => within((tx) => requestToJoin(tx, noor, { groupId: group.id, answers: [] }));
      const invitedInVain = async () => {
        await within((tx) => inviteToGroup(tx, tomas, it));
        if (end === "refused") return within((tx) => declineOwnInvitation(tx, noor, it));
        const { id } = await one(
          db,
          sql<{ id: string }>`select id from group_invitations where revoked_at is null and uses = 0`,
        );
        await within((tx) => revokeInvitation(tx, tomas, { ...it, invitationId: id }));
      };
      await ask();
      await within((tx) => declineJoinRequest(tx, tomas, { ...it, reason: "Full." }));
      const until = addMilliseconds(database.clock.at, 30 * DAY);
      await invitedInVain();
      expect(await getGroup(db, noor, group.id)).toMatchObject({ viewerState: end, askAgainAt: until });
      await expect(ask()).rejects.toMatchObject({
        reason: "not-allowed",
        message: expect.stringContaining("rejected"),
      });
      await within((tx) => inviteToGroup(tx, tomas, it));
      await within((tx) => joinGroup(tx, noor, it));
      database.clock.pass(1000);
      await within((tx) => leaveGroup(tx, noor, it));
      await invitedInVain();
      expect((await getGroup(db, noor, group.id)).askAgainAt).toBe(null);
      await ask();
    },
  );
});

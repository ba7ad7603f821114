import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { one, sql } from "#platform/database";
import {
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { groupRules } from "#community/rules";
import { defaultSettings } from "#community/settings";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  approveJoinRequest,
  archiveGroup,
  requestToJoin,
  createGroup,
  declineJoinRequest,
  getGroup,
  listGroups,
  inviteToGroup,
  joinGroup,
  leaveGroup,
  listMembers,
  NewGroup,
  declineOwnInvitation,
  listJoinRequests,
  revokeInvitation,
  withdrawRequest,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const count = async (groupId: string) =>
  one(
    db,
    sql<{
      told: number;
      real: number;
    }>`select members_count as told, (select count(*)::int from memberships where group_id = g.id and state = 'member') as real from groups g where id = ${groupId}`,
  );

describe("open group", () => {
  test("admits any signed-in person and counts members", async () => {
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

  test("refuses guests, members, and everyone once archived", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await expect(within((tx) => joinGroup(tx, people.guest, { groupId: group.id }))).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    await expect(within((tx) => joinGroup(tx, people.mira, { groupId: group.id }))).rejects.toMatchObject({
      reason: "conflict",
    });
    await within((tx) => sql`update groups set state = 'archived'`.execute(tx));
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

describe("group with join requests", () => {
  const questions = ["Why?"];

  test("shows a non-member its description, not its content", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, {
      visibility: "private",
      about: "Thirty beds.",
      rules: ["Close the gate."],
    });
    const door = await getGroup(db, people.noor, group.id);
    expect(door).toMatchObject({
      rules: ["Close the gate."],
      membersCount: 2,
      faces: [],
      discussionsCount: 0,
      friendsInside: 0,
    });
    expect(door.moderators.map((it) => it.username)).toEqual(["tomas"]);
    await expect(listMembers(db, people.noor, door, {})).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("collects answers for a decision", async () => {
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

  test("accepts one decision per request, and none without a request", async () => {
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

  test("once archived approves no request but lets pending ones be declined", async () => {
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

  test("lets a requester join once it becomes open", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { joinPolicy: "request" });
    await within((tx) => requestToJoin(tx, people.noor, { groupId: group.id, answers: [] }));
    await within((tx) => sql`update groups set join_policy = 'open' where id = ${group.id}`.execute(tx));
    await within((tx) => joinGroup(tx, people.noor, { groupId: group.id }));
    expect(await getGroup(db, people.noor, group.id)).toMatchObject({
      viewerState: "member",
      membersCount: 3,
    });
  });

  test("lets a declined person ask again after thirty days", async () => {
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
    "remembers a decline though an invitation was %s since, unless they were a member meanwhile",
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

describe("secret group", () => {
  test("returns not-found to non-members and to staff", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "secret" });
    for (const who of [people.guest, people.noor, people.ines, people.ada]) {
      await expect(getGroup(db, who, group.slug)).rejects.toMatchObject({
        reason: "not-found",
        message: "Not found.",
      });
      expect((await listGroups(db, who, { tab: "discover" })).rows).toEqual([]);
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

  test("opens to people whom a member invites", async () => {
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

describe("group creation", () => {
  const wish = NewGroup.parse({ name: "Überwintern & Säen!", visibility: "public", joinPolicy: "open" });

  test("requires an established member", async () => {
    const people = await createTestUsers(database);
    await expect(
      within((tx) => createGroup(tx, { ...people.noor, trust: "new" }, wish, defaultSettings)),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => createGroup(tx, people.guest, wish, defaultSettings))).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    const first = await within((tx) => createGroup(tx, people.noor, wish, defaultSettings));
    expect(first.slug).toBe("uberwintern-saen");
    const second = await within((tx) => createGroup(tx, people.noor, wish, defaultSettings));
    expect(second.slug).toMatch(/^uberwintern-saen-/);
  });

  test.each(["secret", "pending"])(
    "gets the plain slug of its name, though a %s group has the same name",
    async (hidden) => {
      const { tomas, mira, noor } = await createTestUsers(database);
      const newcomer = { ...noor, trust: "new" as const };
      const asked = (visibility: string) =>
        NewGroup.parse({
          name: "Night walks",
          visibility,
          joinPolicy: visibility === "secret" ? "invite" : "open",
        });
      const site = {
        ...defaultSettings,
        whoCreatesGroups: "members" as const,
        newcomersGroups: "approval" as const,
      };
      const secret = await within((tx) =>
        createGroup(
          tx,
          hidden === "secret" ? tomas : newcomer,
          asked(hidden === "secret" ? "secret" : "public"),
          site,
        ),
      );
      expect(secret.slug).toBe(`night-walks-${secret.id.slice(-6)}`);
      expect((await within((tx) => createGroup(tx, mira, asked("public"), defaultSettings))).slug).toBe(
        "night-walks",
      );
      const other = await within((tx) => createGroup(tx, tomas, asked("secret"), defaultSettings));
      expect(other.slug).toBe(`night-walks-${other.id.slice(-6)}`);
    },
  );

  test("follows the site setting", async () => {
    const { noor, ines } = await createTestUsers(database);
    const newcomer = { ...noor, trust: "new" as const };
    const found = (who: typeof noor, whoCreatesGroups: "established" | "members" | "staff") =>
      within((tx) => createGroup(tx, who, wish, { ...defaultSettings, whoCreatesGroups }));
    await found(newcomer, "members");
    await expect(found({ ...noor, limited: true }, "members")).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(found(noor, "staff")).rejects.toMatchObject({
      reason: "not-allowed",
      message: /Only staff can create groups/,
    });
    await found(ines, "staff");
  });

  test.each(["new", "园艺", "!!", "a"])("creates a slug for a name like %s", async (name) => {
    const people = await createTestUsers(database);
    const { slug } = await within((tx) =>
      createGroup(tx, people.tomas, { ...wish, name: name.padEnd(2, "b") }, defaultSettings),
    );
    expect((await getGroup(db, people.tomas, slug)).slug).toBe(slug);
  });

  test("rejects a secret group with join requests, with an explanation", () => {
    const read = NewGroup.safeParse({ name: "Quiet", visibility: "secret", joinPolicy: "request" });
    expect(read.error?.issues[0]?.message).toMatch(/Invite only/);
  });
});

describe("group and member lists", () => {
  test("continue pages and accept any cursor and search", async () => {
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

  test("list owners first and hide those who blocked the viewer", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await within((tx) => setMembership(tx, group.id, people.noor, "member"));
    const names = async (who: typeof people.mira) =>
      (await listMembers(db, who, await getGroup(db, who, group.id), {})).rows.map((it) => it.username);
    expect((await names(people.mira))[0]).toBe("tomas");
    await within((tx) =>
      sql`insert into blocks (blocker_id, blocked_id, created_at) values (${people.noor.id}, ${people.mira.id}, ${tx.now})`.execute(
        tx,
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

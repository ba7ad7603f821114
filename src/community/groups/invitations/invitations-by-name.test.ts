import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { listEmittedEvents, setMembership, createPerson } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  banFromGroup,
  expireInvitations,
  listFriendsToInvite,
  getGroup,
  listGroups,
  inviteByName,
  inviteSeveral,
  InviteSeveral,
  joinGroup,
  leaveGroup,
  declineOwnInvitation,
  removeMember,
  revokeInvitation,
  updateGroup,
} from "../index.ts";
import { grantMembership } from "../memberships/granted-memberships.ts";
import { setUpInvitations } from "../../../../test/support/groups/invitation-setup.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { scene } = setUpInvitations(database);

describe("friends to invite", () => {
  async function withFriends() {
    const it = await scene("private");
    const friends = await within((tx) =>
      Promise.all(Array.from({ length: 12 }, (_, i) => createPerson(tx, `friend${i}`))),
    );
    for (const { id } of [...friends, it.noor, it.tomas]) {
      const [low, high] = [it.mira.id, id].toSorted();
      await run(
        db,
        sql`insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
          values (${low}, ${high}, 'friends', ${low}, now(), now())`,
      );
    }
    const offered = async (viewer: SignedIn) =>
      listFriendsToInvite(db, viewer, await getGroup(db, viewer, it.group.id));
    const invite = (viewer: SignedIn, whom: SignedIn[]) =>
      within((tx) =>
        inviteSeveral(tx, viewer, { groupId: it.group.id, personIds: whom.map(({ id }) => id) }),
      );
    return { ...it, friends, offered, invite };
  }

  test("lists the inviter's friends who are not in the group yet", async () => {
    const { tomas, mira, noor, ada, group, friends, offered } = await withFriends();
    await within((tx) => setMembership(tx, group.id, friends[0]!, "banned"));
    await run(
      db,
      sql`update people set state = 'deactivated', deactivated_at = now() where id = ${friends[1]!.id}`,
    );
    const names = (await offered(mira)).map(({ username }) => username);
    expect(names).toHaveLength(11);
    for (const username of ["tomas", "friend0", "friend1", "ada"]) expect(names).not.toContain(username);
    expect([await offered(tomas), await offered(ada), await offered(noor)]).toEqual([[], [], []]);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, invitesBy: "moderators" }));
    expect(await offered(mira)).toEqual([]);
  });

  test("can be invited together, but if one invitation fails, none is sent", async () => {
    const { tomas, mira, noor, ada, group, friends, offered, invite, list } = await withFriends();
    await expect(invite(mira, friends)).rejects.toMatchObject({
      reason: "too-many",
      message: /Select fewer/,
    });
    await expect(invite(mira, [friends[0]!, tomas])).rejects.toMatchObject({
      reason: "conflict",
      message: /Tomas is a member/,
    });
    await expect(invite(noor, [friends[0]!])).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await list(mira)).toEqual([]);
    await invite(mira, [...friends.slice(0, 8), friends[0]!]);
    expect(await list(mira)).toHaveLength(8);
    expect((await offered(mira)).map(({ username }) => username)).toEqual(
      expect.not.arrayContaining(["friend0"]),
    );
    await expect(invite(mira, friends.slice(8, 11))).rejects.toMatchObject({
      reason: "too-many",
      message: /Select fewer/,
    });
    await invite(mira, friends.slice(8, 10));
    await expect(invite(mira, [friends[11]!])).rejects.toMatchObject({
      reason: "too-many",
      message: /tomorrow/,
      retryAfter: 86_400,
    });
    await within((tx) => setMembership(tx, group.id, ada, "member"));
    await invite(ada, friends.slice(10));
    for (const input of [[], [""]])
      expect(InviteSeveral.safeParse({ groupId: group.id, personIds: input }).success).toBe(false);
  });
});

describe("invitation by name", () => {
  test("expires after thirty days", async () => {
    const { mira, noor, group, list } = await scene();
    const invite = (username: string) =>
      within((tx) => inviteByName(tx, mira, { groupId: group.id, username }));
    await expect(invite("nobody")).rejects.toMatchObject({
      reason: "invalid",
      fields: { username: expect.any(String) },
    });
    await invite("@Noor");
    expect(await list(mira)).toMatchObject([
      { kind: "person", person: { username: "noor" }, state: "open", personState: "invited" },
    ]);
    database.clock.pass(30 * DAY);
    expect(await within(expireInvitations)).toBe(1);
    await expect(getGroup(db, noor, group.id)).rejects.toMatchObject({ reason: "not-found" });
    await invite("noor");
    await within((tx) => joinGroup(tx, noor, { groupId: group.id }));
    expect((await list(mira))[0]).toMatchObject({ state: "used", personState: "member" });
    database.clock.pass(61 * DAY);
    await within(expireInvitations);
    expect(await list(mira)).toEqual([]);
  });

  const invited = async () => {
    const it = await scene("private", ["Why?"]);
    await within((tx) => inviteByName(tx, it.mira, { groupId: it.group.id, username: "noor" }));
    const inTheList = async () => (await it.list(it.mira)).find(({ kind }) => kind === "person");
    return { ...it, inTheList };
  };

  test.each(["a link", "what they bought"])("ends when the invited person joins by %s", async (way) => {
    const { tomas, noor, group, link, accept, inTheList } = await invited();
    if (way === "a link") await accept(noor, (await link(tomas)).token);
    else await within((tx) => grantMembership(tx, { slug: group.slug, personId: noor.id }));
    expect(await inTheList()).toMatchObject({ state: "used", personState: "member" });
    await within((tx) =>
      removeMember(tx, tomas, { groupId: group.id, personId: noor.id, reason: "Shouting." }),
    );
    expect(await inTheList()).toMatchObject({ state: "used", personState: "removed" });
  });

  test("lets the person join directly, even through a link that requires approval", async () => {
    const { tomas, noor, group, link, accept, list, inTheList } = await invited();
    await accept(noor, (await link(tomas, { entry: "ask" })).token);
    expect(await getGroup(db, noor, group.id)).toMatchObject({ viewerState: "member" });
    expect(await inTheList()).toMatchObject({ state: "used" });
    expect(await list(tomas)).toMatchObject([{ kind: "link", uses: 0 }, { kind: "person" }]);
  });

  test("ends when the invited person is banned", async () => {
    const { tomas, noor, group, inTheList } = await invited();
    await within((tx) =>
      banFromGroup(tx, tomas, { groupId: group.id, personId: noor.id, reason: "Shouting." }),
    );
    expect(await inTheList()).toMatchObject({ state: "revoked", personState: "banned" });
  });

  test.each(["removed", "banned"])(
    "ends when its sender is %s, and a secret group becomes invisible to the person again",
    async (how) => {
      const { tomas, mira, noor, ada, group, list } = await scene("secret");
      await within((tx) => inviteByName(tx, mira, { groupId: group.id, username: "noor" }));
      await within((tx) => inviteByName(tx, tomas, { groupId: group.id, username: "ada" }));
      expect(await getGroup(db, noor, group.id)).toMatchObject({ viewerState: "invited" });
      const it = { groupId: group.id, personId: mira.id, reason: "Shouting." };
      await within((tx) => (how === "removed" ? removeMember(tx, tomas, it) : banFromGroup(tx, tomas, it)));
      await expect(getGroup(db, noor, group.id)).rejects.toMatchObject({ reason: "not-found" });
      await expect(within((tx) => joinGroup(tx, noor, { groupId: group.id }))).rejects.toMatchObject({
        reason: "not-found",
      });
      expect((await list(tomas)).map(({ person, state }) => [person?.username, state])).toEqual(
        expect.arrayContaining([
          ["noor", "revoked"],
          ["ada", "open"],
        ]),
      );
      expect(await listEmittedEvents(database)).toContain("group.invitation_expired");
      await within((tx) => joinGroup(tx, ada, { groupId: group.id }));
    },
  );

  test("stays valid when its sender leaves, and stays visible to moderators", async () => {
    const { tomas, mira, noor, group, list } = await scene("secret");
    await within((tx) => inviteByName(tx, mira, { groupId: group.id, username: "noor" }));
    await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
    expect(await list(tomas)).toMatchObject([{ kind: "person", state: "open" }]);
    await within((tx) => joinGroup(tx, noor, { groupId: group.id }));
  });

  test("can be revoked or declined", async () => {
    const { mira, noor, group, list } = await scene();
    const invite = () => within((tx) => inviteByName(tx, mira, { groupId: group.id, username: "noor" }));
    await invite();
    await within(async (tx) => revokeInvitation(tx, mira, { invitationId: (await list(mira))[0]!.id }));
    expect((await listGroups(db, noor, { tab: "waiting" })).rows).toEqual([]);
    database.clock.pass(1);
    await invite();
    await within((tx) => declineOwnInvitation(tx, noor, { groupId: group.id }));
    expect((await list(mira))[0]).toMatchObject({ state: "declined", personState: "refused" });
    database.clock.pass(1);
    await invite();
    expect((await list(mira)).map(({ state }) => state)).toEqual(["open", "declined", "revoked"]);
  });
});

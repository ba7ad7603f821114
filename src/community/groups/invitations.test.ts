import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import type { SignedIn, Viewer, Visibility } from "#community/rules";
import { aGroup, announced, bring, cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  acceptInvitation,
  banFromGroup,
  declineInvitation,
  expireInvitations,
  friendsToInvite,
  groupFor,
  groupsFor,
  inviteAddress,
  InviteAddress,
  inviteByName,
  InviteLink,
  inviteSeveral,
  InviteSeveral,
  invitationFor,
  invitationsOf,
  joinGroup,
  leaveGroup,
  makeInviteLink,
  refuseInvitation,
  removeMember,
  requestsOf,
  revokeInvitation,
  updateGroup,
} from "./index.ts";
import { grantMembership } from "./granted.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const HOUSE = { community: "Lindenhof", linkTo: (token: string) => `https://kith.test/invite/${token}` };

async function scene(visibility: Visibility = "secret", questions: string[] = []) {
  const people = await cast(database);
  const group = await aGroup(database, people, { visibility, questions, name: "Zauberberg" });
  const link = (who: SignedIn, more: object = {}) =>
    within((tx) => makeInviteLink(tx, who, InviteLink.parse({ groupId: group.id, ...more })));
  const mail = async (who: SignedIn, email: string, more: object = {}) => {
    await within((tx) => inviteAddress(tx, who, InviteAddress.parse({ groupId: group.id, email, ...more }), HOUSE));
    const { text } = await one(
      db,
      sql<{ text: string }>`select body_text as text from mails where recipient = ${email} order by id desc limit 1`,
    );
    return text.match(/invite\/([\w-]{43})/)![1]!;
  };
  const look = (who: Viewer, token: string) => invitationFor(db, who, token, database.clock.at);
  const accept = (who: Viewer, token: string, answers: string[] = []) => within((tx) => acceptInvitation(tx, who, { token, answers }));
  const list = async (who: SignedIn) => (await invitationsOf(db, who, await groupFor(db, who, group.id), { now: database.clock.at })).rows;
  return { ...people, group, link, mail, look, accept, list };
}

describe("a link", () => {
  test("lets in at once, as many as it says, and tells a guest what it is about", async () => {
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
    expect(await groupFor(db, noor, group.id)).toMatchObject({ viewerState: "member", membersCount: 3 });
    expect(await accept(noor, token)).toEqual({ slug: group.slug });
    expect(await look(ada, token)).toEqual({ state: "used" });
    await expect(accept(ada, token)).rejects.toMatchObject({ reason: "gone" });
    expect(await list(mira)).toMatchObject([{ kind: "link", state: "used", uses: 1, mostUses: 1 }]);
    const kept = await many(db, sql`select * from group_invitations`);
    expect(JSON.stringify(kept)).not.toContain(token);
  });

  test("with questions makes a request, answers and all", async () => {
    const { tomas, mira, noor, group, link, accept, list } = await scene("private", ["Why?"]);
    const { token } = await link(mira, { entry: "ask" });
    await expect(accept(noor, token)).rejects.toMatchObject({ reason: "invalid", fields: { answers: expect.any(String) } });
    await accept(noor, token, ["Beans."]);
    await accept(noor, token, ["Beans."]);
    expect(await list(mira)).toMatchObject([{ uses: 1 }]);
    expect(await groupFor(db, noor, group.id)).toMatchObject({ viewerState: "requested" });
    expect(await requestsOf(db, tomas, await groupFor(db, tomas, group.id))).toMatchObject([
      { answers: [{ question: "Why?", answer: "Beans." }] },
    ]);
  });

  test("holds for thirty days, until it is revoked, and while its maker is in the group", async () => {
    const { tomas, mira, noor, group, link, look, accept, list } = await scene();
    const [late, revoked, orphaned] = [await link(mira), await link(mira), await link(mira)];
    const second = (await list(mira))[1]!;
    await expect(within((tx) => revokeInvitation(tx, noor, { invitationId: second.id }))).rejects.toMatchObject({ reason: "not-found" });
    const all = await list(tomas);
    expect(all).toHaveLength(3);
    for (const token of [late, revoked, orphaned]) expect((await look(noor, token.token)).state).toBe("open");
    await within((tx) => revokeInvitation(tx, tomas, { invitationId: second.id }));
    await expect(within((tx) => revokeInvitation(tx, mira, { invitationId: second.id }))).rejects.toMatchObject({ reason: "conflict" });
    expect((await look(noor, revoked.token)).state).toBe("revoked");
    database.clock.pass(30 * DAY);
    expect((await look(noor, late.token)).state).toBe("expired");
    await expect(accept(noor, late.token)).rejects.toMatchObject({ reason: "gone" });
    database.clock.pass(-30 * DAY);
    await within((tx) => removeMember(tx, tomas, { groupId: group.id, personId: mira.id, reason: "Shouting." }));
    expect(await look(noor, orphaned.token)).toEqual({ state: "revoked" });
    await expect(look(noor, "nonsense")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("reads as taken back when its maker has left, and holds no more when they were taken out and came back", async () => {
    const { tomas, mira, noor, group, link, look, list } = await scene();
    const { token } = await link(mira);
    expect(await list(tomas)).toMatchObject([{ state: "open" }]);
    await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
    expect(await list(tomas)).toMatchObject([{ state: "revoked" }]);
    await within((tx) => bring(tx, group.id, mira, "member"));
    expect([await list(tomas), (await look(noor, token)).state]).toMatchObject([[{ state: "open" }], "open"]);
    await within((tx) => removeMember(tx, tomas, { groupId: group.id, personId: mira.id, reason: "Shouting." }));
    await within((tx) => bring(tx, group.id, mira, "member"));
    expect([await list(tomas), await look(noor, token)]).toMatchObject([[{ state: "revoked" }], { state: "revoked" }]);
  });

  test("is for nobody who is kept out or parted from its maker, and opens no closed group", async () => {
    const { mira, noor, ada, group, link, look, accept } = await scene("private");
    const { token } = await link(mira);
    await within((tx) => bring(tx, group.id, noor, "banned"));
    expect(await look(noor, token)).toEqual({ state: "closed" });
    await expect(accept(noor, token)).rejects.toMatchObject({ reason: "not-allowed" });
    await run(db, sql`insert into blocks (blocker_id, blocked_id, created_at) values (${mira.id}, ${ada.id}, now())`);
    expect(await look(ada, token)).toEqual({ state: "revoked" });
    const lea = await within((tx) => person(tx, "lea"));
    expect((await look(lea, token)).state).toBe("open");
    await run(db, sql`update groups set state = 'archived'`);
    expect(await look(lea, token)).toEqual({ state: "closed" });
  });

  test("is made by whom the group lets invite: ten a day, ten people each, and no questions before a secret", async () => {
    const { tomas, mira, noor, ada, group, link } = await scene();
    await expect(link(noor)).rejects.toMatchObject({ reason: "not-found" });
    await expect(link(mira, { entry: "ask" })).rejects.toMatchObject({ reason: "invalid", fields: { entry: expect.any(String) } });
    await expect(link(mira, { mostUses: 11 })).rejects.toMatchObject({ reason: "invalid", fields: { mostUses: expect.any(String) } });
    for (let i = 0; i < 10; i++) await link(mira, { mostUses: 10 });
    await expect(link(mira)).rejects.toMatchObject({ reason: "too-many", retryAfter: 86_400 });
    database.clock.pass(DAY);
    await link(mira);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, invitesBy: "moderators" }));
    await expect(link(mira)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(invitationsOf(db, mira, await groupFor(db, mira, group.id), { now: database.clock.at })).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => bring(tx, group.id, ada, "owner"));
    await link(ada, { mostUses: 5_000 });
  });
});

describe("an invitation by mail", () => {
  test("is for that address alone, in whatever case, and once", async () => {
    const { mira, noor, ada, guest, group, mail, look, accept, list } = await scene();
    const token = await mail(mira, "Noor@Example.org");
    expect((await look(guest, token)).state).toBe("open");
    expect(await look(ada, token)).toEqual({ state: "other-address" });
    await expect(accept(ada, token)).rejects.toMatchObject({ reason: "not-allowed" });
    await accept(noor, token);
    expect(await groupFor(db, noor, group.id)).toMatchObject({ viewerState: "member" });
    expect(await list(mira)).toMatchObject([{ kind: "address", email: "Noor@Example.org", state: "used" }]);
    expect(await announced(database)).toEqual(expect.arrayContaining(["group.invitation_made", "group.joined"]));
  });

  test("is declined by who got it", async () => {
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

describe("who is asked in by somebody established", () => {
  const trustOf = async (who: SignedIn) => (await one(db, sql<{ trust: string }>`select trust from people where id = ${who.id}`)).trust;
  const asNew = (who: SignedIn) => run(db, sql`update people set trust = 'new' where id = ${who.id}`);

  test("by mail or by name, is established too; by a link, or by somebody new, they are as new as before", async () => {
    const { mira, tomas, noor, ada, group, link, mail, accept } = await scene();
    const byName = (by: SignedIn) => within((tx) => inviteByName(tx, by, { groupId: group.id, username: "noor" }));
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

describe("friends", () => {
  async function withFriends() {
    const it = await scene("private");
    const friends = await within((tx) => Promise.all(Array.from({ length: 12 }, (_, i) => person(tx, `friend${i}`))));
    for (const { id } of [...friends, it.noor, it.tomas]) {
      const [low, high] = [it.mira.id, id].toSorted();
      await run(
        db,
        sql`insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at) values (${low}, ${high}, 'friends', ${low}, now(), now())`,
      );
    }
    const offered = async (who: SignedIn) => friendsToInvite(db, who, await groupFor(db, who, it.group.id));
    const invite = (who: SignedIn, whom: SignedIn[]) =>
      within((tx) => inviteSeveral(tx, who, { groupId: it.group.id, personIds: whom.map(({ id }) => id) }));
    return { ...it, friends, offered, invite };
  }

  test("who are not in the group yet are offered, and nobody else's", async () => {
    const { tomas, mira, noor, ada, group, friends, offered } = await withFriends();
    await within((tx) => bring(tx, group.id, friends[0]!, "banned"));
    await run(db, sql`update people set state = 'deactivated', deactivated_at = now() where id = ${friends[1]!.id}`);
    const names = (await offered(mira)).map(({ username }) => username);
    expect(names).toHaveLength(11);
    for (const gone of ["tomas", "friend0", "friend1", "ada"]) expect(names).not.toContain(gone);
    expect([await offered(tomas), await offered(ada), await offered(noor)]).toEqual([[], [], []]);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, invitesBy: "moderators" }));
    expect(await offered(mira)).toEqual([]);
  });

  test("are invited several at once, or nobody", async () => {
    const { tomas, mira, noor, ada, group, friends, offered, invite, list } = await withFriends();
    await expect(invite(mira, friends)).rejects.toMatchObject({ reason: "too-many", message: /Choose fewer/ });
    await expect(invite(mira, [friends[0]!, tomas])).rejects.toMatchObject({ reason: "conflict", message: /Tomas is a member/ });
    await expect(invite(noor, [friends[0]!])).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await list(mira)).toEqual([]);
    await invite(mira, [...friends.slice(0, 8), friends[0]!]);
    expect(await list(mira)).toHaveLength(8);
    expect((await offered(mira)).map(({ username }) => username)).toEqual(expect.not.arrayContaining(["friend0"]));
    await expect(invite(mira, friends.slice(8, 11))).rejects.toMatchObject({ reason: "too-many", message: /Choose fewer/ });
    await invite(mira, friends.slice(8, 10));
    await expect(invite(mira, [friends[11]!])).rejects.toMatchObject({ reason: "too-many", message: /Tomorrow/, retryAfter: 86_400 });
    await within((tx) => bring(tx, group.id, ada, "member"));
    await invite(ada, friends.slice(10));
    for (const input of [[], [""]]) expect(InviteSeveral.safeParse({ groupId: group.id, personIds: input }).success).toBe(false);
  });
});

describe("an invitation by name", () => {
  test("waits for an answer for thirty days", async () => {
    const { mira, noor, group, list } = await scene();
    const invite = (username: string) => within((tx) => inviteByName(tx, mira, { groupId: group.id, username }));
    await expect(invite("nobody")).rejects.toMatchObject({ reason: "invalid", fields: { username: expect.any(String) } });
    await invite("@Noor");
    expect(await list(mira)).toMatchObject([{ kind: "person", person: { username: "noor" }, state: "open", personState: "invited" }]);
    database.clock.pass(30 * DAY);
    expect(await within(expireInvitations)).toBe(1);
    await expect(groupFor(db, noor, group.id)).rejects.toMatchObject({ reason: "not-found" });
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

  test.each(["a link", "what they bought"])("is over when who got it has come in by %s", async (way) => {
    const { tomas, noor, group, link, accept, inTheList } = await invited();
    if (way === "a link") await accept(noor, (await link(tomas)).token);
    else await within((tx) => grantMembership(tx, { slug: group.slug, personId: noor.id }));
    expect(await inTheList()).toMatchObject({ state: "used", personState: "member" });
    await within((tx) => removeMember(tx, tomas, { groupId: group.id, personId: noor.id, reason: "Shouting." }));
    expect(await inTheList()).toMatchObject({ state: "used", personState: "removed" });
  });

  test("lets in at once also who comes by a link that only asks", async () => {
    const { tomas, noor, group, link, accept, list, inTheList } = await invited();
    await accept(noor, (await link(tomas, { entry: "ask" })).token);
    expect(await groupFor(db, noor, group.id)).toMatchObject({ viewerState: "member" });
    expect(await inTheList()).toMatchObject({ state: "used" });
    expect(await list(tomas)).toMatchObject([{ kind: "link", uses: 0 }, { kind: "person" }]);
  });

  test("is over when who got it is kept out", async () => {
    const { tomas, noor, group, inTheList } = await invited();
    await within((tx) => banFromGroup(tx, tomas, { groupId: group.id, personId: noor.id, reason: "Shouting." }));
    expect(await inTheList()).toMatchObject({ state: "revoked", personState: "banned" });
  });

  test.each(["taken out", "kept out"])("is over when who made it is %s: nobody finds a secret group by it any more", async (how) => {
    const { tomas, mira, noor, ada, group, list } = await scene("secret");
    await within((tx) => inviteByName(tx, mira, { groupId: group.id, username: "noor" }));
    await within((tx) => inviteByName(tx, tomas, { groupId: group.id, username: "ada" }));
    expect(await groupFor(db, noor, group.id)).toMatchObject({ viewerState: "invited" });
    const it = { groupId: group.id, personId: mira.id, reason: "Shouting." };
    await within((tx) => (how === "taken out" ? removeMember(tx, tomas, it) : banFromGroup(tx, tomas, it)));
    await expect(groupFor(db, noor, group.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(within((tx) => joinGroup(tx, noor, { groupId: group.id }))).rejects.toMatchObject({ reason: "not-found" });
    expect((await list(tomas)).map(({ person, state }) => [person?.username, state])).toEqual(
      expect.arrayContaining([
        ["noor", "revoked"],
        ["ada", "open"],
      ]),
    );
    expect(await announced(database)).toContain("group.invitation_expired");
    await within((tx) => joinGroup(tx, ada, { groupId: group.id }));
  });

  test("stands when who made it leaves: those who stay have it on their list", async () => {
    const { tomas, mira, noor, group, list } = await scene("secret");
    await within((tx) => inviteByName(tx, mira, { groupId: group.id, username: "noor" }));
    await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
    expect(await list(tomas)).toMatchObject([{ kind: "person", state: "open" }]);
    await within((tx) => joinGroup(tx, noor, { groupId: group.id }));
  });

  test("is taken back, or refused", async () => {
    const { mira, noor, group, list } = await scene();
    const invite = () => within((tx) => inviteByName(tx, mira, { groupId: group.id, username: "noor" }));
    await invite();
    await within(async (tx) => revokeInvitation(tx, mira, { invitationId: (await list(mira))[0]!.id }));
    expect((await groupsFor(db, noor, { tab: "waiting" })).rows).toEqual([]);
    database.clock.pass(1);
    await invite();
    await within((tx) => refuseInvitation(tx, noor, { groupId: group.id }));
    expect((await list(mira))[0]).toMatchObject({ state: "declined", personState: "refused" });
    database.clock.pass(1);
    await invite();
    expect((await list(mira)).map(({ state }) => state)).toEqual(["open", "declined", "revoked"]);
  });
});

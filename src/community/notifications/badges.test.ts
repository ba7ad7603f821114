import { describe, expect, test } from "vitest";
import { addMilliseconds, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { startConversation } from "#community/conversations";
import { markRead } from "#community/discussions";
import { acceptFriendRequest, sendFriendRequest, mutePerson } from "#community/friends";
import { archiveGroup, requestToJoin, restoreGroup, deleteGroup, inviteToGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  setMembership,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { getBadges, getHomeSidebar, getPageSidebar } from "./index.ts";
import { dispatchEvents } from "../../../test/support/notifications/deliveries.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const NOTHING = {
  unreadConversations: 0,
  messageRequests: 0,
  friendRequests: 0,
  groupInvitations: 0,
  requestsToDecide: 0,
  unreadDiscussions: 0,
  notifications: 0,
};

describe("menu badges", () => {
  test("match the database rows and name each pending task", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, ada, guest } = people;
    const group = await createTestGroup(database, people, { visibility: "private", name: "Asked" });
    const secret = await createTestGroup(
      database,
      { tomas: ada, mira: noor },
      { visibility: "secret", name: "Secret" },
    );
    expect([await getBadges(db, tomas), await getBadges(db, guest)]).toEqual([NOTHING, NOTHING]);
    const { id } = await createTestDiscussion(database, mira, group.id);
    await within((tx) => requestToJoin(tx, noor, { groupId: group.id, answers: [] }));
    await within((tx) => sendFriendRequest(tx, noor, { personId: tomas.id, note: "Hello." }));
    await within((tx) => inviteToGroup(tx, ada, { groupId: secret.id, personId: tomas.id }));
    await within((tx) => startConversation(tx, ada, { to: ["tomas"], name: "", body: "A word?" }));
    expect((await getBadges(db, tomas)).notifications).toBe(0);
    await dispatchEvents(database);
    expect(await getBadges(db, tomas)).toEqual({
      ...NOTHING,
      notifications: 4,
      messageRequests: 1,
      friendRequests: 1,
      groupInvitations: 1,
      requestsToDecide: 1,
      unreadDiscussions: 1,
    });
    expect((await getPageSidebar(db, tomas)).badges, "and so they stand beside every page").toEqual(
      await getBadges(db, tomas),
    );
    expect((await getHomeSidebar(db, tomas, database.clock.at)).waiting).toMatchObject({
      friendRequests: [{ person: { username: "noor" }, note: "Hello.", at: database.clock.at }],
      groupInvitations: [{ group: { name: "Secret" }, by: { username: "ada" } }],
      requestsToDecide: [{ group: { name: "Asked" }, count: 1 }],
      messageRequests: 1,
    });
    await within((tx) => markRead(tx, tomas, { discussionId: id, upTo: 1 }));
    expect((await getBadges(db, tomas)).unreadDiscussions).toBe(0);
    expect((await getBadges(db, mira)).requestsToDecide).toBe(0);
  });

  test("ignore groups that the person has left", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await createTestDiscussion(database, people.tomas, group.id);
    expect((await getBadges(db, people.mira)).unreadDiscussions).toBe(1);
    await within((tx) => setMembership(tx, group.id, people.mira, "left"));
    expect(await getBadges(db, people.mira)).toEqual(NOTHING);
  });

  test("count join requests until the group is deleted, and again after it is restored", async () => {
    const people = await createTestUsers(database);
    const { tomas, noor } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    await within((tx) => requestToJoin(tx, noor, { groupId: group.id, answers: [] }));
    const toDecide = async () => [
      (await getBadges(db, tomas)).requestsToDecide,
      (await getHomeSidebar(db, tomas, database.clock.at)).waiting.requestsToDecide.map((it) => it.count),
    ];
    // An archived group accepts no members: archiving declines open requests.
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "Winter." }));
    expect(await toDecide()).toEqual([1, [1]]);
    await within((tx) => deleteGroup(tx, tomas, { groupId: group.id, reason: "" }));
    expect(await toDecide()).toEqual([0, []]);
    await within((tx) => restoreGroup(tx, tomas, { groupId: group.id }));
    expect(await toDecide()).toEqual([1, [1]]);
  });
});

test("the list of online friends contains friends who share their presence, except muted friends", async () => {
  const { mira, tomas, noor, ines, ada } = await createTestUsers(database);
  const now = database.clock.at;
  const seen = (viewer: SignedIn, minutes: number) =>
    run(
      db,
      sql`update people set seen_at = ${addMilliseconds(now, -minutes * MINUTE)} where id = ${viewer.id}`,
    );
  const friends = async (viewer: SignedIn) => {
    await within((tx) => sendFriendRequest(tx, mira, { personId: viewer.id, note: "" }));
    await within((tx) => acceptFriendRequest(tx, viewer, { personId: mira.id }));
  };
  for (const [viewer, minutes] of [
    [tomas, 9],
    [noor, 1],
    [ines, 11],
  ] as const) {
    await friends(viewer);
    await seen(viewer, minutes);
  }
  await seen(ada, 0);
  const here = async () =>
    (await getHomeSidebar(db, mira, now)).onlineFriends.map(({ username }) => username);
  expect(await here()).toEqual(["noor", "tomas"]);
  await run(db, sql`update people set privacy = '{"showOnline": false}' where id = ${noor.id}`);
  expect(await here()).toEqual(["tomas"]);
  await within((tx) => mutePerson(tx, mira, { personId: tomas.id, until: null }));
  expect(await here()).toEqual([]);
});

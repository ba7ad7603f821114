import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { deleteExpiredRows } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import {
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  type TestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  acceptFriendRequest,
  sendFriendRequest,
  blockPerson,
  listBlocked,
  cancelFriendRequest,
  declineFriendRequest,
  listFriends,
  getFriendState,
  removeFriend,
  unblockPerson,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const DAY = 86_400_000;

const ask = (from: SignedIn, to: SignedIn, note = "") =>
  within((tx) => sendFriendRequest(tx, from, { personId: to.id, note }));
const state = async (viewer: SignedIn, other: SignedIn) => (await getFriendState(db, viewer, other.id)).state;
const names = async (viewer: SignedIn, tab: Parameters<typeof listFriends>[2]["tab"]) =>
  (await listFriends(db, viewer, { tab })).rows.map((it) => it.username);

/** The lists compare with the database's own clock, so that this test runs at the present time. */
async function today(): Promise<TestUsers> {
  database.clock.at = new Date();
  return createTestUsers(database);
}

describe("friend request", () => {
  test("appears to both people, and makes them friends when accepted", async () => {
    const { mira, noor } = await today();
    expect(await ask(noor, mira, "We met at the shed.")).toBe("sent");
    expect([await state(noor, mira), await state(mira, noor)]).toEqual(["sent", "received"]);
    expect((await listFriends(db, mira, { tab: "received" })).rows).toMatchObject([
      { username: "noor", note: "We met at the shed." },
    ]);
    await expect(within((tx) => acceptFriendRequest(tx, noor, { personId: mira.id }))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => acceptFriendRequest(tx, mira, { personId: noor.id }));
    expect([await state(noor, mira), await names(mira, "friends"), await names(noor, "friends")]).toEqual([
      "friends",
      ["noor"],
      ["mira"],
    ]);
    await within((tx) => removeFriend(tx, noor, { personId: mira.id }));
    expect(await state(mira, noor)).toBe("none");
    expect(await listEmittedEvents(database)).toEqual([
      "friend.requested",
      "friend.accepted",
      "friend.removed",
    ]);
  });

  test("makes friends if both people send a request, even at the same moment", async () => {
    const { mira, noor, tomas, ines } = await today();
    await ask(mira, noor);
    expect(await ask(noor, mira)).toBe("friends");
    const both = await Promise.all([ask(tomas, ines), ask(ines, tomas)]);
    expect(both.sort()).toEqual(["friends", "sent"]);
    expect([await state(tomas, ines), await state(ines, tomas)]).toEqual(["friends", "friends"]);
  });

  test("can be declined without notifying its sender, who sees it as pending for ninety days", async () => {
    const { mira, noor } = await today();
    await ask(noor, mira);
    await within((tx) => declineFriendRequest(tx, mira, { personId: noor.id }));
    expect([
      await state(noor, mira),
      await state(mira, noor),
      await names(noor, "sent"),
      await names(mira, "received"),
    ]).toEqual(["sent", "none", ["noor", "mira"].slice(1), []]);
    expect(await ask(noor, mira)).toBe("sent");
    expect(await state(mira, noor)).toBe("none");
    await within((tx) => cancelFriendRequest(tx, noor, { personId: mira.id }));
    expect([await state(noor, mira), await names(noor, "sent")]).toEqual(["none", []]);
    expect(await ask(noor, mira)).toBe("sent");
    expect([await state(noor, mira), await state(mira, noor)]).toEqual(["sent", "none"]);
    await run(db, sql`update friendships set changed_at = changed_at - interval '91 days'`);
    expect(await state(noor, mira)).toBe("none");
    await ask(noor, mira);
    expect(await state(mira, noor)).toBe("received");
  });

  test("makes friends if its sender had declined a pending request of the recipient", async () => {
    const { mira, noor } = await today();
    await ask(noor, mira);
    await within((tx) => declineFriendRequest(tx, mira, { personId: noor.id }));
    expect(await ask(mira, noor)).toBe("friends");
  });

  test("sent to someone whose declined request was withdrawn is an ordinary new request", async () => {
    const { mira, noor } = await today();
    await ask(noor, mira);
    await within((tx) => declineFriendRequest(tx, mira, { personId: noor.id }));
    await within((tx) => cancelFriendRequest(tx, noor, { personId: mira.id }));
    expect(await ask(mira, noor)).toBe("sent");
    expect([await state(mira, noor), await state(noor, mira)]).toEqual(["sent", "received"]);
    await within((tx) => acceptFriendRequest(tx, noor, { personId: mira.id }));
    expect(await one(db, sql`select state, cancelled from friendships`)).toEqual({
      state: "friends",
      cancelled: false,
    });
  });

  test("can be withdrawn once", async () => {
    const { mira, noor } = await today();
    await ask(noor, mira);
    await within((tx) => cancelFriendRequest(tx, noor, { personId: mira.id }));
    expect(await names(mira, "received")).toEqual([]);
    await expect(within((tx) => cancelFriendRequest(tx, noor, { personId: mira.id }))).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("fails from guests, to oneself, to people who accept no requests, and beyond thirty a day", async () => {
    const { mira, noor, guest } = await today();
    await expect(ask(guest as SignedIn, mira)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(ask(noor, noor)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(ask({ ...noor, limited: true }, mira)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(
      within((tx) => sendFriendRequest(tx, noor, { personId: "nobody", note: "" })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    await run(db, sql`update people set privacy = '{"friendRequests":"connected"}' where id = ${mira.id}`);
    await expect(ask(noor, mira)).rejects.toMatchObject({ reason: "not-allowed" });
    expect((await getFriendState(db, noor, mira.id)).canAsk).toBe(false);
    const group = await createTestGroup(database, { tomas: mira, mira: noor });
    expect(group.slug).toBeTruthy();
    await ask(noor, mira);
    const crowd = await within((tx) =>
      Promise.all(Array.from({ length: 30 }, (_, i) => createPerson(tx, `neighbour${i}`))),
    );
    for (const who of crowd.slice(0, 29)) await ask(noor, who);
    await expect(ask(noor, crowd[29]!)).rejects.toMatchObject({ reason: "too-many" });
    database.clock.pass(DAY + 1000);
    await ask(noor, crowd[29]!);
  });

  test("counts toward the daily limit even when cancelled or ended by a block", async () => {
    const { noor } = await today();
    const crowd = await within((tx) =>
      Promise.all(Array.from({ length: 31 }, (_, i) => createPerson(tx, `neighbour${i}`))),
    );
    for (const [i, who] of crowd.slice(0, 30).entries()) {
      await ask(noor, who);
      const end = i % 2 === 0 ? cancelFriendRequest : blockPerson;
      await within((tx) => end(tx, noor, { personId: who.id }));
    }
    await expect(ask(noor, crowd[30]!)).rejects.toMatchObject({ reason: "too-many" });
    await ask(noor, crowd[0]!);
    database.clock.pass(DAY + 1000);
    await within((tx) => deleteExpiredRows(tx));
    await ask(noor, crowd[30]!);
    expect(await one(db, sql`select count(*)::int as kept from friend_request_attempts`)).toEqual({
      kept: 1,
    });
  });
});

describe("block", () => {
  test("ends the friendship, prevents requests and hides the blocker's profile from the blocked person", async () => {
    const { mira, noor } = await today();
    await ask(noor, mira);
    await within((tx) => acceptFriendRequest(tx, mira, { personId: noor.id }));
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    expect(await getFriendState(db, mira, noor.id)).toEqual({
      state: "none",
      viewerBlocks: true,
      viewerMutes: false,
      canAsk: false,
      canWrite: false,
    });
    await expect(getFriendState(db, noor, mira.id)).rejects.toMatchObject({
      reason: "not-found",
      message: "Not found.",
    });
    await expect(ask(noor, mira)).rejects.toMatchObject({ reason: "not-found" });
    await expect(ask(mira, noor)).rejects.toMatchObject({ reason: "not-allowed" });
    expect((await listBlocked(db, mira)).map((it) => it.username)).toEqual(["noor"]);
    expect(await listBlocked(db, noor)).toEqual([]);
    await expect(within((tx) => blockPerson(tx, mira, { personId: mira.id }))).rejects.toMatchObject({
      reason: "invalid",
    });
    await within((tx) => unblockPerson(tx, mira, { personId: noor.id }));
    expect(await ask(noor, mira)).toBe("sent");
    expect(await state(mira, noor)).toBe("received");
  });

  test.each(["sender", "recipient"])(
    "does not undo a decline when the %s blocks and unblocks",
    async (which) => {
      const { mira, noor } = await today();
      const [by, of] = which === "sender" ? [noor, mira] : [mira, noor];
      await ask(noor, mira);
      await within((tx) => declineFriendRequest(tx, mira, { personId: noor.id }));
      await within((tx) => blockPerson(tx, by, { personId: of.id }));
      expect([await names(noor, "sent"), await names(mira, "sent")]).toEqual([[], []]);
      await within((tx) => unblockPerson(tx, by, { personId: of.id }));
      expect(await state(noor, mira)).toBe("none");
      expect(await ask(noor, mira)).toBe("sent");
      expect([await state(noor, mira), await state(mira, noor)]).toEqual(["sent", "none"]);
      await run(db, sql`update friendships set changed_at = changed_at - interval '91 days'`);
      await ask(noor, mira);
      expect(await state(mira, noor)).toBe("received");
    },
  );
});

describe("friend suggestions", () => {
  test("list friends of friends and members of small groups, never dismissed or blocked people", async () => {
    const people = await today();
    const { mira, tomas, ines, noor, ada } = people;
    const befriend = async (first: SignedIn, second: SignedIn) => [
      await ask(first, second),
      await ask(second, first),
    ];
    await befriend(mira, tomas);
    await befriend(tomas, ines);
    const group = await createTestGroup(database, people, { visibility: "secret", name: "Night shift" });
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await within((tx) => setMembership(tx, group.id, ada, "member"));
    expect((await listFriends(db, mira, { tab: "suggestions" })).rows).toMatchObject([
      { username: "ines", reason: "friends", mutualFriends: 1 },
      { username: "ada", reason: "group", groupInCommon: "Night shift" },
      { username: "noor", reason: "group" },
    ]);
    await within((tx) => blockPerson(tx, ada, { personId: mira.id }));
    await ask(mira, noor);
    expect(await names(mira, "suggestions")).toEqual(["ines"]);
    expect((await one(db, sql<{ n: number }>`select count(*)::int as n from friendships`)).n).toBe(3);
  });
});

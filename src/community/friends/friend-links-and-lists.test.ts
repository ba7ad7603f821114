import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { LIMITS, type SignedIn } from "#community/rules";
import { listEmittedEvents, createTestUsers, createPerson } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  acceptFriendLink,
  sendFriendRequest,
  blockPerson,
  declineFriendRequest,
  dismissSuggestion,
  countFriends,
  getFriendLink,
  listFriendLinks,
  listFriends,
  getFriendState,
  createFriendLink,
  removeFriend,
  revokeFriendLink,
  undoDismissal,
  undoFriendRemoval,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const DAY = 86_400_000;

async function today() {
  database.clock.at = new Date();
  return createTestUsers(database);
}
const link = async (viewer: SignedIn) => (await within((tx) => createFriendLink(tx, viewer))).token;
const come = (viewer: SignedIn, token: string) => within((tx) => acceptFriendLink(tx, viewer, { token }));
const look = (who: Parameters<typeof getFriendLink>[1], token: string) =>
  getFriendLink(db, who, token, database.clock.at);
const state = async (viewer: SignedIn, other: SignedIn) => (await getFriendState(db, viewer, other.id)).state;
const befriend = async (viewer: SignedIn, other: SignedIn) => {
  await within((tx) => sendFriendRequest(tx, viewer, { personId: other.id, note: "" }));
  await within((tx) => sendFriendRequest(tx, other, { personId: viewer.id, note: "" }));
};

describe("friend link", () => {
  test("shows its owner to a guest, and makes friends with each person who opens it", async () => {
    const { mira, noor, tomas, guest } = await today();
    const token = await link(mira);
    expect(await look(guest, token)).toMatchObject({ state: "open", by: { username: "mira" } });
    expect([(await look(mira, token)).state, (await look(noor, token)).state]).toEqual(["own", "open"]);
    await expect(come(guest as SignedIn, token)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(come(mira, token)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(come({ ...noor, limited: true }, token)).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await come(noor, token)).toEqual({ personId: mira.id });
    await come(noor, token);
    expect([await state(mira, noor), (await look(noor, token)).state]).toEqual(["friends", "friends"]);
    expect(await listFriendLinks(db, mira, database.clock.at)).toMatchObject([{ uses: 1, mostUses: 10 }]);
    expect([
      await listFriendLinks(db, tomas, database.clock.at),
      await listFriendLinks(db, guest, database.clock.at),
    ]).toEqual([[], []]);
    expect(await listEmittedEvents(database)).toEqual(["friend.link_created", "friend.accepted"]);
  });

  test("opened twice concurrently by one person counts as one use", async () => {
    const { mira, noor } = await today();
    const token = await link(mira);
    await run(db, sql`update friend_links set uses = most_uses - 1`);
    expect(await Promise.all([come(noor, token), come(noor, token)])).toEqual([
      { personId: mira.id },
      { personId: mira.id },
    ]);
    expect(await one(db, sql`select uses, most_uses as most from friend_links`)).toEqual({
      uses: 10,
      most: 10,
    });
    expect((await listEmittedEvents(database)).filter((type) => type === "friend.accepted")).toHaveLength(1);
  });

  test("makes friends even if its owner declined a request of that person before", async () => {
    const { mira, noor } = await today();
    await within((tx) => sendFriendRequest(tx, noor, { personId: mira.id, note: "" }));
    await within((tx) => declineFriendRequest(tx, mira, { personId: noor.id }));
    await come(noor, await link(mira));
    expect([await state(mira, noor), await state(noor, mira)]).toEqual(["friends", "friends"]);
  });

  test("expires after ten people, thirty days, a revocation, a block or the closing of the account", async () => {
    const { mira, noor, tomas } = await today();
    const over = async (token: string, why: string) => {
      expect(await look(noor, token)).toEqual({ state: why });
      await expect(come(noor, token)).rejects.toMatchObject({ reason: "gone" });
    };
    const used = await link(mira);
    const crowd = await within((tx) =>
      Promise.all(Array.from({ length: LIMITS.invitation.uses }, (_, i) => createPerson(tx, `guest${i}`))),
    );
    for (const who of crowd) await come(who, used);
    await over(used, "used");
    const revoked = await link(mira);
    const { id } = (await listFriendLinks(db, mira, database.clock.at))[0]!;
    await expect(within((tx) => revokeFriendLink(tx, tomas, { linkId: id }))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => revokeFriendLink(tx, mira, { linkId: id }));
    await expect(within((tx) => revokeFriendLink(tx, mira, { linkId: id }))).rejects.toMatchObject({
      reason: "not-found",
    });
    await over(revoked, "revoked");
    const ofTomas = await link(tomas);
    await within((tx) => blockPerson(tx, tomas, { personId: noor.id }));
    await over(ofTomas, "revoked");
    const old = await link(mira);
    database.clock.pass(LIMITS.invitation.days * DAY);
    await over(old, "expired");
    await run(db, sql`update people set state = 'suspended' where id = ${mira.id}`);
    await over(await link(mira), "revoked");
    await expect(look(noor, "nothing")).rejects.toMatchObject({ reason: "not-found" });
    await expect(come(noor, "nothing")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("limit is ten a day, and limited accounts cannot create any", async () => {
    const { mira, noor, guest } = await today();
    await expect(link({ ...noor, limited: true })).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(link(guest as SignedIn)).rejects.toMatchObject({ reason: "not-signed-in" });
    const results = await Promise.allSettled(
      Array.from({ length: LIMITS.invitation.perDay + 1 }, () => link(mira)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(LIMITS.invitation.perDay);
    await expect(link(mira)).rejects.toMatchObject({ reason: "too-many" });
    database.clock.pass(DAY + 1000);
    await link(mira);
  });
});

describe("friend removal", () => {
  test("can be undone for ten minutes by the person who removed the friend", async () => {
    const { mira, noor } = await today();
    await befriend(mira, noor);
    const { since } = (await listFriends(db, mira, { tab: "friends" })).rows[0]!;
    database.clock.pass(1000);
    await within((tx) => removeFriend(tx, mira, { personId: noor.id }));
    await expect(within((tx) => undoFriendRemoval(tx, noor, { personId: mira.id }))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => undoFriendRemoval(tx, mira, { personId: noor.id }));
    expect((await listFriends(db, mira, { tab: "friends" })).rows).toMatchObject([
      { username: "noor", since },
    ]);
    await expect(within((tx) => undoFriendRemoval(tx, mira, { personId: noor.id }))).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("can no longer be undone later, after a block, or after a new request", async () => {
    const { mira, noor } = await today();
    const removed = async () => {
      await befriend(mira, noor);
      await within((tx) => removeFriend(tx, mira, { personId: noor.id }));
    };
    const back = () => within((tx) => undoFriendRemoval(tx, mira, { personId: noor.id }));
    await removed();
    await within((tx) => sendFriendRequest(tx, noor, { personId: mira.id, note: "Why?" }));
    await expect(back()).rejects.toMatchObject({ reason: "not-found" });
    expect(await state(mira, noor)).toBe("received");
    await run(db, sql`delete from friendships`);
    await removed();
    database.clock.pass(600_000);
    await expect(back()).rejects.toMatchObject({ reason: "not-found" });
    await removed();
    await within((tx) => blockPerson(tx, noor, { personId: mira.id }));
    await expect(back()).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("long friend list", () => {
  test("continues by name or last activity, with hidden activity last", async () => {
    const { mira } = await today();
    const count = LIMITS.page.people * 2 + 7;
    await run(
      db,
      sql`with crowd as (
            insert into people (id, username, display_name, email, state, trust, seen_at, privacy, created_at)
            select gen_random_uuid(), 'friend' || n, 'Friend ' || n, 'friend' || n || '@example.org',
              'active', 'established',
              ${database.clock.at}::timestamptz - n * interval '61.123456 seconds', case
                when n % 10 = 0 then '{"showOnline":false}' else '{}' end::jsonb, now()
            from generate_series(1, ${count}::int) n returning id)
          insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
          select least(id, ${mira.id}::uuid), greatest(id, ${mira.id}::uuid), 'friends', id, now(), now()
          from crowd`,
    );
    for (const sort of ["name", "active"] as const) {
      const rows: { name: string; seenAt: Date | null }[] = [];
      let after: string | undefined;
      do {
        const page = await listFriends(db, mira, { tab: "friends", sort, ...(after && { after }) });
        rows.push(...page.rows);
        after = page.next ?? undefined;
      } while (after);
      expect([rows.length, new Set(rows.map(({ name }) => name)).size]).toEqual([count, count]);
      const shown = rows.filter(({ seenAt }) => seenAt);
      if (sort === "active") {
        expect(rows.slice(0, shown.length)).toEqual(shown);
        expect(shown.map(({ seenAt }) => seenAt!.getTime())).toEqual(
          shown.map(({ seenAt }) => seenAt!.getTime()).toSorted((a, b) => b - a),
        );
      }
      expect(shown.length).toBe(count - Math.floor(count / 10));
    }
    expect(
      (await listFriends(db, mira, { tab: "friends", search: "friend 100" })).rows.map(
        ({ username }) => username,
      ),
    ).toEqual(["friend100"]);
  });

  test("shows its length to people who can read the profile, if its owner allows it", async () => {
    const { mira, tomas, noor, ines, guest } = await today();
    await befriend(mira, tomas);
    const counts = async () => [
      await countFriends(db, mira, mira.id),
      await countFriends(db, tomas, mira.id),
      await countFriends(db, noor, mira.id),
      await countFriends(db, guest, mira.id),
    ];
    expect(await counts()).toEqual([1, null, null, null]);
    await run(db, sql`update people set privacy = '{"showFriendCount":true}' where id = ${mira.id}`);
    expect(await counts()).toEqual([1, 1, 1, null]);
    await run(
      db,
      sql`update people set privacy = '{"showFriendCount":true,"profile":"friends"}' where id = ${mira.id}`,
    );
    expect(await counts()).toEqual([1, 1, null, null]);
    await run(db, sql`update people set privacy = '{"showFriendCount":true}' where id = ${mira.id}`);
    await within((tx) => blockPerson(tx, mira, { personId: ines.id }));
    expect([await countFriends(db, ines, mira.id), await countFriends(db, noor, "nobody")]).toEqual([
      null,
      null,
    ]);
  });

  test("does not suggest a dismissed person again unless the dismissal is undone", async () => {
    const { mira, tomas, ines } = await today();
    await befriend(mira, tomas);
    await befriend(tomas, ines);
    const suggested = async () =>
      (await listFriends(db, mira, { tab: "suggestions" })).rows.map(({ username }) => username);
    expect(await suggested()).toEqual(["ines"]);
    await within((tx) => dismissSuggestion(tx, mira, { personId: ines.id }));
    await within((tx) => dismissSuggestion(tx, mira, { personId: ines.id }));
    expect(await suggested()).toEqual([]);
    expect(
      (await listFriends(db, ines, { tab: "suggestions" })).rows.map(({ username }) => username),
    ).toEqual(["mira"]);
    await within((tx) => undoDismissal(tx, mira, { personId: ines.id }));
    expect(await suggested()).toEqual(["ines"]);
  });
});

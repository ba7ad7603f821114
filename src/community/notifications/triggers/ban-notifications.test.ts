import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import {
  approveJoinRequest,
  requestToJoin,
  GroupBan,
  banFromGroup,
  deleteGroup,
  endExpiredBans,
  getGroup,
  inviteToGroup,
  joinGroup,
  liftGroupBan,
  removeMember,
  updateGroup,
} from "#community/groups";
import type { SignedIn, Visibility } from "#community/rules";
import { createTestGroup, setMembership, createTestUsers } from "../../../../test/support/test-users.ts";
import { getNotification, listNotifications } from "../index.ts";
import {
  dispatchEvents,
  redispatchEvents,
  listDeliveryRows,
} from "../../../../test/support/notifications/deliveries.ts";
import {
  database,
  listDeliveries,
  within,
} from "../../../../test/support/notifications/notification-setup.ts";

const { db, clock } = database;

/** Mira is a member of a group of Tomas's; Noor is not. */
async function scene(visibility: Visibility = "secret") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  const on = (viewer: SignedIn) => ({ groupId: group.id, personId: viewer.id });
  const takeOut = (viewer: SignedIn) =>
    within((tx) => removeMember(tx, people.tomas, { ...on(viewer), reason: "Shouting." }));
  const keepOut = (viewer: SignedIn, days = "") =>
    within((tx) => banFromGroup(tx, people.tomas, GroupBan.parse({ ...on(viewer), reason: "Again.", days })));
  const letBack = (viewer: SignedIn) => within((tx) => liftGroupBan(tx, people.tomas, on(viewer)));
  const rename = (name: string) => within((tx) => updateGroup(tx, people.tomas, { groupId: group.id, name }));
  const linesOf = async (viewer: SignedIn) => (await listNotifications(db, viewer, { tab: "all" })).rows;
  return { ...people, group, on, takeOut, keepOut, letBack, rename, linesOf };
}

describe("member removed from a group", () => {
  test("gets notified once, with the reason and without a name", async () => {
    const { mira, tomas, noor, group, takeOut, linesOf } = await scene("private");
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    await takeOut(mira);
    await dispatchEvents(database);
    await redispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["group_decision about_you"]);
    expect(await linesOf(mira)).toMatchObject([
      {
        detail: "removed",
        words: "Shouting.",
        actors: [],
        object: { id: group.id, title: "The Long Beds" },
        group: { slug: group.slug },
      },
    ]);
    expect([await listDeliveries(tomas), await listDeliveries(noor)]).toEqual([[], []]);
  });

  test("gets notified about a secret group by its former name, without a link", async () => {
    const { mira, takeOut, rename, group, linesOf } = await scene();
    await takeOut(mira);
    await dispatchEvents(database);
    await rename("Beds without Mira");
    await dispatchEvents(database);
    await expect(getGroup(db, mira, group.id)).rejects.toMatchObject({ reason: "not-found" });
    const [line] = await linesOf(mira);
    expect(line).toMatchObject({
      object: { kind: "group", title: "The Long Beds" },
      group: null,
      words: "Shouting.",
      unread: true,
    });
    expect(JSON.stringify(line)).not.toContain("without");
    expect(await getNotification(db, mira, line!.id)).toEqual({ ...line, foldedFor: undefined });
  });

  test("can still read the notification after the group is deleted", async () => {
    const { mira, tomas, noor, ada, takeOut, linesOf, group } = await scene();
    await takeOut(mira);
    await dispatchEvents(database);
    await within((tx) => deleteGroup(tx, tomas, { groupId: group.id, reason: "" }));
    await dispatchEvents(database);
    await run(db, sql`delete from groups where id = ${group.id}`);
    const [line] = await linesOf(mira);
    expect(line).toMatchObject({ object: { title: "The Long Beds" }, group: null });
    for (const viewer of [tomas, noor, ada])
      await expect(getNotification(db, viewer, line!.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("gets notified even across a block with the moderator", async () => {
    const { mira, tomas, takeOut } = await scene();
    await within((tx) => blockPerson(tx, mira, { personId: tomas.id }));
    await takeOut(mira);
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["group_decision about_you"]);
  });

  test("loses the approval notification, and has the removal notification cleared after rejoining", async () => {
    const { tomas, noor, on, group, takeOut } = await scene("private");
    await within((tx) => requestToJoin(tx, noor, { groupId: group.id, answers: [] }));
    await within((tx) => approveJoinRequest(tx, tomas, on(noor)));
    await dispatchEvents(database);
    await run(db, sql`update notifications set read_at = now() where person_id = ${noor.id}`);
    clock.pass(1_000);
    await takeOut(noor);
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual([
      "group_decision you_asked read withdrawn",
      "group_decision about_you",
    ]);
    clock.pass(1_000);
    await within((tx) => inviteToGroup(tx, tomas, on(noor)));
    await within((tx) => joinGroup(tx, noor, { groupId: group.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual([
      "group_decision you_asked read withdrawn",
      "group_decision about_you read",
    ]);
  });
});

describe("banned member", () => {
  test("gets notified of the end date and of an early end of the ban", async () => {
    const { mira, noor, group, keepOut, letBack, linesOf } = await scene("public");
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await keepOut(mira, "7");
    await keepOut(noor, "7");
    await dispatchEvents(database);
    const until = addMilliseconds(clock.at, 7 * DAY);
    expect(await linesOf(mira)).toMatchObject([
      { detail: "banned", words: "Again.", moment: until, group: { slug: group.slug } },
    ]);
    await letBack(mira);
    await dispatchEvents(database);
    expect(await linesOf(mira)).toMatchObject([{ detail: "ban_ended", words: "", moment: null }]);
    clock.pass(7 * DAY);
    await within(endExpiredBans);
    await dispatchEvents(database);
    expect(await linesOf(noor)).toMatchObject([{ detail: "banned", count: 1 }]);
  });

  test("gets notified about a secret group by the name they know", async () => {
    const { mira, keepOut, letBack, rename, linesOf } = await scene();
    await keepOut(mira);
    await dispatchEvents(database);
    expect(await linesOf(mira)).toMatchObject([{ object: { title: "The Long Beds" }, moment: null }]);
    await rename("Beds without Mira");
    await letBack(mira);
    await keepOut(mira, "7");
    await letBack(mira);
    await dispatchEvents(database);
    expect(await linesOf(mira)).toMatchObject([
      { detail: "ban_ended", object: { title: "The Long Beds" }, group: null },
    ]);
  });

  test("gets no notification about a group they may not know of", async () => {
    const { noor, group, keepOut, letBack, on } = await scene("public");
    await within((tx) => setMembership(tx, group.id, noor, "left"));
    await run(
      db,
      sql`update groups set visibility = 'secret', join_policy = 'invite', name = 'Beds in the dark'`,
    );
    await keepOut(noor);
    await dispatchEvents(database);
    await letBack(noor);
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual([]);
    await run(db, sql`update memberships set state = 'invited' where person_id = ${on(noor).personId}`);
    await keepOut(noor);
    await dispatchEvents(database);
    expect((await listDeliveryRows(database, noor)).map((it) => it.detail)).toEqual(["banned"]);
  });
});

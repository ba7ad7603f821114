import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import {
  appointOwner,
  requestNewOwner,
  requestToJoin,
  restoreGroup,
  createGroup,
  declineJoinRequest,
  declineOwnerRequest,
  deleteGroup,
  leaveGroup,
  approvePendingGroup,
  NewGroup,
  setNotifyLevel,
  declinePendingGroup,
  updateGroup,
} from "#community/groups";
import type { SignedIn, Viewer } from "#community/rules";
import { defaultSettings } from "#community/settings";
import {
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { getNotificationSettings, listNotifications } from "../index.ts";
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
const linesOf = async (viewer: Viewer, tab: "all" | "requests" = "all") =>
  (await listNotifications(db, viewer, { tab })).rows;

describe("group awaiting approval", () => {
  const site = { ...defaultSettings, whoCreatesGroups: "members" as const };
  const wish = NewGroup.parse({ name: "Kites", visibility: "secret", joinPolicy: "invite", purpose: "Up." });

  async function scene() {
    const people = await createTestUsers(database);
    const newcomer = await within((tx) => createPerson(tx, "newcomer", "member", "new"));
    const group = await within((tx) => createGroup(tx, newcomer, wish, site));
    await dispatchEvents(database);
    const it = { groupId: group.id };
    return {
      ...people,
      newcomer,
      group,
      it,
      turnDown: () => within((tx) => declinePendingGroup(tx, people.ines, { ...it, reason: "Too vague." })),
    };
  }

  test("notifies staff once, until one of them decides", async () => {
    const { ines, ada, mira, newcomer, group, it } = await scene();
    await redispatchEvents(database);
    for (const viewer of [ines, ada]) expect(await listDeliveries(viewer)).toEqual(["group_waits staff"]);
    for (const viewer of [mira, newcomer]) expect(await listDeliveries(viewer)).toEqual([]);
    expect(await linesOf(ada, "requests")).toMatchObject([
      { object: { id: group.id }, group: { name: "Kites" }, detail: "", actors: [] },
    ]);
    await within((tx) => approvePendingGroup(tx, ines, it));
    await dispatchEvents(database);
    for (const viewer of [ines, ada])
      expect(await listDeliveries(viewer)).toEqual(["group_waits staff read"]);
    // The admin no longer sees the notification: once approved, the secret group is hidden from staff.
    expect(await linesOf(ada)).toEqual([]);
  });

  test("notifies staff even across a block with its founder, but not former staff", async () => {
    const { ines, ada, newcomer } = await scene();
    await run(db, sql`update people set site_role = 'member' where id = ${ines.id}`);
    expect(await linesOf({ ...ines, role: "member" })).toEqual([]);
    await within((tx) => blockPerson(tx, newcomer, { personId: ada.id }));
    await within((tx) => createGroup(tx, newcomer, { ...wish, name: "Kites too" }, site));
    await dispatchEvents(database);
    expect((await listDeliveryRows(database, ada)).map((row) => row.kind)).toEqual([
      "group_waits",
      "group_waits",
    ]);
    expect(await listDeliveryRows(database, ines)).toHaveLength(1);
  });

  test("notifies only its founder of the approval", async () => {
    const { ines, mira, newcomer, it } = await scene();
    await within((tx) => approvePendingGroup(tx, ines, it));
    await dispatchEvents(database);
    expect(await linesOf(newcomer)).toMatchObject([
      { kind: "group_decision", reason: "you_lead", detail: "approved", actors: [], words: "" },
    ]);
    expect(await listDeliveries(mira)).toEqual([]);
  });

  test("notifies its founder of the reason for a rejection, and staff again once it is edited", async () => {
    const { ines, ada, newcomer, it, turnDown } = await scene();
    await turnDown();
    await dispatchEvents(database);
    expect(await linesOf(newcomer)).toMatchObject([
      { detail: "rejected", words: "Too vague.", unread: true },
    ]);
    expect(await listDeliveries(ada)).toEqual(["group_waits staff read"]);
    clock.pass(1_000);
    await within((tx) => updateGroup(tx, newcomer, { ...it, purpose: "Stunt kites." }));
    await within((tx) => updateGroup(tx, newcomer, { ...it, purpose: "Stunt kites, on Sundays." }));
    await dispatchEvents(database);
    expect(await listDeliveries(newcomer)).toEqual(["group_decision you_lead read"]);
    for (const viewer of [ines, ada])
      expect(await listDeliveries(viewer)).toEqual(["group_waits staff read", "group_waits staff"]);
  });

  test("has its notification withdrawn when its founder withdraws the group", async () => {
    const { ada, newcomer, it } = await scene();
    await within((tx) => deleteGroup(tx, newcomer, { ...it, reason: "" }));
    await dispatchEvents(database);
    expect(await listDeliveries(ada)).toEqual(["group_waits staff withdrawn"]);
  });

  test("has notification settings for staff only", async () => {
    const { ines, mira } = await scene();
    const kinds = async (viewer: SignedIn) =>
      (await getNotificationSettings(db, viewer, clock.at)).kinds.map(({ kind }) => kind);
    expect(await kinds(ines)).toContain("group_waits");
    expect(await kinds(mira)).not.toContain("group_waits");
  });
});

describe("group with a request for a new owner", () => {
  async function scene() {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "secret", name: "Candles" });
    const lea = await within((tx) => createPerson(tx, "lea"));
    await within((tx) => setMembership(tx, group.id, lea, "moderator"));
    await within((tx) => setMembership(tx, group.id, people.noor, "moderator"));
    clock.pass(61 * DAY);
    await within((tx) => requestNewOwner(tx, lea, { groupId: group.id }));
    await dispatchEvents(database);
    return { ...people, group, lea, it: { groupId: group.id } };
  }

  test("notifies admins until an admin appoints an owner, who is notified as well", async () => {
    const { ines, ada, mira, lea, tomas, it } = await scene();
    expect(await linesOf(ada)).toMatchObject([
      { kind: "group_waits", detail: "owner_requested", group: { name: "Candles" }, words: "" },
    ]);
    for (const viewer of [ines, mira, lea, tomas]) expect(await listDeliveries(viewer)).toEqual([]);
    await within((tx) => appointOwner(tx, ada, { ...it, personId: lea.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(ada)).toEqual(["group_waits staff read"]);
    expect(await linesOf(ada)).toEqual([]);
    expect(await listDeliveries(lea)).toEqual(["group_role member"]);
  });

  test("notifies its moderators of a refusal, but not those who have left", async () => {
    const { ada, mira, noor, lea, tomas, it } = await scene();
    await within((tx) => declineOwnerRequest(tx, ada, it));
    await dispatchEvents(database);
    expect(await listDeliveries(ada)).toEqual(["group_waits staff read"]);
    for (const viewer of [lea, noor])
      expect(await linesOf(viewer)).toMatchObject([
        { kind: "group_decision", detail: "owner_request_declined" },
      ]);
    for (const viewer of [mira, tomas]) expect(await listDeliveries(viewer)).toEqual([]);
    await within((tx) => leaveGroup(tx, noor, it));
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["group_decision you_lead withdrawn"]);
  });
});

test("a refusal notifies the member who made the request if the group has no moderator", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "secret", name: "Candles" });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  clock.pass(61 * DAY);
  await within((tx) => requestNewOwner(tx, people.mira, { groupId: group.id }));
  await within((tx) => declineOwnerRequest(tx, people.ada, { groupId: group.id }));
  await dispatchEvents(database);
  expect(await linesOf(people.mira)).toMatchObject([
    { kind: "group_decision", detail: "owner_request_declined" },
  ]);
  for (const viewer of [people.noor, people.tomas]) expect(await listDeliveries(viewer)).toEqual([]);
  await within((tx) => leaveGroup(tx, people.mira, { groupId: group.id }));
  await dispatchEvents(database);
  expect(await listDeliveries(people.mira)).toEqual(["group_decision member withdrawn"]);
});

describe("deleted group", () => {
  async function scene() {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "secret" });
    await within((tx) => setMembership(tx, group.id, people.noor, "member"));
    await within((tx) => setMembership(tx, group.id, people.ines, "left"));
    await within((tx) => setNotifyLevel(tx, people.noor, { groupId: group.id, level: "mute" }));
    await within((tx) => deleteGroup(tx, people.tomas, { groupId: group.id, reason: "" }));
    await dispatchEvents(database);
    return { ...people, group };
  }

  test("notifies its members, except the person who deleted it and those who muted it", async () => {
    const { mira, tomas, noor, ines, group } = await scene();
    expect(await listDeliveries(mira)).toEqual(["group_archived member"]);
    for (const viewer of [tomas, noor, ines]) expect(await listDeliveries(viewer)).toEqual([]);
    await run(db, sql`delete from groups where id = ${group.id}`);
    expect(await linesOf(mira)).toMatchObject([
      { detail: "deleted", object: { title: "The Long Beds" }, group: null },
    ]);
  });

  test("has its notification withdrawn after it is restored", async () => {
    const { mira, tomas, group } = await scene();
    await within((tx) => restoreGroup(tx, tomas, { groupId: group.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["group_archived member withdrawn"]);
    expect(await one(db, sql`select state from groups`)).toEqual({ state: "active" });
  });
});

test("a person whose request is declined is notified of the reason", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => requestToJoin(tx, people.noor, { groupId: group.id, answers: [] }));
  await within((tx) =>
    declineJoinRequest(tx, people.tomas, { groupId: group.id, personId: people.noor.id, reason: "Full." }),
  );
  await dispatchEvents(database);
  expect(await linesOf(people.noor)).toMatchObject([{ detail: "declined", words: "Full." }]);
});

import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { blockPerson, mutePerson } from "#community/friends";
import {
  cancelScheduledOpening,
  leaveGroup,
  applyDueOpenings,
  removeMember,
  setNotifyLevel,
  updateGroup,
} from "#community/groups";
import type { JoinPolicy, SignedIn, Visibility } from "#community/rules";
import { createTestGroup, setMembership, createTestUsers } from "../../../../test/support/test-users.ts";
import { listNotifications } from "../index.ts";
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

/** A group of Tomas's with Mira, Noor and Ines; Ada has requested to join. */
async function scene(visibility: Visibility = "private") {
  const people = await createTestUsers(database);
  const { tomas, noor, ines, ada } = people;
  const group = await createTestGroup(database, people, { visibility });
  await within(async (tx) => {
    for (const viewer of [noor, ines]) await setMembership(tx, group.id, viewer, "member");
    await setMembership(tx, group.id, ada, "requested");
  });
  const changeAccess = (to: Visibility, joinPolicy: JoinPolicy) =>
    within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: to, joinPolicy }));
  const linesOf = async (viewer: SignedIn) => (await listNotifications(db, viewer, { tab: "all" })).rows;
  return {
    ...people,
    group,
    changeAccess,
    linesOf,
    opens: () => changeAccess("public", "open"),
    at: addMilliseconds(clock.at, 7 * DAY),
  };
}

describe("scheduled visibility change", () => {
  test("notifies every member except the actor once, even if they muted the group", async () => {
    const { tomas, mira, noor, ines, ada, group, opens, linesOf, at } = await scene();
    await within((tx) => setNotifyLevel(tx, mira, { groupId: group.id, level: "mute" }));
    await within((tx) => mutePerson(tx, noor, { personId: tomas.id, until: null }));
    await within((tx) => blockPerson(tx, ines, { personId: tomas.id }));
    await opens();
    await dispatchEvents(database);
    await redispatchEvents(database);
    for (const viewer of [mira, noor, ines])
      expect(await listDeliveries(viewer)).toEqual(["group_opening member"]);
    for (const viewer of [tomas, ada]) expect(await listDeliveries(viewer)).toEqual([]);
    expect(await linesOf(mira)).toMatchObject([
      { detail: "public", moment: at, actors: [], object: { id: group.id }, group: { slug: group.slug } },
    ]);
  });

  test("also notifies when a secret group becomes private", async () => {
    const { mira, changeAccess, linesOf } = await scene("secret");
    await changeAccess("private", "request");
    await dispatchEvents(database);
    expect(await linesOf(mira)).toMatchObject([{ kind: "group_opening", detail: "private" }]);
  });

  test("does not notify of narrower visibility or a changed join policy", async () => {
    const { mira, changeAccess } = await scene();
    await changeAccess("private", "invite");
    await changeAccess("secret", "invite");
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual([]);
  });

  test("has its notification withdrawn when it is cancelled, and for members who leave", async () => {
    const { tomas, mira, noor, ines, group, opens } = await scene();
    await opens();
    await dispatchEvents(database);
    await within((tx) => leaveGroup(tx, noor, { groupId: group.id }));
    await within((tx) =>
      removeMember(tx, tomas, { groupId: group.id, personId: ines.id, reason: "Shouting." }),
    );
    await dispatchEvents(database);
    expect(await listDeliveries(noor)).toEqual(["group_opening member withdrawn"]);
    expect(await listDeliveries(ines)).toEqual([
      "group_decision about_you",
      "group_opening member withdrawn",
    ]);
    expect(await listDeliveries(mira)).toEqual(["group_opening member"]);
    await within((tx) => cancelScheduledOpening(tx, tomas, { groupId: group.id }));
    await dispatchEvents(database);
    expect(await listDeliveries(mira)).toEqual(["group_opening member withdrawn"]);
    await opens();
    await dispatchEvents(database);
    expect((await listDeliveryRows(database, mira)).filter((it) => !it.withdrawn)).toHaveLength(1);
  });

  test("notifies again of a new date, and stays listed until the group is closed again", async () => {
    const { mira, noor, tomas, group, changeAccess, opens, linesOf, at } = await scene();
    await opens();
    clock.pass(DAY);
    await changeAccess("public", "request");
    await dispatchEvents(database);
    expect(await linesOf(mira)).toMatchObject([{ kind: "group_opening", moment: addMilliseconds(at, DAY) }]);
    clock.pass(7 * DAY);
    await within(applyDueOpenings);
    await dispatchEvents(database);
    expect(await linesOf(mira)).toMatchObject([{ kind: "group_opening", unread: true }]);
    await within((tx) => leaveGroup(tx, noor, { groupId: group.id }));
    await dispatchEvents(database);
    expect(await linesOf(noor)).toEqual([]);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: "private" }));
    await dispatchEvents(database);
    expect(await linesOf(mira)).toEqual([]);
  });
});

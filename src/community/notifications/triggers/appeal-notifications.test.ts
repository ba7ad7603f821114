import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import {
  appealGroupBan,
  GroupBan,
  banFromGroup,
  declineGroupBanAppeal,
  liftGroupBan,
  updateGroup,
} from "#community/groups";
import type { SignedIn, Visibility } from "#community/rules";
import { createTestGroup, setMembership, createTestUsers } from "../../../../test/support/test-users.ts";
import { getHomeSidebar, listNotifications } from "../index.ts";
import { dispatchEvents, redispatchEvents } from "../../../../test/support/notifications/deliveries.ts";
import {
  database,
  listDeliveries,
  within,
} from "../../../../test/support/notifications/notification-setup.ts";

const { db } = database;

/** Tomas bans Mira from his group, which Noor moderates too. */
async function scene(visibility: Visibility = "private") {
  const people = await createTestUsers(database);
  const { tomas, mira, noor } = people;
  const group = await createTestGroup(database, people, { visibility });
  await within((tx) => setMembership(tx, group.id, noor, "moderator"));
  const on = (viewer: SignedIn) => ({ groupId: group.id, personId: viewer.id });
  await within((tx) =>
    banFromGroup(tx, tomas, GroupBan.parse({ ...on(mira), reason: "Shouting.", days: "" })),
  );
  await dispatchEvents(database);
  const ask = () => within((tx) => appealGroupBan(tx, mira, { groupId: group.id, text: "I was not there." }));
  const sayNo = () =>
    within((tx) => declineGroupBanAppeal(tx, noor, { ...on(mira), reason: "Three saw it." }));
  const linesOf = async (viewer: SignedIn) => (await listNotifications(db, viewer, { tab: "all" })).rows;
  return { ...people, group, on, ask, sayNo, linesOf };
}

test("a ban appeal notifies moderators once, even across a block, without naming its author", async () => {
  const { tomas, noor, ines, mira, group, ask, linesOf } = await scene();
  await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
  await ask();
  await dispatchEvents(database);
  await redispatchEvents(database);
  for (const viewer of [tomas, noor])
    expect(await linesOf(viewer)).toMatchObject([
      { kind: "group_appeal", actors: [], words: "", group: { slug: group.slug }, count: 1 },
    ]);
  expect((await listNotifications(db, tomas, { tab: "requests" })).rows).toHaveLength(1);
  expect(await listDeliveries(ines)).toEqual([]);
  await run(db, sql`update memberships set role = 'member' where person_id = ${noor.id}`);
  expect(await linesOf(noor)).toEqual([]);
});

test("an appeal is pending only for moderators who may decide it", async () => {
  const { tomas, noor, mira, group, ask, sayNo } = await scene();
  const waiting = async () =>
    Promise.all(
      [tomas, noor, mira].map(
        async (viewer) => (await getHomeSidebar(db, viewer, database.clock.at)).waiting.appealsToAnswer,
      ),
    );
  expect(await waiting()).toEqual([[], [], []]);
  await ask();
  const one = [{ group: { id: group.id, slug: group.slug, name: "The Long Beds" }, count: 1 }];
  expect(await waiting()).toEqual([[], one, []]);
  await run(db, sql`update memberships set role = 'member' where person_id = ${noor.id}`);
  expect(await waiting()).toEqual([one, [], []]);
  await run(db, sql`update memberships set role = 'moderator' where person_id = ${noor.id}`);
  await sayNo();
  expect(await waiting()).toEqual([[], [], []]);
});

test("a decided appeal is no longer pending, and its author is notified of the answer", async () => {
  const { tomas, noor, mira, ask, sayNo, linesOf } = await scene();
  await ask();
  await dispatchEvents(database);
  await sayNo();
  await dispatchEvents(database);
  for (const viewer of [tomas, noor])
    expect(await listDeliveries(viewer)).toEqual(["group_appeal you_lead read"]);
  expect(await linesOf(mira)).toMatchObject([
    { kind: "group_decision", detail: "appeal_declined", words: "Three saw it.", actors: [] },
  ]);
});

test("lifting the ban by anyone ends the appeal", async () => {
  const { tomas, noor, mira, on, ask, linesOf } = await scene();
  await ask();
  await dispatchEvents(database);
  await within((tx) => liftGroupBan(tx, tomas, on(mira)));
  await dispatchEvents(database);
  for (const viewer of [tomas, noor])
    expect(await listDeliveries(viewer)).toEqual(["group_appeal you_lead read"]);
  expect(await linesOf(mira)).toMatchObject([{ detail: "ban_ended" }]);
});

test("the answer about a secret group uses the group name that the author knows", async () => {
  const { tomas, mira, group, ask, sayNo, linesOf } = await scene("secret");
  await within((tx) => updateGroup(tx, tomas, { groupId: group.id, name: "Beds in the dark" }));
  await ask();
  await sayNo();
  await dispatchEvents(database);
  const lines = await linesOf(mira);
  expect(lines).toMatchObject([
    { detail: "appeal_declined", object: { title: "The Long Beds" }, group: null },
  ]);
  expect(JSON.stringify(lines)).not.toContain("dark");
});

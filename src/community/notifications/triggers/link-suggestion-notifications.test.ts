import { expect, test } from "vitest";
import { blockPerson } from "#community/friends";
import { addLink, answerSuggestion, getLinkHealth, NewLink, suggestAddress } from "#community/resources";
import { run, sql } from "#platform/database";
import { emit } from "#platform/outbox";
import { createTestGroup, setMembership, createTestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  dispatchEvents,
  redispatchEvents,
  listDeliveryRows,
  describeDeliveries,
} from "../../../../test/support/notifications/deliveries.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** A dead link of Mira's in a private group of Tomas's, of which Ines is a member. */
async function setting() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, people.ines, "member"));
  const { id } = await within((tx) =>
    addLink(
      tx,
      people.mira,
      NewLink.parse({ url: "https://example.org/", title: "Seeds", groupId: group.id }),
    ),
  );
  await run(db, sql`update resources set health = 'dead' where id = ${id}`);
  const suggest = () =>
    within((tx) => suggestAddress(tx, people.ines, { resourceId: id, url: "https://example.org/new" }));
  const answer = async (accept: boolean) => {
    const [first] = (await getLinkHealth(db, people.mira, id)).suggestions;
    await within((tx) =>
      answerSuggestion(tx, people.mira, { resourceId: id, suggestionId: first!.id, accept }),
    );
  };
  return { ...people, group, id, suggest, answer };
}

test("a suggested link notifies owner and moderators, and its acceptance notifies its author", async () => {
  const { mira, tomas, ines, ada, noor, suggest, answer } = await setting();
  await suggest();
  await dispatchEvents(database);
  await redispatchEvents(database);
  expect([await describeDeliveries(database, mira), await describeDeliveries(database, tomas)]).toEqual([
    ["new_address you_keep"],
    ["new_address you_lead"],
  ]);
  for (const other of [ines, ada, noor]) expect(await describeDeliveries(database, other)).toEqual([]);
  await answer(true);
  await dispatchEvents(database);
  expect(
    (await listDeliveryRows(database, ines)).map((it) => [it.kind, it.detail, it.reason, it.actors]),
  ).toEqual([["new_address", "accepted", "you_asked", [mira.id]]]);
  expect([await describeDeliveries(database, mira), await describeDeliveries(database, tomas)]).toEqual([
    ["new_address you_keep read"],
    ["new_address you_lead read"],
  ]);
});

test("a rejected suggestion notifies no one and clears the pending notification", async () => {
  const { mira, ines, suggest, answer } = await setting();
  await suggest();
  await dispatchEvents(database);
  await answer(false);
  await dispatchEvents(database);
  expect([await describeDeliveries(database, mira), await describeDeliveries(database, ines)]).toEqual([
    ["new_address you_keep read"],
    [],
  ]);
});

test("suggestions do not notify people across a block or people who left the group", async () => {
  const { mira, tomas, ines, group, suggest } = await setting();
  await within((tx) => blockPerson(tx, tomas, { personId: ines.id }));
  await within((tx) => setMembership(tx, group.id, mira, "left"));
  await suggest();
  await dispatchEvents(database);
  expect([await describeDeliveries(database, mira), await describeDeliveries(database, tomas)]).toEqual([
    [],
    [],
  ]);
});

test("a new address withdraws notifications about a dead link", async () => {
  const { mira, suggest, answer, id, group } = await setting();
  await within((tx) => emit(tx, { type: "resource.link-died", resourceId: id, groupId: group.id }));
  await dispatchEvents(database);
  expect(await describeDeliveries(database, mira)).toEqual(["dead_link you_keep"]);
  await suggest();
  await answer(true);
  await dispatchEvents(database);
  expect(await describeDeliveries(database, mira)).toEqual(["dead_link you_keep read"]);
});

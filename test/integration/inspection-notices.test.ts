import { expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { getGroup } from "#community/groups";
import { purgeInspections, listGroupLog, inspectGroup } from "#community/moderation";
import { listNotifications } from "#community/notifications";
import { blockPerson } from "#community/friends";
import { dispatchEvents, redispatchEvents, describeDeliveries } from "../support/notifications/deliveries.ts";
import { createTestGroup, setMembership, createTestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const within = database.inTransaction;
const deliveriesTo = (who: { id: string }) => describeDeliveries(database, who);

async function looking() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private", name: "Behind the shed" });
  await within((tx) => setMembership(tx, group.id, people.noor, "moderator"));
  await within((tx) => blockPerson(tx, people.tomas, { personId: people.ada.id }));
  await within((tx) =>
    inspectGroup(tx, people.ada, { groupId: group.id, reason: "Threats are said to stand there." }),
  );
  await dispatchEvents(database);
  return { ...people, group };
}

test("inspection notifies the owners with the reason, despite blocks", async () => {
  const { tomas, mira, noor, ada, ines, group } = await looking();
  await redispatchEvents(database);
  expect(await deliveriesTo(tomas)).toEqual(["group_decision you_lead"]);
  for (const who of [mira, noor, ada, ines]) expect(await deliveriesTo(who)).toEqual([]);
  const [line] = (await listNotifications(database.db, tomas, { tab: "all" })).rows;
  expect(line).toMatchObject({
    detail: "inspected",
    words: "Threats are said to stand there.",
    group: { name: "Behind the shed" },
    actors: [],
  });
  const log = await listGroupLog(database.db, tomas, await getGroup(database.db, tomas, group.id));
  expect(log.rows[0]).toMatchObject({
    act: "group.inspected",
    by: { username: "ada" },
    reason: "Threats are said to stand there.",
  });
});

test("the record of an inspection is kept for two years, like the audit log", async () => {
  await looking();
  database.clock.pass(729 * DAY);
  expect(await within(purgeInspections)).toBe(0);
  database.clock.pass(2 * DAY);
  expect(await within(purgeInspections)).toBe(1);
});

import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { conversationFor, messagesOf, NewConversation, startConversation } from "#community/conversations";
import { reportMessages, resolveReport } from "#community/moderation";
import { besideHome, notificationsOf } from "#community/notifications";
import { carry, carryAgain, toldTo } from "../src/community/notifications/told.fixture.ts";
import { cast } from "./cast.ts";
import { testDatabase } from "./setup/database.ts";

const database = await testDatabase();
const within = database.inTransaction;
const told = (who: { id: string }) => toldTo(database, who);

const reported = async () => {
  const people = await cast(database);
  const { mira, tomas, ines } = people;
  await run(database.db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id } = await within((tx) => startConversation(tx, tomas, NewConversation.parse({ to: "mira", body: "You fool." })));
  const conversation = await conversationFor(database.db, mira, id);
  const messageIds = (await messagesOf(database.db, mira, conversation)).messages.map((it) => it.id);
  const made = await within((tx) => reportMessages(tx, mira, { conversationId: id, messageIds, reason: "Rude." }));
  await carry(database);
  const end = () => within((tx) => resolveReport(tx, ines, { reportId: made.id, outcome: "upheld", note: "" }));
  return { ...people, end };
};

test("is told to those who look after the place, and clears for all when one has ended it; whoever made it hears how", async () => {
  const { mira, tomas, ines, ada, end } = await reported();
  for (const who of [ines, ada]) expect(await told(who)).toEqual(["report staff"]);
  expect(await told(mira)).toEqual(["message_request participant"]);
  expect((await besideHome(database.db, ines)).waiting.reports).toBe(1);
  await end();
  await carry(database);
  for (const who of [ines, ada]) expect(await told(who)).toEqual(["report staff read"]);
  expect(await told(mira)).toEqual(["message_request participant", "report_decision you_reported"]);
  expect(await told(tomas)).toEqual([]);
  expect((await notificationsOf(database.db, mira, { tab: "all" })).rows).toHaveLength(2);
  expect((await besideHome(database.db, ines)).waiting.reports).toBe(0);
});

test("is not shown to who is no longer staff, nor told to staff who are part of it", async () => {
  const { tomas, ines } = await reported();
  expect((await notificationsOf(database.db, ines, { tab: "all" })).rows).toHaveLength(1);
  await run(database.db, sql`update people set site_role = 'member' where id = ${ines.id}`);
  expect((await notificationsOf(database.db, { ...ines, role: "member" }, { tab: "all" })).rows).toEqual([]);
  await run(database.db, sql`update people set site_role = 'moderator' where id = ${tomas.id}`);
  await carryAgain(database);
  expect(await told(tomas)).toEqual([]);
});

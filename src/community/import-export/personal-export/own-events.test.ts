import { expect, test } from "vitest";
import { many } from "#platform/database";
import { answerDatePoll, answerEvent, DatePollAnswer, EventAnswer, getEvent } from "#community/calendar";
import { leaveGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { createTestDatePoll, createTestEvent } from "../../../../test/support/calendar-setup.ts";
import { createTestGroup, createTestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createEventParts } from "./own-events.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const listParts = async (me: SignedIn) =>
  Object.fromEntries(
    await Promise.all(createEventParts(me).map(async (it) => [it.file, await many(db, it.rows)] as const)),
  );

test("a person's export has their events and answers, but no title of an unreadable event", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { visibility: "secret" });
  const { id } = await createTestEvent(database, tomas, group.id, { place: "The shed" });
  const { occurrenceId } = await getEvent(db, mira, id);
  const answer = EventAnswer.parse({ occurrenceId, answer: "going", note: "I bring soup." });
  await within((tx) => answerEvent(tx, mira, answer));
  expect(await listParts(tomas)).toMatchObject({
    "events.json": [{ id, title: "Repair evening", place: "The shed" }],
    "event-answers.json": [],
  });
  const own = { eventId: id, answer: "going", note: "I bring soup." };
  expect(await listParts(mira)).toMatchObject({
    "events.json": [],
    "event-answers.json": [{ ...own, event: "Repair evening" }],
  });
  await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
  expect((await listParts(mira))["event-answers.json"]).toMatchObject([
    { ...own, event: null, startsAt: null },
  ]);
});

test("a person's export has their date polls and answers", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { visibility: "secret" });
  const { id } = await createTestDatePoll(database, tomas, group.id);
  const answer = DatePollAnswer.parse({ datePollId: id, answer1: "if_need_be" });
  await within((tx) => answerDatePoll(tx, mira, answer));
  expect((await listParts(tomas))["date-polls.json"]).toMatchObject([
    { id, title: "Turning the compost", times: [{ eventId: null }, {}] },
  ]);
  const own = { datePollId: id, answer: "if_need_be" };
  expect((await listParts(mira))["date-poll-answers.json"]).toMatchObject([
    { ...own, title: "Turning the compost" },
  ]);
  await within((tx) => leaveGroup(tx, mira, { groupId: group.id }));
  expect((await listParts(mira))["date-poll-answers.json"]).toMatchObject([
    { ...own, title: null, startsAt: null },
  ]);
});

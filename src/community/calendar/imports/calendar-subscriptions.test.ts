import { expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { type FetchedDocument, FetchError, ForbiddenAddress, OversizedResponse } from "#platform/fetcher";
import type { SignedIn } from "#community/rules";
import { calendarFile, fileEvent } from "../../../../test/support/calendar-files.ts";
import { createTestGroup, createTestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  addSubscription,
  answerEvent,
  EventAnswer,
  getEvent,
  listSubscriptions,
  NewSubscription,
  readDueSubscriptions,
  readSubscription,
  removeSubscription,
  requestReading,
  SubscriptionRemoval,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const URL = "webcal://calendar.example/club.ics";
const TEA = fileEvent("tea", "Tea", "20270310T150000Z");
const COFFEE = fileEvent("coffee", "Coffee", "20270311T150000Z");

/** A calendar server: what it answers next, and the validators that it was asked with. */
function server(text: string) {
  const requests: { url: string; etag: string | null }[] = [];
  const state = { text, error: null as Error | null };
  const document = async (url: string, { etag }: { etag: string | null }): Promise<FetchedDocument> => {
    requests.push({ url, etag });
    if (state.error) throw state.error;
    const now = `"${state.text.length}"`;
    return { text: etag === now ? null : state.text, etag: now, lastModified: null };
  };
  return { document, requests, state };
}

async function setup(text = calendarFile(TEA, COFFEE)) {
  clock.at = new Date("2027-03-01T10:00:00Z");
  const people = await createTestUsers(database);
  const { id: groupId } = await createTestGroup(database, people);
  const { id } = await add(people.tomas, groupId);
  const calendar = server(text);
  await readSubscription(database, calendar, id);
  const status = async () => (await listSubscriptions(db, people.tomas, groupId, clock.at))[0]!;
  const readNextDay = async () => {
    clock.at = addMilliseconds(clock.at, DAY + HOUR);
    return readDueSubscriptions(database, calendar);
  };
  return { ...people, groupId, id, calendar, status, readNextDay };
}

const add = (by: SignedIn, groupId: string, url = URL) =>
  within((tx) => addSubscription(tx, by, NewSubscription.parse({ groupId, url, timeZone: "Europe/Berlin" })));
const remove = (by: SignedIn, subscriptionId: string, removeEvents: boolean) =>
  within((tx) => removeSubscription(tx, by, SubscriptionRemoval.parse({ subscriptionId, removeEvents })));
const listEvents = () =>
  many(
    db,
    sql<{ id: string; title: string; cancelled: boolean }>`
      select id, title, cancelled_at is not null as cancelled from calendar_events order by ends_at`,
  );
const titles = async () => (await listEvents()).map((it) => it.title + (it.cancelled ? " cancelled" : ""));

test("a subscribed calendar is read at once, and its events are marked", async () => {
  const { calendar, status, tomas } = await setup();
  expect(calendar.requests).toEqual([{ url: "https://calendar.example/club.ics", etag: null }]);
  expect(await titles()).toEqual(["Tea", "Coffee"]);
  const [tea] = await listEvents();
  expect(await getEvent(db, tomas, tea!.id)).toMatchObject({ calendar: "Club" });
  expect(await status()).toMatchObject({ name: "Club", events: 2, error: null, readAt: clock.at });
});

test("it is read every day, with its ETag, and changes are taken over", async () => {
  const { calendar, readNextDay } = await setup();
  expect(await readDueSubscriptions(database, calendar)).toBe(0);
  expect(await readNextDay()).toBe(1);
  expect(calendar.requests.at(-1)!.etag).not.toBeNull();
  expect(await titles()).toEqual(["Tea", "Coffee"]);
  calendar.state.text = calendarFile(fileEvent("tea", "Green tea", "20270310T150000Z"));
  await readNextDay();
  expect(await titles()).toEqual(["Green tea"]);
  for (let day = 0; day < 7; day += 1) await readNextDay();
  expect(calendar.requests.filter(({ etag }) => etag === null)).toHaveLength(2);
});

test("an answered event that the calendar no longer has is cancelled", async () => {
  const { calendar, readNextDay, mira } = await setup();
  const [tea] = await listEvents();
  const { occurrenceId } = await getEvent(db, mira, tea!.id);
  await within((tx) => answerEvent(tx, mira, EventAnswer.parse({ occurrenceId, answer: "going" })));
  calendar.state.text = calendarFile(COFFEE);
  await readNextDay();
  expect(await titles()).toEqual(["Tea cancelled", "Coffee"]);
});

test.each([
  ["forbidden", new ForbiddenAddress("The address is not public.")],
  ["too-large", new OversizedResponse("The response is too large.")],
  ["no-document", new FetchError("There is no document.")],
  ["no-response", new FetchError("The server does not respond.", { passing: true })],
])("error %s is shown, and the events stay", async (problem, error) => {
  const { calendar, status, readNextDay } = await setup();
  calendar.state.error = error;
  await readNextDay();
  expect(await status()).toMatchObject({ error: problem, events: 2 });
  calendar.state.error = null;
  await readNextDay();
  expect(await status()).toMatchObject({ error: null, events: 2 });
});

test("a response that is no calendar, and an account that has left, are errors", async () => {
  const { calendar, status, readNextDay, tomas } = await setup();
  calendar.state.text = "<html>";
  await readNextDay();
  expect(await status()).toMatchObject({ error: "not-a-calendar", events: 2 });
  await run(db, sql`update people set state = 'deactivated', deactivated_at = now() where id = ${tomas.id}`);
  calendar.state.text = calendarFile(TEA);
  await readNextDay();
  expect(await status()).toMatchObject({ error: "person-left" });
});

test("removal ends the reading, and removes coming events only where that is chosen", async () => {
  const { calendar, readNextDay, tomas, id, groupId } = await setup();
  await remove(tomas, id, false);
  expect(await readNextDay()).toBe(0);
  expect(await titles()).toEqual(["Tea", "Coffee"]);
  // The events are those of the group now, so the same calendar leaves them out.
  const again = await add(tomas, groupId);
  await readSubscription(database, calendar, again.id);
  expect(await titles()).toEqual(["Tea", "Coffee"]);
  calendar.state.text = calendarFile(TEA, COFFEE, fileEvent("new", "New", "20270312T150000Z"));
  await readNextDay();
  await remove(tomas, again.id, true);
  expect(await titles()).toEqual(["Tea", "Coffee"]);
});

test("calendars of archived groups are not read", async () => {
  const { readNextDay, groupId } = await setup();
  await run(db, sql`update groups set state = 'archived' where id = ${groupId}`);
  expect(await readNextDay()).toBe(0);
});

test("moderators add and see calendars, at most five and each once", async () => {
  const { tomas, mira, noor, groupId, id } = await setup();
  await expect(add(mira, groupId, "https://a.example/")).rejects.toMatchObject({ reason: "not-allowed" });
  await expect(listSubscriptions(db, mira, groupId, clock.at)).rejects.toMatchObject({
    reason: "not-allowed",
  });
  await expect(remove(noor, id, false)).rejects.toMatchObject({ reason: "not-allowed" });
  await expect(within((tx) => requestReading(tx, mira, id))).rejects.toMatchObject({ reason: "not-allowed" });
  await expect(within((tx) => requestReading(tx, tomas, id))).resolves.toBeUndefined();
  await expect(add(tomas, groupId)).rejects.toMatchObject({ fieldDescriptors: { url: {} } });
  for (let n = 0; n < 4; n += 1) await add(tomas, groupId, `https://a.example/${n}.ics`);
  await expect(add(tomas, groupId, "https://a.example/5.ics")).rejects.toMatchObject({ reason: "conflict" });
});

test.each(["ftp://a.example/", "javascript:alert(1)", "club.ics", ""])("address %s is refused", (url) => {
  expect(NewSubscription.safeParse({ groupId: crypto.randomUUID(), url, timeZone: "UTC" }).success).toBe(
    false,
  );
});

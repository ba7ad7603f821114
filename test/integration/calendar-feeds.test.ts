import ICAL from "ical.js";
import { beforeEach, expect, test } from "vitest";
import { banFromGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { createTestEvent } from "../support/calendar-setup.ts";
import { createTestGroup, createTestUsers, type TestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Calendar feeds over HTTP, as calendar programs read them. */
const database = await testDatabase();
const { inTransaction: within } = database;
const { server, as } = await serveBuiltPages(database);
let people: TestUsers;

beforeEach(async () => {
  database.clock.at = new Date();
  people = await createTestUsers(database);
});

const get = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { host: "kith.test", ...headers } });
const titles = (text: string) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((it) => String(it.getFirstPropertyValue("summary")));

/** Address of the member's feed, from the form of its page. */
async function renewFeed(who: SignedIn): Promise<string> {
  const changed = await server.inject({
    method: "POST",
    url: "/events/feeds",
    headers: {
      host: "kith.test",
      origin: "http://kith.test",
      "content-type": "application/x-www-form-urlencoded",
      ...as(who),
    },
    payload: new URLSearchParams({ scope: "groups", intent: "renew" }).toString(),
  });
  expect(changed.statusCode).toBe(302);
  const { body } = await get("/events/feeds", as(who));
  return /\/calendar\/[\w-]+\.ics/.exec(body)![0];
}

test("personal feed is readable without a session and omits what its owner may no longer see", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { visibility: "secret" });
  await createTestEvent(database, tomas, group.id);
  const address = await renewFeed(mira);
  const answer = await get(address);
  expect(answer.headers).toMatchObject({
    "content-type": "text/calendar; charset=utf-8",
    "cache-control": "private, max-age=300",
    "last-modified": new Date(Math.floor(database.clock.at.getTime() / 1000) * 1000).toUTCString(),
  });
  expect(titles(answer.body)).toEqual(["Repair evening"]);
  const known = { "if-none-match": String(answer.headers.etag) };
  expect((await get(address, known)).statusCode).toBe(304);
  await within((tx) => banFromGroup(tx, tomas, { groupId: group.id, personId: mira.id, reason: "Noise." }));
  expect(titles((await get(address, known)).body)).toEqual([]);
});

test("new feed address replaces the old one", async () => {
  const old = await renewFeed(people.mira);
  const current = await renewFeed(people.mira);
  expect((await get(old)).statusCode).toBe(404);
  expect((await get(current)).statusCode).toBe(200);
});

test("public group has a calendar feed; a private group has none for guests", async () => {
  const group = await createTestGroup(database, people, { visibility: "public" });
  const closed = await createTestGroup(database, people, { visibility: "private", name: "Closed" });
  const { id } = await createTestEvent(database, people.mira, group.id);
  const { id: hidden } = await createTestEvent(database, people.mira, closed.id);
  for (const url of [`/groups/${group.slug}/events.ics`, `/events/${id}/event.ics`])
    expect(titles((await get(url)).body)).toEqual(["Repair evening"]);
  for (const url of [`/groups/${closed.slug}/events.ics`, `/events/${hidden}/event.ics`, "/calendar/x.ics"])
    expect((await get(url)).statusCode).toBe(404);
  expect((await get(`/events/${hidden}/event.ics`, as(people.mira))).statusCode).toBe(200);
});

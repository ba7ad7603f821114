import ICAL from "ical.js";
import { beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { cancelEvent, editEvent, EventChange, getEvent, listEvents, toFormTimes } from "#community/calendar";
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
/** Starts and ends of a calendar by the clock of a zone, and the states. */
const datesIn = (text: string, timeZone: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((it) => {
    const clock = (name: string) =>
      Temporal.Instant.fromEpochMilliseconds(
        (it.getFirstPropertyValue(name) as ICAL.Time).toJSDate().getTime(),
      )
        .toZonedDateTimeISO(timeZone)
        .toPlainDateTime();
    const [starts, ends] = [clock("dtstart"), clock("dtend")];
    return {
      day: starts.toPlainDate().toString(),
      time: `${starts.toPlainTime().toString()} ${ends.toPlainTime().toString()}`,
      state: String(it.getFirstPropertyValue("status")),
      uid: String(it.getFirstPropertyValue("uid")),
    };
  });
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

describe.each(["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"])(
  "series in %s",
  (timeZone) => {
    test("lists each date at its local time, changed dates included", async () => {
      const { mira } = people;
      database.clock.at = new Date("2027-01-01T00:00:00Z");
      const group = await createTestGroup(database, people, { visibility: "public" });
      const { id } = await createTestEvent(database, mira, group.id, {
        starts: "2027-01-07T19:00",
        ends: "2027-01-07T21:30",
        timeZone,
        repeats: "weekly",
        lastDay: "2028-12-31",
      });
      const { rows } = await listEvents(database.db, mira, { from: database.clock.at });
      const change = async (n: number, fields: Partial<z.input<typeof EventChange>>) => {
        const event = await getEvent(database.db, mira, rows[n]!.eventId);
        const { title, place, changes } = event;
        const form = { title, place, changes, timeZone, eventId: event.id, ...toFormTimes(event) };
        const rest = { lastDay: "2028-12-31", ...fields };
        await within((tx) => editEvent(tx, mira, EventChange.parse({ ...form, ...rest })));
      };
      await change(2, { starts: "2027-01-21T10:00", ends: "2027-01-21T12:00" });
      await change(5, { scope: "following", starts: "2027-02-11T18:00" });
      const reason = "The hall is closed.";
      await within((tx) => cancelEvent(tx, mira, { eventId: rows[3]!.eventId, reason }));
      const whole = await get(`/groups/${group.slug}/events.ics`);
      const dates = datesIn(whole.body, timeZone);
      expect(dates).toHaveLength(104);
      expect(new Set(dates.map(({ uid }) => uid)).size).toBe(104);
      for (const [n, { day, time, state }] of dates.entries()) {
        expect(day).toBe(Temporal.PlainDate.from("2027-01-07").add({ weeks: n }).toString());
        const usual = n < 5 ? "19:00:00 21:30:00" : "18:00:00 21:30:00";
        expect(time).toBe(n === 2 ? "10:00:00 12:00:00" : usual);
        expect(state).toBe(n === 3 ? "CANCELLED" : "CONFIRMED");
      }
      const before = await get(`/events/${id}/event.ics?dates=all`);
      expect(datesIn(before.body, timeZone)).toEqual(dates.slice(0, 5));
      await within((tx) => cancelEvent(tx, mira, { eventId: rows[6]!.eventId, reason, scope: "all" }));
      const after = datesIn((await get(`/groups/${group.slug}/events.ics`)).body, timeZone);
      expect(after.filter(({ state }) => state === "CANCELLED")).toHaveLength(104 - 5 + 1);
    });
  },
);

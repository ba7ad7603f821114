import { expect, test } from "vitest";
import { DAY, HOUR } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { cancelEvent, editEvent, EventChange, getEvent, NewEvent, toFormTimes } from "#community/calendar";
import { editPost } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { updateGroup } from "#community/groups";
import type { Viewer } from "#community/rules";
import type { z } from "zod";
import { createTestEvent, eventFields } from "../../../test/support/calendar-setup.ts";
import { createIndexFollower } from "../../../test/support/search/index-follower.ts";
import { createTestGroup, setMembership } from "../../../test/support/test-users.ts";
import { loadSearchPage, type Query } from "./index.ts";
import {
  clock,
  database,
  indexEverything,
  people,
  search,
  searchPosts,
  within,
} from "../../../test/support/search/engine-setup.ts";

const follow = createIndexFollower(database, () => search);
const findEvents = async (viewer: Viewer, words: string, query: Partial<Query> = {}) =>
  (await searchPosts(viewer, words, { index: "events", ...query })).hits.map(({ document }) => document);
const countEvents = async (viewer: Viewer, words: string) => {
  const { hits, total } = await searchPosts(viewer, words, { index: "events", facets: ["groupName", "is"] });
  expect(hits.length).toBe(total);
  return total;
};

/** A public group of Tomas with Noor as a member, and an event by Mira, all of it indexed. */
async function setup(
  more: Partial<z.input<typeof NewEvent>> = {},
  visibility: "public" | "private" = "public",
) {
  const group = await createTestGroup(database, people, { visibility, name: "Tinkerers" });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const { id } = await createTestEvent(database, people.mira, group.id, {
    body: "Bring a soldering iron.",
    place: "Behind the mill",
    ...more,
  });
  await follow();
  return { group, id };
}

test("an event is found by title, place and description, with its times as numbers", async () => {
  const { group, id } = await setup();
  const { startsAt, endsAt } = await getEvent(database.db, people.mira, id);
  for (const words of ["repair", "mill", "soldering"]) {
    const [found] = await findEvents(people.guest, words);
    expect([words, found]).toMatchObject([
      words,
      {
        objectID: id,
        type: "events",
        title: "Repair evening",
        names: "Behind the mill",
        body: "Bring a soldering iron.",
        url: `/events/${id}`,
        groupName: "Tinkerers",
        groupId: group.id,
        authorId: people.mira.id,
        startsAt: startsAt.getTime(),
        endsAt: endsAt.getTime(),
        allDay: false,
        timeZone: "UTC",
        isPublic: true,
      },
    ]);
  }
  const after = (to: number) => findEvents(people.noor, "", { filter: { number: "startsAt", is: ">", to } });
  expect(await after(startsAt.getTime())).toEqual([]);
  expect(await after(startsAt.getTime() - 1)).toHaveLength(1);
  const other = await searchPosts(people.noor, "", {
    index: "discussions",
    filter: { number: "startsAt", is: ">", to: 0 },
  });
  expect(other.total).toBe(0);
});

test("changes and cancellations are indexed, and a cancelled event is still found", async () => {
  const { id } = await setup();
  const change = async (fields: Partial<z.input<typeof EventChange>>) => {
    const event = await getEvent(database.db, people.mira, id);
    const { body: _, ...words } = eventFields(clock.at);
    const input = EventChange.parse({ ...words, eventId: id, changes: event.changes, ...fields });
    await within((tx) => editEvent(tx, people.mira, input));
  };
  await change({ title: "Welding evening", place: "At the forge" });
  await follow();
  expect([await countEvents(people.noor, "repair"), await countEvents(people.noor, "forge")]).toEqual([0, 1]);
  const { description } = await getEvent(database.db, people.mira, id);
  await within((tx) =>
    editPost(tx, people.mira, { postId: description!.postId, body: "Wear gloves.", reason: "", version: 1 }),
  );
  await follow();
  expect([await countEvents(people.noor, "soldering"), await countEvents(people.noor, "gloves")]).toEqual([
    0, 1,
  ]);
  await within((tx) => cancelEvent(tx, people.mira, { eventId: id, reason: "" }));
  await follow();
  expect((await findEvents(people.noor, "welding"))[0]!.is).toEqual(["cancelled"]);
});

test.each(["hidden", "removed"])("a %s description hides its words and the place at once", async (state) => {
  const { id } = await setup();
  await run(
    database.db,
    sql`update posts set state = ${state} where id = (select post_id from calendar_events where id = ${id})`,
  );
  for (const viewer of [people.noor, people.guest, people.mira])
    for (const words of ["mill", "soldering", "repair"]) expect(await countEvents(viewer, words)).toBe(0);
  await indexEverything();
  for (const words of ["mill", "soldering"]) expect(await countEvents(people.noor, words)).toBe(0);
  expect((await findEvents(people.noor, "repair"))[0]).toMatchObject({
    names: "",
    body: "",
    tags: [],
    has: [],
  });
});

test("only members find events of a private group, and nobody those of a deleted one", async () => {
  const { group } = await setup();
  const counts = () =>
    Promise.all(
      [people.noor, people.mira, people.guest, people.ines].map((who) => countEvents(who, "repair")),
    );
  expect(await counts()).toEqual([1, 1, 1, 1]);
  await within((tx) => updateGroup(tx, people.tomas, { groupId: group.id, visibility: "private" }));
  expect(await counts()).toEqual([1, 1, 0, 0]);
  await follow();
  const audience = await many(
    database.db,
    sql`select audience from search_documents where in_index = 'events'`,
  );
  expect(audience).toEqual([{ audience: "members" }]);
  await run(database.db, sql`update groups set state = 'deleted' where id = ${group.id}`);
  expect(await counts()).toEqual([0, 0, 0, 0]);
});

test("newcomers of a group that hides its history find coming events, but not old descriptions", async () => {
  const { group } = await setup({}, "private");
  await run(database.db, sql`update groups set history_policy = 'from_joining' where id = ${group.id}`);
  clock.at = new Date(clock.at.getTime() + HOUR);
  await within((tx) => setMembership(tx, group.id, people.ines, "member"));
  await run(
    database.db,
    sql`update memberships set joined_at = ${clock.at} where group_id = ${group.id} and person_id = ${people.ines.id}`,
  );
  expect(await countEvents(people.ines, "soldering")).toBe(0);
  await indexEverything();
  expect([await countEvents(people.ines, "repair"), await countEvents(people.ines, "soldering")]).toEqual([
    1, 0,
  ]);
});

test("people with a block find none of each other's events", async () => {
  await setup();
  await within((tx) => blockPerson(tx, people.mira, { personId: people.noor.id }));
  expect([await countEvents(people.noor, "repair"), await countEvents(people.tomas, "repair")]).toEqual([
    0, 1,
  ]);
});

test("a token finds events with the scope for them only", async () => {
  await setup();
  const token = (scopes: Viewer["scopes"]): Viewer => ({ ...people.noor, scopes });
  expect(await countEvents(token(["events:read"]), "repair")).toBe(1);
  expect(await countEvents(token(["discussions:read"]), "repair")).toBe(0);
});

test("the search page shows the next date of a series, and the operators for time concern the start", async () => {
  const { group, id } = await setup({ repeats: "weekly", count: 4 });
  const page = async (text: string) =>
    (await loadSearchPage(search.engine, database.db, people.noor, { text, now: clock.at })).sections.find(
      ({ index }) => index === "events",
    );
  const dates = await many<{ id: string }>(
    database.db,
    sql`select e.id from calendar_events e where e.group_id = ${group.id} order by e.ends_at`,
  );
  expect(dates.length).toBe(4);
  expect(await page("repair")).toMatchObject({
    total: 1,
    items: [{ id, names: "Behind the mill", event: { state: "scheduled", timeZone: "UTC" } }],
  });
  expect((await page("repair type:events"))!.items.map((it) => it.id)).toEqual(dates.map((it) => it.id));
  const day = (days: number) => new Date(clock.at.getTime() + days * DAY).toISOString().slice(0, 10);
  expect((await page(`type:events after:${day(3)}`))!.items.map((it) => it.id)).toEqual(
    dates.slice(1).map((it) => it.id),
  );
  clock.at = new Date(clock.at.getTime() + 3 * DAY);
  expect((await page("repair"))!.items.map((it) => it.id)).toEqual([dates[1]!.id]);
  // Dates that a changed rule lacks are deleted, and so are their documents.
  const event = await getEvent(database.db, people.mira, dates[1]!.id);
  const input = EventChange.parse({
    ...toFormTimes(event),
    timeZone: event.timeZone,
    title: event.title,
    eventId: event.id,
    changes: event.changes,
    scope: "following",
    repeats: "weekly",
    lastDay: (await getEvent(database.db, people.mira, dates[2]!.id)).seriesDate,
  });
  await within((tx) => editEvent(tx, people.mira, input));
  await follow();
  const stored = await many<{ id: string }>(
    database.db,
    sql`select id from search_documents where in_index = 'events' order by starts_at`,
  );
  expect(stored).toEqual(dates.slice(0, 3));
});

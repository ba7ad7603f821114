import pg from "pg";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { answerEvent, cancelEvent, EventAnswer, getEvent } from "#community/calendar";
import { updateGroup } from "#community/groups";
import { deletePost, lockDiscussion } from "#community/discussions";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../support/test-users.ts";
import { createTestEvent } from "../support/calendar-setup.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Which cached guest pages an event drops, with the tags that the pages themselves have set. */
const database = await testDatabase();
const { server, pages } = await serveBuiltPages(database);

let people: TestUsers;
let group: { id: string; slug: string };
let first: { id: string; postId: string };
let second: { id: string; postId: string };
beforeEach(async () => {
  people = await createTestUsers(database);
  group = await createTestGroup(database, people, { visibility: "public" });
  first = await createTestDiscussion(database, people.mira, group.id, { title: "Sowing beans" });
  second = await createTestDiscussion(database, people.mira, group.id, { title: "Pruning pears" });
});

const ask = (url: string) => server.inject({ url, headers: { host: "kith.test", accept: "text/html" } });

/** Asks for the page, and says whether the cache answered. */
async function isCached(url: string): Promise<boolean> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    expect((await ask(url)).statusCode).toBe(200);
    return query.mock.calls.length === 0;
  } finally {
    query.mockRestore();
  }
}
const page = ({ id }: { id: string }) => `/discussions/${id}`;

describe("cached guest page of a discussion", () => {
  beforeEach(async () => {
    for (const it of [first, second]) await ask(page(it));
  });

  test("stays cached after a reply in another discussion of the group", async () => {
    await createTestReply(database, people.tomas, second.id);
    expect(await isCached(page(first))).toBe(true);
  });

  test("is renewed after a reply in its discussion", async () => {
    await createTestReply(database, people.tomas, first.id, { body: "Only in May." });
    expect(await isCached(page(first))).toBe(false);
    expect((await ask(page(first))).body).toContain("Only in May.");
  });

  test("no longer mentions a discussion that was deleted", async () => {
    expect((await ask(page(first))).body).toContain("Pruning pears");
    await database.inTransaction((tx) => deletePost(tx, people.mira, { postId: second.postId }));
    expect((await ask(page(first))).body).not.toContain("Pruning pears");
  });

  test("is renewed when a discussion in its sidebar is locked", async () => {
    await database.inTransaction((tx) =>
      lockDiscussion(tx, people.tomas, { discussionId: second.id, reason: "Settled." }),
    );
    expect(await isCached(page(first))).toBe(false);
  });

  test("no longer mentions a discussion of another group once that group is private", async () => {
    const other = await createTestGroup(database, people, { name: "Orchard", visibility: "public" });
    await createTestDiscussion(database, people.mira, other.id, { title: "Grafting apples" });
    pages.clear();
    expect((await ask(page(first))).body).toContain("Grafting apples");
    await database.inTransaction((tx) =>
      updateGroup(tx, people.tomas, { groupId: other.id, visibility: "private" }),
    );
    expect((await ask(page(first))).body).not.toContain("Grafting apples");
  });
});

describe("cached guest page with events", () => {
  let eventId: string;
  let otherId: string;
  beforeEach(async () => {
    // Pages compare times with the real clock.
    database.clock.at = new Date();
    eventId = (await createTestEvent(database, people.mira, group.id)).id;
    otherId = (await createTestEvent(database, people.mira, group.id)).id;
    await ask(`/events/${eventId}`);
  });
  const answer = async (id: string) => {
    const { occurrenceId } = await getEvent(database.db, people.mira, id);
    const input = EventAnswer.parse({ occurrenceId, answer: "going" });
    await database.inTransaction((tx) => answerEvent(tx, people.mira, input));
  };

  test("stays cached after a reply in another discussion, or an answer to another event", async () => {
    await createTestReply(database, people.tomas, first.id);
    await answer(otherId);
    expect(await isCached(`/events/${eventId}`)).toBe(true);
  });

  test("gets renewed after an answer, and shows when the event is cancelled", async () => {
    await answer(eventId);
    expect(await isCached(`/events/${eventId}`)).toBe(false);
    await database.inTransaction((tx) =>
      cancelEvent(tx, people.mira, { eventId, reason: "The ladder is broken." }),
    );
    expect((await ask(`/events/${eventId}`)).body).toContain("The ladder is broken.");
  });

  test("is renewed after a new event if it lists events", async () => {
    for (const url of ["/events", `/groups/${group.slug}/events`]) {
      await ask(url);
      await createTestEvent(database, people.mira, group.id, { title: "Another evening" });
      expect(await isCached(url)).toBe(false);
      expect((await ask(url)).body).toContain("Another evening");
    }
  });
});

test("cached group page is renewed after posts in the group, and not after those in other groups", async () => {
  const other = await createTestGroup(database, people, { name: "Orchard", visibility: "public" });
  const elsewhere = await createTestDiscussion(database, people.mira, other.id);
  const url = `/groups/${group.slug}`;
  await ask(url);
  await createTestReply(database, people.tomas, elsewhere.id);
  expect(await isCached(url)).toBe(true);
  await createTestReply(database, people.tomas, first.id);
  expect(await isCached(url)).toBe(false);
});

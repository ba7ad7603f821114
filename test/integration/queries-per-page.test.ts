import pg from "pg";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { addDocument, addComment, createCollection, addToCollection } from "#community/resources";
import { blockPerson } from "#community/friends";
import { getDatePoll, getEvent } from "#community/calendar";
import type { SignedIn } from "#community/rules";
import { reply, setFollowLevel } from "#community/discussions";
import { many, run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
  type TestUsers,
  createPerson,
  setMembership,
} from "../support/test-users.ts";
import { createTestDatePoll, createTestEvent } from "../support/calendar-setup.ts";
import { addAttendance, addDatePollAnswer } from "../support/leak-matrix/marked-event.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Number of database queries of a page, including session and layout. */
const database = await testDatabase();
const { inTransaction: within } = database;
const { server, as } = await serveBuiltPages(database);

async function questionsOf(url: string, people: TestUsers): Promise<number> {
  // Shared data such as settings and posts is loaded now and then, not per page.
  await server.inject({ url: "/about", headers: as(people.mira) });
  await server.inject({ url, headers: { host: "kith.test", accept: "text/html", ...as(people.tomas) } });
  const querySpy = vi.spyOn(pg.Client.prototype, "query");
  try {
    const answer = await server.inject({
      url,
      headers: { host: "kith.test", accept: "text/html", ...as(people.mira) },
    });
    expect(answer.statusCode, `${url} ${answer.headers.location ?? ""}`).toBe(200);
    return querySpy.mock.calls.length;
  } finally {
    querySpy.mockRestore();
  }
}

/**
 * Adds `much` resources in one collection, uses each in the post, and adds `much` comments to the first one.
 */
async function library({ mira, tomas }: TestUsers, groupId: string, postId: string, much: number) {
  const resources: { id: string }[] = [];
  for (let n = 0; n < much; n++)
    resources.push(
      await within((tx) =>
        addDocument(tx, tomas, {
          groupId,
          title: `Sheet ${n}`,
          why: "",
          body: "Sow.",
          tags: ["beds"],
          language: "en",
          licence: "",
        }),
      ),
    );
  const resourceId = resources[0]!.id;
  const collectionId = await within(async (tx) => {
    const { id: collection } = await createCollection(tx, tomas, {
      groupId,
      title: `Collection ${much}`,
      about: "",
    });
    for (const { id } of resources) {
      await addToCollection(tx, tomas, { collectionId: collection, resourceId: id });
      await run(tx, sql`insert into resource_uses (resource_id, post_id) values (${id}, ${postId})`);
    }
    return collection;
  });
  const { id: first } = await within((tx) => addComment(tx, mira, { resourceId, body: "It helped." }));
  for (let n = 1; n < much; n++)
    await within((tx) =>
      addComment(tx, n % 2 ? tomas : mira, { resourceId, body: `Mine came up, too: ${n}.`, replyTo: first }),
    );
  return { resourceId, collectionId };
}

/** Adds `much` events; all these people attend the first one. */
async function addEvents({ mira }: TestUsers, groupId: string, others: SignedIn[], much: number) {
  const eventIds: string[] = [];
  for (let n = 0; n < much; n++) eventIds.push((await createTestEvent(database, mira, groupId)).id);
  const { occurrenceId } = await getEvent(database.db, mira, eventIds[0]!);
  await within(async (tx) => {
    for (const other of others) await addAttendance(tx, other, occurrenceId, "");
  });
  return eventIds[0]!;
}

/** Adds `much` date polls; all these people join the group and answer the first one. */
async function addDatePolls({ tomas, mira }: TestUsers, groupId: string, others: SignedIn[], much: number) {
  const pollIds: string[] = [];
  for (let n = 0; n < much; n++) pollIds.push((await createTestDatePoll(database, tomas, groupId)).id);
  const { times } = await getDatePoll(database.db, mira, pollIds[0]!);
  await within(async (tx) => {
    for (const other of others) {
      await setMembership(tx, groupId, other, "member");
      for (const { id } of times) await addDatePollAnswer(tx, other, id);
    }
  });
  return pollIds[0]!;
}

/** A community with this much activity, all of it visible to Mira. */
async function going(people: TestUsers, much: number) {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { name: `Beds ${much}` });
  const discussions = [];
  for (let n = 0; n < much; n++) {
    const { id } = await createTestDiscussion(database, tomas, group.id, { title: `Bed number ${n}` });
    for (let r = 0; r < 3; r++)
      await within((tx) => reply(tx, tomas, { discussionId: id, body: `Row ${n}.${r}` }));
    await within((tx) => setFollowLevel(tx, mira, { discussionId: id, level: "watching" }));
    discussions.push(id);
  }
  const [post] = await many(
    database.db,
    sql<{ id: string }>`select id from posts where discussion_id = ${discussions[0]!} and number = 1`,
  );
  const kept = await library(people, group.id, post!.id, much);
  const others = await within((tx) =>
    Promise.all(Array.from({ length: much }, (_, n) => createPerson(tx, `other${much}x${n}`))),
  );
  await within(async (tx) => {
    for (const [n, other] of others.entries()) {
      const [low, high] = [other.id, mira.id].toSorted();
      await run(
        tx,
        sql`insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
          values (${low}, ${high}, ${n % 2 ? "friends" : "pending"}, ${other.id}, ${tx.now}, ${tx.now})`,
      );
    }
    await blockPerson(tx, mira, { personId: others[0]!.id });
  });
  const eventId = await addEvents(people, group.id, others.slice(1), much);
  const datePollId = await addDatePolls(people, group.id, others.slice(1), much);
  return { group, discussionId: discussions[0]!, eventId, datePollId, ...kept };
}

type PageLimit = [page: string, most: number, of: (at: Awaited<ReturnType<typeof going>>) => string];

describe("database queries per page", () => {
  const pages: PageLimit[] = [
    ["home", 5, () => "/"],
    ["home, latest", 5, () => "/?tab=latest"],
    ["home, top", 6, () => "/?tab=top"],
    ["a discussion, at its end", 5, ({ discussionId }) => `/discussions/${discussionId}?page=1`],
    ["the latest discussions", 3, () => "/discussions"],
    ["a group", 7, ({ group }) => `/groups/${group.slug}`],
    ["about a group", 7, ({ group }) => `/groups/${group.slug}?tab=about`],
    ["members of a group", 7, ({ group }) => `/groups/${group.slug}?tab=members&who=friends`],
    ["one's groups", 4, () => "/groups"],
    ["groups to discover", 4, () => "/groups?tab=discover&joinPolicy=open&active=month&sort=members"],
    ["messages", 4, () => "/messages"],
    ["friends", 4, () => "/myFriends"],
    ["friend requests", 4, () => "/myFriends?tab=received"],
    ["the library", 5, () => "/resources"],
    ["a collection", 5, ({ collectionId }) => `/resources?collection=${collectionId}`],
    ["a resource", 10, ({ resourceId }) => `/resources/${resourceId}`],
    ["the directory", 5, () => "/users"],
    ["bookmarks", 3, () => "/bookmarks"],
    ["the agenda", 4, () => "/events"],
    ["a month", 3, () => "/events?view=month&show=all"],
    ["events of a group", 6, ({ group }) => `/groups/${group.slug}/events`],
    ["an event", 7, ({ eventId }) => `/events/${eventId}`],
    ["a date poll", 5, ({ datePollId }) => `/events/polls/${datePollId}`],
  ];
  const counts = new Map<string, { small: number; large: number }>();

  // Creating the larger community takes seconds, so all pages are counted in the same one.
  beforeAll(async () => {
    const people = await createTestUsers(database);
    const count = async (much: number) => {
      const community = await going(people, much);
      const counted: number[] = [];
      for (const [, , of] of pages) counted.push(await questionsOf(of(community), people));
      return counted;
    };
    const [small, large] = [await count(2), await count(25)];
    for (const [at, [page]] of pages.entries()) counts.set(page, { small: small[at]!, large: large[at]! });
  });

  test.each(pages)("%s: at most %i, independent of the amount of content", (page, most) => {
    const { small, large } = counts.get(page)!;
    expect(small).toBeLessThanOrEqual(most);
    expect(large).toBeLessThanOrEqual(small);
  });

  test("home page without unread items: one more, for discussions related to the last one read", async () => {
    const people = await createTestUsers(database);
    const ownCounts: number[] = [];
    for (const much of [4, 25]) {
      const { discussionId } = await going(people, much);
      await run(
        database.db,
        sql`insert into read_positions (person_id, discussion_id, last_read_number, level, read_at)
            select ${people.mira.id}, id, case when id = ${discussionId} then last_number else 0 end, case
              when id = ${discussionId} then 'normal' else 'muted' end, now() from discussions
            on conflict (person_id, discussion_id) do update set last_read_number = excluded.last_read_number,
              level = excluded.level, read_at = excluded.read_at`,
      );
      ownCounts.push(await questionsOf("/", people));
    }
    expect(ownCounts).toEqual([6, 6]);
  });
});

import { beforeEach, expect, test } from "vitest";
import { deletePost } from "#community/discussions";
import type { Viewer } from "#community/rules";
import { run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  type TestUsers,
  createTestUsers,
} from "../support/test-users.ts";
import { createTestEvent } from "../support/calendar-setup.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Structured data of a public discussion for search engines, which come as guests. */
const database = await testDatabase();
const { db, inTransaction: within } = database;
const { server, as } = await serveBuiltPages(database);
let people: TestUsers;
let at: { id: string; groupId: string };
const BEGINS = "How early is too </script> early?";

beforeEach(async () => {
  database.clock.at = new Date();
  people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  at = {
    ...(await createTestDiscussion(database, people.mira, group.id, { title: "Sowing", body: BEGINS })),
    groupId: group.id,
  };
});

const page = async (search = "", who?: Viewer) =>
  (
    await server.inject({
      url: `/discussions/${at.id}${search}`,
      headers: { host: "kith.test", accept: "text/html", ...(who && as(who)) },
    })
  ).body;
type Told = {
  url: string;
  text: string;
  author: { name: string };
  comment?: { url: string; text: string; author: { name: string } }[];
};
const parseStructuredData = (html: string) =>
  [...html.matchAll(/<script[^>]*application\/ld\+json[^>]*>(.*?)<\/script>/gs)].map(
    (match) => JSON.parse(match[1]!) as Told,
  );

test("structured data describes the first post and the replies of the page, without removed ones", async () => {
  const { tomas } = people;
  await createTestReply(database, tomas, at.id, { body: "Not before May." });
  const reply = await createTestReply(database, tomas, at.id, { body: "In March, of course." });
  await within((tx) => deletePost(tx, tomas, { postId: reply.id }));
  await createTestReply(database, tomas, at.id, { body: "As I said." });
  const html = await page();
  const url = `http://kith.test/discussions/${at.id}`;
  expect(parseStructuredData(html)).toMatchObject([
    {
      url,
      text: BEGINS,
      author: { name: "Mira" },
      comment: [
        { url: `${url}?post=2#post-2`, text: "Not before May.", author: { name: "Tomas" } },
        { text: "As I said.", author: { name: "Tomas" } },
      ],
    },
  ]);
  expect(html).not.toContain("In March");
  // The page contains the data only once, not again for hydration.
  expect(html.split("DiscussionForumPosting")).toHaveLength(2);
});

test("structured data of a public event omits the address of its video call", async () => {
  const { id } = await createTestEvent(database, people.mira, at.groupId, {
    place: "Tool shed",
    onlineUrl: "https://example.org/call",
  });
  const url = `/events/${id}`;
  const { body } = await server.inject({ url, headers: { host: "kith.test", accept: "text/html" } });
  expect(parseStructuredData(body)).toMatchObject([
    {
      "@type": "Event",
      name: "Repair evening",
      url: `http://kith.test${url}`,
      eventStatus: "https://schema.org/EventScheduled",
      location: { name: "Tool shed" },
      description: "Bring what is broken.",
    },
  ]);
  expect(body).toContain('property="og:title" content="Repair evening"');
  expect(body).not.toContain("example.org/call");
});

test("structured data of a later page describes the discussion and that page's replies", async () => {
  for (let n = 2; n <= 22; n++)
    await createTestReply(database, people.tomas, at.id, { body: `Answer number ${n}.` });
  const html = await page("?page=2");
  expect(html).toContain("<title>Sowing – page 2 · ");
  expect(parseStructuredData(html)).toMatchObject([
    {
      url: `http://kith.test/discussions/${at.id}?page=2`,
      text: BEGINS,
      comment: [{ text: "Answer number 21." }, { text: "Answer number 22." }],
    },
  ]);
});

test("structured data is sent only to guests, and only for public discussions", async () => {
  expect(parseStructuredData(await page("", people.mira))).toEqual([]);
  await run(db, sql`update discussions set audience = 'members' where id = ${at.id}`);
  expect(parseStructuredData(await page("", people.mira))).toEqual([]);
  expect(parseStructuredData(await page())).toEqual([]);
});

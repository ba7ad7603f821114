import { randomUUID } from "node:crypto";
import { SaxesParser } from "saxes";
import { beforeEach, expect, test } from "vitest";
import { deletePost, editPost } from "#community/discussions";
import { addLink } from "#community/resources";
import { run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  type TestUsers,
  createTestUsers,
} from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Feeds of content that everyone may read. */
const database = await testDatabase();
const { db, inTransaction: within } = database;
const { server, as } = await serveBuiltPages(database);
let people: TestUsers;

beforeEach(async () => {
  database.clock.at = new Date();
  people = await createTestUsers(database);
});

const asks = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { host: "kith.test", ...headers } });

/** Texts of a feed's elements by name, in order; throws for invalid XML. */
function read(xml: string): (name: string) => string[] {
  const found: [string, string][] = [];
  const open: [string, string][] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => void open.push([name, ""]));
  parser.on("text", (text) => void (open.length > 0 && (open.at(-1)![1] += text)));
  parser.on("closetag", () => void found.push(open.pop()!));
  parser.write(xml).close();
  return (wanted) => found.filter(([name]) => name === wanted).map(([, text]) => text);
}

test("a public group's feed contains its new discussions, with full text and absolute links", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { name: "Beds & <borders>" });
  const { id } = await createTestDiscussion(database, tomas, group.id, {
    title: 'Frost & "fog"',
    body: "See [all of us](/groups) and @mira.\n\n<b>",
  });
  database.clock.pass(60_000);
  await createTestDiscussion(database, mira, group.id, { title: "A thaw" });
  const answer = await asks(`/groups/${group.slug}/feed.atom`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "application/atom+xml; charset=utf-8",
    "cache-control": "public, max-age=300",
    "last-modified": database.clock.at.toUTCString(),
  });
  const all = read(answer.body);
  expect(all("title")).toEqual(["Beds & <borders>", "A thaw", 'Frost & "fog"']);
  expect(all("name")).toEqual(["Mira", "Tomas"]);
  expect(all("content")[1]).toBe(
    `<p>See <a href="http://kith.test/groups">all of us</a> and <a ` +
      `href="http://kith.test/users/${mira.id}">@mira</a>.</p>\n<p>&lt;b&gt;</p>\n`,
  );
  expect(answer.body).toContain(`href="http://kith.test/discussions/${id}"`);
  const known = { "if-none-match": answer.headers.etag as string };
  expect((await asks(`/groups/${group.slug}/feed.atom`, known)).statusCode).toBe(304);
  await createTestDiscussion(database, mira, group.id, { title: "It rains" });
  expect((await asks(`/groups/${group.slug}/feed.atom`, known)).statusCode).toBe(200);
  expect((await asks(`/groups/${group.slug.toUpperCase()}/feed.atom`)).headers.location).toBe(
    `/groups/${group.slug}/feed.atom`,
  );
});

test("a discussion's feed contains its last twenty posts as a guest reads them, newest first", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, tomas, group.id, { title: "Frost" });
  const postIds: string[] = [];
  for (let number = 2; number <= 23; number++) {
    database.clock.pass(60_000);
    postIds.push(
      (await createTestReply(database, number % 2 ? tomas : mira, id, { body: `Reply ${number}.` })).id,
    );
  }
  await within((tx) => editPost(tx, mira, { postId: postIds.at(-2)!, body: "Said better.", version: 1 }));
  await within((tx) => deletePost(tx, tomas, { postId: postIds.at(-1)! }));
  const all = read((await asks(`/discussions/${id}/feed.atom`)).body);
  expect(all("title")).toEqual(["Frost", ...Array.from({ length: 20 }, (_, at) => `Frost (#${22 - at})`)]);
  expect(all("content").slice(0, 2)).toEqual(["<p>Said better.</p>\n", "<p>Reply 21.</p>\n"]);
});

test("feeds of the community, its library and a person contain only what guests may read", async () => {
  const { mira, tomas } = people;
  const open = await createTestGroup(database, people, { name: "Open beds" });
  const closed = await createTestGroup(database, people, { name: "Closed beds", visibility: "private" });
  await within((tx) => setMembership(tx, closed.id, tomas, "member"));
  await run(db, sql`update people set privacy = '{"profile":"everyone"}'::jsonb where id = ${tomas.id}`);
  await createTestDiscussion(database, tomas, open.id, { title: "Frost", body: "Cover the beds." });
  database.clock.pass(60_000);
  await createTestDiscussion(database, mira, open.id, { title: "A thaw" });
  await createTestDiscussion(database, tomas, closed.id, { title: "Secret frost" });
  const link = { why: "For <beginners>", tags: [], language: "en", licence: "unknown" as const };
  const add = (title: string, groupId?: string) =>
    within((tx) =>
      addLink(tx, mira, { ...link, title, url: `https://example.org/${title}`, ...(groupId && { groupId }) }),
    );
  await add("Seeds");
  await within((tx) => setMembership(tx, closed.id, mira, "member"));
  await add("Secret seeds", closed.id);
  const readFeed = async (url: string) => {
    const { statusCode, body } = await asks(url, as(tomas));
    expect([url, statusCode]).toEqual([url, 200]);
    return read(body);
  };
  expect((await readFeed("/feed.atom"))("title").slice(1)).toEqual(["A thaw", "Frost"]);
  const library = await readFeed("/resources/feed.atom");
  expect(library("title").slice(1)).toEqual(["Seeds"]);
  expect(library("content")).toEqual(["<p>For &#60;beginners&#62;</p>"]);
  const person = await readFeed(`/users/${tomas.id}/feed.atom`);
  expect([person("title"), person("content")]).toEqual([["Tomas", "Frost"], ["<p>Cover the beds.</p>\n"]]);
  for (const [page, feed] of [
    ["/", "/feed.atom"],
    ["/resources", "/resources/feed.atom"],
    [`/users/${tomas.id}`, `/users/${tomas.id}/feed.atom`],
  ])
    expect((await asks(page!)).body).toContain(`application/atom+xml" href="http://kith.test${feed}"`);
});

test("a person whose profile is closed to guests has no feed", async () => {
  await run(
    db,
    sql`update people set privacy = '{"profile":"members"}'::jsonb where id = ${people.tomas.id}`,
  );
  expect((await asks(`/users/${people.tomas.id}/feed.atom`, as(people.mira))).statusCode).toBe(404);
  expect((await asks(`/users/${people.tomas.id}`)).body).not.toContain("feed.atom");
  expect((await asks(`/users/${randomUUID()}/feed.atom`)).statusCode).toBe(404);
});

test("content closed to guests has no feed for anyone", async () => {
  const { mira, tomas } = people;
  const open = await createTestGroup(database, people, { name: "Open beds" });
  const shown = await createTestDiscussion(database, tomas, open.id);
  const closed = await createTestGroup(database, people, { name: "Closed beds", visibility: "private" });
  const discussion = await createTestDiscussion(database, tomas, closed.id);
  await within((tx) => setMembership(tx, closed.id, mira, "member"));
  for (const url of [
    `/groups/${closed.slug}/feed.atom`,
    `/discussions/${discussion.id}/feed.atom`,
    `/discussions/${randomUUID()}/feed.atom`,
  ])
    expect((await asks(url, as(mira))).statusCode, url).toBe(404);
  const group = await asks(`/groups/${open.slug}`);
  expect(group.body).toContain(
    `<link rel="alternate" type="application/atom+xml" href="http://kith.test/groups/${open.slug}/feed.atom"`,
  );
  expect((await asks(`/discussions/${shown.id}`)).body).toContain(
    `http://kith.test/discussions/${shown.id}/feed.atom`,
  );
  expect((await asks(`/groups/${closed.slug}`)).body).not.toContain("feed.atom");
});

test("a private community has no feeds", async () => {
  const group = await createTestGroup(database, people);
  await run(db, sql`insert into settings (key, value, changed_at) values ('audience', '"private"', now())`);
  for (const url of [`/groups/${group.slug}/feed.atom`, "/feed.atom", "/resources/feed.atom"])
    expect((await asks(url)).statusCode).toBe(404);
});

test("feeds are rate-limited per address", async () => {
  const group = await createTestGroup(database, people);
  let last = 200;
  for (let times = 0; times < 61 && last === 200; times++)
    last = (await asks(`/groups/${group.slug}/feed.atom`)).statusCode;
  expect(last).toBe(429);
});

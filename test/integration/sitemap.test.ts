import { beforeEach, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
  setMembership,
  type TestUsers,
} from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Files for crawlers: rules and sitemap. */
const database = await testDatabase();
const { db, inTransaction } = database;
const { server, as } = await serveBuiltPages(database);
let people: TestUsers;

beforeEach(async () => {
  database.clock.at = new Date();
  people = await createTestUsers(database);
});

const get = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { host: "kith.test", ...headers } });
const readAddresses = async (url: string, headers?: Record<string, string>) => {
  const { body, statusCode } = await get(url.replace("http://kith.test", ""), headers);
  expect([url, statusCode]).toEqual([url, 200]);
  return [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address!.replaceAll("&#38;", "&"));
};

test("the sitemap lists the pages that guests may read, even for a member", async () => {
  const open = await createTestGroup(database, people, { name: "Open beds" });
  const closed = await createTestGroup(database, people, { name: "Closed beds", visibility: "private" });
  await inTransaction((tx) => setMembership(tx, closed.id, people.tomas, "member"));
  const shown = await createTestDiscussion(database, people.tomas, open.id);
  await createTestDiscussion(database, people.tomas, closed.id);
  const files = await readAddresses("/sitemap.xml", as(people.tomas));
  expect(files).toEqual([
    expect.stringContaining("/sitemap/groups.xml?from="),
    expect.stringContaining("/sitemap/discussions.xml?from="),
  ]);
  expect(await readAddresses(files[0]!, as(people.tomas))).toEqual([`http://kith.test/groups/${open.slug}`]);
  expect(await readAddresses(files[1]!, as(people.tomas))).toEqual([
    `http://kith.test/discussions/${shown.id}`,
  ]);
});

test("a large community has several files, which together list each page once", async () => {
  const { id: groupId } = await createTestGroup(database, people);
  await run(
    db,
    sql`insert into discussions (id, group_id, author_id, title, created_at, last_post_at, last_number, posts_count)
        select gen_random_uuid(), ${groupId}, ${people.tomas.id}, 'Frost', now(), now(), 1, 1
        from generate_series(1, 20001)`,
  );
  const [, ...files] = await readAddresses("/sitemap.xml");
  const listed = await Promise.all(files.map((file) => readAddresses(file)));
  expect(listed.map((it) => it.length)).toEqual([10_000, 10_000, 1]);
  expect(new Set(listed.flat()).size).toBe(20_001);
});

test("robots.txt names the sitemap and excludes pages without content", async () => {
  const rules = (await get("/robots.txt")).body;
  expect(rules).toContain("Disallow: /login\n");
  expect(rules).toContain("Sitemap: http://kith.test/sitemap.xml\n");
});

test("a private community excludes crawlers and has no sitemap", async () => {
  await run(db, sql`insert into settings (key, value, changed_at) values ('audience', '"private"', now())`);
  expect((await get("/robots.txt")).body).toBe("User-agent: *\nDisallow: /\n");
  expect((await get("/sitemap.xml")).statusCode).toBe(404);
  expect((await get("/sitemap/groups.xml")).statusCode).toBe(404);
});

test.each(["/sitemap/people.xml", "/sitemap/groups", "/sitemap/groups.xml.xml"])(
  "%s is not found",
  async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  },
);

test("an invalid start of a file is ignored", async () => {
  const { slug } = await createTestGroup(database, people);
  expect(await readAddresses("/sitemap/groups.xml?from=x")).toEqual([`http://kith.test/groups/${slug}`]);
});

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { encodeCursor } from "#community/common";
import { addBookmark, deletePost } from "#community/discussions";
import { addWordFilter } from "#community/friends";
import { addDocument } from "#community/resources";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Notices on pages about a person's own situation. */
const database = await testDatabase();
const { inTransaction: within } = database;
const { server, as } = await serveBuiltPages(database);

/** Text of a page as a person reads it. */
async function wordsOf(who: SignedIn, url: string): Promise<string> {
  const page = await server.inject({ url, headers: { host: "kith.test", accept: "text/html", ...as(who) } });
  expect(page.statusCode).toBe(200);
  const [body] = page.body.split("<script");
  return (body! + page.body.slice(page.body.indexOf("<main")))
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/<[^>]+>/g, " ");
}

test("limited accounts see a notice of the limit instead of an invitation to join the group", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, tomas, group.id);
  const words = { title: "Frost", why: "", body: "Cover them.", tags: [], language: "en", licence: "" };
  const resource = await within((tx) => addDocument(tx, tomas, { ...words, groupId: group.id }));
  for (const url of [`/discussions/${id}`, `/resources/${resource.id}`]) {
    for (const who of [mira, noor]) {
      const limited = await wordsOf({ ...who, limited: true }, url);
      expect(limited).toContain("Your account cannot post at the moment.");
      expect(limited).not.toMatch(/Only members of .+ can (post|comment) here/);
    }
    expect(await wordsOf(noor, url)).toMatch(/Only members of The Long Beds can (post|comment) here/);
    expect(await wordsOf(mira, url)).not.toMatch(/at the moment|Only members of .+ can (post|comment) here/);
  }
});

test("home page shows ten unfiltered items and the number of further ones", async () => {
  // PostgreSQL's own clock decides whether a filter applies.
  database.clock.at = new Date();
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  const wish = { phrase: "slugs", contexts: ["home" as const], action: "hide" as const, until: null };
  for (const title of [...Array<string>(12).fill("Beans"), ...Array<string>(11).fill("Slugs")]) {
    database.clock.pass(1000);
    await createTestDiscussion(database, tomas, group.id, { title });
  }
  expect(await wordsOf(mira, "/")).toContain("13 more appear");
  await within((tx) => addWordFilter(tx, mira, wish));
  const home = await wordsOf(mira, "/");
  expect(home).toContain("2 more appear");
  expect(home).toContain("12 unread discussions");
});

test("a post's menu contains Edit as long as editing is allowed", async () => {
  // Pages use the real clock.
  database.clock.at = new Date();
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, mira, group.id);
  const [hers, his] = [await createTestReply(database, mira, id), await createTestReply(database, tomas, id)];
  // Not “Edit title and tags…” of the discussion.
  const hasEdit = async (who: SignedIn, post: string) =>
    /\bEdit\b(?! \w)/.test(await wordsOf(who, `/discussions/${id}?more=${post}`));
  expect([await hasEdit(mira, hers.id), await hasEdit(tomas, his.id)]).toEqual([true, true]);
  await database.pool.query("update posts set created_at = now() - interval '31 days'");
  expect([await hasEdit(mira, hers.id), await hasEdit(tomas, his.id)]).toEqual([false, true]);
});

test("a list position beyond the end redirects to the list's beginning", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  const { postId } = await createTestDiscussion(database, tomas, group.id);
  await within((tx) => addBookmark(tx, mira, { postId, note: "" }));
  const nowhere = (...values: (number | string)[]) =>
    `after=${encodeCursor(...values, "00000000-0000-7000-8000-000000000000")}`;
  for (const [list, place, to] of [
    ["/bookmarks?", nowhere(0), "/bookmarks"],
    ["/groups?", nowhere(0, 0), "/groups"],
    ["/groups?tab=discover&search=beds&", nowhere(0), "/groups?tab=discover&search=beds"],
    [`/groups/${group.slug}?tab=members&`, nowhere("", 0), `/groups/${group.slug}?tab=members`],
  ]) {
    const page = await server.inject({
      url: `${list}${place}`,
      headers: { host: "kith.test", accept: "text/html", ...as(mira) },
    });
    expect([page.statusCode, page.headers["location"]]).toEqual([302, to]);
    expect(
      (await server.inject({ url: to!, headers: { host: "kith.test", accept: "text/html", ...as(mira) } }))
        .statusCode,
    ).toBe(200);
  }
});

test("a guest is asked to sign in for a members' post in the same way as for a missing post", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const open = await createTestGroup(database, people, { name: "Open beds" });
  const hidden = await createTestDiscussion(database, people.tomas, group.id);
  const shown = await createTestDiscussion(database, people.tomas, open.id);
  const asks = async (url: string, who?: SignedIn) =>
    server.inject({ url, headers: { host: "kith.test", accept: "text/html", ...(who && as(who)) } });
  const never = randomUUID();
  for (const id of [hidden.postId, never]) {
    const answer = await asks(`/posts/${id}`);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `/login?next=%2Fposts%2F${id}`]);
    const history = await asks(`/posts/${id}/history`);
    expect(history.statusCode).toBe(401);
    expect(history.body).toContain("This post is for members only, or does not exist.");
    expect(history.body).toContain(`href="/login?next=%2Fposts%2F${id}%2Fhistory"`);
  }
  expect((await asks(`/posts/${hidden.postId}`, people.mira)).headers.location).toBe(
    `/discussions/${hidden.id}?post=1#post-1`,
  );
  expect((await asks(`/posts/${shown.postId}`)).headers.location).toBe(
    `/discussions/${shown.id}?post=1#post-1`,
  );
  for (const url of [`/posts/${never}`, `/posts/${never}/history`, `/posts/${hidden.postId}`])
    expect((await asks(url, people.noor)).statusCode, url).toBe(404);
  expect((await asks("/posts/no-such-thing")).statusCode).toBe(404);
});

test("each page of a public discussion has a meta description for guests, and none for members", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  const { id, postId } = await createTestDiscussion(database, tomas, group.id, {
    title: "Frost",
    body: "It froze.",
  });
  for (let number = 2; number <= 22; number++) {
    database.clock.pass(60_000);
    await createTestReply(database, number % 2 ? tomas : mira, id, {
      body: number === 22 ? `Last of all. ${"Long. ".repeat(200)}` : `Reply ${number}.`,
    });
  }
  const headOf = async (url: string, who?: SignedIn) => {
    const { body } = await server.inject({
      url,
      headers: { host: "kith.test", accept: "text/html", ...(who && as(who)) },
    });
    const found = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body)?.[1];
    return {
      title: /<title>(.*?)<\/title>/.exec(body)?.[1],
      description: /<meta name="description" content="(.*?)"/.exec(body)?.[1],
      posting: found
        ? (JSON.parse(found) as { text: string; url: string; comment: { text: string; author: object }[] })
        : null,
    };
  };
  const first = await headOf(`/discussions/${id}`);
  expect(first).toMatchObject({
    title: "Frost · Kith",
    description: "It froze.",
    posting: { text: "It froze." },
  });
  expect(first.posting!.comment.map(({ text }) => text)).toEqual(
    Array.from({ length: 19 }, (_, at) => `Reply ${at + 2}.`),
  );
  const second = await headOf(`/discussions/${id}?page=2`);
  expect(second).toMatchObject({
    title: "Frost – page 2 · Kith",
    description: "Reply 21.",
    posting: {
      text: "It froze.",
      url: `http://kith.test/discussions/${id}?page=2`,
      comment: [{ text: "Reply 21." }, {}],
    },
  });
  expect(second.posting!.comment[1]!.text).toMatch(/^Last of all\. Long\..{300,500}$/);
  expect(second.posting!.comment[1]!.author).toMatchObject({ name: "Mira" });
  expect((await headOf(`/discussions/${id}?page=2`, mira)).posting).toBeNull();
  // A removed post is shown to no one.
  await within((tx) => deletePost(tx, tomas, { postId, reason: "Said wrongly." }));
  const { posting } = await headOf(`/discussions/${id}?page=1`);
  expect(JSON.stringify(posting)).not.toContain("It froze.");
});

test("a page range includes a post written later, up to five pages", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, tomas, group.id);
  for (let number = 2; number <= 101; number++) {
    database.clock.pass(60_000);
    await createTestReply(database, number % 2 ? tomas : mira, id);
  }
  const shown = async (query: string) => {
    const { body } = await server.inject({
      url: `/discussions/${id}?${query}`,
      headers: { host: "kith.test", ...as(mira) },
    });
    const numbers = [...body.matchAll(/<article id="post-(\d+)"/g)].map(([, number]) => Number(number));
    return [numbers[0], numbers.at(-1)];
  };
  expect(await shown("page=1&to=2&post=21")).toEqual([1, 40]);
  expect(await shown("page=1&to=2&post=45")).toEqual([1, 60]);
  expect(await shown("page=1&to=2&post=101")).toEqual([101, 101]);
  expect(await shown("page=1")).toEqual([1, 20]);
});

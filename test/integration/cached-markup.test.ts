import { beforeEach, describe, expect, test } from "vitest";
import { addBookmark, addReaction, deletePost, editPost } from "#community/discussions";
import { blockPerson, mutePerson, NewMute } from "#community/friends";
import { isSignedIn, type Viewer } from "#community/rules";
import { DAY, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { createMarkupCache } from "#web/server";
import { serveBuiltPages } from "../support/built-pages.ts";
import {
  createPerson,
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
const { server, app, as } = await serveBuiltPages(database);

let people: TestUsers;
let discussion: { id: string; postId: string };
let replyId: string;
beforeEach(async () => {
  app.markup = createMarkupCache();
  people = await createTestUsers(database);
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { visibility: "public" });
  discussion = await createTestDiscussion(database, mira, group.id, {
    body: "The soil is **cold**.",
    pollOptions: "Now\nLater",
  });
  const { id } = discussion;
  replyId = (await createTestReply(database, tomas, id, { replyTo: discussion.postId })).id;
  await createTestReply(database, mira, id, { body: "In the [greenhouse](https://example.org/beans)." });
  await createTestReply(database, mira, id, { body: "I take that back." });
});

/** Returns the HTML of the posts on the discussion's page. */
async function readPosts(viewer: Viewer, query = "", locale = "en"): Promise<string[]> {
  const answer = await server.inject({
    url: `/discussions/${discussion.id}${query}`,
    headers: { accept: "text/html", "accept-language": locale, host: "kith.test", ...as(viewer) },
  });
  expect(answer.statusCode).toBe(200);
  return answer.body.match(/<article.*?<\/article>/gs) ?? [];
}

async function readPlainPosts(...of: Parameters<typeof readPosts>): Promise<string[]> {
  const cache = app.markup;
  app.markup = null;
  const posts = await readPosts(...of);
  app.markup = cache;
  return posts;
}

/** Changes the posts so that they differ by reader. */
async function makePostsDiffer() {
  const { mira, tomas, noor } = people;
  await within(async (tx) => {
    await addReaction(tx, mira, { postId: replyId, emoji: "🌱" });
    await addBookmark(tx, noor, { postId: replyId, note: "" });
    await mutePerson(tx, noor, NewMute.parse({ personId: tomas.id, until: null }));
    await blockPerson(tx, tomas, { personId: noor.id });
  });
  await within((tx) => editPost(tx, tomas, { postId: replyId, body: "After **the** saints.", version: 1 }));
}

describe("posts with cached markup", () => {
  test.each([
    "",
    "?show=x",
    "?post=2&react=REPLY",
    "?post=2&more=REPLY",
    "?post=2&edit=REPLY",
    "?post=2&keep=REPLY",
  ])("look the same as without a cache, for each reader (%s)", async (query) => {
    await makePostsDiffer();
    const { mira, tomas, noor, ines, ada, guest } = people;
    for (const viewer of [mira, tomas, noor, ines, ada, guest]) {
      const address = query.replace("REPLY", replyId);
      const plain = await readPlainPosts(viewer, address);
      expect(plain).toHaveLength(4);
      for (const _ of ["cold", "warm"]) expect(await readPosts(viewer, address)).toEqual(plain);
    }
  });

  test.each(["de", "ar"])("use the language of the reader (%s)", async (locale) => {
    const { guest } = people;
    const english = await readPosts(guest);
    const translated = await readPosts(guest, "?page=1", locale);
    expect(translated).toEqual(await readPlainPosts(guest, "?page=1", locale));
    expect(translated).not.toEqual(english);
  });

  test("render once for readers with the same rights", async () => {
    await readPosts(people.noor);
    expect(app.markup!.statistics).toMatchObject({ misses: 3, hits: 0 });
    await readPosts(await within((tx) => createPerson(tx, "lena")));
    expect(app.markup!.statistics).toMatchObject({ misses: 3, hits: 3 });
  });

  test("show an edit and a deletion at once", async () => {
    const { mira, tomas } = people;
    await readPosts(mira);
    await within((tx) => editPost(tx, tomas, { postId: replyId, body: "Now it is warm.", version: 1 }));
    expect((await readPosts(mira))[1]).toContain("Now it is warm.");
    await within((tx) => deletePost(tx, tomas, { postId: replyId }));
    expect((await readPosts(mira))[1]).not.toContain("Now it is warm.");
  });

  test("show how long ago they were written", async () => {
    const { mira } = people;
    const age = (milliseconds: number) =>
      run(database.db, sql`update posts set created_at = ${new Date(Date.now() - milliseconds)}`);
    await age(10 * MINUTE);
    expect((await readPosts(mira))[1]).toContain("10 min. ago");
    await age(3 * DAY);
    expect((await readPosts(mira))[1]).toContain("3 days ago");
    await age(30 * DAY);
    expect((await readPosts(mira))[1]).not.toContain("ago");
  });

  test("contain no generated ids, which the browser would generate differently", async () => {
    const { mira, guest } = people;
    for (const viewer of [mira, guest])
      expect((await readPosts(viewer)).join(""), isSignedIn(viewer) ? "member" : "guest").not.toMatch(
        /(id|for|aria-[a-z]+)="_R/,
      );
  });
});

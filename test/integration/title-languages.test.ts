import { beforeEach, describe, expect, test } from "vitest";
import { addBookmark } from "#community/discussions";
import { run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  type TestUsers,
  createTestUsers,
} from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { dispatchEvents } from "../support/notifications/deliveries.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { server, as } = await serveBuiltPages(database);
let people: TestUsers;
let discussionId: string;
let groupSlug: string;

const TITLE = "Wer gießt am Wochenende die Beete?";
const html = async (url: string, reader?: TestUsers["mira"]) =>
  (await server.inject({ url, headers: reader ? as(reader) : {} })).body;
/** The opening tag right before each occurrence of the title as text. */
const tagsOf = (page: string) =>
  [...page.matchAll(/(<[^<>]+>)(?:\s|<!-- -->)*Wer gießt am Wochenende die Beete\?(?=[\s<])/g)]
    .map((match) => match[1]!)
    .filter((tag) => !tag.startsWith("<title"));

beforeEach(async () => {
  database.clock.at = new Date();
  people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  groupSlug = group.slug;
  const body = "Am Samstag ist niemand da, und es soll sehr heiß werden. Wer kann die Tomaten gießen?";
  const made = await createTestDiscussion(database, people.tomas, group.id, { title: TITLE, body });
  discussionId = made.id;
  await createTestReply(database, people.mira, made.id, { body: "Ich kann am Sonntag kommen." });
  await createTestReply(database, people.tomas, made.id, { body: "@mira Danke, und am Samstag?" });
  await dispatchEvents(database);
  await database.inTransaction((tx) => addBookmark(tx, people.mira, { postId: made.postId, note: "" }));
});

describe("title of a German discussion", () => {
  test.each([
    ["list", () => "/discussions"],
    ["group", () => `/groups/${groupSlug}`],
    ["page of the discussion", () => `/discussions/${discussionId}`],
    ["notifications", () => "/notifications"],
    ["bookmarks", () => "/bookmarks"],
    ["replies of a person", () => `/users/${people.mira.id}?tab=replies`],
    ["activity of a person", () => `/users/${people.mira.id}?tab=activity`],
  ])("has its language in the %s of an English reader only", async (_, address) => {
    const tags = tagsOf(await html(address(), people.mira));
    expect(tags.length).toBeGreaterThan(0);
    for (const tag of tags) expect(tag).toContain('lang="de"');
    await run(database.db, sql`update people set locale = 'de' where id = ${people.mira.id}`);
    const germanTags = tagsOf(await html(address(), people.mira));
    expect(germanTags.length).toBe(tags.length);
    for (const tag of germanTags) expect(tag).not.toContain("lang=");
  });

  test("has its language in the entries of a feed", async () => {
    const feed = await html(`/groups/${groupSlug}/feed.atom`);
    expect(feed).toMatch(/<entry xml:lang="de">.*<title>Wer gießt am Wochenende die Beete\?</);
  });
});

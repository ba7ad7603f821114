import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import {
  getDiscussion,
  listLatestDiscussions,
  getPost,
  renderQuote,
  filterLatest,
  filterUnread,
  filterTop,
  listTopDiscussions,
  listUnreadAndLatest,
} from "#community/discussions";
import {
  addWordFilter,
  editWordFilter,
  deleteWordFilter,
  getDeletedWordFilter,
  listWordFilters,
  NewWordFilter,
  restoreWordFilter,
} from "#community/friends";
import { LIMITS, applyFilters, type SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { getPostsPage } from "../support/discussions/shared-posts.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const DAY = 86_400_000;

/** Reads use the database's own clock, so the test uses the present. */
async function today() {
  database.clock.at = new Date();
  return createTestUsers(database);
}
const wish = {
  phrase: "slugs",
  contexts: ["home", "discussion"] as const,
  action: "collapse" as const,
  until: null,
};
const add = (who: SignedIn, more: Partial<Parameters<typeof addWordFilter>[2]> = {}) =>
  within((tx) => addWordFilter(tx, who, { ...wish, contexts: [...wish.contexts], ...more }));

describe("filter", () => {
  test("collapses other people's posts with its words, for its owner only", async () => {
    const people = await today();
    const { mira, tomas, ines } = people;
    const group = await createTestGroup(database, people);
    const talk = await createTestDiscussion(database, tomas, group.id, {
      body: "There are **SLUGS** in the beds.",
    });
    const own = await createTestReply(database, mira, talk.id, { body: "Slugs come at night." });
    await add(mira);
    expect(await getPost(db, mira, talk.postId)).toMatchObject({ filtered: "slugs", stub: null });
    expect((await getPost(db, mira, talk.postId)).html).toContain("SLUGS");
    expect(await getPost(db, mira, own.id)).not.toHaveProperty("filtered");
    expect(await getPost(db, tomas, own.id)).not.toHaveProperty("filtered");
    await add(ines, { contexts: ["home"] });
    expect(await getPost(db, ines, talk.postId)).not.toHaveProperty("filtered");
  });

  test("applies to poll options", async () => {
    const people = await today();
    const { mira, tomas } = people;
    const group = await createTestGroup(database, people);
    const talk = await createTestDiscussion(database, tomas, group.id, {
      body: "What is worst?",
      pollOptions: "Frost\nSlugs",
    });
    await add(mira);
    expect(await getPost(db, mira, talk.postId)).toMatchObject({
      filtered: "slugs",
      poll: { options: [{ text: "Frost" }, {}] },
    });
    await add(mira, { action: "hide" });
    expect(JSON.stringify(await getPost(db, mira, talk.postId))).not.toContain("Slugs");
  });

  test("removes reply excerpts with its words, except excerpts of the owner's posts", async () => {
    const people = await today();
    const { mira, tomas, ines } = people;
    const group = await createTestGroup(database, people);
    const talk = await createTestDiscussion(database, tomas, group.id, {
      body: "There are slugs in the beds.",
    });
    const own = await createTestReply(database, mira, talk.id, { body: "Slugs come at night." });
    for (const replyTo of [talk.postId, own.id]) await createTestReply(database, ines, talk.id, { replyTo });
    const listExcerpts = async (who: SignedIn) =>
      (await getPostsPage(db, who, await getDiscussion(db, who, talk.id), { page: 1 })).posts
        .slice(2)
        .map((it) => it.replyTo?.excerpt);
    await add(mira);
    expect(await listExcerpts(mira)).toEqual(["", "Slugs come at night."]);
    expect(await listExcerpts(tomas)).toEqual(["There are slugs in the beds.", "Slugs come at night."]);
  });

  test("reduces a hidden post to its number, and the reader may reveal the text", async () => {
    const people = await today();
    const { mira, tomas } = people;
    const group = await createTestGroup(database, people);
    const talk = await createTestDiscussion(database, tomas, group.id);
    const reply = await createTestReply(database, tomas, talk.id, { body: "Slugs come at night." });
    await add(mira, { action: "hide" });
    const { posts } = await getPostsPage(db, mira, await getDiscussion(db, mira, talk.id), { page: 1 });
    expect(posts.map(({ number, stub, html }) => [number, stub, html === null])).toEqual([
      [1, null, false],
      [2, "filtered", true],
    ]);
    expect(JSON.stringify(posts)).not.toContain("at night");
    await expect(renderQuote(db, mira, reply.id)).rejects.toMatchObject({ reason: "not-allowed" });
    expect((await getPost(db, mira, reply.id, { reveal: true })).html).toContain("at night");
  });

  test("expires, and can be changed, deleted and restored", async () => {
    const { mira, tomas } = await today();
    const { id } = await add(mira, { until: new Date(database.clock.at.getTime() + DAY) });
    await within((tx) =>
      editWordFilter(tx, mira, { filterId: id, ...wish, contexts: ["notifications"], phrase: "snails" }),
    );
    expect(await listWordFilters(db, mira)).toMatchObject([
      { phrase: "snails", contexts: ["notifications"], until: null },
    ]);
    expect([
      await listWordFilters(db, mira, "home"),
      (await listWordFilters(db, mira, "notifications")).length,
    ]).toEqual([[], 1]);
    await expect(
      within((tx) => editWordFilter(tx, tomas, { filterId: id, ...wish, contexts: ["home"] })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    await expect(within((tx) => deleteWordFilter(tx, tomas, { filterId: id }))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => deleteWordFilter(tx, mira, { filterId: id }));
    expect([
      await listWordFilters(db, mira),
      (await getDeletedWordFilter(db, mira, id))?.phrase,
      await getDeletedWordFilter(db, tomas, id),
    ]).toEqual([[], "snails", null]);
    await expect(within((tx) => restoreWordFilter(tx, tomas, { filterId: id }))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => restoreWordFilter(tx, mira, { filterId: id }));
    expect(await listWordFilters(db, mira)).toHaveLength(1);
    await run(db, sql`update filters set until = now() - interval '1 minute'`);
    expect(await listWordFilters(db, mira)).toEqual([]);
  });

  test("requires words, a context and a future end", async () => {
    const { mira, guest } = await today();
    await expect(add(guest as SignedIn)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(add(mira, { until: database.clock.at })).rejects.toMatchObject({
      reason: "invalid",
      fields: { until: "That time is in the past." },
    });
    for (const input of [
      { ...wish, phrase: " " },
      { ...wish, phrase: "x".repeat(101) },
      { ...wish, contexts: [] },
      { ...wish, contexts: ["attic"] },
    ])
      expect(NewWordFilter.safeParse(input).success).toBe(false);
    for (let i = 0; i < LIMITS.filters.count; i++) await add(mira, { phrase: `word ${i}` });
    await expect(add(mira)).rejects.toMatchObject({ reason: "too-many" });
  });

  test("collapses or hides list items, except the owner's", () => {
    const rows = ["Slugs again", "Snails again", "Beans"].map((title) => ({ title, mine: false }));
    const filters = [
      { phrase: "slugs", action: "collapse" } as const,
      { phrase: "snails", action: "hide" } as const,
    ];
    expect(applyFilters(filters, [...rows, { title: "My slugs", mine: true }], ({ title }) => title)).toEqual(
      [
        { title: "Slugs again", mine: false, filtered: "slugs" },
        { title: "Beans", mine: false },
        { title: "My slugs", mine: true },
      ],
    );
  });

  test("replaces hidden items on the home page by later ones and excludes them from counts", async () => {
    const people = await today();
    const { mira, tomas } = people;
    const group = await createTestGroup(database, people);
    const now = new Date(database.clock.at.getTime() + DAY);
    const write = async (title: string, times: number) => {
      for (let n = 0; n < times; n++) {
        database.clock.pass(1000);
        await createTestDiscussion(database, tomas, group.id, { title: `${title} ${n}` });
      }
    };
    const hiding = [{ phrase: "slugs", action: "hide" } as const];
    const folding = [{ phrase: "slugs", action: "collapse" } as const];
    const catchUp = async (filters: typeof hiding | typeof folding) => {
      const { rows, count } = await filterUnread(
        db,
        mira,
        filters,
        (await listUnreadAndLatest(db, mira)).unread,
      );
      return [rows.filter((row) => row.title.startsWith("Beans")).length, rows.length, count];
    };
    const top = async () => {
      const query = { span: "week", now } as const;
      return (
        await filterTop(db, mira, hiding, { ...query, first: await listTopDiscussions(db, mira, query) })
      ).length;
    };
    await write("Beans", 3);
    await write("Slugs", 5);
    expect([await catchUp(hiding), await catchUp(folding), await top()]).toEqual([
      [3, 3, 3],
      [3, 8, null],
      3,
    ]);
    await write("Slugs", 5);
    expect([await catchUp(hiding), await catchUp(folding), await top()]).toEqual([
      [3, 3, 3],
      [0, 10, null],
      3,
    ]);
    await write("Beans", 9);
    await write("Slugs", 5);
    expect([await catchUp(hiding), await top()]).toEqual([[10, 10, 12], 10]);
    expect(await filterUnread(db, mira, hiding, null)).toMatchObject({ count: 12 });
  });

  test("leaves no gaps in the latest list: pages are full and the next page continues correctly", async () => {
    const people = await today();
    const { mira, tomas } = people;
    const group = await createTestGroup(database, people);
    const write = async (title: string, times: number) => {
      for (let n = 0; n < times; n++) {
        database.clock.pass(1000);
        await createTestDiscussion(database, tomas, group.id, { title: `${title} ${n}` });
      }
    };
    const latest = async (action: "hide" | "collapse", after = "") => {
      const filters = [{ phrase: "slugs", action }];
      return filterLatest(db, mira, filters, await listLatestDiscussions(db, mira, { after }));
    };
    const counted = async (action: "hide" | "collapse") => {
      const pages = [await latest(action)];
      while (pages.at(-1)!.next) pages.push(await latest(action, pages.at(-1)!.next!));
      return pages.map(({ rows }) => rows.length);
    };
    await write("Beans", 25);
    await write("Slugs", 25);
    await write("Beans", 3);
    expect([await counted("hide"), await counted("collapse")]).toEqual([
      [20, 8],
      [20, 20, 13],
    ]);
    expect(
      new Set(
        [...(await latest("hide")).rows, ...(await latest("hide", (await latest("hide")).next!)).rows].map(
          ({ id }) => id,
        ),
      ).size,
    ).toBe(28);
    await write("Slugs", 105);
    expect(await latest("hide")).toMatchObject({ rows: [], next: expect.any(String) });
  });
});

import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { GUEST } from "#community/rules";
import { createTestUsers } from "../../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { resolveOldPath } from "../../index.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import {
  discoursePost,
  TOPIC_SEVEN,
  discourseTopic,
} from "../../../../../test/support/import-export/discourse-export.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks, count } = createAdapterSetup(database, "discourse");
const SITE = "https://forum.example.org";

describe("import of a Discourse forum", () => {
  test("attributes posts of deleted accounts to a former member, also at the start of a topic", async () => {
    const path = await write({
      "7.json": discourseTopic(7, [
        discoursePost(71, 1, "x", "<p>When to sow?</p>", { username: null, name: null, user_id: null }),
        discoursePost(72, 2, "kim", "<p>In May.</p>", { reply_to_post_number: 1 }),
        discoursePost(73, 3, "x", "<p>Thanks.</p>", { username: null, name: null, reply_to_post_number: 2 }),
      ]),
    });
    const imported = await bring(path, SITE);
    expect(await posts()).toEqual([
      ["Topic number 7", 1, "Former member", null, "When to sow?"],
      ["Topic number 7", 2, "KIM", 1, "In May."],
      ["Topic number 7", 3, "Former member", 2, "Thanks."],
    ]);
    expect((await remarks(imported)).filter((it) => it.startsWith("7.json"))).toEqual([]);
    expect(await many(db, sql`select state from people order by state`)).toEqual([
      { state: "erased" },
      { state: "ghost" },
    ]);
    expect(await resolveOldPath(db, GUEST, "/u/:gone")).toBe(null);
  });

  test("makes imported accounts claimable when a later import adds their emails", async () => {
    const { mira } = await createTestUsers(database);
    const files = {
      "7.json": discourseTopic(7, [
        discoursePost(71, 1, "sam", "<p>When to sow?</p>"),
        discoursePost(72, 2, "kim", "<p>In May.</p>"),
      ]),
    };
    const first = await bring(await write(files, "forum"), SITE);
    expect(await count("imported_accounts")).toBe(0);
    await database.inTransaction((tx) =>
      run(
        tx,
        sql`update people set email_confirmed_at = ${tx.now}, email = 'kim@example.org'
          where id = ${mira.id}`,
      ),
    );
    const users = "username,email\nsam,sam@example.org\nkim,kim@example.org\n";
    const again = await bring(await write({ ...files, "users.csv": users }, "forum"), SITE);
    expect([first.source, again.counts.user]).toEqual([again.source, { known: 2 }]);
    expect(
      await many(
        db,
        sql`select p.username, g.email from imported_accounts g join people p on p.id = g.person_id`,
      ),
    ).toEqual([{ username: "sam", email: "sam@example.org" }]);
    expect(await remarks(again)).toContain(
      "7.json: Its email address belongs to another account: imported without it.",
    );
  });

  test("creates discussions from topics: posts without gaps, replies, tags, closed and pinned states", async () => {
    const path = await write({
      "7.json": discourseTopic(7, TOPIC_SEVEN, {
        closed: true,
        pinned: true,
        accepted_answer: { post_number: 2 },
        post_stream: { posts: TOPIC_SEVEN, stream: Array.from({ length: 9 }, (_, i) => i) },
      }),
      "8.json": discourseTopic(8, [discoursePost(81, 1, "kim", "<p>Old things</p>")], {
        archived: true,
        category_id: 6,
      }),
      "categories.json": JSON.stringify({
        category_list: {
          categories: [
            { id: 5, name: "Growing", slug: "growing", description_text: "What grows." },
            { id: 6, name: "Board", slug: "board", read_restricted: true },
          ],
        },
      }),
      "about.json": JSON.stringify({ about: {} }),
      "broken.json": "{",
    });
    const imported = await bring(path, SITE);
    expect((await posts()).filter(([title]) => title === "Topic number 7")).toEqual([
      ["Topic number 7", 1, "SAM", null, "When to sow?"],
      ["Topic number 7", 2, "KIM", 1, "In May."],
      ["Topic number 7", 3, "SAM", null, "Thanks"],
      ["Topic number 7", 4, "KIM", 3, "See [above](</t/topic-number-7/7/2>)."],
    ]);
    expect((await remarks(imported)).sort()).toEqual([
      "7.json, post 6: It replies to post 3, which is missing.",
      "7.json, post 6: Removed from its text: script.",
      "7.json: 3 of the 9 posts of this topic are not in the archive.",
      "7.json: Skipped 2 deleted posts, whispers and system messages of this topic.",
      "broken.json: Skipped: it is not JSON, or is incomplete.",
    ]);
    expect(
      await many(
        db,
        sql`select g.name, g.visibility, d.state, d.tags, d.locked_at is not null as closed,
          d.pinned_at is not null as pinned, d.resolved_at is not null as resolved,
          (select number from posts p where p.id = d.answer_id) as answer
        from discussions d join groups g on g.id = d.group_id order by g.name`,
      ),
    ).toEqual([
      {
        name: "Board",
        visibility: "private",
        state: "archived",
        tags: ["beans"],
        closed: false,
        pinned: false,
        resolved: false,
        answer: null,
      },
      {
        name: "Growing",
        visibility: "public",
        state: "open",
        tags: ["beans"],
        closed: true,
        pinned: true,
        resolved: true,
        answer: 2,
      },
    ]);
  });

  test("redirects old paths of topics, posts and people if the viewer may see the target", async () => {
    const path = await write({
      "7.json": discourseTopic(7, TOPIC_SEVEN),
      "8.json": discourseTopic(
        8,
        [discoursePost(81, 1, "kim", "<p>Old</p>"), discoursePost(82, 2, "Zoë", "<p>Older</p>")],
        {
          category_id: 6,
        },
      ),
      "site.json": JSON.stringify({
        categories: [
          { id: 5, name: "Category 5" },
          { id: 6, name: "Board", slug: "board", read_restricted: true },
        ],
      }),
    });
    await bring(path, SITE);
    const { id } = await one(
      db,
      sql<{ id: string }>`select id from discussions where title = 'Topic number 7'`,
    );
    const at = (number?: number) => ({ kind: "discussion", id, ...(number && { post: number }) });
    for (const [old, now] of [
      ["/t/topic-number-7/7", at()],
      ["/t/7", at()],
      ["/t/renamed-since/7/6", at(3)],
      ["/t/7/7", at(4)],
      ["/p/77", at(4)],
      ["/t/topic-number-7/7/3", at()],
      ["/u/sam", { kind: "person", username: "sam" }],
      ["/u/Sam", { kind: "person", username: "sam" }],
      ["/u/SAM/summary", { kind: "person", username: "sam" }],
      ["/u/sam/activity/topics?page=2", { kind: "person", username: "sam" }],
      ["/u/Zo%C3%8B", { kind: "person", username: "zoe" }],
      ["/p/77/5", at(4)],
      ["/c/parent/garden/5", { kind: "group", slug: "category-5" }],
      ["/c/garden/5/l/latest", { kind: "group", slug: "category-5" }],
      ["/c/parent/board/6/none/l/top", { kind: "group", slug: "board" }],
      ["/c/6", { kind: "group", slug: "board" }],
      ["/u/nobody/summary", null],
      ["/t/topic-number-8/8", null],
      ["/p/81", null],
      ["/c/board", { kind: "group", slug: "board" }],
    ] as const)
      expect([old, await resolveOldPath(db, GUEST, old)]).toEqual([old, now]);
  });

  test("joins the pages of a topic, and reads emails from the admin's user list", async () => {
    const [first, second] = [TOPIC_SEVEN.slice(0, 2), TOPIC_SEVEN.slice(4)];
    const path = await write({
      "7-2.json": JSON.stringify({ id: 7, post_stream: { posts: [...second, TOPIC_SEVEN[1]] } }),
      "7.json": discourseTopic(7, first),
      "users.csv": "name,username,email\nSam,sam,sam@example.org\nKim,Kim,kim@example.org\n",
    });
    await bring(path);
    expect((await posts()).map(([, number, by]) => [number, by])).toEqual([
      [1, "SAM"],
      [2, "KIM"],
      [3, "SAM"],
      [4, "KIM"],
    ]);
    expect(await many(db, sql`select email from imported_accounts order by email`)).toEqual([
      { email: "kim@example.org" },
      { email: "sam@example.org" },
    ]);
  });

  test("accepts a single topic file and refuses any other file", async () => {
    const path = await write({ "7.json": discourseTopic(7, TOPIC_SEVEN) });
    await bring(`${path}/7.json`);
    expect(await count("posts")).toBe(4);
    await expect(bring(await write({ "a.json": "[]" }))).rejects.toMatchObject({
      reason: "invalid",
      message: expect.stringContaining("no topic"),
    });
  });
});

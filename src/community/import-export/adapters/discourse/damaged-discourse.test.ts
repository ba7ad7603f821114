import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { createDamagedZip } from "../../../../../test/support/import-export/damaged-zip.ts";
import {
  discoursePost,
  TOPIC_SEVEN,
  discourseTopic,
} from "../../../../../test/support/import-export/discourse-export.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks, count } = createAdapterSetup(database, "discourse");
const SITE = "https://forum.example.org";

describe("import of a damaged Discourse export", () => {
  test("skips a damaged file in the zip and imports the rest", async () => {
    const files = {
      "7.json": discourseTopic(7, [discoursePost(71, 1, "sam", "<p>When to sow?</p>")]),
      "8.json": discourseTopic(8, [discoursePost(81, 1, "kim", "<p>Old things</p>")]),
      "9.json": discourseTopic(9, [discoursePost(91, 1, "kim", "<p>New things</p>")]),
      "users.csv": "username,email\nsam,sam@example.org\n",
    };
    const folder = await write({ "forum.zip": await createDamagedZip(files, ["8.json", "users.csv"]) });
    const run = await bring(`${folder}/forum.zip`, SITE);
    expect((await posts()).map(([title]) => title)).toEqual(["Topic number 7", "Topic number 9"]);
    const damage = "Skipped: $ cannot be read: it is damaged: its checksum does not match.";
    expect((await remarks(run)).filter((it) => it.includes("damaged"))).toEqual(
      ["8.json", "users.csv"].map((name) => `${name}: ${damage.replace("$", name)}`),
    );
  });

  test("reports unreadable topics and imports the rest", async () => {
    const whole = discourseTopic(7, TOPIC_SEVEN);
    const path = await write({
      "1.json": whole.slice(0, -20),
      "2.json": "",
      "3.json": whole.replace('"id":7,', '"id":"seven",'),
      "4.json": JSON.stringify({ id: 4, title: "Without posts", post_stream: { posts: "none" } }),
      "5.json": JSON.stringify({ id: 5, title: "Empty", post_stream: { posts: [] } }),
      "7.json": discourseTopic(7, [...TOPIC_SEVEN, { id: "x" }, { id: 79, post_number: 9 }]),
      "8.json": discourseTopic(8, [
        discoursePost(81, 1, "sam", "<p>Not of then</p>", { created_at: "0001-01-01T00:00:00Z" }),
        discoursePost(82, 2, "kim", "<p>Of then</p>"),
      ]),
      "users.csv": 'username,email\n"sam,sam@example.org\n',
    });
    const run = await bring(path);
    expect(await count("posts")).toBe(5);
    expect((await remarks(run)).filter((it) => !it.startsWith("7.json"))).toEqual([
      "1.json: Skipped: it is not JSON, or is incomplete.",
      "2.json: Skipped: it is empty.",
      "3.json: Skipped: not a readable topic (id).",
      "4.json: Skipped: not a readable topic (post_stream.posts).",
      expect.stringMatching(/^users.csv: It cannot be read/),
      "archive: There is no categories.json and no site.json. Closed categories cannot be determined: " +
        "all groups are imported as private.",
      "5.json: Skipped: none of its posts can be imported.",
      "8.json, post 1: Skipped: its createdAt is not a date between 1970 and 2100.",
    ]);
    expect(await remarks(run)).toContain(
      "7.json: 2 posts of this topic cannot be read: the post at position 7 (id), post 9 (created_at).",
    );
    await expect(bring(await write({ "1.json": whole.slice(0, -20) }))).rejects.toMatchObject({
      reason: "invalid",
      message: expect.stringContaining("1.json: Skipped: it is not JSON"),
    });
  });

  test("imports topics whose dates of pinning or closing are invalid", async () => {
    const only = (id: number, more: object) =>
      discourseTopic(id, [discoursePost(id * 10, 1, "sam", "<p>x</p>")], more);
    const run = await bring(
      await write({
        "1.json": only(1, {
          pinned: true,
          pinned_at: "2024-01-01T00:00:00.000Z",
          pinned_until: "3024-01-01T00:00:00.000Z",
        }),
        "2.json": only(2, { pinned_at: "soon", pinned_until: "2030-01-01T00:00:00Z" }),
        "3.json": only(3, { pinned: true, pinned_at: "soon" }),
        "4.json": only(4, { closed: true, last_posted_at: "0001-01-01T00:00:00Z", created_at: null }),
        "5.json": only(5, { pinned_at: "2024-01-01T00:00:00Z", pinned_until: "2030-01-01T00:00:00Z" }),
        "6.json": discourseTopic(
          6,
          [
            discoursePost(60, 1, "sam", "<p>x</p>"),
            discoursePost(61, 2, "kim", "<p>y</p>", { created_at: "then" }),
          ],
          {
            closed: true,
            accepted_answer: { post_number: 2 },
            last_posted_at: 5,
          },
        ),
        "7.json": discourseTopic(7, [
          discoursePost(70, 1, "sam", "<p>x</p>", { updated_at: "9999-01-01T00:00:00Z" }),
        ]),
      }),
    );
    expect(
      await many(
        db,
        sql`select title, pinned_at as at, pinned_until as until, locked_at as locked from discussions
          order by title collate "C"`,
      ),
    ).toEqual(
      [
        [new Date("2024-01-01T00:00:00Z"), null, null],
        [null, null, null],
        [new Date("2020-05-01T10:00:00Z"), null, null],
        [null, null, new Date("2020-05-01T10:00:00Z")],
        [new Date("2024-01-01T00:00:00Z"), new Date("2030-01-01T00:00:00Z"), null],
        [null, null, new Date("2020-05-01T10:00:00Z")],
        [null, null, null],
      ].map(([at, until, locked], i) => ({ title: `Topic number ${i + 1}`, at, until, locked })),
    );
    expect(await count("posts")).toBe(7);
    expect((await remarks(run)).filter((it) => it.includes(".json, "))).toEqual([
      "6.json, post 2: Skipped: its createdAt is not a date between 1970 and 2100.",
    ]);
  });

  test("skips a topic that is not UTF-8, and fails if there is no other topic", async () => {
    const strange = Buffer.from(discourseTopic(7, [discoursePost(71, 1, "zoë", "x")]), "latin1");
    const unmarked = Buffer.from(discourseTopic(9, []), "utf16le");
    const run = await bring(
      await write({
        "7.json": strange,
        "8.json": discourseTopic(8, [discoursePost(81, 1, "sam", "x")]),
        "9.json": unmarked,
      }),
    );
    expect((await posts()).map(([title]) => title)).toEqual(["Topic number 8"]);
    expect(await remarks(run)).toEqual(
      expect.arrayContaining([
        "7.json: Skipped: it is not UTF-8: see line 1.",
        "9.json: Skipped: it is UTF-16: save it as UTF-8.",
      ]),
    );
    await expect(bring(await write({ "7.json": strange }))).rejects.toMatchObject({
      reason: "invalid",
      message: expect.stringContaining("7.json: Skipped: it is not UTF-8: see line 1."),
    });
  });

  test("ignores hidden files of file managers", async () => {
    const run = await bring(
      await write({
        "forum/7.json": discourseTopic(7, TOPIC_SEVEN),
        "forum/._7.json": Buffer.from([0, 5, 0x16, 7, 0xff]),
        "__MACOSX/forum/._7.json": Buffer.from([0, 5, 0x16, 7, 0xff]),
        "forum/.DS_Store": Buffer.from([0xff]),
      }),
    );
    expect(await count("posts")).toBe(4);
    expect((await remarks(run)).filter((it) => it.includes("_"))).toEqual([]);
  });
});

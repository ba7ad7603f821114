import { describe, expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import {
  postRecord,
  userRecord,
  archiveText,
  discussionRecord,
  groupRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import {
  count,
  db,
  describeProblems,
  transfer,
  importOptions,
  write,
} from "../../../test/support/import-export/import-setup.ts";
import { runImport, type Format } from "./index.ts";
import { listProblems } from "./import/import-runs.ts";

const FLOWER = "🌻";
/** Characters that JSON can express and PostgreSQL cannot store. */
const [NUL, HALF] = ["\0", "\ud83c"];

const bring = async (files: Record<string, string | Buffer>, format: Format = "ndjson") =>
  runImport(await transfer(), { ...importOptions, format, path: await write(files) });
const bringLines = (...records: object[]) =>
  bring({ "community.ndjson": archiveText(userRecord("plato"), groupRecord(), ...records) });

describe("a text of emoji", () => {
  test("has its length measured in characters, so that short titles and names are padded", async () => {
    const run = await bringLines(
      discussionRecord({ title: FLOWER.repeat(3) }),
      discussionRecord({ id: "e", title: FLOWER.repeat(5) }),
      groupRecord({ id: "h", name: FLOWER }),
      discussionRecord({ id: "i", group: "h", title: "" }),
      groupRecord({ id: "j", name: FLOWER.repeat(2) }),
    );
    expect([run.state, run.problems]).toEqual(["done", 0]);
    const titles = await many(
      db,
      sql<{ title: string }>`select title from discussions order by title collate "C"`,
    );
    expect(titles.map(({ title }) => title)).toEqual([
      `Untitled — ${FLOWER} …`,
      `${FLOWER.repeat(3)} — First principles`,
      FLOWER.repeat(5),
    ]);
    const names = await many(db, sql<{ name: string }>`select name from groups order by name collate "C"`);
    expect(names.map(({ name }) => name)).toEqual(["First principles", `${FLOWER} …`, FLOWER.repeat(2)]);
  });

  test("gets truncated between characters in names, tags and report excerpts", async () => {
    const run = await bringLines(
      userRecord("zeno", { username: `a${FLOWER.repeat(60)}`, name: "" }),
      discussionRecord({ tags: [`b${FLOWER.repeat(60)}`] }),
      { type: "wish", id: `c${FLOWER.repeat(150)}` },
      postRecord(1, { id: `d${FLOWER.repeat(99)}`, author: `e${FLOWER.repeat(90)}` }),
      { type: "vote", post: `f${FLOWER.repeat(90)}`, user: `g${FLOWER.repeat(90)}`, option: 1 },
    );
    expect(run.problems).toBe(3);
    expect(await one(db, sql`select display_name as name from people where username <> 'plato'`)).toEqual({
      name: `a${FLOWER.repeat(49)}`,
    });
    expect((await one(db, sql<{ tags: string[] }>`select tags from discussions`)).tags[0]).toMatch(/^b🌻+$/u);
    for (const { sourceId } of await listProblems(db, run.id)) expect(sourceId.isWellFormed()).toBe(true);
  });

  test.each<[Format, Record<string, string>, string]>([
    [
      "discourse",
      {
        "1.json": JSON.stringify({
          id: 1,
          title: FLOWER,
          category_id: 1,
          post_stream: {
            posts: [
              {
                id: 1,
                username: "sam",
                created_at: "2020-01-01T10:00:00Z",
                cooked: "<p>x</p>",
                post_number: 1,
              },
            ],
          },
        }),
        "site.json": JSON.stringify({ categories: [{ id: 1, name: FLOWER }] }),
      },
      `${FLOWER}…`,
    ],
    [
      "slack",
      { "users.json": "[]", "channels.json": JSON.stringify([{ id: "C1", name: FLOWER }]) },
      `${FLOWER}…`,
    ],
  ])("can be a group's name in an import of %s", async (format, files, name) => {
    await bring(files, format);
    expect(await one(db, sql`select name from groups`)).toEqual({ name });
  });
});

describe.each([
  ["NUL", NUL],
  ["a lone surrogate", HALF],
])("a text with %s in it", (_, odd) => {
  test("loses only this character, wherever it appears", async () => {
    const at = { createdAt: "2019-03-01" };
    const run = await bring({
      "community.ndjson": archiveText(
        userRecord("plato"),
        userRecord("zeno", { username: `z${odd}`, name: "" }),
        groupRecord(),
        discussionRecord({ oldPaths: [`/t/1${odd}2`], tags: [`on${odd}e`] }),
        postRecord(1),
        { type: "file", id: "f", path: `files/a${odd}b` },
        { type: "file", id: "g", path: `files/no${odd}ne` },
        {
          type: "resource",
          id: "r",
          owner: "plato",
          kind: "link",
          title: "Link",
          url: `https://example.org/a${odd}b`,
          ...at,
        },
        { type: "setting", key: "sentence", value: `Where${odd} we argue.` },
        { type: `wi${odd}sh`, id: `w${odd}` },
        postRecord(2, { author: `nob${odd}ody` }),
      ),
      [`files/a${odd === NUL ? "" : "\ufffd"}b`]: "x",
    });
    expect(run.state).toBe("done");
    expect([
      await count("posts"),
      await count("uploads"),
      await count("resources"),
      await count("settings"),
    ]).toEqual([1, 1, 1, 1]);
    const seen = odd === NUL ? "" : "\ufffd";
    expect(await describeProblems(run.id)).toEqual([
      "line 11: Skipped: its type is unknown.",
      `line 8: Skipped: its bytes are missing: there is no files/no${seen}ne in the archive.`,
      `line 12: Skipped: it refers to the user nob${seen}ody, which does not precede it.`,
    ]);
    expect(await one(db, sql`select path from address_redirects`)).toEqual({ path: `/t/1${seen}2` });
  });

  test("does not stop a Discourse import", async () => {
    const post = (id: number, username: string) => ({
      id,
      username,
      created_at: "2020-01-01T10:00:00Z",
      cooked: `<p>x${odd}</p><form></form>`,
      post_number: id,
    });
    const topic = {
      id: 1,
      title: "A topic over here",
      category_id: 1,
      post_stream: { posts: [post(1, "sam"), post(2, `k${odd}m`)] },
    };
    await bring({ "1.json": JSON.stringify(topic) }, "discourse");
    expect(await count("posts")).toBe(2);
  });

  test("does not stop a Slack import", async () => {
    const attached = { title: `Plan${odd}`, title_link: `https://example.org/${odd}`, text: "See" };
    const message = {
      type: "message",
      ts: "1452780000.000100",
      user: `U${odd}`,
      text: "Hello",
      attachments: [attached],
    };
    await bring(
      {
        "users.json": "[]",
        "channels.json": JSON.stringify([{ id: "C1", name: "garden" }]),
        "garden/2016-01-14.json": JSON.stringify([message, { type: "message", nonsense: odd }]),
      },
      "slack",
    );
    expect(await count("posts")).toBe(1);
  });

  test("does not count as a known column name", async () => {
    const run = await bring({ "groups.csv": `name,we${odd}ird\nGarden,x\n` }, "csv");
    expect([run.state, await count("groups")]).toEqual(["done", 1]);
    expect((await describeProblems(run.id))[0]).toMatch(/^groups.csv: Skipped unknown columns: we.?ird\.$/);
  });
});

test.each<[Format, string, string]>([
  ["csv", "users.csv", "id,username\nu1,joe\n"],
  ["ndjson", "community.ndjson", archiveText(userRecord("plato"))],
])("UTF-16 without a byte order mark, as %s, is refused with the file name", async (format, name, text) => {
  await expect(bring({ [name]: Buffer.from(text, "utf16le") }, format)).rejects.toMatchObject({
    reason: "invalid",
    message: `${name} is UTF-16: save it as UTF-8.`,
  });
});

test("an unreadable email list is reported and can be added later", async () => {
  const post = { id: 1, username: "sam", created_at: "2020-01-01T10:00:00Z", cooked: "x", post_number: 1 };
  const topic = JSON.stringify({ id: 1, title: "A topic over here", post_stream: { posts: [post] } });
  const users = Buffer.from("username,email\nsam,sam@example.org\n", "utf16le");
  const run = await bring({ "users.csv": users, "1.json": topic }, "discourse");
  expect(await describeProblems(run.id)).toContain(
    "users.csv: Skipped: users.csv is UTF-16: save it as UTF-8.",
  );
});

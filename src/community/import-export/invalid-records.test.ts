import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import {
  postRecord,
  userRecord,
  archiveText,
  discussionRecord,
  groupRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import { runImport } from "./index.ts";
import {
  count,
  db,
  describeProblems,
  findImportedDiscussion,
  transfer,
  importOptions,
  write,
} from "../../../test/support/import-export/import-setup.ts";

describe("import of invalid records", () => {
  test("reports each invalid record by its position and imports all others", async () => {
    const text = [
      archiveText(userRecord("plato"), userRecord("zeno"), groupRecord(), discussionRecord()),
      "{ no json",
      JSON.stringify(postRecord(1)),
      JSON.stringify({ type: "wish", id: "w" }),
      JSON.stringify(postRecord(2, { author: "nobody" })),
      JSON.stringify(postRecord(3, { createdAt: "yesterday" })),
      JSON.stringify(postRecord(4, { body: "  " })),
      JSON.stringify(postRecord(1, { body: "Twice." })),
      JSON.stringify(postRecord(5, { replyTo: "p6" })),
      JSON.stringify(postRecord(6, { replyTo: "p6" })),
      JSON.stringify(postRecord(7, { body: "x".repeat(260_000) })),
      JSON.stringify(postRecord(8, { body: "y".repeat(4_100_000) })),
      JSON.stringify({ ...postRecord(9), discussion: undefined }),
    ].join("\n");
    const run = await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "community.ndjson": text }),
    });
    expect((await describeProblems(run.id)).sort()).toEqual([
      "line 10: Skipped: its createdAt is not a date between 1970 and 2100.",
      "line 11: Skipped: its body is empty.",
      "line 13: It replies to p6, which is not an earlier post in the same place: imported without that link.",
      "line 14: It replies to p6, which is not an earlier post in the same place: imported without that link.",
      "line 15: Skipped: its body has more than 250000 characters.",
      "line 16: Skipped: not a record, or too long.",
      "line 17: Skipped: the post belongs to no discussion or resource.",
      "line 6: Skipped: not a record, or too long.",
      expect.stringMatching(/^line 8: Skipped: its type/),
      "line 9: Skipped: it refers to the user nobody, which does not precede it.",
    ]);
    expect(run.counts.post).toEqual({ made: 3, refused: 2, known: 1 });
    const posts = await many(
      db,
      sql<{ number: number; body: string }>`select number, body_md as body from posts order by number`,
    );
    expect(posts).toEqual([
      { number: 1, body: "Grain 1." },
      { number: 2, body: "Grain 5." },
      { number: 3, body: "Grain 6." },
    ]);
  });

  test("skips a line that is not UTF-8", async () => {
    const [whole, other] = [
      archiveText(userRecord("plato"), userRecord("zoë"), groupRecord()).split("\n"),
      archiveText(discussionRecord(), postRecord(1)).split("\n"),
    ];
    const bytes = Buffer.concat(
      [...whole, ...other.slice(1)].map((line) =>
        Buffer.from(`${line}\n`, line.includes("zoë") ? "latin1" : "utf8"),
      ),
    );
    const run = await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "community.ndjson": bytes }),
    });
    expect(await describeProblems(run.id)).toEqual(["line 3: Skipped: it is not UTF-8."]);
    expect([run.state, run.counts.unreadable, await count("posts")]).toEqual(["done", { refused: 1 }, 1]);
  });

  test("reports problems in plain sentences", async () => {
    const wrong = [
      { type: "user", username: "x", name: "X" },
      { type: "user", id: {}, name: "X" },
      { id: "x" },
      { type: "wish" },
      { type: "user", id: "x", name: 5 },
      groupRecord({ visibility: "hidden" }),
      groupRecord({ rules: "none" }),
      { type: "reading", discussion: "d", user: "x", number: -1 },
      {
        type: "resource",
        id: "r",
        owner: "x",
        kind: "link",
        title: "T",
        url: "no address",
        createdAt: "2019-03-01",
      },
      groupRecord({ oldPaths: ["x"] }),
      { type: "setting", key: "siteRules", value: "Be polite." },
      { type: "setting", key: "about", value: [{ id: "rule-1", text: "Be polite." }] },
    ];
    const run = await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "talk.jsonl": archiveText(...wrong) }),
    });
    expect((await describeProblems(run.id)).map((it) => it.replace(/^line \d+: Skipped: /, ""))).toEqual([
      "its id is missing.",
      "its id is not valid.",
      "its type is missing.",
      "its type is unknown.",
      "its name is not a text.",
      'its visibility is not one of "public", "private", "secret".',
      "its rules is not a list.",
      "its number is too small.",
      "its url is not valid.",
      "its oldPaths.0 is not a path.",
      "its value is not a list of rules.",
      "its value is not a text.",
    ]);
  });

  test("extends a short title with the group's name", async () => {
    const text = archiveText(userRecord("plato"), groupRecord(), discussionRecord({ title: "Ion" }));
    await runImport(await transfer(), { ...importOptions, path: await write({ "community.ndjson": text }) });
    expect((await findImportedDiscussion()).title).toBe("Ion — First principles");
  });
});

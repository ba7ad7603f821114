import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import {
  sampleArchive,
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

describe("records that do not fit", () => {
  test("invalid records are reported by position while everything else is imported", async () => {
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
      "line 10: Left out: its createdAt is no date between 1970 and 2100.",
      "line 11: Left out: its body is empty.",
      "line 13: It answers p6, which is no earlier post of the same place: kept without that.",
      "line 14: It answers p6, which is no earlier post of the same place: kept without that.",
      "line 15: Left out: its body has more than 250000 characters.",
      "line 16: Left out: this is no record, or longer than a record may be.",
      "line 17: Left out: a post that stands in no discussion and under no resource.",
      "line 6: Left out: this is no record, or longer than a record may be.",
      expect.stringMatching(/^line 8: Left out: its type/),
      "line 9: Left out: it names the user nobody, which has not come before it.",
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

  test("include a line that is not UTF-8", async () => {
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
    expect(await describeProblems(run.id)).toEqual(["line 3: Left out: it is no UTF-8."]);
    expect([run.state, run.counts.unreadable, await count("posts")]).toEqual(["done", { refused: 1 }, 1]);
  });

  test("a post or message without text keeps its place only if it was removed or moved", async () => {
    const message = {
      type: "message",
      conversation: "v",
      author: "plato",
      body: "",
      createdAt: "2019-03-01",
    };
    const text = archiveText(
      userRecord("plato"),
      userRecord("zeno"),
      groupRecord(),
      discussionRecord(),
      discussionRecord({ id: "e" }),
      postRecord(1),
      postRecord(2, { state: "moved", body: "" }),
      postRecord(3, {
        state: "removed",
        body: "",
        takenAt: "2019-04-01",
        takenBy: "plato",
        takenReason: "Off the point.",
      }),
      postRecord(4, { state: "deleted_by_author", body: "" }),
      postRecord(5, { body: "" }),
      postRecord(6, { replyTo: "p2", isAnswer: true }),
      postRecord(7, { discussion: "e", replyTo: undefined, movedFrom: ["p2", "nowhere"], isAnswer: true }),
      postRecord(8, { discussion: "e", replyTo: undefined, state: "moved", body: "", movedTo: "p1" }),
      postRecord(9, { discussion: "e", replyTo: undefined, state: "moved", body: "", movedTo: "p10" }),
      {
        type: "conversation",
        id: "v",
        kind: "direct",
        creator: "plato",
        participants: [{ user: "plato" }, { user: "zeno" }],
        createdAt: "2019-03-01",
      },
      { ...message, id: "back", deletedAt: "2019-03-02" },
      { ...message, id: "empty" },
    );
    const run = await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "community.ndjson": text }),
    });
    expect((await describeProblems(run.id)).sort()).toEqual([
      "line 11: Left out: its body is empty.",
      "line 15: It has moved to p10, which has not come before it: kept without that.",
      "line 18: Left out: its body is empty.",
    ]);
    const ways = await many(
      db,
      sql`select d.resolved_at is not null as resolved, a.body_md as answer, s.number, s.state, s.removed_reason as why, x.body_md as to
          from posts s join discussions d on d.id = s.discussion_id left join posts a on a.id = d.answer_id left join posts x on x.id = s.moved_to
          where s.body_md = '' order by s.created_at`,
    );
    const of = (answer: string) => ({ resolved: true, answer, why: "", to: null });
    expect(ways).toEqual([
      { ...of("Grain 6."), number: 2, state: "moved", to: "Grain 7." },
      { ...of("Grain 6."), number: 3, state: "removed", why: "Off the point." },
      { ...of("Grain 6."), number: 4, state: "deleted_by_author" },
      { ...of("Grain 7."), number: 2, state: "moved", to: "Grain 1." },
      { ...of("Grain 7."), number: 3, state: "moved" },
    ]);
    expect(
      await many(
        db,
        sql`select posts_count as posts, last_number as last from discussions order by last_number`,
      ),
    ).toEqual([
      { posts: 1, last: 3 },
      { posts: 2, last: 5 },
    ]);
    expect(run.counts.message?.made).toBe(1);
  });

  test("a post cannot reply to a post of another discussion", async () => {
    const text = archiveText(
      userRecord("plato"),
      groupRecord(),
      discussionRecord(),
      discussionRecord({ id: "e" }),
      postRecord(1),
      postRecord(3, { discussion: "e", replyTo: "p1" }),
    );
    await runImport(await transfer(), { ...importOptions, path: await write({ "community.ndjson": text }) });
    expect(await many(db, sql`select reply_to from posts`)).toEqual([{ reply_to: null }, { reply_to: null }]);
  });

  test("a message keeps a reply to an earlier message of its conversation and drops any other", async () => {
    const conversation = (id: string) => ({
      type: "conversation",
      id,
      kind: "group",
      creator: "plato",
      participants: [{ user: "plato" }, { user: "zeno" }],
      createdAt: "2019-03-01",
    });
    const message = (id: string, place: string, replyTo?: string) => ({
      type: "message",
      id,
      conversation: place,
      author: "plato",
      body: id,
      createdAt: "2019-03-01",
      ...(replyTo && { replyTo }),
    });
    const text = archiveText(
      userRecord("plato"),
      userRecord("zeno"),
      conversation("v"),
      conversation("w"),
      message("first", "v"),
      message("answer", "v", "first"),
      message("elsewhere", "w", "first"),
      message("own", "w", "own"),
      message("early", "w", "late"),
      message("late", "w"),
      { type: "message-reaction", message: "nowhere", user: "zeno", emoji: "👍" },
      { type: "message-reaction", message: "answer", user: "zeno", emoji: "👍" },
    );
    const run = await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "community.ndjson": text }),
    });
    const without = (of: string) =>
      `It answers ${of}, which is no earlier message of the same conversation: kept without that.`;
    expect((await describeProblems(run.id)).sort()).toEqual([
      `line 10: ${without("late")}`,
      "line 12: Left out: it names the message nowhere, which has not come before it.",
      `line 8: ${without("first")}`,
      `line 9: ${without("own")}`,
    ]);
    expect(run.counts).toMatchObject({ message: { made: 6 }, "message-reaction": { made: 1, refused: 1 } });
    expect(
      await many(
        db,
        sql`select x.body_md as body, m.body_md as to from messages x join messages m on m.id = x.reply_to where ${true}`,
      ),
    ).toEqual([{ body: "answer", to: "first" }]);
  });

  test("missing or mismatched files are skipped together with the records that need them", async () => {
    const records = sampleArchive().map((it) => ("path" in it ? { ...it, sha256: "0".repeat(64) } : it));
    const wrong: Record<string, string>[] = [{}, { "files/heap.txt": "other bytes" }];
    for (const files of wrong) {
      const run = await runImport(await transfer(), {
        ...importOptions,
        path: await write({ "community.ndjson": archiveText(...records), ...files }),
      });
      expect([run.counts.file?.refused, run.counts.resource?.refused, await count("uploads")]).toEqual([
        1, 1, 0,
      ]);
    }
  });

  test("a file may be as large as the settings allow, a picture only up to the fixed limit", async () => {
    const t = await transfer();
    const large = Buffer.alloc(26_000_000, "heap ");
    const picture = {
      type: "file",
      id: "pic",
      as: "picture",
      path: "files/pic",
      owner: "plato",
      createdAt: "2019-03-01",
    };
    const path = await write({
      "community.ndjson": archiveText(...sampleArchive(), picture),
      "files/heap.txt": large,
      "files/pic": large,
    });
    const looked = async (check: boolean) => {
      const { id, counts } = await runImport(t, { ...importOptions, path, check });
      return {
        refused: counts.file?.refused,
        says: (await describeProblems(id))
          .filter((it) => it.includes("larger"))
          .map((it) => it.replace(/^.*Left out: /, "")),
      };
    };
    const tooLarge = {
      refused: 2,
      says: ["files/heap.txt", "files/pic"].map(
        (it, i) => `${it} is larger than 25 MB, and no ${i ? "picture" : "file"} here may be.`,
      ),
    };
    expect(await looked(true)).toEqual(tooLarge);
    await db.executeQuery(
      sql`insert into settings (key, value, changed_at) values ('fileMegabytes', '30', now())`.compile(db),
    );
    for (const check of [true, false])
      expect(await looked(check)).toEqual({ refused: 1, says: tooLarge.says.slice(1) });
    expect(await many(db, sql<{ size: number }>`select size::int from uploads`)).toEqual([
      { size: 26_000_000 },
    ]);
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
    ];
    const run = await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "talk.jsonl": archiveText(...wrong) }),
    });
    expect((await describeProblems(run.id)).map((it) => it.replace(/^line \d+: Left out: /, ""))).toEqual([
      "its id is missing.",
      "its id is not what it should be.",
      "its type is missing.",
      "its type is none that is known here.",
      "its name is no text.",
      'its visibility is none of "public", "private", "secret".',
      "its rules is no list.",
      "its number is too small.",
      "its url is not what it should be.",
      "its oldPaths.0 is no path.",
    ]);
  });

  test("a short title is extended with the group's name", async () => {
    const text = archiveText(userRecord("plato"), groupRecord(), discussionRecord({ title: "Ion" }));
    await runImport(await transfer(), { ...importOptions, path: await write({ "community.ndjson": text }) });
    expect((await findImportedDiscussion()).title).toBe("Ion — First principles");
  });

  test("rejects a path that leads out of the archive", async () => {
    const outside = sampleArchive().map((it) => ("path" in it ? { ...it, path: "../../etc/passwd" } : it));
    const run = await runImport(await transfer(), {
      ...importOptions,
      path: await write({ "community.ndjson": archiveText(...outside) }),
    });
    expect(await describeProblems(run.id)).toContainEqual(
      expect.stringContaining("there is no ../../etc/passwd in the archive"),
    );
  });
});

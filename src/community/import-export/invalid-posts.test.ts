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
  db,
  describeProblems,
  transfer,
  importOptions,
  write,
} from "../../../test/support/import-export/import-setup.ts";

describe("import of invalid posts", () => {
  test("imports a post without text as a numbered stub only if it was removed or moved", async () => {
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
      "line 11: Skipped: its body is empty.",
      "line 15: It has moved to p10, which does not precede it: imported without that link.",
      "line 18: Skipped: its body is empty.",
    ]);
    const rows = await many(
      db,
      sql`select d.resolved_at is not null as resolved, a.body_md as answer, s.number, s.state,
        s.removed_reason as why, x.body_md as to
          from posts s join discussions d on d.id = s.discussion_id left join posts a on a.id = d.answer_id
          left join posts x on x.id = s.moved_to
          where s.body_md = '' order by s.created_at`,
    );
    const of = (answer: string) => ({ resolved: true, answer, why: "", to: null });
    expect(rows).toEqual([
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

  test("drops the reference of a reply to a post of another discussion", async () => {
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

  test("keeps a reply reference only to an earlier message of the same conversation", async () => {
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
      `It replies to ${of}, which is not an earlier message of the same conversation: imported without that link.`;
    expect((await describeProblems(run.id)).sort()).toEqual([
      `line 10: ${without("late")}`,
      "line 12: Skipped: it refers to the message nowhere, which does not precede it.",
      `line 8: ${without("first")}`,
      `line 9: ${without("own")}`,
    ]);
    expect(run.counts).toMatchObject({ message: { made: 6 }, "message-reaction": { made: 1, refused: 1 } });
    expect(
      await many(
        db,
        sql`select x.body_md as body, m.body_md as to from messages x join messages m on m.id = x.reply_to
          where ${true}`,
      ),
    ).toEqual([{ body: "answer", to: "first" }]);
  });
});

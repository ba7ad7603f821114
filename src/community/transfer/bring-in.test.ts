import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { discussionFor, postsOf } from "#community/discussions";
import { groupFor } from "#community/groups";
import { GUEST } from "#community/rules";
import { announced, cast } from "../../../test/cast.ts";
import { anArchive, aPost, aUser, lines, someDiscussion, someGroup } from "./archive.fixture.ts";
import { bringIn, reportOf, takeBack } from "./index.ts";
import {
  MORE,
  SEVERAL,
  TABLES,
  archive,
  count,
  counts,
  database,
  db,
  problems,
  theDiscussion,
  transfer,
  wish,
  write,
} from "./bring-in.fixture.ts";

describe("an archive that is brought in", () => {
  test("is here with everything in it, dated as it was, and nobody is told but once", async () => {
    const run = await bringIn(await transfer(), { ...wish, path: await archive() });
    expect([run.state, run.problems]).toEqual(["done", 0]);
    expect(await counts()).toEqual({ ...Object.fromEntries([...TABLES, ...MORE].map((it) => [it, 1])), ...SEVERAL });
    expect(await announced(database)).toEqual(["transfer.finished"]);
    expect(await count("mails")).toBe(0);
    const discussion = await discussionFor(db, GUEST, (await theDiscussion()).id);
    expect([discussion.createdAt.toISOString(), discussion.lastNumber, discussion.replies]).toEqual(["2019-03-01T08:00:00.000Z", 3, 2]);
    const { posts } = await postsOf(db, GUEST, discussion, { page: 1 });
    expect(posts.map(({ number, html, replyTo }) => [number, html, replyTo?.number])).toEqual([
      [1, "<p>Grain 1.</p>\n", undefined],
      [2, "<p>Grain 2.</p>\n", 1],
      [3, "<p>Grain 3.</p>\n", 2],
    ]);
    expect((await groupFor(db, GUEST, "first-principles")).membersCount).toBe(2);
  });

  test("comes once, however often it is brought", async () => {
    const [path, t] = [await archive(), await transfer()];
    await bringIn(t, { ...wish, path });
    const before = await counts();
    const again = await bringIn(t, { ...wish, path });
    expect(await counts()).toEqual(before);
    expect(again.counts.post).toEqual({ known: 4 });
  });

  test("goes on where it was added to since", async () => {
    const t = await transfer();
    const first = await write({ "community.ndjson": lines(...anArchive(3)), "files/heap.txt": "1" }, "heap");
    const later = await write({ "community.ndjson": lines(...anArchive(5)), "files/heap.txt": "1" }, "heap");
    await bringIn(t, { ...wish, path: first });
    expect((await bringIn(t, { ...wish, path: later })).counts.post).toEqual({ made: 2, known: 4 });
    expect(await one(db, sql`select posts_count as posts, last_number as last from discussions`)).toEqual({ posts: 5, last: 5 });
  });

  test("is only looked at in a check: the report says what would come, and nothing has", async () => {
    const before = await counts();
    const run = await bringIn(await transfer(), { ...wish, path: await archive(), check: true });
    expect([run.state, run.counts.post, run.counts.user]).toEqual(["checked", { made: 4 }, { made: 2 }]);
    expect(await counts()).toEqual(before);
    expect([await count("imported"), await announced(database)]).toEqual([0, []]);
    const report = await reportOf(db, run);
    for (const line of ["posts: 4 to come", "people: 2 to come as ghosts", "files: 1 to come (0.0 MB)"]) expect(report).toContain(line);
  });

  test("may lie in a folder of its own, as zips have it", async () => {
    const path = await write({ "heap/community.ndjson": lines(...anArchive()), "heap/files/heap.txt": "1", "__MACOSX/heap/x": "" });
    const run = await bringIn(await transfer(), { ...wish, path });
    expect([run.problems, run.counts.file?.made, run.counts.post?.made]).toEqual([0, 1, 4]);
  });

  test("is for admins to bring", async () => {
    const { ada, ines, mira } = await cast(database);
    const t = await transfer();
    const path = await archive();
    for (const by of [ines, mira]) {
      await expect(bringIn(t, { ...wish, path, by })).rejects.toMatchObject({ reason: "not-allowed" });
      await expect(takeBack(t, { runId: database.clock.at.toISOString(), by, evenWritings: false })).rejects.toMatchObject({
        reason: "not-allowed",
      });
    }
    await bringIn(t, { ...wish, path, by: ada });
    // Somebody who can sign in looks after what came.
    expect((await groupFor(db, ada, "first-principles")).viewerRole).toBe("owner");
  });

  test.each([
    ["that is not there", {}, "nothing.ndjson", /nothing at/],
    ["of no format", { "community.ndjson": '{"type":"user"}' }, "", /first line/],
    ["of a later version", { "community.ndjson": '{"type":"format","name":"community-ndjson","version":2}' }, "", /version/],
    ["that is empty", { "community.ndjson": "\n\n" }, "", /empty/],
    ["that says late what it is", { "community.ndjson": `\n{"type":"user"}` }, "", /first line/],
    [
      "of no UTF-8",
      { "community.ndjson": Buffer.from(`${lines(aUser("plato"))}\n{"type":"user","id":"zoë"}`, "latin1") },
      "",
      /community.ndjson is no UTF-8.*line 3/,
    ],
    ["of UTF-16", { "community.ndjson": Buffer.from(`\uFEFF${lines(aUser("plato"))}`, "utf16le") }, "", /community.ndjson is UTF-16/],
    ["without records", { "readme.md": "hello" }, "", /no community.ndjson/],
  ])("is refused with a sentence where it is one %s", async (_, files, path, sentence) => {
    const t = await transfer();
    await expect(bringIn(t, { ...wish, path: join(await write(files), path) })).rejects.toMatchObject({
      reason: "invalid",
      message: expect.stringMatching(sentence),
    });
    expect((await one(db, sql<{ state: string }>`select state from import_runs`)).state).toBe("broken");
  });
});

describe("the people of an archive", () => {
  test("are those here whose address is confirmed; all others are ghosts with names that nobody has", async () => {
    const { mira } = await cast(database);
    await db.executeQuery(sql`update people set email_confirmed_at = now() where id = ${mira.id}`.compile(db));
    const users = [
      aUser("known", { email: "Mira@Example.org" }),
      aUser("unconfirmed", { email: "tomas@example.org" }),
      aUser("mira"),
      aUser("admin", { name: "Zoë O." }),
      aUser("x", { username: "Ünïcödé ☃", role: "admin", state: "active" }),
    ];
    await bringIn(await transfer(), { ...wish, path: await write({ "community.ndjson": lines(...users) }) });
    const made = await many(
      db,
      sql<{ source: string; username: string; state: string; role: string; local: string }>`
        select i.source_id as source, p.username, p.state, p.site_role as role, p.id as local from imported i join people p on p.id = i.local_id order by 1`,
    );
    expect(made.map(({ source, username, state, role }) => [source, username, state, role])).toEqual([
      ["admin", "admin2", "ghost", "member"],
      ["known", "mira", "active", "member"],
      ["mira", "mira2", "ghost", "member"],
      ["unconfirmed", "unconfirmed", "ghost", "member"],
      ["x", "uenicoede", "ghost", "member"],
    ]);
    expect(made.find(({ source }) => source === "known")!.local).toBe(mira.id);
  });

  test("keep sixty lines of their profile; who has more loses those, with a remark, and nothing else", async () => {
    const linesOf = (n: number) => Array.from({ length: n }, (_, i) => ({ label: `Line ${i + 1}`, value: "x", audience: "members" }));
    const text = lines(
      aUser("plato", { fields: linesOf(60) }),
      aUser("zeno", { fields: linesOf(61) }),
      someGroup(),
      someDiscussion(),
      aPost(1),
    );
    const run = await bringIn(await transfer(), { ...wish, path: await write({ "community.ndjson": text }) });
    expect(await problems(run.id)).toEqual(["line 3: Its profile has 61 lines: the first 60 are kept."]);
    expect(run.counts).toMatchObject({ user: { made: 2 }, post: { made: 1 } });
    const kept = sql`select jsonb_array_length(fields) as lines, fields -> -1 ->> 'label' as last from people order by username`;
    expect(await many(db, kept)).toEqual([
      { lines: 60, last: "Line 60" },
      { lines: 60, last: "Line 60" },
    ]);
  });
});

describe("what does not fit", () => {
  test("is named by its place, and everything else comes", async () => {
    const text = [
      lines(aUser("plato"), aUser("zeno"), someGroup(), someDiscussion()),
      "{ no json",
      JSON.stringify(aPost(1)),
      JSON.stringify({ type: "wish", id: "w" }),
      JSON.stringify(aPost(2, { author: "nobody" })),
      JSON.stringify(aPost(3, { createdAt: "yesterday" })),
      JSON.stringify(aPost(4, { body: "  " })),
      JSON.stringify(aPost(1, { body: "Twice." })),
      JSON.stringify(aPost(5, { replyTo: "p6" })),
      JSON.stringify(aPost(6, { replyTo: "p6" })),
      JSON.stringify(aPost(7, { body: "x".repeat(260_000) })),
      JSON.stringify(aPost(8, { body: "y".repeat(4_100_000) })),
      JSON.stringify({ ...aPost(9), discussion: undefined }),
    ].join("\n");
    const run = await bringIn(await transfer(), { ...wish, path: await write({ "community.ndjson": text }) });
    expect((await problems(run.id)).sort()).toEqual([
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
    const posts = await many(db, sql<{ number: number; body: string }>`select number, body_md as body from posts order by number`);
    expect(posts).toEqual([
      { number: 1, body: "Grain 1." },
      { number: 2, body: "Grain 5." },
      { number: 3, body: "Grain 6." },
    ]);
  });

  test("a post or message without words has its place where it was taken away or has moved, and nowhere else", async () => {
    const message = { type: "message", conversation: "v", author: "plato", body: "", createdAt: "2019-03-01" };
    const text = lines(
      aUser("plato"),
      aUser("zeno"),
      someGroup(),
      someDiscussion(),
      someDiscussion({ id: "e" }),
      aPost(1),
      aPost(2, { state: "moved", body: "" }),
      aPost(3, { state: "removed", body: "", takenAt: "2019-04-01", takenBy: "plato", takenReason: "Off the point." }),
      aPost(4, { state: "deleted_by_author", body: "" }),
      aPost(5, { body: "" }),
      aPost(6, { replyTo: "p2", isAnswer: true }),
      aPost(7, { discussion: "e", replyTo: undefined, movedFrom: ["p2", "nowhere"], isAnswer: true }),
      aPost(8, { discussion: "e", replyTo: undefined, state: "moved", body: "", movedTo: "p1" }),
      aPost(9, { discussion: "e", replyTo: undefined, state: "moved", body: "", movedTo: "p10" }),
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
    const run = await bringIn(await transfer(), { ...wish, path: await write({ "community.ndjson": text }) });
    expect((await problems(run.id)).sort()).toEqual([
      "line 11: Left out: its body is empty.",
      "line 15: It has moved to p10, which has not come before it: kept without that.",
      "line 18: Left out: its body is empty.",
    ]);
    const ways = await many(
      db,
      sql`select d.resolved_at is not null as resolved, a.body_md as answer, s.number, s.state, s.taken_reason as why, x.body_md as to
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
    expect(await many(db, sql`select posts_count as posts, last_number as last from discussions order by last_number`)).toEqual([
      { posts: 1, last: 3 },
      { posts: 2, last: 5 },
    ]);
    expect(run.counts.message?.made).toBe(1);
  });

  test("a post answers nothing of another discussion", async () => {
    const text = lines(
      aUser("plato"),
      someGroup(),
      someDiscussion(),
      someDiscussion({ id: "e" }),
      aPost(1),
      aPost(3, { discussion: "e", replyTo: "p1" }),
    );
    await bringIn(await transfer(), { ...wish, path: await write({ "community.ndjson": text }) });
    expect(await many(db, sql`select reply_to from posts`)).toEqual([{ reply_to: null }, { reply_to: null }]);
  });

  test("a message answers an earlier one of the same conversation, and is kept without that where it is another's, its own or a later one", async () => {
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
    const text = lines(
      aUser("plato"),
      aUser("zeno"),
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
    const run = await bringIn(await transfer(), { ...wish, path: await write({ "community.ndjson": text }) });
    const without = (of: string) => `It answers ${of}, which is no earlier message of the same conversation: kept without that.`;
    expect((await problems(run.id)).sort()).toEqual([
      `line 10: ${without("late")}`,
      "line 12: Left out: it names the message nowhere, which has not come before it.",
      `line 8: ${without("first")}`,
      `line 9: ${without("own")}`,
    ]);
    expect(run.counts).toMatchObject({ message: { made: 6 }, "message-reaction": { made: 1, refused: 1 } });
    expect(
      await many(db, sql`select x.body_md as body, m.body_md as to from messages x join messages m on m.id = x.reply_to where ${true}`),
    ).toEqual([{ body: "answer", to: "first" }]);
  });

  test("files that are missing, or are not what the record says, are left out with what needs them", async () => {
    const records = anArchive().map((it) => ("path" in it ? { ...it, sha256: "0".repeat(64) } : it));
    const wrong: Record<string, string>[] = [{}, { "files/heap.txt": "other bytes" }];
    for (const files of wrong) {
      const run = await bringIn(await transfer(), { ...wish, path: await write({ "community.ndjson": lines(...records), ...files }) });
      expect([run.counts.file?.refused, run.counts.resource?.refused, await count("uploads")]).toEqual([1, 1, 0]);
    }
  });

  test("is told in plain words", async () => {
    const wrong = [
      { type: "user", username: "x", name: "X" },
      { type: "user", id: {}, name: "X" },
      { id: "x" },
      { type: "wish" },
      { type: "user", id: "x", name: 5 },
      someGroup({ visibility: "hidden" }),
      someGroup({ rules: "none" }),
      { type: "reading", discussion: "d", user: "x", number: -1 },
      { type: "resource", id: "r", owner: "x", kind: "link", title: "T", url: "no address", createdAt: "2019-03-01" },
      someGroup({ oldPaths: ["x"] }),
    ];
    const run = await bringIn(await transfer(), { ...wish, path: await write({ "talk.jsonl": lines(...wrong) }) });
    expect((await problems(run.id)).map((it) => it.replace(/^line \d+: Left out: /, ""))).toEqual([
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

  test("a short title is told with its group", async () => {
    const text = lines(aUser("plato"), someGroup(), someDiscussion({ title: "Ion" }));
    await bringIn(await transfer(), { ...wish, path: await write({ "community.ndjson": text }) });
    expect((await theDiscussion()).title).toBe("Ion — First principles");
  });

  test("a path that leads out of the archive is no path of it", async () => {
    const outside = anArchive().map((it) => ("path" in it ? { ...it, path: "../../etc/passwd" } : it));
    const run = await bringIn(await transfer(), { ...wish, path: await write({ "community.ndjson": lines(...outside) }) });
    expect(await problems(run.id)).toContainEqual(expect.stringContaining("there is no ../../etc/passwd in the archive"));
  });
});

describe("a run that is killed in the middle", () => {
  test(
    "keeps others out while it lives, and goes on afterwards: nothing twice, nothing missing, undone as one",
    { timeout: 60_000 },
    async () => {
      const t = await transfer();
      const path = await archive(2_500);
      const before = await counts();
      // It stands still after its first batch, and is killed there.
      const child = spawn(process.execPath, ["test/hanging-import.ts"], {
        env: { ...process.env, CONNECTION: JSON.stringify(database.connection), ARCHIVE: path },
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      await expect(bringIn(t, { ...wish, path })).rejects.toMatchObject({ reason: "conflict" });
      child.kill("SIGKILL");
      await once(child, "exit");
      await many(
        db,
        sql`select pg_terminate_backend(pid, 10000) from pg_locks
          where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      );
      const half = await count("posts");
      expect(half).toBeGreaterThan(0);
      expect(half).toBeLessThan(2_501);

      const run = await bringIn(t, { ...wish, path });
      expect([run.state, run.counts.post?.made, await count("posts"), await count("import_runs")]).toEqual(["done", 2_501, 2_501, 1]);
      const { numbers, most } = await one(
        db,
        sql<{
          numbers: number;
          most: number;
        }>`select count(distinct number)::int as numbers, max(number) as most from posts where discussion_id is not null`,
      );
      expect([numbers, most]).toEqual([2_500, 2_500]);

      const undone = await takeBack(t, { runId: run.id, by: null, evenWritings: false });
      expect([undone.state, await counts(), await count("imported"), await count("ghosts")]).toEqual(["undone", before, 0, 0]);
    },
  );
});

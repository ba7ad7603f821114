import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { one, sql } from "#platform/database";
import { getDiscussion, getPostsPage, sendBookmarkReminders } from "#community/discussions";
import { getGroup } from "#community/groups";
import { GUEST } from "#community/rules";
import { listEmittedEvents, createTestUsers } from "../../../test/support/test-users.ts";
import {
  sampleArchive,
  postRecord,
  userRecord,
  archiveText,
  discussionRecord,
  groupRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import { assertNoStaleParticipants } from "../../../test/support/conversations/stale-participants.ts";
import { runImport, createImportReport, undoImport } from "./index.ts";
import {
  MORE_TABLES,
  ROWS_PER_TABLE,
  TABLES,
  writeSampleArchive,
  count,
  countTables,
  database,
  db,
  findImportedDiscussion,
  transfer,
  importOptions,
  write,
} from "../../../test/support/import-export/import-setup.ts";

describe("importing an archive", () => {
  test("restores everything with its dates and emits a single domain event", async () => {
    const run = await runImport(await transfer(), { ...importOptions, path: await writeSampleArchive() });
    expect([run.state, run.problems]).toEqual(["done", 0]);
    expect(await countTables()).toEqual({
      ...Object.fromEntries([...TABLES, ...MORE_TABLES].map((it) => [it, 1])),
      ...ROWS_PER_TABLE,
    });
    expect(await listEmittedEvents(database)).toEqual(["transfer.finished"]);
    expect(await count("mails")).toBe(0);
    await assertNoStaleParticipants(db);
    const discussion = await getDiscussion(db, GUEST, (await findImportedDiscussion()).id);
    expect([discussion.createdAt.toISOString(), discussion.lastNumber, discussion.replies]).toEqual([
      "2019-03-01T08:00:00.000Z",
      3,
      2,
    ]);
    const { posts } = await getPostsPage(db, GUEST, discussion, { page: 1 });
    expect(posts.map(({ number, html, replyTo }) => [number, html, replyTo?.number])).toEqual([
      [1, "<p>Grain 1.</p>\n", undefined],
      [2, "<p>Grain 2.</p>\n", 1],
      [3, "<p>Grain 3.</p>\n", 2],
    ]);
    expect((await getGroup(db, GUEST, "first-principles")).membersCount).toBe(2);
  });

  test("sends no reminders whose time was before the import", async () => {
    await runImport(await transfer(), { ...importOptions, path: await writeSampleArchive() });
    expect(await database.inTransaction(sendBookmarkReminders)).toBe(0);
    expect(await one(db, sql`select note, remind_at = reminded_at as past from bookmarks`)).toEqual({
      note: "Count again",
      past: true,
    });
  });

  test("imports each record once, however often the archive is imported", async () => {
    const [path, t] = [await writeSampleArchive(), await transfer()];
    await runImport(t, { ...importOptions, path });
    const before = await countTables();
    const again = await runImport(t, { ...importOptions, path });
    expect(await countTables()).toEqual(before);
    expect(again.counts.post).toEqual({ known: 4 });
  });

  test("adds records that were appended to the archive since", async () => {
    const t = await transfer();
    const first = await write(
      { "community.ndjson": archiveText(...sampleArchive(3)), "files/heap.txt": "1" },
      "heap",
    );
    const later = await write(
      { "community.ndjson": archiveText(...sampleArchive(5)), "files/heap.txt": "1" },
      "heap",
    );
    await runImport(t, { ...importOptions, path: first });
    expect((await runImport(t, { ...importOptions, path: later })).counts.post).toEqual({
      made: 2,
      known: 4,
    });
    expect(await one(db, sql`select posts_count as posts, last_number as last from discussions`)).toEqual({
      posts: 5,
      last: 5,
    });
  });

  test("reports in check mode what would be imported, and writes nothing", async () => {
    const before = await countTables();
    const run = await runImport(await transfer(), {
      ...importOptions,
      path: await writeSampleArchive(),
      check: true,
    });
    expect([run.state, run.counts.post, run.counts.user]).toEqual(["checked", { made: 4 }, { made: 2 }]);
    expect(await countTables()).toEqual(before);
    expect([await count("imported_records"), await listEmittedEvents(database)]).toEqual([0, []]);
    const report = await createImportReport(db, run);
    for (const line of [
      "posts: 4 to import",
      "people: 2 to import as unclaimed accounts",
      "files: 1 to import (0.0 MB)",
    ])
      expect(report).toContain(line);
  });

  test("accepts an archive wrapped in a folder", async () => {
    const path = await write({
      "heap/community.ndjson": archiveText(...sampleArchive()),
      "heap/files/heap.txt": "1",
      "__MACOSX/heap/x": "",
    });
    const run = await runImport(await transfer(), { ...importOptions, path });
    expect([run.problems, run.counts.file?.made, run.counts.post?.made]).toEqual([0, 1, 4]);
  });

  test("requires an admin", async () => {
    const { ada, ines, mira } = await createTestUsers(database);
    const t = await transfer();
    const path = await writeSampleArchive();
    for (const by of [ines, mira]) {
      await expect(runImport(t, { ...importOptions, path, by })).rejects.toMatchObject({
        reason: "not-allowed",
      });
      await expect(
        undoImport(t, { runId: database.clock.at.toISOString(), by, includeNewContent: false }),
      ).rejects.toMatchObject({
        reason: "not-allowed",
      });
    }
    await runImport(t, { ...importOptions, path, by: ada });
    // An account that can sign in owns what was imported.
    expect((await getGroup(db, ada, "first-principles")).viewerRole).toBe("owner");
  });

  test.each([
    ["that does not exist", {}, "nothing.ndjson", /nothing at/],
    ["of an unknown format", { "community.ndjson": '{"type":"user"}' }, "", /first line/],
    [
      "of a later version",
      { "community.ndjson": '{"type":"format","name":"community-ndjson","version":2}' },
      "",
      /version/,
    ],
    ["that is empty", { "community.ndjson": "\n\n" }, "", /empty/],
    ["whose format line comes late", { "community.ndjson": `\n{"type":"user"}` }, "", /first line/],
    [
      "that is not UTF-8",
      { "community.ndjson": Buffer.from(`{"name":"Gr\u00fc\u00dfe"}\n`, "latin1") },
      "",
      /line 1: it is not UTF-8/,
    ],
    [
      "of UTF-16",
      { "community.ndjson": Buffer.from(`\uFEFF${archiveText(userRecord("plato"))}`, "utf16le") },
      "",
      /community.ndjson is UTF-16/,
    ],
    ["without records", { "readme.md": "hello" }, "", /no community.ndjson/],
  ])("fails with an explanation for an archive %s", async (_, files, path, sentence) => {
    const t = await transfer();
    await expect(
      runImport(t, { ...importOptions, path: join(await write(files), path) }),
    ).rejects.toMatchObject({
      reason: "invalid",
      message: expect.stringMatching(sentence),
    });
    expect((await one(db, sql<{ state: string }>`select state from import_runs`)).state).toBe("broken");
  });
});

test("a valid record is imported although an invalid record with the same id precedes it", async () => {
  const path = await write({
    "community.ndjson": archiveText(
      userRecord("plato"),
      userRecord("zeno"),
      groupRecord(),
      discussionRecord(),
      postRecord(1, { discussion: "none" }),
      postRecord(1),
    ),
  });
  for (const check of [true, false])
    expect((await runImport(await transfer(), { ...importOptions, path, check })).counts.post).toMatchObject({
      made: 1,
      refused: 1,
    });
});

test("existing relationships are counted as known, also in a check", async () => {
  const [group, plato, zeno] = [1, 2, 3].map((n) => `01a20a51-0000-7000-8000-00000000000${n}`);
  const records = [
    userRecord(plato!),
    userRecord(zeno!),
    groupRecord({ id: group }),
    { type: "membership", group, user: plato },
    { type: "friendship", from: plato, to: zeno },
    { type: "block", from: zeno, to: plato },
  ];
  const path = await write({ "community.ndjson": archiveText(...records) });
  const t = await transfer();
  const relationshipCounts = (outcome: string) => ({
    membership: { [outcome]: 1 },
    friendship: { [outcome]: 1 },
    block: { [outcome]: 1 },
  });
  expect((await runImport(t, { ...importOptions, path, source: "one" })).counts).toMatchObject(
    relationshipCounts("made"),
  );
  expect((await runImport(t, { ...importOptions, path, source: "two", check: true })).counts).toEqual({
    user: { known: 2 },
    group: { known: 1 },
    ...relationshipCounts("known"),
  });
  expect((await runImport(t, { ...importOptions, path, source: "two" })).counts).toEqual({
    user: { known: 2 },
    group: { known: 1 },
    ...relationshipCounts("known"),
  });
});

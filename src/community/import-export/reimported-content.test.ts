import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { mergeDiscussion } from "#community/discussions";
import { createTestUsers } from "../../../test/support/test-users.ts";
import {
  sampleArchive,
  postRecord,
  archiveText,
  discussionRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import { runImport, type ImportRun, undoImport } from "./index.ts";
import {
  MORE_TABLES,
  ROWS_PER_TABLE,
  TABLES,
  writeSampleArchive,
  count,
  countTables,
  database,
  db,
  transfer,
  importOptions,
  write,
} from "../../../test/support/import-export/import-setup.ts";

const madeOf = ({ counts: all }: ImportRun) =>
  Object.fromEntries(Object.entries(all).map(([kind, { made = 0 }]) => [kind, made]));

describe("imported content that was deleted or merged", () => {
  test("gets imported again by a later run if it was deleted, with its references restored", async () => {
    const t = await transfer();
    const [path, grown] = [
      await writeSampleArchive(),
      await write({ "community.ndjson": archiveText(...sampleArchive(4)), "files/heap.txt": "1" }),
    ];
    await runImport(t, { ...importOptions, path });
    await run(db, sql`delete from groups`);
    await run(db, sql`delete from conversations`);
    const seen = await runImport(t, { ...importOptions, path: grown, check: true });
    const again = await runImport(t, { ...importOptions, path: grown });
    expect([again.state, again.problems, again.counts.user]).toEqual(["done", 0, { known: 2 }]);
    expect(madeOf(seen)).toEqual(madeOf(again));
    expect(await countTables()).toEqual({
      ...Object.fromEntries([...TABLES, ...MORE_TABLES].map((it) => [it, 1])),
      ...ROWS_PER_TABLE,
      posts: 5,
    });
    await undoImport(t, { runId: again.id, by: null, includeNewContent: false });
    expect([await count("groups"), await count("posts"), await count("people")]).toEqual([0, 0, 2]);
  });

  test("gets new replies in the target discussion if it was merged", async () => {
    const t = await transfer();
    const { ada } = await createTestUsers(database);
    const records = [
      ...sampleArchive(),
      discussionRecord({ id: "e", title: "What is a grain?" }),
      postRecord(8, { discussion: "e", replyTo: undefined }),
    ];
    const at = (more: object[]) =>
      write({ "community.ndjson": archiveText(...records, ...more), "files/heap.txt": "1" });
    await runImport(t, { ...importOptions, path: await at([]), by: ada });
    const [e, d] = await many(db, sql<{ id: string }>`select id from discussions order by title`);
    await database.inTransaction((tx) =>
      mergeDiscussion(tx, ada, {
        discussionId: e!.id,
        into: d!.id,
        visibility: "public",
        reason: "One question.",
      }),
    );
    const later = await runImport(t, {
      ...importOptions,
      path: await at([postRecord(9, { discussion: "e", replyTo: "p8" })]),
      by: ada,
    });
    expect([later.problems, later.counts.discussion, later.counts.post]).toEqual([
      0,
      { known: 2 },
      { made: 1, known: 5 },
    ]);
    expect([
      await count("discussions"),
      await one(db, sql`select count(*)::int as n from posts where discussion_id = ${d!.id}`),
    ]).toEqual([1, { n: 5 }]);
  });
});

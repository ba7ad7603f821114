import { describe, expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { GUEST } from "#community/rules";
import {
  postRecord,
  userRecord,
  archiveText,
  membershipRecord,
  discussionRecord,
  groupRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import { runImport, resolveOldPath, undoImport } from "./index.ts";
import {
  writeSampleArchive,
  count,
  database,
  db,
  findImportedDiscussion,
  transfer,
  importOptions,
  write,
} from "../../../test/support/import-export/import-setup.ts";

const uuid = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;
const [sender, place, talk] = [uuid(1), uuid(2), uuid(3)];
/** Two snapshots of one community with its own ids. */
const snapshot = [
  userRecord(sender),
  groupRecord({ id: place, owner: sender }),
  { ...membershipRecord(sender), group: place },
  discussionRecord({ id: talk, group: place, author: sender, oldPaths: ["/t/12"] }),
  postRecord(1, { id: uuid(4), discussion: talk, author: sender }),
  { type: "reaction", post: uuid(4), user: sender, emoji: "👍" },
  { type: "setting", key: "sentence", value: "Where we argue." },
];
const deletedResource = {
  type: "resource",
  id: uuid(8),
  group: place,
  owner: sender,
  kind: "document",
  title: "Gone in February",
  body: "x",
  createdAt: "2019-03-01",
};
const january = archiveText(...snapshot, deletedResource);
const february = archiveText(
  ...snapshot,
  postRecord(2, { id: uuid(5), discussion: talk, author: sender, replyTo: uuid(4) }),
  discussionRecord({ id: uuid(6), group: place, author: sender, title: "And what is a grain?" }),
  postRecord(1, { id: uuid(7), discussion: uuid(6), author: sender }),
);

describe("undoing an import run", () => {
  test("requires later runs of the same archive to be undone first", async () => {
    const t = await transfer();
    const first = await runImport(t, { ...importOptions, path: await writeSampleArchive() });
    database.clock.pass(1_000);
    const second = await runImport(t, { ...importOptions, path: await writeSampleArchive(4) });
    expect(await count("posts")).toBe(5);
    await expect(
      undoImport(t, { runId: first.id, by: null, includeNewContent: false }),
    ).rejects.toMatchObject({
      reason: "conflict",
    });
    await undoImport(t, { runId: second.id, by: null, includeNewContent: false });
    expect(await count("posts")).toBe(4);
    await undoImport(t, { runId: first.id, by: null, includeNewContent: false });
    expect(await count("posts")).toBe(0);
  });

  test("keeps records that another archive imported or still needs", async () => {
    const t = await transfer();
    const [jan, feb] = [
      await write({ "a.ndjson": january }, "jan"),
      await write({ "a.ndjson": february }, "feb"),
    ];
    const first = await runImport(t, { ...importOptions, path: jan });
    database.clock.pass(1_000);
    const second = await runImport(t, { ...importOptions, path: feb });
    const whole = async () => [
      await count("discussions"),
      await count("posts"),
      await count("resources"),
      await count("settings"),
    ];
    expect(await whole()).toEqual([2, 3, 1, 1]);

    await undoImport(t, { runId: first.id, by: null, includeNewContent: false });
    expect(await whole()).toEqual([2, 3, 0, 1]);
    expect(await resolveOldPath(db, GUEST, "/t/12")).toEqual({ kind: "discussion", id: talk });
    expect((await runImport(t, { ...importOptions, path: feb })).counts.post).toEqual({ known: 3 });
    expect(await whole()).toEqual([2, 3, 0, 1]);
    const third = await one(
      db,
      sql<{ id: string }>`select id from import_runs order by created_at desc, id desc limit 1`,
    );
    for (const runId of [third.id, second.id])
      await undoImport(t, { runId, by: null, includeNewContent: false });
    expect([
      ...(await whole()),
      await count("groups"),
      await count("people"),
      await count("imported_records"),
    ]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect((await runImport(t, { ...importOptions, path: feb })).counts.post).toEqual({ made: 3, known: 0 });
  });

  test("works in any order if archives share records", async () => {
    const t = await transfer();
    const first = await runImport(t, { ...importOptions, path: await write({ "a.ndjson": january }, "jan") });
    const second = await runImport(t, {
      ...importOptions,
      path: await write({ "a.ndjson": february }, "feb"),
    });
    await undoImport(t, { runId: second.id, by: null, includeNewContent: false });
    expect([await count("discussions"), await count("posts")]).toEqual([1, 1]);
    await undoImport(t, { runId: first.id, by: null, includeNewContent: false });
    expect([await count("groups"), await count("people"), await count("imported_records")]).toEqual([
      0, 0, 0,
    ]);
  });

  test("keeps people whom another archive also contains", async () => {
    const t = await transfer();
    const plato = userRecord("plato", { email: "plato@example.org" });
    const first = await runImport(t, { ...importOptions, path: await writeSampleArchive() });
    database.clock.pass(1_000);
    const other = archiveText(
      { ...plato, id: "7" },
      groupRecord({ name: "Elsewhere", owner: "7" }),
      discussionRecord({ author: "7" }),
    );
    const second = await runImport(t, {
      ...importOptions,
      path: await write({ "community.ndjson": other }, "other"),
    });
    expect((await undoImport(t, { runId: first.id, by: null, includeNewContent: false })).state).toBe(
      "undone",
    );
    expect(await many(db, sql`select username from people`)).toEqual([{ username: "plato" }]);
    expect((await findImportedDiscussion()).title).toBe("What is a heap?");
    // By now no other archive names them.
    await undoImport(t, { runId: second.id, by: null, includeNewContent: false });
    expect([await count("people"), await count("discussions"), await count("imported_records")]).toEqual([
      0, 0, 0,
    ]);
  });
});

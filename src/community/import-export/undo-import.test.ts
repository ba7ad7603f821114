import { describe, expect, test } from "vitest";
import { Readable } from "node:stream";
import { many, maybeOne, one, run as run_, sql } from "#platform/database";
import { mergeDiscussion, reply } from "#community/discussions";
import { openSettings } from "#community/settings";
import { GUEST } from "#community/rules";
import { listEmittedEvents, createTestUsers } from "../../../test/support/test-users.ts";
import {
  sampleArchive,
  postRecord,
  userRecord,
  archiveText,
  membershipRecord,
  discussionRecord,
  groupRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import { runImport, type ImportRun, resolveOldPath, undoImport } from "./index.ts";
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
const gone = {
  type: "resource",
  id: uuid(8),
  group: place,
  owner: sender,
  kind: "document",
  title: "Gone in February",
  body: "x",
  createdAt: "2019-03-01",
};
const january = archiveText(...snapshot, gone);
const february = archiveText(
  ...snapshot,
  postRecord(2, { id: uuid(5), discussion: talk, author: sender, replyTo: uuid(4) }),
  discussionRecord({ id: uuid(6), group: place, author: sender, title: "And what is a grain?" }),
  postRecord(1, { id: uuid(7), discussion: uuid(6), author: sender }),
);

describe("undoing a run", () => {
  test("leaves what was here before and nothing imported", async () => {
    const t = await transfer();
    const { mira } = await createTestUsers(database);
    const before = await countTables();
    const run = await runImport(t, { ...importOptions, path: await writeSampleArchive() });
    const { hash } = await one(db, sql<{ hash: string }>`select hash from uploads`);
    await undoImport(t, { runId: run.id, by: null, evenWritings: false });
    expect([
      await countTables(),
      await count("address_redirects"),
      await count("imported_records"),
      await t.storage.sizeOf(hash),
    ]).toEqual([before, 0, 0, null]);
    expect(await listEmittedEvents(database)).toEqual(["transfer.finished", "transfer.undone"]);
    await expect(undoImport(t, { runId: run.id, by: null, evenWritings: false })).rejects.toMatchObject({
      reason: "conflict",
    });
    await expect(undoImport(t, { runId: mira.id, by: null, evenWritings: false })).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("asks before it deletes what members have written there since", async () => {
    const t = await transfer();
    const { ada } = await createTestUsers(database);
    const run = await runImport(t, { ...importOptions, path: await writeSampleArchive(), by: ada });
    await database.inTransaction(async (tx) =>
      reply(tx, ada, { discussionId: (await findImportedDiscussion()).id, body: "Still a heap?" }),
    );
    await expect(undoImport(t, { runId: run.id, by: ada, evenWritings: false })).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("written 1 times"),
    });
    expect(await count("posts")).toBe(5);
    await undoImport(t, { runId: run.id, by: ada, evenWritings: true });
    expect([await count("posts"), await count("discussions")]).toEqual([0, 0]);
  });

  test("keeps community settings changed since, even if a later run names them", async () => {
    const t = await transfer();
    const { ada } = await createTestUsers(database);
    const said = (key: string) => ({ type: "setting", key, value: "Where we argue." });
    const path = await write({
      "community.ndjson": archiveText(said("sentence"), said("about"), said("welcome")),
    });
    const run = await runImport(t, { ...importOptions, path, by: ada });
    database.clock.pass(1_000);
    await database.inTransaction((tx) =>
      openSettings(database).set(tx, ada, { sentence: "Where we agree." }),
    );
    const again = await write({ "community.ndjson": archiveText(said("about"), said("sentence")) });
    const other = await runImport(t, { ...importOptions, path: again, source: "other", by: ada });
    const left = async () =>
      (
        await many(
          db,
          sql<{ key: string }>`select key from settings where key <> 'writingLimits' order by key`,
        )
      ).map(({ key }) => key);
    await undoImport(t, { runId: run.id, by: null, evenWritings: false });
    expect(await left()).toEqual(["about", "sentence"]);
    await undoImport(t, { runId: other.id, by: null, evenWritings: false });
    expect(await left()).toEqual(["sentence"]);
  });

  test("deletes extracted text and previews of imported files", async () => {
    const t = await transfer();
    const { ada } = await createTestUsers(database);
    const run = await runImport(t, { ...importOptions, path: await writeSampleArchive(), by: ada });
    const { hash } = await one(db, sql<{ hash: string }>`select hash from uploads`);
    const picture = await t.storage.put(Readable.from([Buffer.from("a picture of it")]), 100);
    await database.inTransaction((tx) =>
      run_(
        tx,
        sql`insert into file_texts (hash, state, pages, text, language, thumbnail, read_at) values (${hash}, 'read', 1, 'A heap.', 'en', ${picture.hash}, ${tx.now})`,
      ),
    );
    await undoImport(t, { runId: run.id, by: null, evenWritings: false });
    expect([
      await count("file_texts"),
      await t.storage.sizeOf(hash),
      await t.storage.sizeOf(picture.hash),
    ]).toEqual([0, null, null]);
  });

  test("requires the latest run of an archive that imported something to be undone first", async () => {
    const t = await transfer();
    const first = await runImport(t, { ...importOptions, path: await writeSampleArchive() });
    database.clock.pass(1_000);
    const second = await runImport(t, { ...importOptions, path: await writeSampleArchive(4) });
    expect(await count("posts")).toBe(5);
    await expect(undoImport(t, { runId: first.id, by: null, evenWritings: false })).rejects.toMatchObject({
      reason: "conflict",
    });
    await undoImport(t, { runId: second.id, by: null, evenWritings: false });
    expect(await count("posts")).toBe(4);
    await undoImport(t, { runId: first.id, by: null, evenWritings: false });
    expect(await count("posts")).toBe(0);
  });

  test("works after a later run of the same archive that imported nothing", async () => {
    const t = await transfer();
    const path = await writeSampleArchive();
    const first = await runImport(t, { ...importOptions, path });
    database.clock.pass(1_000);
    await runImport(t, { ...importOptions, path });
    await undoImport(t, { runId: first.id, by: null, evenWritings: false });
    expect([await count("posts"), await count("groups"), await count("imported_records")]).toEqual([0, 0, 0]);
  });

  test("retries with smaller batches when the database gives up on larger ones", async () => {
    const t = await transfer();
    const run = await runImport(t, { ...importOptions, path: await writeSampleArchive(200) });
    const givesUp = sql`
      create function give_up() returns trigger language plpgsql as $$ begin
        if (select count(*) from gone) > 50 then raise exception 'too slow' using errcode = '57014'; end if;
        return null; end $$;
      create trigger gives_up after delete on posts referencing old table as gone for each statement execute function give_up()`;
    await db.executeQuery(givesUp.compile(db));
    const left: number[] = [];
    await undoImport(t, { runId: run.id, by: null, evenWritings: false }, (n) => left.push(n));
    await db.executeQuery(sql`drop function give_up() cascade`.compile(db));
    expect([await count("posts"), await count("imported_records"), left.length > 5]).toEqual([0, 0, true]);
  });

  test("keeps a membership that existed before the import", async () => {
    const t = await transfer();
    const { mira } = await createTestUsers(database);
    await db.executeQuery(
      sql`update people set email_confirmed_at = now() where id = ${mira.id}`.compile(db),
    );
    const known = userRecord("mira", { email: "mira@example.org" });
    await runImport(t, {
      ...importOptions,
      path: await write(
        {
          "community.ndjson": archiveText(
            userRecord("plato"),
            known,
            groupRecord(),
            membershipRecord("mira"),
          ),
        },
        "one",
      ),
    });
    const group = await one(db, sql<{ id: string }>`select id from groups`);
    const records = [
      known,
      { ...groupRecord(), id: group.id, owner: "mira" },
      { ...membershipRecord("mira"), group: group.id },
    ];
    const run = await runImport(t, {
      ...importOptions,
      path: await write({ "community.ndjson": archiveText(...records) }, "two"),
    });
    await undoImport(t, { runId: run.id, by: null, evenWritings: false });
    expect(await maybeOne(db, sql`select members_count from groups`)).toEqual({ members_count: 1 });
  });

  test("keeps what another archive imported or still needs", async () => {
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

    await undoImport(t, { runId: first.id, by: null, evenWritings: false });
    expect(await whole()).toEqual([2, 3, 0, 1]);
    expect(await resolveOldPath(db, GUEST, "/t/12")).toEqual({ kind: "discussion", id: talk });
    expect((await runImport(t, { ...importOptions, path: feb })).counts.post).toEqual({ known: 3 });
    expect(await whole()).toEqual([2, 3, 0, 1]);
    const third = await one(
      db,
      sql<{ id: string }>`select id from import_runs order by created_at desc, id desc limit 1`,
    );
    for (const runId of [third.id, second.id]) await undoImport(t, { runId, by: null, evenWritings: false });
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
    await undoImport(t, { runId: second.id, by: null, evenWritings: false });
    expect([await count("discussions"), await count("posts")]).toEqual([1, 1]);
    await undoImport(t, { runId: first.id, by: null, evenWritings: false });
    expect([await count("groups"), await count("people"), await count("imported_records")]).toEqual([
      0, 0, 0,
    ]);
  });

  test("leaves people that another archive also names with that archive", async () => {
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
    expect((await undoImport(t, { runId: first.id, by: null, evenWritings: false })).state).toBe("undone");
    expect(await many(db, sql`select username from people`)).toEqual([{ username: "plato" }]);
    expect((await findImportedDiscussion()).title).toBe("What is a heap?");
    // By now no other archive names them.
    await undoImport(t, { runId: second.id, by: null, evenWritings: false });
    expect([await count("people"), await count("discussions"), await count("imported_records")]).toEqual([
      0, 0, 0,
    ]);
  });
});

const madeOf = ({ counts: all }: ImportRun) =>
  Object.fromEntries(Object.entries(all).map(([kind, { made = 0 }]) => [kind, made]));

describe("imported content that was deleted", () => {
  test("deleted content is imported again by a later run and re-attached to what refers to it", async () => {
    const t = await transfer();
    const [path, grown] = [
      await writeSampleArchive(),
      await write({ "community.ndjson": archiveText(...sampleArchive(4)), "files/heap.txt": "1" }),
    ];
    await runImport(t, { ...importOptions, path });
    await db.executeQuery(sql`delete from groups`.compile(db));
    await db.executeQuery(sql`delete from conversations`.compile(db));
    const seen = await runImport(t, { ...importOptions, path: grown, check: true });
    const again = await runImport(t, { ...importOptions, path: grown });
    expect([again.state, again.problems, again.counts.user]).toEqual(["done", 0, { known: 2 }]);
    expect(madeOf(seen)).toEqual(madeOf(again));
    expect(await countTables()).toEqual({
      ...Object.fromEntries([...TABLES, ...MORE_TABLES].map((it) => [it, 1])),
      ...ROWS_PER_TABLE,
      posts: 5,
    });
    await undoImport(t, { runId: again.id, by: null, evenWritings: false });
    expect([await count("groups"), await count("posts"), await count("people")]).toEqual([0, 0, 2]);
  });

  test("a merged discussion is found in the discussion it was merged into", async () => {
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

import { describe, expect, test } from "vitest";
import { Readable } from "node:stream";
import { many, maybeOne, one, run as run_, sql } from "#platform/database";
import { reply } from "#community/discussions";
import { openSettings } from "#community/settings";
import { listEmittedEvents, createTestUsers } from "../../../test/support/test-users.ts";
import {
  userRecord,
  archiveText,
  membershipRecord,
  groupRecord,
} from "../../../test/support/import-export/sample-archive.ts";
import { runImport, undoImport } from "./index.ts";
import {
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

describe("undoing an import run", () => {
  test("restores the state from before the import", async () => {
    const t = await transfer();
    const { mira } = await createTestUsers(database);
    const before = await countTables();
    const run = await runImport(t, { ...importOptions, path: await writeSampleArchive() });
    const { hash } = await one(db, sql<{ hash: string }>`select hash from uploads`);
    await undoImport(t, { runId: run.id, by: null, includeNewContent: false });
    expect([
      await countTables(),
      await count("address_redirects"),
      await count("imported_records"),
      await t.storage.sizeOf(hash),
    ]).toEqual([before, 0, 0, null]);
    expect(await listEmittedEvents(database)).toEqual(["transfer.finished", "transfer.undone"]);
    await expect(undoImport(t, { runId: run.id, by: null, includeNewContent: false })).rejects.toMatchObject({
      reason: "conflict",
    });
    await expect(undoImport(t, { runId: mira.id, by: null, includeNewContent: false })).rejects.toMatchObject(
      {
        reason: "not-found",
      },
    );
  });

  test("requires confirmation to delete what members have written there since", async () => {
    const t = await transfer();
    const { ada } = await createTestUsers(database);
    const run = await runImport(t, { ...importOptions, path: await writeSampleArchive(), by: ada });
    await database.inTransaction(async (tx) =>
      reply(tx, ada, { discussionId: (await findImportedDiscussion()).id, body: "Still a heap?" }),
    );
    await expect(undoImport(t, { runId: run.id, by: ada, includeNewContent: false })).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("made 1 addition to"),
    });
    expect(await count("posts")).toBe(5);
    await undoImport(t, { runId: run.id, by: ada, includeNewContent: true });
    expect([await count("posts"), await count("discussions")]).toEqual([0, 0]);
  });

  test("keeps community settings that were changed since, even if a later run contains them", async () => {
    const t = await transfer();
    const { ada } = await createTestUsers(database);
    const settingRecord = (key: string) => ({ type: "setting", key, value: "Where we argue." });
    const path = await write({
      "community.ndjson": archiveText(
        settingRecord("sentence"),
        settingRecord("about"),
        settingRecord("welcome"),
      ),
    });
    const run = await runImport(t, { ...importOptions, path, by: ada });
    database.clock.pass(1_000);
    await database.inTransaction((tx) =>
      openSettings(database).set(tx, ada, { sentence: "Where we agree." }),
    );
    const again = await write({
      "community.ndjson": archiveText(settingRecord("about"), settingRecord("sentence")),
    });
    const other = await runImport(t, { ...importOptions, path: again, source: "other", by: ada });
    const left = async () =>
      (
        await many(
          db,
          sql<{ key: string }>`select key from settings where key <> 'writingLimits' order by key`,
        )
      ).map(({ key }) => key);
    await undoImport(t, { runId: run.id, by: null, includeNewContent: false });
    expect(await left()).toEqual(["about", "sentence"]);
    await undoImport(t, { runId: other.id, by: null, includeNewContent: false });
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
        sql`insert into file_texts (hash, state, pages, text, language, thumbnail, read_at)
          values (${hash}, 'read', 1, 'A heap.', 'en', ${picture.hash}, ${tx.now})`,
      ),
    );
    await undoImport(t, { runId: run.id, by: null, includeNewContent: false });
    expect([
      await count("file_texts"),
      await t.storage.sizeOf(hash),
      await t.storage.sizeOf(picture.hash),
    ]).toEqual([0, null, null]);
  });

  test("works after a later run of the same archive that imported nothing", async () => {
    const t = await transfer();
    const path = await writeSampleArchive();
    const first = await runImport(t, { ...importOptions, path });
    database.clock.pass(1_000);
    await runImport(t, { ...importOptions, path });
    await undoImport(t, { runId: first.id, by: null, includeNewContent: false });
    expect([await count("posts"), await count("groups"), await count("imported_records")]).toEqual([0, 0, 0]);
  });

  test("retries with smaller batches when a batch times out", async () => {
    const t = await transfer();
    const run = await runImport(t, { ...importOptions, path: await writeSampleArchive(200) });
    const givesUp = sql`
      create function give_up() returns trigger language plpgsql as $$ begin
        if (select count(*) from gone) > 50 then raise exception 'too slow' using errcode = '57014'; end if;
        return null; end $$;
      create trigger gives_up after delete
        on posts referencing old table as gone for each statement execute function give_up()`;
    await run_(db, givesUp);
    const left: number[] = [];
    await undoImport(t, { runId: run.id, by: null, includeNewContent: false }, (n) => left.push(n));
    await run_(db, sql`drop function give_up() cascade`);
    expect([await count("posts"), await count("imported_records"), left.length > 5]).toEqual([0, 0, true]);
  });

  test("keeps a membership that existed before the import", async () => {
    const t = await transfer();
    const { mira } = await createTestUsers(database);
    await run_(db, sql`update people set email_confirmed_at = now() where id = ${mira.id}`);
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
    await undoImport(t, { runId: run.id, by: null, includeNewContent: false });
    expect(await maybeOne(db, sql`select members_count from groups`)).toEqual({ members_count: 1 });
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { addFile, NewFile } from "#community/resources";
import { openSettings } from "#community/settings";
import { deleteUnusedBytes, extractFileText, enqueueTextExtraction, storeUpload } from "#community/uploads";
import { many, maybeOne, one, run, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import { createTestGroup, createTestUsers, type TestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { createPdf } from "../support/sample-files.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-reading-"));
const storage = createFolderStorage(folder);
const app = { database, storage, scanner: null, settings: openSettings(database) };
let people: TestUsers;
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  people = await createTestUsers(database);
});

async function added(bytes: Buffer, fileName: string, groupId = "") {
  const { id } = await storeUpload(app, people.mira, fileName, Readable.from([bytes]));
  const resource = await within((tx) =>
    addFile(tx, people.mira, NewFile.parse({ uploadId: id, title: "A plan", groupId })),
  );
  const { hash } = await one(db, sql<{ hash: string }>`select hash from uploads where id = ${id}`);
  return { uploadId: id, resourceId: resource.id, hash };
}
type Text = { state: string; pages: number | null; text: string; thumbnail: string | null };
const textOf = (hash: string) =>
  maybeOne(db, sql<Text>`select state, pages, text, thumbnail from file_texts where hash = ${hash}`);
const listReadEvents = () =>
  many(db, sql<{ payload: object }>`select payload from outbox where type = 'file.read'`);
const jobs = () =>
  many(db, sql<{ key: string }>`select key from graphile_worker._private_jobs where key like 'read-file:%'`);

describe("text of a file", () => {
  test("gets extracted once for identical bytes and updates every resource with them", async () => {
    const group = await createTestGroup(database, people);
    const bytes = createPdf(["Leeks in March", "Kale in May"]);
    const one_ = await added(bytes, "plan.pdf", group.id);
    const two = await added(bytes, "again.pdf");
    expect(await jobs()).toEqual([{ key: `read-file:${one_.hash}` }]);
    await extractFileText(app, one_.hash);
    expect(await textOf(one_.hash)).toMatchObject({
      state: "read",
      pages: 2,
      text: "Leeks in March\n\n\fKale in May\n\n",
    });
    expect((await listReadEvents()).map((it) => it.payload)).toEqual(
      expect.arrayContaining([
        { type: "file.read", resourceId: one_.resourceId, groupId: group.id },
        { type: "file.read", resourceId: two.resourceId, groupId: null },
      ]),
    );
    await extractFileText(app, one_.hash);
    expect(await listReadEvents()).toHaveLength(2);
  });

  test("gets stored with a thumbnail of the first page or of the picture", async () => {
    const photo = await sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    for (const file of [await added(createPdf(["Leeks"]), "plan.pdf"), await added(photo, "bed.png")]) {
      await extractFileText(app, file.hash);
      const { thumbnail } = (await textOf(file.hash))!;
      const picture = await sharp(Buffer.concat(await (await storage.open(thumbnail!)).toArray())).metadata();
      expect([picture.format, Math.max(picture.width, picture.height) <= 640]).toEqual(["webp", true]);
    }
  });

  test("equals the content of a text file, and is empty for an unreadable file", async () => {
    const notes = await added(Buffer.from("plant;weeks\nLeek;11"), "beds.csv");
    await extractFileText(app, notes.hash);
    expect(await textOf(notes.hash)).toMatchObject({
      state: "read",
      pages: null,
      text: "plant;weeks\nLeek;11",
      thumbnail: null,
    });
    const broken = await added(Buffer.from("%PDF-1.7\nseeds"), "broken.pdf");
    await extractFileText(app, broken.hash);
    expect(await textOf(broken.hash)).toMatchObject({ state: "broken", text: "" });
  });

  test("gets deleted with the file, like its thumbnail", async () => {
    const { hash, uploadId } = await added(createPdf(["Leeks"]), "plan.pdf");
    await extractFileText(app, hash);
    const { thumbnail } = (await textOf(hash))!;
    await run(db, sql`delete from uploads where id = ${uploadId}`);
    await deleteUnusedBytes(app, hash);
    expect([await textOf(hash), await storage.sizeOf(hash), await storage.sizeOf(thumbnail!)]).toEqual([
      undefined,
      null,
      null,
    ]);
    await extractFileText(app, hash);
    expect(await textOf(hash)).toBeUndefined();
  });

  test("gets extracted later if the job was lost", async () => {
    const { hash } = await added(Buffer.from("Leeks"), "plan.txt");
    await run(db, sql`delete from graphile_worker._private_jobs`);
    await within(enqueueTextExtraction);
    expect(await jobs()).toEqual([{ key: `read-file:${hash}` }]);
    await extractFileText(app, hash);
    await run(db, sql`delete from graphile_worker._private_jobs`);
    await within(enqueueTextExtraction);
    expect(await jobs()).toEqual([]);
  });

  test("gets extracted even if hundreds of other files have lost their bytes", async () => {
    const { hash } = await added(Buffer.from("Leeks"), "plan.txt");
    await run(
      db,
      sql`insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
          select gen_random_uuid(), owner_id, md5(n::text), 1, mime, attached_kind, attached_id,
            created_at - interval '1 day'
          from uploads, generate_series(1, 400) n where hash = ${hash}`,
    );
    await run(db, sql`delete from graphile_worker._private_jobs`);
    await within(enqueueTextExtraction);
    const keys = await jobs();
    expect(keys).toHaveLength(200);
    expect(keys).toContainEqual({ key: `read-file:${hash}` });
  });
});

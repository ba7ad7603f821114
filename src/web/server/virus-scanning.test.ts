import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { deleteUnusedBytes, enqueuePendingScans, scanFile } from "#community/uploads";
import { HOUR } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { ScannerUnavailable } from "#platform/scanner";
import { createTestDiscussion, createTestGroup } from "../../../test/support/test-users.ts";
import {
  database,
  db,
  within,
  storage,
  people,
  app,
  enableScanner,
  uploadFile,
  findStoredFile,
  fileStatus,
} from "../../../test/support/storage/resumable-uploads.ts";

describe("virus scanner", () => {
  const jobs = () =>
    many(
      db,
      sql<{
        task: string;
      }>`select t.identifier as task from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id`,
    );

  test("accepts clean files and refuses infected ones", async () => {
    enableScanner(null);
    const id = await uploadFile("mira", Buffer.from("seeds"), "a.txt");
    expect([await fileStatus(id, "mira"), (await jobs()).map((it) => it.task)]).toEqual([200, ["read-file"]]);
    enableScanner("Weed-1");
    expect(JSON.parse(await uploadFile("mira", Buffer.from("weeds"), "b.txt"))).toMatchObject({
      refused: {
        reason: "wrong-type",
        message: "“b.txt” contains malware (Weed-1) and was rejected.",
      },
    });
    expect(await many(db, sql`select file_name from uploads`)).toEqual([{ file_name: "a.txt" }]);
  });

  test("keeps files unavailable while the scanner is down", async () => {
    enableScanner("away");
    const id = await uploadFile("mira", Buffer.from("seeds"), "a.txt");
    expect([await findStoredFile(id), await fileStatus(id, "mira")]).toMatchObject([
      { state: "scanning" },
      404,
    ]);
    expect((await jobs()).map((it) => it.task)).toEqual(["scan-file"]);
    await expect(scanFile(app, id)).rejects.toThrow(ScannerUnavailable);
    expect(await fileStatus(id, "mira")).toBe(404);
    await run(db, sql`delete from graphile_worker._private_jobs`);
    database.clock.pass(2 * HOUR);
    await within(enqueuePendingScans);
    expect((await jobs()).map((it) => it.task)).toEqual(["scan-file"]);
    enableScanner(null);
    await scanFile(app, id);
    expect([(await findStoredFile(id))?.state, await fileStatus(id, "mira")]).toEqual(["ok", 200]);
  });

  test("causes a readable error if it refuses a file as too large", async () => {
    enableScanner("beyond");
    expect(JSON.parse(await uploadFile("mira", Buffer.from("seeds"), "a.txt"))).toMatchObject({
      refused: {
        reason: "too-large",
        message: "This file is too large for the virus scan and was not accepted.",
      },
    });
    expect(await many(db, sql`select 1 from uploads union all select 1 from partial_uploads`)).toEqual([]);
  });

  test("rechecks a new file even if many older files are pending", async () => {
    enableScanner("away");
    const id = await uploadFile("mira", Buffer.from("seeds"), "a.txt");
    await run(
      db,
      sql`insert into uploads (id, owner_id, hash, size, mime, state, created_at)
          select gen_random_uuid(), ${people.tomas.id}, md5(n::text), 1, 'text/plain', 'scanning',
            ${database.clock.at}::timestamptz - interval '2 days' from generate_series(1, 500) n`,
    );
    await run(db, sql`delete from graphile_worker._private_jobs`);
    database.clock.pass(2 * HOUR);
    await within(enqueuePendingScans);
    expect(
      await many(db, sql`select key from graphile_worker._private_jobs where key = ${`scan-file:${id}`}`),
    ).toHaveLength(1);
  });

  test("removes a file that is found infected later, and recognizes it in another upload", async () => {
    enableScanner("away");
    const id = await uploadFile("mira", Buffer.from("weeds"), "a.txt");
    enableScanner("Weed-1");
    await scanFile(app, id);
    const { hash, state } = (await findStoredFile(id))!;
    expect([state, await fileStatus(id, "mira"), await storage.sizeOf(hash)]).toEqual([
      "quarantined",
      404,
      null,
    ]);
    enableScanner(null);
    expect(JSON.parse(await uploadFile("tomas", Buffer.from("weeds"), "again.txt"))).toMatchObject({
      refused: { reason: "wrong-type" },
    });
  });

  test.each(["later", "at once"])(
    "quarantines accepted files that a newer signature matches: %s",
    async (when) => {
      enableScanner(null);
      const before = await uploadFile("mira", Buffer.from("weeds"), "a.txt");
      expect(await fileStatus(before, "mira")).toBe(200);
      enableScanner(when === "later" ? "away" : "Weed-1");
      const again = await uploadFile("tomas", Buffer.from("weeds"), "b.txt");
      enableScanner("Weed-1");
      if (when === "later") await scanFile(app, again);
      const { hash, state } = (await findStoredFile(before))!;
      expect([state, await fileStatus(before, "mira"), await storage.sizeOf(hash)]).toEqual([
        "quarantined",
        404,
        null,
      ]);
    },
  );

  test("hides an unscanned picture in its post", async () => {
    enableScanner("away");
    const bytes = await sharp({ create: { width: 5, height: 5, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    const id = await uploadFile("mira", bytes, "bed.png");
    const { postId } = await createTestDiscussion(
      database,
      people.mira,
      (await createTestGroup(database, people)).id,
    );
    await run(db, sql`update uploads set attached_kind = 'post', attached_id = ${postId} where id = ${id}`);
    expect(await fileStatus(id, "tomas")).toBe(404);
    enableScanner(null);
    await scanFile(app, id);
    expect(await fileStatus(id, "tomas")).toBe(200);
  });

  test("no longer delays pending files once it is not configured", async () => {
    enableScanner("away");
    const id = await uploadFile("mira", Buffer.from("seeds"), "a.txt");
    app.scanner = null;
    await scanFile(app, id);
    expect(await fileStatus(id, "mira")).toBe(200);
  });
});

test("stored bytes are kept as long as any upload uses them", async () => {
  const [one_, two] = [
    await uploadFile("mira", Buffer.from("seeds"), "a.txt"),
    await uploadFile("tomas", Buffer.from("seeds"), "b.txt"),
  ];
  const { hash } = await one(db, sql<{ hash: string }>`select hash from uploads where id = ${one_}`);
  await run(db, sql`delete from uploads where id = ${one_}`);
  await deleteUnusedBytes(app, hash);
  expect(await fileStatus(two, "tomas")).toBe(200);
  await run(db, sql`delete from uploads where id = ${two}`);
  await deleteUnusedBytes(app, hash);
  expect(await storage.sizeOf(hash)).toBeNull();
});

import { Readable } from "node:stream";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { getStorageQuota } from "#community/common";
import { purgeAbandonedUploads } from "#community/uploads";
import { DAY } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import {
  database,
  db,
  within,
  storage,
  settings,
  people,
  app,
  sendRequest,
  createUpload,
  appendBytes,
  uploadFile,
  findStoredFile,
  fileStatus,
  secondOrigin,
  listPieces,
} from "../../../test/support/storage/resumable-uploads.ts";

describe("resumable upload", () => {
  test("accepts a file in several chunks, which only its owner can open", async () => {
    const words = Buffer.alloc(1_000_000, "seeds and weeds\n");
    const id = await uploadFile("mira", words, "C:\\garden\\..\\plan\u202e.TXT");
    expect(await findStoredFile(id)).toMatchObject({
      name: "plan.txt",
      mime: "text/plain",
      size: 1_000_000,
      state: "ok",
    });
    expect(await (await sendRequest("GET", `/files/${id}`, "mira")).text()).toBe(words.toString());
    expect([await fileStatus(id, "tomas"), await fileStatus(id, null)]).toEqual([404, 404]);
    expect(await listPieces()).toEqual([]);
    expect(await many(db, sql`select 1 from partial_uploads`)).toEqual([]);
  });

  test("continues at its offset after a lost connection", async () => {
    const path = (await createUpload("mira", 10)).headers.get("location")!;
    await appendBytes(path, "mira", 0, Buffer.from("01234"));
    const breaking = new ReadableStream({
      start: (it) => it.enqueue(Buffer.from("56")),
      pull: (it) => it.error(new Error("the line broke")),
    });
    await appendBytes(path, "mira", 5, breaking).catch(() => null);
    const has = Number((await sendRequest("HEAD", path, "mira")).headers.get("upload-offset"));
    expect([5, 7]).toContain(has);
    expect((await appendBytes(path, "mira", 0, Buffer.from("x"))).status).toBe(409);
    const last = await appendBytes(path, "mira", has, Buffer.from("0123456789".slice(has)));
    expect([last.status, last.headers.get("upload-offset")]).toEqual([204, "10"]);
    expect(await (await sendRequest("GET", `/files/${path.split("/").at(-1)}`, "mira")).text()).toBe(
      "0123456789",
    );
  });

  test("continues in another process, which ignores late bytes of the broken connection", async () => {
    const path = (await createUpload("mira", 10)).headers.get("location")!;
    let late: ReadableStreamDefaultController<Buffer>;
    const hanging = new ReadableStream<Buffer>({
      start: (it) => ((late = it), it.enqueue(Buffer.from("01234"))),
    });
    const first = appendBytes(path, "mira", 0, hanging).catch(() => null);
    const id = path.split("/").at(-1)!;
    await expect.poll(() => storage.pieces.sizeOf(id)).toBe(5);
    const has = await sendRequest("HEAD", path, "mira", {}, undefined, secondOrigin);
    expect([has.status, has.headers.get("upload-offset")]).toEqual([200, "5"]);
    // The bytes that were still under way arrive now.
    late!.enqueue(Buffer.from("weeds"));
    late!.close();
    await first;
    const last = await appendBytes(path, "mira", 5, Buffer.from("56789"), secondOrigin);
    expect([last.status, last.headers.get("upload-offset")]).toEqual([204, "10"]);
    expect(await (await sendRequest("GET", `/files/${id}`, "mira")).text()).toBe("0123456789");
  });

  test("can be completed by HEAD if the process that received all bytes has died", async () => {
    const path = (await createUpload("mira", 5)).headers.get("location")!;
    const id = path.split("/").at(-1)!;
    await storage.pieces.append(id, Readable.from([Buffer.from("seeds")]));
    expect((await sendRequest("HEAD", path, "mira")).headers.get("upload-offset")).toBe("5");
    expect(await findStoredFile(id)).toMatchObject({ size: 5, state: "ok" });
    expect((await sendRequest("HEAD", path, "mira")).headers.get("upload-offset")).toBe("5");
  });

  test("can be accessed by its owner only", async () => {
    const path = (await createUpload("mira", 5)).headers.get("location")!;
    for (const other of ["tomas", null] as const) {
      const refused = other ? 404 : 401;
      expect((await sendRequest("HEAD", path, other)).status).toBe(refused);
      expect((await appendBytes(path, other, 0, Buffer.from("weeds"))).status).toBe(refused);
      expect((await sendRequest("DELETE", path, other)).status).toBe(refused);
    }
    expect((await sendRequest("DELETE", path, "mira")).status).toBe(204);
    expect((await sendRequest("HEAD", path, "mira")).status).toBe(404);
    for (const nowhere of ["nonsense", "..%2f..%2fsecrets.json", "%00"])
      expect((await sendRequest("HEAD", `/uploads/files/${nowhere}`, "mira")).status).toBe(404);
  });

  test.each([
    ["without a length", "", 400],
    ["of negative length", "-1", 400],
    ["with a length that is no integer", "1e3", 400],
    ["above the size limit", "25000001", 413],
  ])("gets refused for a file %s", async (_what, length, status) => {
    const answer = await createUpload("mira", length);
    expect(answer.status).toBe(status);
  });

  test("must come from a member who may write, and from our own pages", async () => {
    expect((await createUpload(null, 5)).status).toBe(401);
    await run(db, sql`update people set state = 'limited' where id = ${people.mira.id}`);
    expect((await createUpload("mira", 5)).status).toBe(403);
    expect(
      (
        await sendRequest("POST", "/uploads/files", "tomas", {
          "upload-length": "5",
          origin: "https://evil.example",
        })
      ).status,
    ).toBe(403);
  });

  test("accepts exactly the announced number of bytes", async () => {
    const path = (await createUpload("mira", 5)).headers.get("location")!;
    expect((await appendBytes(path, "mira", 0, Buffer.from("0123456789"))).status).toBe(413);
    // The body is finite: fetch goes on reading the body of an aborted request, and would never stop.
    const flood = Readable.from(Array.from({ length: 400 }, () => Buffer.alloc(60_000)));
    const answer = await appendBytes(path, "mira", 0, Readable.toWeb(flood) as ReadableStream).then(
      (it) => it.status,
      () => "cut",
    );
    expect([413, "cut"]).toContain(answer);
    expect((await storage.pieces.sizeOf(path.split("/").at(-1)!)) ?? 0).toBeLessThan(6);
  });

  test("enforces the size limit set by an admin", async () => {
    await within((tx) => settings.set(tx, people.ada, { fileMegabytes: 1 }));
    expect(await (await createUpload("mira", 1_000_001)).json()).toEqual({
      refused: { message: "A file can have at most 1 MB.", reason: "too-large" },
    });
    expect((await createUpload("mira", 1_000_000)).status).toBe(201);
  });

  test("has limits of ten files a minute and one gigabyte in all", async () => {
    await run(
      db,
      sql`insert into uploads (id, owner_id, hash, size, mime, created_at)
        values (gen_random_uuid(), ${people.tomas.id}, 'x', 980000000, 'text/plain', now())`,
    );
    expect((await createUpload("tomas", 15_000_000)).status).toBe(201);
    expect(await (await createUpload("tomas", 15_000_000)).json()).toMatchObject({
      refused: { message: expect.stringContaining("995 MB of your 1 GB") as string, reason: "too-large" },
    });
    expect(await getStorageQuota(db, people.tomas)).toEqual({ used: 995_000_000, most: 1_000_000_000 });
    const answers = await Promise.all(Array.from({ length: 11 }, () => createUpload("mira", 5)));
    const refused = answers.filter((it) => it.status === 429);
    expect(refused).toHaveLength(1);
    expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("leaves nothing behind after a refused file", async () => {
    const answer = await uploadFile("mira", Buffer.from("<html>hello"), "plan.pdf");
    expect(JSON.parse(answer)).toMatchObject({
      refused: {
        reason: "wrong-type",
        message: expect.stringContaining("“plan.pdf” is a web page") as string,
      },
    });
    expect(JSON.parse(await uploadFile("mira", Buffer.alloc(0), "empty.txt"))).toMatchObject({
      refused: { message: "“empty.txt” is empty." },
    });
    expect(await many(db, sql`select 1 from uploads union all select 1 from partial_uploads`)).toEqual([]);
    expect((await getStorageQuota(db, people.mira)).used).toBe(0);
    expect(await listPieces()).toEqual([]);
  });

  test("stores a picture re-encoded, without its metadata", async () => {
    const photo = await sharp({ create: { width: 5_000, height: 500, channels: 3, background: "teal" } })
      .withExif({ IFD3: { GPSLatitude: "51/1 0/1 0/1" } })
      .jpeg()
      .toBuffer();
    const id = await uploadFile("mira", photo, "Bed.JPG");
    expect(await findStoredFile(id)).toMatchObject({ name: "Bed.webp", mime: "image/webp" });
    const metadata = await sharp(
      Buffer.from(await (await sendRequest("GET", `/files/${id}`, "mira")).arrayBuffer()),
    ).metadata();
    expect(metadata).toMatchObject({ format: "webp", width: 4_096 });
    expect(metadata.exif).toBeUndefined();
  });

  test("gets deleted if incomplete after two days", async () => {
    const path = (await createUpload("mira", 10)).headers.get("location")!;
    await appendBytes(path, "mira", 0, Buffer.from("01234"));
    database.clock.pass(1.9 * DAY);
    expect(await purgeAbandonedUploads(app)).toBe(0);
    database.clock.pass(0.2 * DAY);
    expect(await purgeAbandonedUploads(app)).toBe(1);
    expect(await listPieces()).toEqual([]);
    expect((await sendRequest("HEAD", path, "mira")).status).toBe(404);
  });
});

import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { Upload } from "tus-js-client";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openSettings } from "#community/settings";
import { forgetBytes, purgeIncoming, roomOf, scanAgain, scanFile } from "#community/uploads";
import { DAY, HOUR } from "#platform/clock";
import { many, maybeOne, one, run, sql } from "#platform/database";
import { openHttp } from "#platform/http";
import { Limits } from "#platform/limits";
import { openLog } from "#platform/log";
import { ScannerAway } from "#platform/scanner";
import { openFolder } from "#platform/storage";
import { aDiscussion, aGroup, cast, type Cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import type { House } from "../house.ts";
import { serveFiles } from "./files.ts";
import { serveIncomingFiles } from "./incoming-files.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-incoming-"));
const storage = openFolder(folder);
const settings = openSettings(database);
let people: Cast;
/** What the scanner says, when there is one. */
let verdict: string | null = null;

const house = {
  database,
  db,
  storage,
  settings,
  limits: new Limits(),
  log: openLog("silent"),
  origin: () => "http://localhost",
  accounts: { sessionFor: async (token: string) => (token in people ? { viewer: people[token as "mira"] } : null) },
} as unknown as House;
const server = openHttp({ log: house.log, trustProxy: false });
await serveFiles(server, house);
await serveIncomingFiles(server, house);
await server.listen({ port: 0, host: "127.0.0.1" });
const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  people = await cast(database);
  settings.forget();
  await rm(join(folder, "pieces"), { recursive: true, force: true });
  house.limits = new Limits();
  house.scanner = null;
});
const withScanner = (says: typeof verdict) => {
  verdict = says;
  house.scanner = {
    scan: async () => {
      if (verdict === "away") throw new ScannerAway("away");
      return { found: verdict };
    },
  };
};

type Who = "mira" | "tomas" | "noor" | null;
const TUS = { "tus-resumable": "1.0.0" };
const ask = (method: string, path: string, as: Who, headers: Record<string, string> = {}, body?: Buffer | ReadableStream) =>
  fetch(`${origin}${path}`, {
    method,
    headers: { ...TUS, ...(as && { cookie: `kith_session=${as}` }), ...headers },
    ...(body && { body, duplex: "half" }),
  } as RequestInit);
const named = (name: string) => ({ "upload-metadata": `filename ${Buffer.from(name).toString("base64")}` });
const begin = (as: Who, size: number | string, name = "plan.txt") =>
  ask("POST", "/uploads/files", as, { "upload-length": String(size), ...named(name) });
const append = (path: string, as: Who, offset: number, bytes: Buffer | ReadableStream) =>
  ask("PATCH", path, as, { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" }, bytes);

/** Sends a file as the browser does. Its id, or the sentence it was refused with. */
const send = (as: Who, bytes: Buffer, fileName: string): Promise<string> =>
  new Promise((done) => {
    const upload = new Upload(bytes, {
      endpoint: `${origin}/uploads/files`,
      metadata: { filename: fileName },
      headers: { cookie: `kith_session=${as}` },
      chunkSize: 400_000,
      retryDelays: [],
      onSuccess: () => done(upload.url!.split("/").at(-1)!),
      onError: (error) => done("originalResponse" in error ? (error.originalResponse?.getBody() ?? "") : error.message),
    });
    upload.start();
  });
const stored = (id: string) =>
  maybeOne(
    db,
    sql<{ name: string; mime: string; size: number; state: string; hash: string }>`
    select file_name as name, mime, size::float8 as size, state, hash from uploads where id = ${id}`,
  );
const seen = async (id: string, as: Who) => (await ask("GET", `/files/${id}`, as)).status;
const pieces = () => readdir(join(folder, "pieces")).catch(() => []);

describe("a file that comes in pieces", () => {
  test("is its owner's once it is whole, whichever way it came", async () => {
    const words = Buffer.alloc(1_000_000, "seeds and weeds\n");
    const id = await send("mira", words, "C:\\garden\\..\\plan\u202e.TXT");
    expect(await stored(id)).toMatchObject({ name: "plan.txt", mime: "text/plain", size: 1_000_000, state: "ok" });
    expect(await (await ask("GET", `/files/${id}`, "mira")).text()).toBe(words.toString());
    expect([await seen(id, "tomas"), await seen(id, null)]).toEqual([404, 404]);
    expect(await pieces()).toEqual([]);
    expect(await many(db, sql`select 1 from incoming_files`)).toEqual([]);
  });

  test("goes on where it was when the line has broken", async () => {
    const path = (await begin("mira", 10)).headers.get("location")!;
    await append(path, "mira", 0, Buffer.from("01234"));
    const breaking = new ReadableStream({
      start: (it) => it.enqueue(Buffer.from("56")),
      pull: (it) => it.error(new Error("the line broke")),
    });
    await append(path, "mira", 5, breaking).catch(() => null);
    const has = Number((await ask("HEAD", path, "mira")).headers.get("upload-offset"));
    expect([5, 7]).toContain(has);
    expect((await append(path, "mira", 0, Buffer.from("x"))).status).toBe(409);
    const last = await append(path, "mira", has, Buffer.from("0123456789".slice(has)));
    expect([last.status, last.headers.get("upload-offset")]).toEqual([204, "10"]);
    expect(await (await ask("GET", `/files/${path.split("/").at(-1)}`, "mira")).text()).toBe("0123456789");
  });

  test("is kept by whoever asks after it, where it was whole and its taker died", async () => {
    const path = (await begin("mira", 5)).headers.get("location")!;
    const id = path.split("/").at(-1)!;
    await storage.pieces.append(id, Readable.from([Buffer.from("seeds")]));
    expect((await ask("HEAD", path, "mira")).headers.get("upload-offset")).toBe("5");
    expect(await stored(id)).toMatchObject({ size: 5, state: "ok" });
    expect((await ask("HEAD", path, "mira")).headers.get("upload-offset")).toBe("5");
  });

  test("is nobody else's, on its way and later", async () => {
    const path = (await begin("mira", 5)).headers.get("location")!;
    for (const other of ["tomas", null] as const) {
      const refused = other ? 404 : 401;
      expect((await ask("HEAD", path, other)).status).toBe(refused);
      expect((await append(path, other, 0, Buffer.from("weeds"))).status).toBe(refused);
      expect((await ask("DELETE", path, other)).status).toBe(refused);
    }
    expect((await ask("DELETE", path, "mira")).status).toBe(204);
    expect((await ask("HEAD", path, "mira")).status).toBe(404);
    for (const nowhere of ["nonsense", "..%2f..%2fsecrets.json", "%00"])
      expect((await ask("HEAD", `/uploads/files/${nowhere}`, "mira")).status).toBe(404);
  });

  test.each([
    ["of no length", "", 400],
    ["of a negative one", "-1", 400],
    ["of nonsense", "1e3", 400],
    ["above the limit", "25000001", 413],
  ])("is refused where it is announced %s", async (_what, length, status) => {
    const answer = await begin("mira", length);
    expect(answer.status).toBe(status);
  });

  test("comes from members who may write, and from a page of ours", async () => {
    expect((await begin(null, 5)).status).toBe(401);
    people.mira = { ...people.mira, limited: true };
    expect((await begin("mira", 5)).status).toBe(403);
    expect((await ask("POST", "/uploads/files", "tomas", { "upload-length": "5", origin: "https://evil.example" })).status).toBe(403);
  });

  test("has as many bytes as were announced, and not one more", async () => {
    const path = (await begin("mira", 5)).headers.get("location")!;
    expect((await append(path, "mira", 0, Buffer.from("0123456789"))).status).toBe(413);
    // It has an end: once a request has been cut, fetch still reads its body, and would do nothing else ever after.
    const flood = Readable.from(Array.from({ length: 400 }, () => Buffer.alloc(60_000)));
    const answer = await append(path, "mira", 0, Readable.toWeb(flood) as ReadableStream).then(
      (it) => it.status,
      () => "cut",
    );
    expect([413, "cut"]).toContain(answer);
    expect((await storage.pieces.sizeOf(path.split("/").at(-1)!)) ?? 0).toBeLessThan(6);
  });

  test("is as large as an admin says", async () => {
    await within((tx) => settings.set(tx, people.ada, { fileMegabytes: 1 }));
    expect(await (await begin("mira", 1_000_001)).json()).toEqual({
      refused: { message: "A file may have 1 MB here.", reason: "too-large" },
    });
    expect((await begin("mira", 1_000_000)).status).toBe(201);
  });

  test("is one of ten in a minute, and of a gigabyte in all", async () => {
    await run(
      db,
      sql`insert into uploads (id, owner_id, hash, size, mime, created_at) values (gen_random_uuid(), ${people.tomas.id}, 'x', 980000000, 'text/plain', now())`,
    );
    expect((await begin("tomas", 15_000_000)).status).toBe(201);
    expect(await (await begin("tomas", 15_000_000)).json()).toMatchObject({
      refused: { message: expect.stringContaining("995 MB of the 1 GB") as string, reason: "too-large" },
    });
    expect(await roomOf(db, people.tomas)).toEqual({ used: 995_000_000, most: 1_000_000_000 });
    const answers = await Promise.all(Array.from({ length: 11 }, () => begin("mira", 5)));
    const refused = answers.filter((it) => it.status === 429);
    expect(refused).toHaveLength(1);
    expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("that is not what is taken leaves nothing behind", async () => {
    const answer = await send("mira", Buffer.from("<html>hello"), "plan.pdf");
    expect(JSON.parse(answer)).toMatchObject({
      refused: { reason: "wrong-type", message: expect.stringContaining("“plan.pdf” is a web page") as string },
    });
    expect(JSON.parse(await send("mira", Buffer.alloc(0), "empty.txt"))).toMatchObject({ refused: { message: "“empty.txt” is empty." } });
    expect(await many(db, sql`select 1 from uploads union all select 1 from incoming_files`)).toEqual([]);
    expect((await roomOf(db, people.mira)).used).toBe(0);
    expect(await pieces()).toEqual([]);
  });

  test("that is a picture is made anew, without what the camera wrote into it", async () => {
    const photo = await sharp({ create: { width: 5_000, height: 500, channels: 3, background: "teal" } })
      .withExif({ IFD3: { GPSLatitude: "51/1 0/1 0/1" } })
      .jpeg()
      .toBuffer();
    const id = await send("mira", photo, "Bed.JPG");
    expect(await stored(id)).toMatchObject({ name: "Bed.webp", mime: "image/webp" });
    const kept = await sharp(Buffer.from(await (await ask("GET", `/files/${id}`, "mira")).arrayBuffer())).metadata();
    expect(kept).toMatchObject({ format: "webp", width: 4_096 });
    expect(kept.exif).toBeUndefined();
  });

  test("that never comes whole is cleared away after two days", async () => {
    const path = (await begin("mira", 10)).headers.get("location")!;
    await append(path, "mira", 0, Buffer.from("01234"));
    database.clock.pass(1.9 * DAY);
    expect(await purgeIncoming(house)).toBe(0);
    database.clock.pass(0.2 * DAY);
    expect(await purgeIncoming(house)).toBe(1);
    expect(await pieces()).toEqual([]);
    expect((await ask("HEAD", path, "mira")).status).toBe(404);
  });
});

describe("a scanner", () => {
  const jobs = () =>
    many(
      db,
      sql<{
        task: string;
      }>`select t.identifier as task from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`,
    );

  test("lets through what is clean, and says what is not", async () => {
    withScanner(null);
    const id = await send("mira", Buffer.from("seeds"), "a.txt");
    expect([await seen(id, "mira"), (await jobs()).map((it) => it.task)]).toEqual([200, ["read-file"]]);
    withScanner("Weed-1");
    expect(JSON.parse(await send("mira", Buffer.from("weeds"), "b.txt"))).toMatchObject({
      refused: { reason: "wrong-type", message: "“b.txt” holds something harmful (Weed-1) and was not taken." },
    });
    expect(await many(db, sql`select file_name from uploads`)).toEqual([{ file_name: "a.txt" }]);
  });

  test("that is away has files wait, and nobody gets them before", async () => {
    withScanner("away");
    const id = await send("mira", Buffer.from("seeds"), "a.txt");
    expect([await stored(id), await seen(id, "mira")]).toMatchObject([{ state: "scanning" }, 404]);
    expect((await jobs()).map((it) => it.task)).toEqual(["scan-file"]);
    await expect(scanFile(house, id)).rejects.toThrow(ScannerAway);
    expect(await seen(id, "mira")).toBe(404);
    await run(db, sql`delete from graphile_worker._private_jobs`);
    database.clock.pass(2 * HOUR);
    await within(scanAgain);
    expect((await jobs()).map((it) => it.task)).toEqual(["scan-file"]);
    withScanner(null);
    await scanFile(house, id);
    expect([(await stored(id))?.state, await seen(id, "mira")]).toEqual(["ok", 200]);
  });

  test("that finds something later takes the file from everybody, and knows it again", async () => {
    withScanner("away");
    const id = await send("mira", Buffer.from("weeds"), "a.txt");
    withScanner("Weed-1");
    await scanFile(house, id);
    const { hash, state } = (await stored(id))!;
    expect([state, await seen(id, "mira"), await storage.sizeOf(hash)]).toEqual(["quarantined", 404, null]);
    withScanner(null);
    expect(JSON.parse(await send("tomas", Buffer.from("weeds"), "again.txt"))).toMatchObject({ refused: { reason: "wrong-type" } });
  });

  test.each(["later", "at once"])("that knows more than before takes from everybody what it let through: %s", async (when) => {
    withScanner(null);
    const before = await send("mira", Buffer.from("weeds"), "a.txt");
    expect(await seen(before, "mira")).toBe(200);
    withScanner(when === "later" ? "away" : "Weed-1");
    const again = await send("tomas", Buffer.from("weeds"), "b.txt");
    withScanner("Weed-1");
    if (when === "later") await scanFile(house, again);
    const { hash, state } = (await stored(before))!;
    expect([state, await seen(before, "mira"), await storage.sizeOf(hash)]).toEqual(["quarantined", 404, null]);
  });

  test("that has yet to look at a picture keeps it out of the post that shows it", async () => {
    withScanner("away");
    const bytes = await sharp({ create: { width: 5, height: 5, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    const id = await send("mira", bytes, "bed.png");
    const { postId } = await aDiscussion(database, people.mira, (await aGroup(database, people)).id);
    await run(db, sql`update uploads set attached_kind = 'post', attached_id = ${postId} where id = ${id}`);
    expect(await seen(id, "tomas")).toBe(404);
    withScanner(null);
    await scanFile(house, id);
    expect(await seen(id, "tomas")).toBe(200);
  });

  test("that was taken down lets go of what waits for it", async () => {
    withScanner("away");
    const id = await send("mira", Buffer.from("seeds"), "a.txt");
    house.scanner = null;
    await scanFile(house, id);
    expect(await seen(id, "mira")).toBe(200);
  });
});

test("bytes stay for as long as anybody has them", async () => {
  const [one_, two] = [await send("mira", Buffer.from("seeds"), "a.txt"), await send("tomas", Buffer.from("seeds"), "b.txt")];
  const { hash } = await one(db, sql<{ hash: string }>`select hash from uploads where id = ${one_}`);
  await run(db, sql`delete from uploads where id = ${one_}`);
  await forgetBytes(house, hash);
  expect(await seen(two, "tomas")).toBe(200);
  await run(db, sql`delete from uploads where id = ${two}`);
  await forgetBytes(house, hash);
  expect(await storage.sizeOf(hash)).toBeNull();
});

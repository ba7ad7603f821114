import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { blockPerson } from "#community/friends";
import { createProfilePictureStore, updatePrivacy } from "#community/accounts";
import { addFile, NewFile, recordUpload } from "#community/resources";
import type { Viewer } from "#community/rules";
import { createHttpServer } from "#platform/http";
import { createLog } from "#platform/log";
import { createFolderStorage } from "#platform/storage";
import { createTestGroup, createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import type { WebContext } from "../web-context.ts";
import { serveFiles } from "./serve-files.ts";
import { startNamedSessions } from "../../../test/support/accounts/named-sessions.ts";

const database = await testDatabase();
const folder = await mkdtemp(join(tmpdir(), "kith-files-"));
const storage = createFolderStorage(folder);
let people: TestUsers;

let audience: "public" | "private" = "public";
const app = {
  database,
  db: database.db,
  storage,
  now: () => database.clock.at,
  settings: { get: async () => ({ audience }) },
} as unknown as WebContext;
const server = createHttpServer({ log: createLog("silent"), trustProxy: false });
await serveFiles(server, app);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  audience = "public";
  people = await createTestUsers(database);
  await startNamedSessions(database, people);
});

const get = (
  url: string,
  as: string | null = null,
  headers: Record<string, string> = {},
  method: "GET" | "HEAD" = "GET",
) => server.inject({ method, url, headers: { ...(as && { cookie: `kith_session=${as}` }), ...headers } });

async function upload(
  by: Viewer,
  text: string,
  { mime = "text/plain", fileName = "note.txt", groupId = "" } = {},
) {
  const { hash, size } = await storage.put(Readable.from(Buffer.from(text)), 1_000_000);
  return database.inTransaction(async (tx) => {
    const { id } = await recordUpload(tx, by, { hash, size, mime, fileName });
    await addFile(tx, by, NewFile.parse({ uploadId: id, title: "A note", groupId }));
    return `/files/${id}`;
  });
}

const picture = () =>
  sharp({ create: { width: 600, height: 300, channels: 3, background: "teal" } })
    .png()
    .toBuffer();

describe("profile picture", () => {
  test("is public, immutable and sent at the requested size", async () => {
    const { uploadId } = await createProfilePictureStore(app).setPhoto(people.mira, people.mira.id, {
      bytes: await picture(),
    });
    const answer = await get(`/files/pictures/${uploadId}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "content-disposition": "inline",
    });
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 400, height: 400 });
    const again = await get(`/files/pictures/${uploadId}`, null, {
      "if-none-match": `W/${String(answer.headers.etag)}`,
    });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  test("returns 404 to a person whom the owner blocks", async () => {
    const { uploadId } = await createProfilePictureStore(app).setPhoto(people.mira, people.mira.id, {
      bytes: await picture(),
    });
    await database.inTransaction((tx) => blockPerson(tx, people.mira, { personId: people.noor.id }));
    expect((await get(`/files/pictures/${uploadId}`, "noor")).statusCode).toBe(404);
    expect((await get(`/files/pictures/${uploadId}`, "tomas")).statusCode).toBe(200);
  });
});

test("a header picture is sent only to those who may read the profile, without shared caching", async () => {
  const { uploadId } = await createProfilePictureStore(app).setHeader(people.mira, people.mira.id, {
    bytes: await picture(),
  });
  expect((await get(`/files/pictures/${uploadId}`)).statusCode).toBe(404);
  expect((await get(`/files/${uploadId}`)).statusCode).toBe(404);
  const member = await get(`/files/pictures/${uploadId}`, "noor");
  expect(member.headers).toMatchObject({ "cache-control": "private, max-age=3600", vary: "Cookie" });
  await database.inTransaction((tx) =>
    updatePrivacy(tx, people.mira, people.mira.id, { profile: "friends" }),
  );
  expect((await get(`/files/pictures/${uploadId}`, "noor")).statusCode).toBe(404);
});

describe("file", () => {
  test("in a private group reaches its members only, revalidated each time", async () => {
    const group = await createTestGroup(database, people, { visibility: "private" });
    const url = await upload(people.mira, "the key is under the pot", { groupId: group.id });
    for (const nobody of [null, "noor"]) {
      const answer = await get(url, nobody);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers.etag).toBeUndefined();
      expect(answer.body).not.toContain("note.txt");
    }
    const member = await get(url, "tomas");
    expect(member.body).toBe("the key is under the pot");
    expect(member.headers).toMatchObject({
      "cache-control": "private, max-age=3600",
      vary: "Cookie",
      "content-type": "text/plain; charset=utf-8",
    });
    expect((await get(url, "noor", { "if-none-match": String(member.headers.etag) })).statusCode).toBe(404);
  });

  test.each(["nonsense", "01900000-0000-7000-8000-000000000000", "%00"])(
    "returns 404 if missing: %s",
    async (id) => {
      expect((await get(`/files/${id}`)).statusCode).toBeGreaterThanOrEqual(400);
      expect((await get(`/files/pictures/${id}`, "mira")).statusCode).toBeLessThan(500);
    },
  );

  test("can be requested in ranges", async () => {
    const url = await upload(people.mira, "0123456789");
    const part = async (range: string, more = {}) => {
      const { statusCode, headers, body } = await get(url, null, { range, ...more });
      return [statusCode, headers["content-range"], body];
    };
    expect(await part("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
    expect(await part("bytes=7-")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await part("bytes=-3")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await part("bytes=5-99")).toEqual([206, "bytes 5-9/10", "56789"]);
    expect((await part("bytes=10-")).slice(0, 2)).toEqual([416, "bytes */10"]);
    expect((await part("bytes=-0")).slice(0, 2)).toEqual([416, "bytes */10"]);
    for (const all of ["bytes=4-2", "bytes=0-1,3-4", "lines=1-2", "bytes=-"])
      expect(await part(all)).toEqual([200, undefined, "0123456789"]);
    expect(await part("bytes=2-4", { "if-range": '"another"' })).toEqual([200, undefined, "0123456789"]);
  });

  test("reports its size to HEAD without a body", async () => {
    const url = await upload(people.mira, "0123456789");
    const { statusCode, headers, body } = await get(url, null, {}, "HEAD");
    expect([statusCode, headers["content-length"], body]).toEqual([200, "10", ""]);
  });

  test.each([
    ["text/html", "attachment"],
    ["image/svg+xml", "attachment"],
    ["application/pdf", "attachment"],
    ["text/plain", "inline"],
    ["audio/ogg", "inline"],
    ["image/png", "inline"],
  ])("with type %s has the content type %s and cannot run scripts", async (mime, how) => {
    const answer = await get(
      await upload(people.mira, "<script>alert(1)</script>", { mime, fileName: "a.b" }),
    );
    expect(answer.headers["content-disposition"]).toMatch(new RegExp(`^${how}; filename="a.b"`));
    expect(answer.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
  });

  test("keeps its name with any characters", async () => {
    const answer = await get(await upload(people.mira, "x", { fileName: 'Grüße "an" alle (Öl).txt' }));
    expect(answer.headers["content-disposition"]).toBe(
      `inline; filename="Gr__e 'an' alle (_l).txt"; ` +
        `filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22an%22%20alle%20%28%C3%96l%29.txt`,
    );
  });

  test("stays visible to its owner only while unused", async () => {
    const { hash, size } = await storage.put(Readable.from(Buffer.from("draft")), 100);
    const { id } = await database.inTransaction((tx) =>
      recordUpload(tx, people.mira, { hash, size, mime: "text/plain", fileName: "d.txt" }),
    );
    expect((await get(`/files/${id}`, "mira")).statusCode).toBe(200);
    expect((await get(`/files/${id}`, "ada")).statusCode).toBe(404);
    expect((await get(`/files/${id}`)).statusCode).toBe(404);
    expect((await get(`/files/pictures/${id}`, "mira")).statusCode).toBe(404);
  });
});

test("a private community shows guests nothing and forbids shared caches", async () => {
  const url = await upload(people.mira, "open");
  audience = "private";
  expect((await get(url)).statusCode).toBe(404);
  expect((await get(url, "noor")).headers["cache-control"]).toBe("private, max-age=3600");
});

test("an ended session counts as a guest", async () => {
  const group = await createTestGroup(database, people, { visibility: "private" });
  const url = await upload(people.mira, "inside", { groupId: group.id });
  expect((await get(url, "ended")).statusCode).toBe(404);
});

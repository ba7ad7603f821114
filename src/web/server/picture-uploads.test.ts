import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import {
  deletePost,
  editPost,
  type NewPicture,
  draftTargets,
  getPost,
  purgeOrphanedUploads,
} from "#community/discussions";
import { blockPerson } from "#community/friends";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { toEnglish } from "#platform/messages";
import { createHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { createLog } from "#platform/log";
import { createFolderStorage } from "#platform/storage";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
  type TestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import type { WebContext } from "../web-context.ts";
import { serveFiles } from "./serve-files.ts";
import { servePictureUploads } from "./picture-uploads.ts";
import { startNamedSessions } from "../../../test/support/accounts/named-sessions.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-uploads-"));
const storage = createFolderStorage(folder);
let people: TestUsers;

const app = {
  database,
  db,
  storage,
  limits: new Limits(),
  origin: () => "http://localhost",
  now: () => database.clock.at,
  settings: { get: async () => ({ audience: "public" }) },
} as unknown as WebContext;
const server = createHttpServer({ log: createLog("silent"), trustProxy: false });
await serveFiles(server, app);
await servePictureUploads(server, app, async (locale, message) =>
  locale === "en" ? toEnglish(message) : `${locale}: ${toEnglish(message)}`,
);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  people = await createTestUsers(database);
  await startNamedSessions(database, people);
  app.limits = new Limits();
});

const picture = (width = 3_000) =>
  sharp({ create: { width, height: 300, channels: 3, background: "teal" } })
    .withExif({ IFD3: { GPSLatitude: "51/1 0/1 0/1" } })
    .jpeg()
    .toBuffer();
const send = (
  as: string | null,
  at: string,
  payload: Buffer | Readable,
  headers: Record<string, string> = {},
) =>
  server.inject({
    method: "POST",
    url: `/uploads/pictures?place=${at}`,
    payload,
    headers: { "content-type": "image/jpeg", ...(as && { cookie: `kith_session=${as}` }), ...headers },
  });
const seen = async (as: string | null, address: string) =>
  (await server.inject({ method: "GET", url: address, headers: as ? { cookie: `kith_session=${as}` } : {} }))
    .statusCode;

/** Sets up Tomas's private group, Mira's discussion in it, and a picture of hers that is in no post yet. */
async function setting(visibility: "public" | "private" = "private") {
  const group = await createTestGroup(database, people, { visibility });
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const at = draftTargets.discussion(discussion.id);
  const { id, address } = (await send("mira", at, await picture())).json<NewPicture>();
  return { group, discussion, at, id, address };
}

describe("picture uploaded for a text", () => {
  test("gets re-encoded without location data, at most 2000 pixels wide", async () => {
    const { at } = await setting();
    const answer = await send("mira", at, await picture());
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ width: 2_000, height: 200 });
    const storedPicture = await server.inject({
      url: answer.json<NewPicture>().address,
      headers: { cookie: "kith_session=mira" },
    });
    const facts = await sharp(storedPicture.rawPayload).metadata();
    expect(facts).toMatchObject({ format: "webp", width: 2_000 });
    expect(facts.exif).toBeUndefined();
  });

  test("must come from a person who may write, and from our own pages", async () => {
    const { at, group } = await setting();
    const bytes = await picture(100);
    expect((await send(null, at, bytes)).json()).toEqual({
      refused: { message: "Sign in first.", reason: "not-signed-in" },
    });
    expect((await send(null, at, bytes, { "accept-language": "de" })).json()).toMatchObject({
      refused: { message: "de: Sign in first." },
    });
    expect((await send("noor", at, bytes)).statusCode).toBe(404);
    expect((await send("noor", draftTargets.group(group.id), bytes)).statusCode).toBe(403);
    expect((await send("mira", "nowhere", bytes)).statusCode).toBe(404);
    expect((await send("mira", at, bytes, { origin: "https://evil.example" })).statusCode).toBe(403);
    expect((await send("mira", draftTargets.group(group.id), bytes)).statusCode).toBe(200);
  });

  test.each([
    ["text", Buffer.from("no picture at all")],
    ["empty", Buffer.alloc(0)],
    [
      "an SVG with a script",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ["a truncated picture", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])],
  ])("is refused if the body is %s", async (_, bytes) => {
    const { at } = await setting();
    expect((await send("mira", at, bytes)).statusCode).toBe(415);
  });

  test("gets refused over 10 MB, with or without content-length", async () => {
    const { at } = await setting();
    expect((await send("mira", at, Buffer.alloc(10_000_001))).statusCode).toBe(413);
    const unending = Readable.from(
      (function* () {
        for (let i = 0; i < 12; i += 1) yield Buffer.alloc(1_000_000);
      })(),
    );
    expect((await send("mira", at, unending)).statusCode).toBe(413);
  });

  test("counts towards a limit of ten a minute and towards the member's quota", async () => {
    const { at } = await setting();
    const bytes = await picture(50);
    for (let i = 0; i < 9; i += 1) expect((await send("mira", at, bytes)).statusCode).toBe(200);
    const tooMany = await send("mira", at, bytes);
    expect(tooMany.statusCode).toBe(429);
    expect(Number(tooMany.headers["retry-after"])).toBeGreaterThan(0);
    await run(db, sql`update uploads set size = 1000000000 where id = (select id from uploads limit 1)`);
    app.limits = new Limits();
    expect((await send("mira", at, bytes)).statusCode).toBe(413);
  });
});

describe("picture in a post", () => {
  test("is visible to its uploader before the post is sent, then to all readers of the post", async () => {
    const { discussion, address, group } = await setting();
    expect([await seen("mira", address), await seen("tomas", address), await seen(null, address)]).toEqual([
      200, 404, 404,
    ]);
    const { id } = await createTestReply(database, people.mira, discussion.id, {
      body: `Look:\n\n![A bed](${address})`,
    });
    expect((await getPost(db, people.tomas, id)).html).toContain(
      `<img src="${address}" alt="A bed" width="2000" height="200"`,
    );
    for (const [who, status] of [
      ["mira", 200],
      ["tomas", 200],
      ["noor", 404],
      ["ines", 404],
      ["ada", 404],
      [null, 404],
    ] as const)
      expect([who, await seen(who, address)]).toEqual([who, status]);
    await run(db, sql`update groups set visibility = 'public', join_policy = 'open' where id = ${group.id}`);
    expect(await seen(null, address)).toBe(200);
    await within((tx) => blockPerson(tx, people.mira, { personId: people.noor.id }));
    expect(await seen("noor", address)).toBe(404);
    await within((tx) => deletePost(tx, people.mira, { postId: id }));
    expect(await seen("tomas", address)).toBe(404);
  });

  test("cannot be a picture of another person or of another post", async () => {
    const { discussion, address } = await setting();
    const html = async (by: "mira" | "tomas") => {
      const { id } = await createTestReply(database, people[by], discussion.id, {
        body: `![A bed](${address})`,
      });
      return (await getPost(db, people[by], id)).html;
    };
    expect(await html("tomas")).toBe("<p>A bed</p>\n");
    expect(await html("mira")).toContain("<img");
    expect(await html("mira")).toBe("<p>A bed</p>\n");
  });

  test("must be the only picture in a post by a new member", async () => {
    const { group, discussion, at } = await setting();
    const newcomer = await within(async (tx) => {
      const person = await createPerson(tx, "newcomer", "member", "new");
      await setMembership(tx, group.id, person, "member");
      return person;
    });
    await startNamedSessions(database, { newcomer });
    const two = await Promise.all(
      [await picture(60), await picture(70)].map((payload) => send("newcomer", at, payload)),
    );
    const body = two.map((answer) => `![x](${answer.json<NewPicture>().address})`).join("\n\n");
    await expect(createTestReply(database, newcomer, discussion.id, { body })).rejects.toMatchObject({
      reason: "invalid",
    });
    const { id } = await createTestReply(database, newcomer, discussion.id, {
      body: body.split("\n\n")[1]!,
    });
    expect((await getPost(db, newcomer, id)).html!.match(/<img/g)).toHaveLength(1);
  });

  test("disappears when removed from the text, and its file is deleted after two days", async () => {
    const { discussion, id, address } = await setting();
    const post = await createTestReply(database, people.mira, discussion.id, {
      body: `![A bed](${address})`,
    });
    const left = () => many(db, sql`select from uploads where id = ${id}`);
    const age = (days: number) =>
      run(db, sql`update uploads set created_at = ${addMilliseconds(database.clock.at, -days * DAY)}`);
    await age(3);
    expect(await purgeOrphanedUploads(app)).toBe(0);
    await within((tx) => editPost(tx, people.mira, { postId: post.id, version: 1, body: "No picture." }));
    expect([await seen("tomas", address), await seen("mira", address)]).toEqual([404, 200]);
    await age(1);
    expect(await purgeOrphanedUploads(app)).toBe(0);
    const [{ hash }] = (await many(db, sql<{ hash: string }>`select hash from uploads where id = ${id}`)) as [
      { hash: string },
    ];
    await age(3);
    expect(await purgeOrphanedUploads(app)).toBe(1);
    expect(await left()).toEqual([]);
    expect(await storage.sizeOf(hash)).toBeNull();
  });

  test("keeps its file while another upload has the same bytes", async () => {
    const { at, id } = await setting();
    const twin = (await send("mira", at, await picture())).json<NewPicture>();
    await run(
      db,
      sql`update uploads set created_at = ${addMilliseconds(database.clock.at, -3 * DAY)} where id = ${id}`,
    );
    expect(await purgeOrphanedUploads(app)).toBe(1);
    expect(await seen("mira", twin.address)).toBe(200);
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import { GUEST, type SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { ADMIN, createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";
import { HEADER_STYLES } from "#community/common";
import { createProfilePictureStore, getPerson, getPicture, removePersonPicture } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const folder = await mkdtemp(join(tmpdir(), "kith-pictures-"));
afterAll(() => rm(folder, { recursive: true }));
const storage = createFolderStorage(folder);
const pictures = createProfilePictureStore({ database, storage });

/** A picture whose left half is red and whose right half is blue, with a location in its EXIF data. */
const photo = async () =>
  sharp({ create: { width: 600, height: 600, channels: 3, background: "red" } })
    .composite([
      { input: { create: { width: 300, height: 600, channels: 3, background: "blue" } }, left: 300, top: 0 },
    ])
    .withExif({ IFD0: { Copyright: "secret place" } })
    .jpeg()
    .toBuffer();
const stored = async (viewer: SignedIn, uploadId: string) =>
  buffer(await storage.open((await getPicture(database.db, viewer, uploadId)).hash));

describe("profile photo", () => {
  test("becomes a 400 × 400 WebP with the chosen crop and without metadata", async () => {
    const ana = await app.member({ username: "ana" });
    const { uploadId } = await pictures.setPhoto(ana, ana.id, {
      bytes: await photo(),
      crop: { x: 1, y: 0.5, zoom: 2 },
      alt: "Me, in blue",
    });
    const bytes = await stored(ana, uploadId);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 400, height: 400 });
    expect(bytes.includes("secret place")).toBe(false);
    expect((await sharp(bytes).stats()).dominant.b).toBeGreaterThan(200);
    expect(await getPerson(database.db, ana, "ana")).toMatchObject({
      photoId: uploadId,
      photoAlt: "Me, in blue",
    });
  });

  test("remains after a failed upload, and is left for cleanup when removed", async () => {
    const ana = await app.member({ username: "ana" });
    const { uploadId } = await pictures.setPhoto(ana, ana.id, { bytes: await photo() });
    await expect(pictures.setPhoto(ana, ana.id, { bytes: Buffer.from("no picture") })).rejects.toMatchObject({
      reason: "wrong-type",
    });
    expect(await getPerson(database.db, ana, "ana")).toMatchObject({ photoId: uploadId });
    await pictures.removePhoto(ana, ana.id);
    expect(await getPerson(database.db, ana, "ana")).toMatchObject({ photoId: null });
    expect(await one(database.db, sql`select attached_kind from uploads where id = ${uploadId}`)).toEqual({
      attached_kind: null,
    });
    await expect(getPicture(database.db, ana, uploadId)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("refuses files over 8 MB, long alt text, and changes by anyone but the owner and admins", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const bytes = await photo();
    await expect(pictures.setPhoto(ana, ana.id, { bytes: Buffer.alloc(8_000_001) })).rejects.toMatchObject({
      reason: "too-large",
    });
    await expect(pictures.setPhoto(ana, ana.id, { bytes, alt: "a".repeat(1_501) })).rejects.toMatchObject({
      fields: { alt: expect.any(String) },
    });
    await expect(pictures.setPhoto(ben, ana.id, { bytes })).rejects.toMatchObject({ reason: "not-found" });
    await expect(pictures.removePhoto(ben, ana.id)).rejects.toMatchObject({ reason: "not-found" });
    await pictures.setPhoto(ADMIN, ana.id, { bytes });
  });

  test("appears wherever the name does, except for people the owner blocked", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const { uploadId } = await pictures.setPhoto(ana, ana.id, { bytes: await photo() });
    expect(await getPicture(database.db, GUEST, uploadId)).toMatchObject({
      mime: "image/webp",
      size: expect.any(Number),
    });
    await run(database.db, sql`insert into blocks values (${ana.id}, ${ben.id}, now())`);
    await expect(getPicture(database.db, ben, uploadId)).rejects.toMatchObject({ reason: "not-found" });
    await expect(getPicture(database.db, ben, "nonsense")).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("picture alt text", () => {
  test("can be changed without uploading a new picture", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const { uploadId } = await pictures.setPhoto(ana, ana.id, { bytes: await photo(), alt: "Me" });
    await pictures.describePhoto(ana, ana.id, " Me, in red ");
    expect(await getPerson(database.db, ana, "ana")).toMatchObject({
      photoId: uploadId,
      photoAlt: "Me, in red",
    });
    await expect(pictures.describePhoto(ana, ana.id, "a".repeat(1_501))).rejects.toMatchObject({
      fields: { words: expect.any(String) },
    });
    await expect(pictures.describePhoto(ben, ana.id, "Mine")).rejects.toMatchObject({ reason: "not-found" });
    await expect(pictures.describeHeader(ana, ana.id, "None")).rejects.toMatchObject({ reason: "conflict" });
  });
});

describe("removing another person's picture", () => {
  test("requires an admin and a reason, which is logged and emailed to the owner", async () => {
    await app.member({ username: "admin", id: ADMIN.id, role: "admin" });
    const [ana, mod] = [
      await app.member({ username: "ana" }),
      await app.member({ username: "mod", role: "moderator" }),
    ];
    const { uploadId } = await pictures.setPhoto(ana, ana.id, { bytes: await photo() });
    const removal = { personId: ana.id, which: "photo", reason: "It shows somebody else." } as const;
    for (const viewer of [ana, mod, { ...ADMIN, limited: true }])
      await expect(removePersonPicture(app, viewer, removal)).rejects.toMatchObject({
        reason: "not-found",
      });
    await expect(removePersonPicture(app, ADMIN, { ...removal, reason: " " })).rejects.toMatchObject({
      fields: { reason: expect.any(String) },
    });
    await expect(removePersonPicture(app, ADMIN, { ...removal, which: "header" })).rejects.toMatchObject({
      reason: "not-found",
    });
    await removePersonPicture(app, ADMIN, removal);
    expect(await getPerson(database.db, ana, "ana")).toMatchObject({ photoId: null, photoAlt: "" });
    await expect(getPicture(database.db, ana, uploadId)).rejects.toMatchObject({ reason: "not-found" });
    expect(await one(database.db, sql`select act, actor_id, object_id, reason from audit_events`)).toEqual({
      act: "person.photo-removed",
      actor_id: ADMIN.id,
      object_id: ana.id,
      reason: removal.reason,
    });
    expect((await app.mailTo("ana@example.org"))?.text).toContain(removal.reason);
    await expect(removePersonPicture(app, ADMIN, removal)).rejects.toMatchObject({
      reason: "not-found",
    });
  });
});

describe("profile header", () => {
  test("measures 1500 × 500 and is visible to those who may read the profile", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const { uploadId } = await pictures.setHeader(ana, ana.id, { bytes: await photo(), alt: "Beans" });
    expect(await sharp(await stored(ben, uploadId)).metadata()).toMatchObject({ width: 1500, height: 500 });
    expect(await getPerson(database.db, ben, "ana")).toMatchObject({
      about: { header: { id: uploadId, alt: "Beans" } },
    });
    await expect(getPicture(database.db, GUEST, uploadId)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("gets replaced when the owner chooses a background style", async () => {
    const ana = await app.member({ username: "ana" });
    await pictures.setHeader(ana, ana.id, { bytes: await photo() });
    await expect(pictures.setHeaderStyle(ana, ana.id, "plaid")).rejects.toMatchObject({
      fields: { style: expect.any(String) },
    });
    await pictures.setHeaderStyle(ana, ana.id, HEADER_STYLES[2]);
    expect(await getPerson(database.db, ana, "ana")).toMatchObject({
      about: { header: { id: null, style: HEADER_STYLES[2] } },
    });
  });
});

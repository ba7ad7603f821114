import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { createFolderStorage } from "#platform/storage";
import { getGroup, removeGroupPicture, setGroupHeaderStyle, setGroupPicture } from "#community/groups";
import { getFile } from "#community/resources";
import { createTestGroup, setMembership, createTestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-group-pictures-"));
afterAll(() => rm(folder, { recursive: true }));
const app = { database, storage: createFolderStorage(folder) };
const bytes = await sharp({ create: { width: 600, height: 600, channels: 3, background: "teal" } })
  .png()
  .toBuffer();

describe("group pictures", () => {
  test("can be set by moderators, and are shown wherever the group is visible", async () => {
    const people = await createTestUsers(database);
    const { tomas, mira, noor, guest } = people;
    const group = await createTestGroup(database, people, { visibility: "secret" });
    for (const who of [mira, guest, noor])
      await expect(setGroupPicture(app, who, group.id, "cover", { bytes })).rejects.toHaveProperty("reason");
    await setGroupPicture(app, tomas, group.id, "cover", { bytes, alt: "A gate" });
    await within((tx) => setMembership(tx, group.id, mira, "moderator"));
    await setGroupPicture(app, mira, group.id, "photo", { bytes });
    const seen = await getGroup(db, mira, group.id);
    expect(seen).toMatchObject({ headerAlt: "A gate", photoAlt: "" });
    expect(await getFile(db, mira, seen.headerId!)).toMatchObject({ mime: "image/webp", open: false });
    await getFile(db, mira, seen.photoId!);
    await expect(getFile(db, noor, seen.headerId!)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("get deleted when a background replaces them", async () => {
    const people = await createTestUsers(database);
    const { tomas, mira, noor } = people;
    const group = await createTestGroup(database, people);
    await setGroupPicture(app, tomas, group.id, "cover", { bytes });
    const { headerId } = await getGroup(db, noor, group.id);
    await getFile(db, noor, headerId!);
    await expect(within((tx) => setGroupHeaderStyle(tx, mira, group.id, "dusk"))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => setGroupHeaderStyle(tx, tomas, group.id, "lava"))).rejects.toMatchObject({
      reason: "invalid",
    });
    await within((tx) => setGroupHeaderStyle(tx, tomas, group.id, "dusk"));
    expect(await getGroup(db, noor, group.id)).toMatchObject({ headerId: null, headerStyle: "dusk" });
    await expect(getFile(db, noor, headerId!)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => removeGroupPicture(tx, tomas, group.id, "photo"));
    await expect(within((tx) => removeGroupPicture(tx, mira, group.id, "photo"))).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { openFolder } from "#platform/storage";
import { groupFor, removeGroupPicture, setGroupGround, setGroupPicture } from "#community/groups";
import { fileFor } from "#community/resources";
import { aGroup, bring, cast } from "./cast.ts";
import { testDatabase } from "./setup/database.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-group-pictures-"));
afterAll(() => rm(folder, { recursive: true }));
const house = { database, storage: openFolder(folder) };
const bytes = await sharp({ create: { width: 600, height: 600, channels: 3, background: "teal" } })
  .png()
  .toBuffer();

describe("group pictures", () => {
  test("can be set by moderators, and show wherever the group is visible", async () => {
    const people = await cast(database);
    const { tomas, mira, noor, guest } = people;
    const group = await aGroup(database, people, { visibility: "secret" });
    for (const who of [mira, guest, noor])
      await expect(setGroupPicture(house, who, group.id, "cover", { bytes })).rejects.toHaveProperty("reason");
    await setGroupPicture(house, tomas, group.id, "cover", { bytes, alt: "A gate" });
    await within((tx) => bring(tx, group.id, mira, "moderator"));
    await setGroupPicture(house, mira, group.id, "photo", { bytes });
    const seen = await groupFor(db, mira, group.id);
    expect(seen).toMatchObject({ headerAlt: "A gate", photoAlt: "" });
    expect(await fileFor(db, mira, seen.headerId!)).toMatchObject({ mime: "image/webp", open: false });
    await fileFor(db, mira, seen.photoId!);
    await expect(fileFor(db, noor, seen.headerId!)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("give way to a background, and are deleted then", async () => {
    const people = await cast(database);
    const { tomas, mira, noor } = people;
    const group = await aGroup(database, people);
    await setGroupPicture(house, tomas, group.id, "cover", { bytes });
    const { headerId } = await groupFor(db, noor, group.id);
    await fileFor(db, noor, headerId!);
    await expect(within((tx) => setGroupGround(tx, mira, group.id, "dusk"))).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(within((tx) => setGroupGround(tx, tomas, group.id, "lava"))).rejects.toMatchObject({ reason: "invalid" });
    await within((tx) => setGroupGround(tx, tomas, group.id, "dusk"));
    expect(await groupFor(db, noor, group.id)).toMatchObject({ headerId: null, headerStyle: "dusk" });
    await expect(fileFor(db, noor, headerId!)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => removeGroupPicture(tx, tomas, group.id, "photo"));
    await expect(within((tx) => removeGroupPicture(tx, mira, group.id, "photo"))).rejects.toMatchObject({ reason: "not-allowed" });
  });
});

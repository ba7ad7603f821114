import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { getPerson } from "#community/accounts";
import { getGroup, listMembers } from "#community/groups";
import { many, one, run, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import { createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createBot, deleteBot, getBot, listBots, removeBotPhoto, renameBot, setBotPhoto } from "./index.ts";

const database = await testDatabase();
const { db } = database;
const act = database.inTransaction.bind(database);
const folder = await mkdtemp(join(tmpdir(), "kith-bots-"));
afterAll(() => rm(folder, { recursive: true }));
const app = { database, storage: createFolderStorage(folder) };

async function setUp() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const { id } = await act((tx) => createBot(tx, people.tomas, { groupId: group.id, name: "Builds" }));
  return { ...people, groupId: group.id, target: { groupId: group.id, botId: id } };
}

describe("bot", () => {
  test("has an account without address and password, not listed or counted as a member", async () => {
    const { tomas, mira, groupId, target } = await setUp();
    const { state, email, password, username } = await one(
      db,
      sql<Record<string, string | null>>`
        select state, email, password_hash as password, username from people where id = ${target.botId}`,
    );
    expect([state, email, password]).toEqual(["bot", null, null]);
    const group = await getGroup(db, tomas, groupId);
    expect(group.membersCount).toBe(2);
    expect(group.faces.map(({ id }) => id)).not.toContain(target.botId);
    const { rows } = await listMembers(db, mira, group, {});
    expect(rows.map(({ id }) => id)).not.toContain(target.botId);
    await expect(getPerson(db, mira, username!)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("can be made, renamed and deleted by owners of the group only", async () => {
    const { tomas, mira, ada, groupId, target } = await setUp();
    for (const viewer of [mira, ada]) {
      for (const command of [
        () => act((tx) => createBot(tx, viewer, { groupId, name: "Spam" })),
        () => act((tx) => renameBot(tx, viewer, { ...target, name: "Spam" })),
        () => act((tx) => deleteBot(tx, viewer, target)),
        () => listBots(db, viewer, { groupId }),
        () => getBot(db, viewer, target),
      ])
        await expect(command()).rejects.toMatchObject({ reason: "not-allowed" });
    }
    await act((tx) => renameBot(tx, tomas, { ...target, name: "Releases" }));
    expect(await listBots(db, tomas, { groupId })).toMatchObject([
      { id: target.botId, name: "Releases", isBot: true },
    ]);
    await act((tx) => deleteBot(tx, tomas, target));
    expect(await listBots(db, tomas, { groupId })).toEqual([]);
    await expect(getBot(db, tomas, target)).rejects.toMatchObject({ reason: "not-found" });
    expect(await many(db, sql`select from memberships where person_id = ${target.botId}`)).toEqual([]);
    expect(await many(db, sql`select display_name as name from people where id = ${target.botId}`)).toEqual([
      { name: "Releases" },
    ]);
    expect(await many(db, sql`select act from audit_events where act like 'bot.%' order by id`)).toEqual(
      ["bot.created", "bot.changed", "bot.deleted"].map((it) => ({ act: it })),
    );
  });

  test("has a photo that its owners set and remove, attached to the group", async () => {
    const { tomas, mira, groupId, target } = await setUp();
    const background = { width: 500, height: 500, channels: 3, background: "teal" } as const;
    const bytes = await sharp({ create: background }).png().toBuffer();
    await expect(setBotPhoto(app, mira, target, { bytes })).rejects.toMatchObject({ reason: "not-allowed" });
    await setBotPhoto(app, tomas, target, { bytes, alt: "A gear" });
    const { photoId, photoAlt } = await getBot(db, tomas, target);
    expect(photoAlt).toBe("A gear");
    const listPlaces = () =>
      many(db, sql`select attached_kind as kind, attached_id as id from uploads where id = ${photoId}`);
    expect(await listPlaces()).toEqual([{ kind: "group", id: groupId }]);
    await expect(act((tx) => removeBotPhoto(tx, mira, target))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await act((tx) => removeBotPhoto(tx, tomas, target));
    expect(await getBot(db, tomas, target)).toMatchObject({ photoId: null, photoAlt: "" });
    expect(await listPlaces()).toEqual([{ kind: null, id: null }]);
  });

  test("belongs to one group, of which ten are the most", async () => {
    const { tomas, mira, groupId, target } = await setUp();
    const other = await createTestGroup(database, { tomas, mira }, { name: "Other" });
    await expect(getBot(db, tomas, { ...target, groupId: other.id })).rejects.toMatchObject({
      reason: "not-found",
    });
    for (let n = 2; n <= 10; n++) await act((tx) => createBot(tx, tomas, { groupId, name: `Bot ${n}` }));
    await expect(act((tx) => createBot(tx, tomas, { groupId, name: "Bot 11" }))).rejects.toMatchObject({
      reason: "conflict",
    });
    await run(db, sql`update groups set state = 'archived' where id = ${groupId}`);
    await expect(listBots(db, tomas, { groupId })).rejects.toMatchObject({ reason: "not-allowed" });
  });
});

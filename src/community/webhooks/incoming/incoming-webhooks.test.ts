import { describe, expect, test } from "vitest";
import { createBot, deleteBot, listBots } from "#community/bots";
import type { SignedIn } from "#community/rules";
import { DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import {
  createTestUsers,
  createTestDiscussion,
  createTestGroup,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  changeIncomingWebhook,
  createIncomingWebhook,
  deleteIncomingWebhook,
  getIncomingWebhook,
  IncomingWebhookForm,
  listIncomingWebhooks,
  pauseIncomingWebhook,
  rotateIncomingWebhook,
} from "../index.ts";

const database = await testDatabase();
const { db } = database;
const act = database.inTransaction.bind(database);

async function setUp() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const bot = await act((tx) => createBot(tx, people.tomas, { groupId: group.id, name: "Builds" }));
  return { ...people, groupId: group.id, discussionId: discussion.id, botId: bot.id };
}
const form = (botId: string, discussion = "") => IncomingWebhookForm.parse({ name: "CI", botId, discussion });
const create = (viewer: SignedIn, groupId: string, botId: string, discussion = "") =>
  act((tx) => createIncomingWebhook(tx, viewer, { groupId, ...form(botId, discussion) }));

describe("incoming webhook", () => {
  test("has a token that scanners find, stored as a hash", async () => {
    const { tomas, groupId, botId, discussionId } = await setUp();
    const address = `https://kith.example.org/discussions/${discussionId}?page=2#post-3`;
    const { id, token } = await create(tomas, groupId, botId, address);
    expect(token).toMatch(/^kith_hook_[0-9A-Za-z]{36}$/);
    const { row } = await one(
      db,
      sql<{ row: string }>`select incoming_webhooks::text as row from incoming_webhooks`,
    );
    expect(row).not.toContain(token);
    expect(await listIncomingWebhooks(db, tomas, { groupId })).toMatchObject([
      {
        id,
        name: "CI",
        bot: { id: botId, name: "Builds", isBot: true },
        discussion: { id: discussionId },
        messages: 0,
      },
    ]);
    expect(await many(db, sql`select act from audit_events where act like 'incoming%'`)).toEqual([
      { act: "incoming_webhook.created" },
    ]);
  });

  test("can be managed by owners of its group only", async () => {
    const { tomas, mira, noor, groupId, botId } = await setUp();
    const { id: webhookId } = await create(tomas, groupId, botId);
    const target = { groupId, webhookId };
    for (const viewer of [mira, noor]) {
      await expect(create(viewer, groupId, botId)).rejects.toMatchObject({ reason: "not-allowed" });
      await expect(getIncomingWebhook(db, viewer, target)).rejects.toMatchObject({ reason: "not-allowed" });
      for (const command of [
        () => act((tx) => changeIncomingWebhook(tx, viewer, { ...target, ...form(botId) })),
        () => act((tx) => rotateIncomingWebhook(tx, viewer, target)),
        () => act((tx) => pauseIncomingWebhook(tx, viewer, { ...target, paused: true })),
        () => act((tx) => deleteIncomingWebhook(tx, viewer, target)),
      ])
        await expect(command()).rejects.toMatchObject({ reason: "not-allowed" });
    }
    const other = await createTestGroup(database, { tomas, mira }, { name: "Other" });
    await expect(getIncomingWebhook(db, tomas, { groupId: other.id, webhookId })).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("needs a bot and a discussion of its group", async () => {
    const { tomas, mira, groupId, botId } = await setUp();
    const other = await createTestGroup(database, { tomas, mira }, { name: "Other" });
    const elsewhere = await createTestDiscussion(database, mira, other.id);
    await expect(create(tomas, other.id, botId)).rejects.toMatchObject({
      fields: { botId: expect.any(String) as string },
    });
    await expect(create(tomas, groupId, botId, elsewhere.id)).rejects.toMatchObject({
      fields: { discussion: expect.any(String) as string },
    });
    for (const wrong of ["beans", "https://kith.example.org/groups/beans"])
      expect(IncomingWebhookForm.safeParse({ name: "CI", botId, discussion: wrong }).success).toBe(false);
  });

  test("accepts the previous token for a day after a rotation", async () => {
    const { tomas, groupId, botId } = await setUp();
    const { id: webhookId, token } = await create(tomas, groupId, botId);
    const next = await act((tx) => rotateIncomingWebhook(tx, tomas, { groupId, webhookId }));
    expect(next).not.toBe(token);
    const { previousUntil } = await getIncomingWebhook(db, tomas, { groupId, webhookId });
    expect(previousUntil!.getTime()).toBe(database.clock.at.getTime() + DAY);
  });

  test("limit is twenty per group", async () => {
    const { tomas, groupId, botId } = await setUp();
    await create(tomas, groupId, botId);
    await run(
      db,
      sql`insert into incoming_webhooks (id, group_id, bot_id, name, starts_discussions, token_hash, created_at)
        select gen_random_uuid(), group_id, bot_id, name, true, decode(md5(n::text), 'hex'), created_at
        from incoming_webhooks, generate_series(1, 19) n`,
    );
    await expect(create(tomas, groupId, botId)).rejects.toMatchObject({ reason: "conflict" });
  });

  test("ends with its bot", async () => {
    const { tomas, groupId, botId } = await setUp();
    await create(tomas, groupId, botId);
    await act((tx) => deleteBot(tx, tomas, { groupId, botId }));
    expect(await listIncomingWebhooks(db, tomas, { groupId })).toEqual([]);
    expect(await listBots(db, tomas, { groupId })).toEqual([]);
  });
});

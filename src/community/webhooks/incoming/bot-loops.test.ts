import { expect, test } from "vitest";
import { createBot } from "#community/bots";
import { Limits } from "#platform/limits";
import { HOUR, MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createWebhookSetup } from "../../../../test/support/webhooks/webhook-setup.ts";
import {
  admitIncomingMessage,
  createIncomingWebhook,
  IncomingWebhookForm,
  postIncomingMessage,
} from "../index.ts";

const database = await testDatabase();
const { dispatch, sendDue, hook, setUp } = createWebhookSetup(database);

/** An outgoing webhook for posts, and a bot that posts by an incoming one. */
async function setUpLoop() {
  const { tomas, groupId, discussionId } = await setUp();
  const { receiver } = await hook(tomas, groupId, ["post.created"]);
  const bot = await database.inTransaction((tx) => createBot(tx, tomas, { groupId, name: "Echo" }));
  const form = IncomingWebhookForm.parse({ name: "Echo", botId: bot.id, discussion: discussionId });
  const { token } = await database.inTransaction((tx) =>
    createIncomingWebhook(tx, tomas, { groupId, ...form }),
  );
  const app = { database, limits: new Limits(), now: () => database.clock.at };
  const target = await admitIncomingMessage(app, token);
  return { receiver, post: () => postIncomingMessage(app, target, { text: "Echo." }) };
}
const listLoopErrors = async () =>
  (
    await many(database.db, sql<{ error: string }>`select error from webhook_deliveries where state = 'cut'`)
  ).map(({ error }) => error);

test("a bot that answers each call of a webhook ends as a loop with an entry in the log", async () => {
  const { receiver, post } = await setUpLoop();
  await post();
  let rounds = 0;
  for (let before = -1; before < receiver.calls.length && rounds < 30; rounds++) {
    before = receiver.calls.length;
    await dispatch();
    await sendDue();
    if (receiver.calls.length > before) await post();
  }
  expect(receiver.calls).toHaveLength(10);
  expect(await listLoopErrors()).toEqual([
    expect.stringContaining("10 such events of one bot within a minute"),
  ]);
  expect(receiver.calls[0]!.payload).toMatchObject({
    type: "post.created",
    bot: true,
    data: { text: "Echo." },
  });
});

test("a slow loop ends after sixty calls in an hour, and the webhook is called again later", async () => {
  const { receiver, post } = await setUpLoop();
  for (let n = 0; n < 62; n++) {
    await post();
    await dispatch();
    database.clock.pass(MINUTE / 2);
  }
  await sendDue(100);
  expect(receiver.calls).toHaveLength(60);
  expect(await listLoopErrors()).toHaveLength(2);
  database.clock.pass(HOUR);
  await post();
  await dispatch();
  expect(await sendDue()).toBe(1);
});

import { createBot } from "#community/bots";
import { createIncomingWebhook, IncomingWebhookForm } from "#community/webhooks";
import { run, sql, type Tx } from "#platform/database";
import type { TestUsers } from "../test-users.ts";
import { INSIDE_WORD } from "./marker-words.ts";

/**
 * Adds a webhook of the group by its owner Tomas, with one delivery of the same id, and a bot with an incoming webhook,
 * all with a marker word.
 */
export async function addMarkedWebhook(tx: Tx, { tomas }: TestUsers, groupId: string) {
  const webhookId = tx.newId();
  await run(
    tx,
    sql`insert into webhooks (id, group_id, owner_id, name, url, events, secret, created_at)
      values (${webhookId}, ${groupId}, ${tomas.id}, ${INSIDE_WORD}, 'https://receiver.example', '{post.created}',
        '', ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into webhook_deliveries (id, webhook_id, event, object_id, change, happened_at, created_at, next_at,
        state, request_body, viewed_by)
      values (${webhookId}, ${webhookId}, 'test', ${INSIDE_WORD}, 'null', ${tx.now}, ${tx.now}, ${tx.now},
        'delivered', ${INSIDE_WORD}, ${tomas.id})`,
  );
  const { id: botId } = await createBot(tx, tomas, { groupId, name: INSIDE_WORD });
  const form = IncomingWebhookForm.parse({ name: INSIDE_WORD, botId });
  const { id: incomingWebhookId } = await createIncomingWebhook(tx, tomas, { groupId, ...form });
  return { webhookId, botId, incomingWebhookId };
}

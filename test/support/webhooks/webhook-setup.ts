import { afterEach } from "vitest";
import type { Fetcher } from "#platform/fetcher";
import { many, run, sql } from "#platform/database";
import type { PendingEvent } from "#platform/outbox";
import type { SignedIn, WebhookEvent } from "#community/rules";
import { createWebhook, queueWebhookDeliveries, WebhookForm } from "#community/webhooks";
import { claimDeliveries } from "../../../src/community/webhooks/claim-deliveries.ts";
import { recordAttempt } from "../../../src/community/webhooks/record-attempt.ts";
import { sendDelivery } from "../../../src/community/webhooks/send-delivery.ts";
import { createTestAccounts } from "../accounts/test-accounts.ts";
import type { TestDatabase } from "../setup/test-database.ts";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../test-users.ts";
import { localFetcher, type ReceivedCall, type Receiver, startReceiver } from "./receiver.ts";

export const typesOf = (calls: ReceivedCall[]) => calls.map(({ payload }) => payload.type);

/** Webhooks with receivers on this machine, dispatched and sent when a test says so. */
export function createWebhookSetup(database: TestDatabase) {
  const receivers: Receiver[] = [];
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });
  const app = { ...createTestAccounts(database), fetcher: localFetcher() as Pick<Fetcher, "exchange"> };

  /** Queues the domain events that no dispatcher has handled yet. */
  async function dispatch(handled = true) {
    const rows = await many(
      database.db,
      sql<PendingEvent>`select id, type, payload, at, done from outbox where handled_at is null order by id`,
    );
    for (const pending of rows) await queueWebhookDeliveries(database, pending);
    if (handled)
      await run(database.db, sql`update outbox set handled_at = ${database.clock.at} where ${true}`);
  }

  /** Claims and sends what is due, one round at a time; returns the number of calls. */
  async function sendDue(rounds = 20): Promise<number> {
    let sent = 0;
    for (let round = 0; round < rounds; round++) {
      const claimed = [];
      for (const failing of [false, true])
        claimed.push(...(await database.inTransaction((tx) => claimDeliveries(tx, { failing, most: 40 }))));
      if (claimed.length === 0) break;
      for (const delivery of claimed) {
        const result = await sendDelivery(app, delivery);
        await database.inTransaction((tx) => recordAttempt(tx, delivery, result));
      }
      sent += claimed.length;
    }
    return sent;
  }

  /** Creates a webhook that calls a new receiver. */
  async function hook(
    viewer: SignedIn,
    groupId: string | null,
    events: WebhookEvent[],
    more: Partial<{ tags: string; groups: string }> = {},
  ) {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const form = WebhookForm.parse({ name: "Chat", url: "https://receiver.example/hook", events, ...more });
    const { id, secret } = await database.inTransaction((tx) =>
      createWebhook(tx, app.sealer, viewer, { ...form, groupId }),
    );
    // Forms accept no port, and the receiver has one.
    await run(database.db, sql`update webhooks set url = ${receiver.url} where id = ${id}`);
    return { id, secret, receiver };
  }
  /** Creates people and a group with one discussion, whose domain events are handled. */
  async function setUp(visibility: "public" | "private" | "secret" = "public") {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility });
    const { id: discussionId, postId } = await createTestDiscussion(database, people.mira, group.id);
    await dispatch();
    return { ...people, groupId: group.id, slug: group.slug, discussionId, postId };
  }

  return { app, dispatch, sendDue, hook, setUp };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { createSealer } from "#community/accounts";
import { createWebhook, WebhookForm } from "#community/webhooks";
import { one, run, sql } from "#platform/database";
import { connectionUrl } from "../support/setup/global-setup.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { createTestGroup, createTestUsers } from "../support/test-users.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";

const database = await testDatabase();
const SEAL = Buffer.alloc(32, 7);
const OBJECTS = 30;
const CHANGES = 4;

/** Starts a process that sends webhooks; its clock is ahead by these milliseconds. */
const startSender = (ahead: number) =>
  spawn(process.execPath, ["test/support/webhooks/sender-process.ts"], {
    env: {
      ...process.env,
      DATABASE_URL: connectionUrl(database.connection),
      SEAL: SEAL.toString("base64"),
      AHEAD: String(ahead),
    },
    stdio: "inherit",
  });

test("killed process loses no webhook delivery, and another process keeps the order per object", async () => {
  database.clock.at = new Date();
  const people = await createTestUsers(database);
  const { id: groupId } = await createTestGroup(database, people);
  await run(database.db, sql`update outbox set handled_at = now() where ${true}`);
  const receiver = await startReceiver((_request, reply) => void setTimeout(() => reply.end("ok"), 5));
  const form = WebhookForm.parse({
    name: "Killed",
    url: "https://receiver.example",
    events: ["member.joined", "post.created"],
  });
  const { id: webhookId } = await database.inTransaction((tx) =>
    createWebhook(tx, createSealer(SEAL), people.tomas, { ...form, groupId }),
  );
  await run(database.db, sql`update webhooks set url = ${receiver.url} where id = ${webhookId}`);
  await run(
    database.db,
    sql`insert into webhook_deliveries (id, webhook_id, outbox_id, event, object_id, change, happened_at,
        created_at, next_at)
      select gen_random_uuid(), ${webhookId}, -n, 'change ' || n, (n % ${OBJECTS}::int)::text,
        jsonb_build_object('event', 'group.created', 'table', 'Groups', 'kind', 'created',
          'ids', jsonb_build_object('objectId', ${groupId}::text)), now(), now(), now()
      from generate_series(1, ${OBJECTS * CHANGES}::int) n`,
  );
  const killed = startSender(0);
  await expect.poll(() => receiver.calls.length, { timeout: 60_000, interval: 10 }).toBeGreaterThan(OBJECTS);
  killed.kill("SIGKILL");
  await once(killed, "close");
  const before = receiver.calls.length;
  expect(before).toBeLessThan(OBJECTS * CHANGES);
  const another = startSender(120_000);
  const left = async () =>
    (
      await one(
        database.db,
        sql<{ n: number }>`select count(*)::int as n from webhook_deliveries where state = 'pending'`,
      )
    ).n;
  await expect.poll(left, { timeout: 90_000 }).toBe(0);
  another.kill("SIGKILL");
  await once(another, "close");
  await receiver.close();

  const types = receiver.calls.map(({ payload }) => payload.type);
  expect(new Set(types).size).toBe(OBJECTS * CHANGES);
  // At most the calls that were under way at the kill are repeated.
  expect(types.length - OBJECTS * CHANGES).toBeLessThanOrEqual(4);
  const firstAt = new Map<string, number>();
  for (const [at, type] of types.entries()) if (!firstAt.has(type)) firstAt.set(type, at);
  for (let n = 1; n + OBJECTS <= OBJECTS * CHANGES; n++)
    expect(firstAt.get(`change ${n + OBJECTS}`)!).toBeLessThan(firstAt.get(`change ${n}`)!);
}, 180_000);

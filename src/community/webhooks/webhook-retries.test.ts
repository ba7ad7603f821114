import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { editPost, PostEdit } from "#community/discussions";
import { DAY, HOUR, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { createFetcher } from "#platform/fetcher";
import { createTestReply } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createWebhookSetup, typesOf } from "../../../test/support/webhooks/webhook-setup.ts";
import { getDelivery, getWebhook, listDeliveries, resumeWebhook, sendTestDelivery } from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { app, dispatch, sendDue, hook, setUp } = createWebhookSetup(database);

describe("webhook", () => {
  test("delivers changes of one object in order, without delaying other objects", async () => {
    const { tomas, mira, groupId, discussionId } = await setUp();
    const { receiver, id: webhookId } = await hook(tomas, groupId, ["post.created", "post.updated"]);
    receiver.answer = (_request, reply) => void reply.writeHead(503).end("later");
    const { id: postId } = await createTestReply(database, mira, discussionId);
    await within((tx) => editPost(tx, mira, PostEdit.parse({ postId, body: "Second.", version: 1 })));
    await dispatch();
    expect(await sendDue()).toBe(1);
    receiver.answer = (_request, reply) => void reply.end("ok");
    const { id: otherId } = await createTestReply(database, mira, discussionId);
    await dispatch();
    expect(await sendDue()).toBe(1);
    expect(receiver.calls.at(-1)!.payload.data["objectId"]).toBe(otherId);
    clock.pass(11_000);
    expect(await sendDue()).toBe(2);
    expect(typesOf(receiver.calls)).toEqual(["post.created", "post.created", "post.created", "post.updated"]);
    const ids = receiver.calls.map(({ headers }) => headers["webhook-id"]);
    expect(ids[2]).toBe(ids[0]);
    const { rows } = await listDeliveries(db, tomas, { groupId }, { webhookId });
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
      ["delivered", 1],
      ["delivered", 1],
      ["delivered", 2],
    ]);
  });

  test("delivers only after older domain events have been handled", async () => {
    const { tomas, mira, groupId, discussionId } = await setUp();
    const { receiver } = await hook(tomas, groupId, ["post.created"]);
    await createTestReply(database, mira, discussionId);
    await createTestReply(database, mira, discussionId);
    await dispatch(false);
    expect(await sendDue(1)).toBe(1);
    await dispatch();
    await sendDue();
    expect(receiver.calls).toHaveLength(2);
  });

  test("calls a failing receiver with growing delays, and pauses after three days", async () => {
    const { tomas, mira, groupId, discussionId } = await setUp();
    const { receiver, id: webhookId } = await hook(tomas, groupId, ["post.created"]);
    receiver.answer = (_request, reply) => void reply.writeHead(500).end("broken");
    await createTestReply(database, mira, discussionId);
    await createTestReply(database, mira, discussionId);
    await dispatch();
    const started = clock.at.getTime();
    const callsOn: number[] = [];
    const get = () => getWebhook(db, tomas, { groupId }, webhookId);
    for (
      ;
      (await get()).pausedAt === null && clock.at.getTime() < started + 4 * DAY;
      clock.pass(10 * MINUTE)
    ) {
      const sent = await sendDue();
      const day = Math.floor((clock.at.getTime() - started) / DAY);
      callsOn[day] = (callsOn[day] ?? 0) + sent;
    }
    expect(await get()).toMatchObject({ pausedReason: "failures" });
    expect(clock.at.getTime() - started).toBeGreaterThanOrEqual(3 * DAY);
    expect(callsOn[0]).toBeLessThan(30);
    expect(callsOn[1]).toBeLessThan(14);
    expect(await many(db, sql`select payload from outbox where type = 'webhook.paused'`)).toEqual([
      { payload: { type: "webhook.paused", webhookId, personId: tomas.id, groupId } },
    ]);
    receiver.answer = (_request, reply) => void reply.end("ok");
    const before = receiver.calls.length;
    clock.pass(HOUR);
    expect(await sendDue()).toBe(0);
    await within((tx) => resumeWebhook(tx, tomas, { groupId, webhookId }));
    // The delivery that was given up stays in the log; the other one is sent now.
    expect(await sendDue()).toBe(1);
    expect(receiver.calls).toHaveLength(before + 1);
    const { rows } = await listDeliveries(db, tomas, { groupId }, { webhookId });
    expect(rows.map(({ state }) => state).toSorted()).toEqual(["delivered", "failed"]);
  });

  test("pauses at once after a 410 response, and follows no redirect", async () => {
    const { tomas, mira, groupId, discussionId } = await setUp();
    const [gone, redirecting] = [
      await hook(tomas, groupId, ["post.created"]),
      await hook(tomas, groupId, ["post.created"]),
    ];
    gone.receiver.answer = (_request, reply) => void reply.writeHead(410).end();
    redirecting.receiver.answer = (_request, reply) =>
      void reply.writeHead(302, { location: gone.receiver.url }).end();
    await createTestReply(database, mira, discussionId);
    await dispatch();
    await sendDue();
    expect(await getWebhook(db, tomas, { groupId }, gone.id)).toMatchObject({ pausedReason: "gone" });
    expect(gone.receiver.calls).toHaveLength(1);
    const { rows } = await listDeliveries(db, tomas, { groupId }, { webhookId: redirecting.id });
    expect(rows).toMatchObject([{ state: "pending", status: 302, error: "Redirects are not followed." }]);
  });

  test("calls no address inside the network", async () => {
    const { tomas, mira, groupId, discussionId } = await setUp();
    let reached = 0;
    const inside = createServer((_request, reply) => void (reached++, reply.end("secret")));
    await new Promise<void>((listening) => inside.listen(0, "127.0.0.1", listening));
    const { id: webhookId } = await hook(tomas, groupId, ["post.created"]);
    const url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
    await run(db, sql`update webhooks set url = ${url} where id = ${webhookId}`);
    await createTestReply(database, mira, discussionId);
    await dispatch();
    const local = app.fetcher;
    app.fetcher = createFetcher();
    await sendDue().finally(() => (app.fetcher = local));
    await new Promise((closed) => inside.close(closed));
    expect(reached).toBe(0);
    const { rows } = await listDeliveries(db, tomas, { groupId }, { webhookId });
    expect(rows).toMatchObject([{ status: null, error: "The address is not public." }]);
  });

  test("truncates a long response in the log", async () => {
    const { tomas, groupId } = await setUp();
    const { receiver, id: webhookId } = await hook(tomas, groupId, ["post.created"]);
    receiver.answer = (_request, reply) => void reply.end("a".repeat(3_000_000));
    const { id: deliveryId } = await within((tx) => sendTestDelivery(tx, tomas, { groupId, webhookId }));
    await sendDue();
    const { responseBody, state } = await getDelivery(db, tomas, { groupId }, { webhookId, deliveryId });
    expect([state, responseBody!.length]).toEqual(["delivered", 10_240]);
  });
});

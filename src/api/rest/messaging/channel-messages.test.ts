import { describe, expect, test } from "vitest";
import { createMessagingContext, purgeChannels } from "#baas/messaging";
import { HOUR } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { startTestApi, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  database,
  db,
  clock,
  testApi,
  messaging,
  publishedMessages,
  type MessageInfoAnswer,
  messagingPath,
  publishMessage,
  readMessageStatus,
  cancelPublished,
  signInSdk,
} from "../../../../test/support/rest/messaging-api.ts";

describe("channel message", () => {
  test("gets delivered with every documented property", async () => {
    const answer = await messaging.publish("news", "Frost tonight");
    expect(answer).toEqual({ messageId: expect.any(String), status: "scheduled", errorMessage: null });
    expect(publishedMessages).toEqual([
      {
        channel: "news",
        message: {
          messageId: (answer as MessageInfoAnswer).messageId,
          timestamp: clock.at.getTime(),
          message: "Frost tonight",
          publisherId: null,
          subtopic: null,
          pushSinglecast: null,
          pushBroadcast: null,
          publishPolicy: null,
          templateValues: null,
          query: null,
          publishAt: 0,
          repeatEvery: 0,
          repeatExpiresAt: 0,
          headers: {},
        },
      },
    ]);
    expect(await readMessageStatus((answer as MessageInfoAnswer).messageId)).toEqual({
      ...(answer as MessageInfoAnswer),
      status: "published",
    });
    expect(await cancelPublished((answer as MessageInfoAnswer).messageId)).toEqual({
      ...(answer as MessageInfoAnswer),
      status: "published",
    });
  });

  test.each([["text"], [7], [true], [null], [[1, "a"]], [{ a: { b: null } }], [undefined]])(
    "may be any JSON: %j",
    async (message) => {
      await messaging.publish("news", message as never);
      expect(publishedMessages[0]!.message.message).toEqual(message ?? null);
    },
  );

  test("has its options, and header values as text", async () => {
    const options = {
      publisherId: "frost-watch",
      subtopic: "garden.frost",
      headers: { degrees: -3, place: "north", both: [1], none: null, sure: true },
    };
    await messaging.publish("news", "Frost", options, {
      publishPolicy: "PUBSUB",
      publishAt: clock.at.getTime() - 1,
    } as never);
    expect(publishedMessages[0]!.message).toMatchObject({
      publisherId: "frost-watch",
      subtopic: "garden.frost",
      publishPolicy: "PUBSUB",
      headers: { degrees: "-3", place: "north", both: "[1]", sure: "true" },
    });
  });

  test("has a status that reports unavailable push delivery", async () => {
    const nobody = await startTestApi(database, { channels: createMessagingContext(database, null) });
    nobody.app.channels.listeners.add((it) => publishedMessages.push(it));
    const publish = async (body: object) =>
      (await nobody.call("POST", messagingPath("news"), body)) as unknown as { body: MessageInfoAnswer };
    const only = await publish({ message: "x", publishPolicy: "PUSH", pushSinglecast: ["phone"] });
    expect(only.body).toMatchObject({
      status: "failed",
      errorMessage: expect.stringContaining("Not pushed"),
    });
    expect([publishedMessages.length, await readMessageStatus(only.body.messageId)]).toEqual([0, only.body]);
    const both = await publish({ message: "x", publishPolicy: "BOTH", pushBroadcast: "IOS" });
    expect(both.body).toMatchObject({
      status: "scheduled",
      errorMessage: expect.stringContaining("Not pushed"),
    });
    expect([publishedMessages.length, (await readMessageStatus(both.body.messageId)).status]).toEqual([
      1,
      "published",
    ]);
    await nobody.close();
  });

  test("passes its target devices to push delivery, but not to listeners", async () => {
    const handed: unknown[] = [];
    const channels = createMessagingContext(database, async (_tx, message) => (handed.push(message), null));
    const pushing = await startTestApi(database, { channels });
    channels.listeners.add((it) => publishedMessages.push(it));
    const answer = await pushing.sdk().Messaging.publish("news", "x", undefined, {
      pushSinglecast: ["phone"],
      publishPolicy: "BOTH",
    } as never);
    expect(answer).toMatchObject({ status: "scheduled", errorMessage: null });
    expect(handed).toMatchObject([
      { channel: "news", message: { message: "x" }, input: { pushSinglecast: ["phone"] } },
    ]);
    expect(publishedMessages[0]!.message.pushSinglecast).toBeNull();
    await pushing.close();
  });

  test.each<[string, object, string]>([
    ["invalid headers", { headers: [] }, "headers"],
    [
      "too many headers",
      { headers: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, n])) },
      "at most 50 entries",
    ],
    ["an unknown policy", { publishPolicy: "SOMETIMES" }, "PUSH, PUBSUB or BOTH"],
    ["a publisher that is too long", { publisherId: "x".repeat(251) }, "250 characters"],
    ["an invalid subtopic", { subtopic: {} }, "must be a string"],
    ["an invalid time", { publishAt: "soon" }, "time in milliseconds"],
    ["a time beyond the range of dates", { publishAt: 1e300 }, "time in milliseconds"],
    ["a time in ten years", { publishAt: Date.parse("2036-05-04") }, "within one year"],
    ["an interval of half a second", { repeatEvery: 0.5 }, "whole number"],
    ["a negative interval", { repeatEvery: -1 }, "cannot be negative"],
    [
      "an end before the beginning",
      {
        repeatEvery: 5,
        publishAt: Date.parse("2026-05-05"),
        repeatExpiresAt: Date.parse("2026-05-04T10:00Z"),
      },
      "cannot be before",
    ],
    ["more than 64 000 bytes", { message: "ü".repeat(32_000) }, "64000 bytes"],
  ])("refuses %s", async (_what, body, words) => {
    const answer = await publishMessage({ message: "x", ...body });
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(words)]);
    expect(publishedMessages).toEqual([]);
  });

  test("can be limited to members or servers", async () => {
    const ana = await signInSdk("ana");
    const who = async () => [
      (await publishMessage({ message: "x" })).status,
      await ana.Messaging.publish("news", "x").then(
        () => 200,
        ({ status: it }: { status: number }) => it,
      ),
      (await publishMessage({ message: "x" }, "news", SERVER)).status,
    ];
    expect(await who()).toEqual([200, 200, 200]);
    await testApi.set({ whoPublishes: "members" });
    expect(await who()).toEqual([403, 200, 200]);
    await run(db, sql`update people set state = 'limited'`);
    testApi.forget();
    expect(await who()).toEqual([403, 403, 200]);
    await run(db, sql`update people set state = 'active'`);
    await testApi.set({ whoPublishes: "servers" });
    testApi.forget();
    expect(await who()).toEqual([403, 403, 200]);
    await expect(testApi.sdk().Messaging.deleteChannel("news")).rejects.toMatchObject({ status: 403 });
  });
});

describe("channel", () => {
  test.each([
    "a",
    "ünï cödé 🌱",
    "a.b:c-d_e",
    "__proto__",
    "discussions",
    "x".repeat(100),
    "*",
    "a;b",
    "user",
  ])("may be named %s", async (name) => {
    expect((await publishMessage({ message: 1 }, encodeURIComponent(name))).status).toBe(200);
    expect(publishedMessages[0]!.channel).toBe(name);
    expect(await one(db, sql`select name from channels`)).toEqual({ name });
  });

  test.each([
    ["a%2Fb", 422, "Channel Name can not contain slash chars"],
    ["x".repeat(101), 422, "1 to 100 characters"],
    ["%07", 422, "control characters"],
    ["push", 422, "the API uses this name"],
    ["email", 403, "Email can be sent with the server key"],
    ["pushtemplates", 422, "the API uses this name"],
    ["discussion:1", 403, "belongs to the community"],
    ["conversation:1", 403, "belongs to the community"],
    ["user:1", 403, "belongs to the community"],
  ])("may not be named %s", async (name, code, words) => {
    const answer = await publishMessage({ message: 1 }, name);
    expect([answer.status, answer.body.message]).toEqual([code, expect.stringContaining(words)]);
    expect(publishedMessages).toEqual([]);
  });

  test("exists from its first use, and can be deleted with its scheduled messages", async () => {
    const { body } = await publishMessage({ message: 1, publishAt: clock.at.getTime() + HOUR });
    await messaging.deleteChannel("news");
    expect([await readMessageStatus(body.messageId), await many(db, sql`select 1 from channels`)]).toEqual([
      { ...body, status: "cancelled" },
      [],
    ]);
    await expect(messaging.deleteChannel("news")).rejects.toMatchObject({ code: 404 });
    await messaging.publish("news", "again");
    expect(publishedMessages).toHaveLength(1);
  });

  test("with scheduled messages of others can be deleted only by a trusted caller", async () => {
    const [ana, ben] = [await signInSdk("ana"), await signInSdk("ben")];
    await ana.Messaging.publish("news", "x", undefined, { publishAt: clock.at.getTime() + HOUR } as never);
    await expect(ben.Messaging.deleteChannel("news")).rejects.toMatchObject({ code: 409 });
    expect(await one(db, sql`select state from scheduled_messages`)).toEqual({ state: "scheduled" });
    await ana.Messaging.deleteChannel("news");
    await messaging.publish("news", "x");
    await testApi.sdk(SERVER).Messaging.deleteChannel("news");
  });

  test("gets refused beyond ten thousand channels", async () => {
    await run(
      db,
      sql`insert into channels select 'c' || n, ${clock.at}, ${clock.at} from generate_series(1, 10000) n`,
    );
    const full = await startTestApi(database);
    await expect(full.sdk().Messaging.publish("one more", "x")).rejects.toMatchObject({ code: 413 });
    expect(await full.sdk().Messaging.publish("c7", "x")).toMatchObject({ status: "scheduled" });
    await full.close();
  });

  test("expires when unused for long, and message statuses expire sooner", async () => {
    const { messageId } = (await messaging.publish("news", "x")) as MessageInfoAnswer;
    clock.pass(25 * HOUR);
    await database.inTransaction(purgeChannels);
    await expect(readMessageStatus(messageId)).rejects.toMatchObject({ code: 404 });
    await messaging.publish("news", "y");
    clock.pass(89.5 * 24 * HOUR);
    await database.inTransaction(purgeChannels);
    expect(await many(db, sql`select name from channels`)).toHaveLength(1);
    clock.pass(24 * HOUR);
    await database.inTransaction(purgeChannels);
    expect(await many(db, sql`select name from channels`)).toEqual([]);
  });
});

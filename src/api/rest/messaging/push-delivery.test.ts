import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { publishDueBatch } from "#baas/messaging";
import { requeueDuePushes, deliverPush } from "#baas/devices";
import { HOUR, addMilliseconds, MINUTE, SECOND } from "#platform/clock";
import { one, sql } from "#platform/database";
import { WebPushError } from "#platform/web-push";
import { fcmErrorDetail, fcmErrorReply } from "../../../../test/support/push-services.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { APP, CLIENT } from "../../../../test/support/rest/rest-server.ts";
import { startPushApi, registerTestDevice, SUBSCRIPTION } from "../../../../test/support/rest/push-api.ts";

const database = await testDatabase();
const { db, clock } = database;
const { phones, providers, testApi, sdk, publish, status, apple, pushedTokens, ids, crowd, forget, close } =
  await startPushApi(database);
beforeEach(forget);
afterAll(close);

const tally = (it: object) => ({ devices: 0, reached: 0, gone: 0, refused: 0, unknown: 0, ...it });

describe("unreachable device", () => {
  test.each([
    ["unregistered Apple device", "ios", { status: 410, body: { reason: "Unregistered" } }],
    ["invalid Apple token", "ios", { status: 400, body: { reason: "BadDeviceToken" } }],
    [
      "unregistered Android device",
      "android",
      fcmErrorReply(404, "NOT_FOUND", [fcmErrorDetail("UNREGISTERED")]),
    ],
  ])("gets deleted: %s", async (_what, platform, answer) => {
    await registerTestDevice(sdk, "phone", { platform });
    phones.apple.setReply("token-phone", answer);
    phones.firebase.setReply("token-phone", answer);
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect([await ids(), (await status(info)).errorMessage]).toEqual([
      [],
      "1 of 1 devices are no longer registered.",
    ]);
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(pushedTokens()).toHaveLength(1);
  });

  test("gets deleted when its browser has revoked the subscription", async () => {
    await registerTestDevice(sdk, "fox", { platform: "web", token: SUBSCRIPTION });
    phones.browsers.answer = async () => "gone";
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(await ids()).toEqual([]);
  });

  test("gets kept when it has registered again since the failure", async () => {
    await apple("a", "b");
    const before = addMilliseconds(clock.at, -HOUR).getTime();
    phones.apple.setReply("token-a", { status: 410, body: { reason: "Unregistered", timestamp: before } });
    phones.apple.setReply("token-b", async () => {
      clock.pass(SECOND);
      await apple("b");
      return { status: 410, body: { reason: "Unregistered" } };
    });
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(await ids()).toEqual(["a", "b"]);
  });
});

describe("busy push provider", () => {
  test("causes retries after growing pauses, without delaying other devices", async () => {
    await apple("a", "b");
    phones.apple.setReply("token-a", (nth) =>
      nth < 3 ? { status: 503, body: { reason: "ServiceUnavailable" } } : { status: 200 },
    );
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(pushedTokens()).toEqual(["token-a", "token-b"]);
    expect(await status(info)).toMatchObject({
      status: "scheduled",
      devices: tally({ devices: 2, reached: 1 }),
    });
    clock.pass(9 * SECOND);
    expect(await phones.work()).toBe(0);
    clock.pass(SECOND);
    await phones.work();
    clock.pass(19 * SECOND);
    expect(await phones.work()).toBe(0);
    clock.pass(SECOND);
    await phones.work();
    expect(pushedTokens()).toEqual(["token-a", "token-a", "token-a", "token-b"]);
    expect(await status(info)).toMatchObject({
      status: "published",
      errorMessage: null,
      devices: tally({ devices: 2, reached: 2 }),
    });
  });

  test("causes a retry at the time the provider names", async () => {
    await registerTestDevice(sdk, "pixel", { platform: "android" });
    const busy = {
      ...fcmErrorReply(429, "RESOURCE_EXHAUSTED", [fcmErrorDetail("QUOTA_EXCEEDED")]),
      headers: { "retry-after": "120" },
    };
    phones.firebase.setReply("token-pixel", (nth) => (nth === 1 ? busy : { status: 200 }));
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    clock.pass(119 * SECOND);
    expect(await phones.work()).toBe(0);
    clock.pass(SECOND);
    await phones.work();
    expect(pushedTokens()).toHaveLength(2);
  });

  test("causes at most eight attempts", async () => {
    await registerTestDevice(sdk, "fox", { platform: "web", token: SUBSCRIPTION });
    phones.browsers.answer = () => Promise.reject(new WebPushError("busy", null, true));
    const info = await publish({ publishPolicy: "PUSH" });
    for (let n = 0; n < 12; n++) {
      await phones.work();
      clock.pass(HOUR);
    }
    expect(phones.browsers.pushed).toHaveLength(8);
    expect(await status(info)).toMatchObject({
      status: "failed",
      errorMessage: "Refused for 1 of 1 devices (Busy).",
    });
  });

  test("causes no retry for a device that has unregistered meanwhile", async () => {
    await apple("a");
    phones.apple.setReply("token-a", { status: 503 });
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    await sdk.Messaging.unregisterDevice();
    clock.pass(10 * SECOND);
    await phones.work();
    expect([pushedTokens(), (await status(info)).devices]).toEqual([
      ["token-a"],
      tally({ devices: 1, gone: 1 }),
    ]);
  });
});

describe("push delivery to each device", () => {
  test("happens once when two processes share a push", async () => {
    await crowd(230);
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work({ ...phones.devices }, { ...phones.devices });
    await phones.work();
    expect([pushedTokens().length, new Set(pushedTokens()).size]).toEqual([230, 230]);
    expect(await status(info)).toMatchObject({
      status: "published",
      devices: tally({ devices: 230, reached: 230 }),
    });
  });

  test("happens at most once when the provider does not respond", async () => {
    await apple("a", "b");
    phones.apple.setReply("token-a", "break");
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    clock.pass(HOUR);
    await requeueDuePushes(db, clock.at);
    await phones.work();
    expect(pushedTokens().filter((token) => token === "token-a")).toHaveLength(1);
    expect(await status(info)).toMatchObject({ devices: { devices: 2, refused: 0, gone: 0 } });
  });

  test("happens once when another process continues for a dead one", async () => {
    await crowd(60);
    const info = await publish({ publishPolicy: "PUSH" });
    const { id } = await one(db, sql<{ id: string }>`select id from pushes`);
    // This process records its recipients and then stops responding.
    const sending = Promise.withResolvers<void>();
    const never = new Promise<never>(() => {});
    const dying = {
      ...phones.devices,
      providers: { ...providers, apns: { send: () => (sending.resolve(), never), close: () => {} } },
    };
    void deliverPush(dying, id);
    await sending.promise;
    await phones.work();
    expect(pushedTokens()).toEqual([]);
    clock.pass(MINUTE + 2 * SECOND);
    await requeueDuePushes(db, clock.at);
    await phones.work();
    expect([pushedTokens().length, new Set(pushedTokens()).size]).toEqual([10, 10]);
    expect(await status(info)).toMatchObject({
      status: "published",
      errorMessage: "Delivery to 50 of 60 devices is unknown.",
      devices: tally({ devices: 60, reached: 10, unknown: 50 }),
    });
  });

  test("sends a recurring push once per scheduled time, even with two processes", async () => {
    await registerTestDevice(sdk, "pixel", { platform: "android" });
    const info = await publish({
      publishPolicy: "PUSH",
      repeatEvery: 60,
      repeatExpiresAt: clock.at.getTime() + 2 * MINUTE,
    });
    const due = () => database.inTransaction((tx) => publishDueBatch(testApi.app.channels, tx));
    for (let n = 0; n < 4; n++) {
      await Promise.all([due(), due()]);
      await phones.work();
      clock.pass(MINUTE);
    }
    expect(pushedTokens()).toHaveLength(3);
    expect(phones.firebase.got[0]!.body["message"]).toMatchObject({
      android: { collapse_key: info.messageId },
    });
    expect(await status(info)).toMatchObject({
      status: "published",
      devices: tally({ devices: 1, reached: 1 }),
    });
  });

  test("happens once when scheduled, and never after cancellation", async () => {
    await apple("a");
    const info = await publish({ publishPolicy: "PUSH", publishAt: clock.at.getTime() + HOUR });
    const other = await publish({ publishPolicy: "PUSH", publishAt: clock.at.getTime() + HOUR });
    await sdk.Messaging.cancel(other.messageId);
    expect((await status(info)).status).toBe("scheduled");
    clock.pass(HOUR);
    await database.inTransaction((tx) => publishDueBatch(testApi.app.channels, tx));
    await phones.work();
    expect([pushedTokens(), (await status(info)).status, (await status(other)).status]).toEqual([
      ["token-a"],
      "published",
      "cancelled",
    ]);
  });
});

test("caller without the right to publish can neither push nor read device tokens", async () => {
  await apple("a");
  const info = await publish({ publishPolicy: "PUSH" });
  await phones.work();
  const answers = await Promise.all(
    [
      `messaging/${info.messageId}`,
      "messaging/pushtemplates/ALL",
      "messaging/registrations/other",
      "messaging/registrations/%25",
    ].map((path) => testApi.call("GET", `/${APP}/${CLIENT}/${path}`)),
  );
  for (const { text } of answers) expect(text).not.toContain("token-a");
  await testApi.set({ whoPublishes: "servers" });
  testApi.forget();
  await expect(publish({ publishPolicy: "PUSH" })).rejects.toMatchObject({ status: 403 });
  expect(await one(db, sql`select count(*)::int as n from pushes`)).toEqual({ n: 1 });
});

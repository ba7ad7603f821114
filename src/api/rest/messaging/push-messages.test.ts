import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { DAY, addMilliseconds, MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  ENDPOINT,
  startPushApi,
  registerTestDevice,
  SUBSCRIPTION,
} from "../../../../test/support/rest/push-api.ts";

const database = await testDatabase();
const { db, clock } = database;
const { phones, sdk, publishedMessages, publish, status, apple, pushedTokens, forget, close } =
  await startPushApi(database);
beforeEach(forget);
afterAll(close);

const aps = () => phones.apple.got[0]!.body["aps"];

/** Devices of each platform and a browser; one device is on another channel. */
async function several() {
  await registerTestDevice(sdk, "ipad", { platform: "ipados" });
  await registerTestDevice(sdk, "pixel", { platform: "android" });
  await registerTestDevice(sdk, "fox", { platform: "web", token: SUBSCRIPTION });
  await registerTestDevice(sdk, "far", { channels: ["elsewhere"] });
}
const everybody = () => [...pushedTokens(), ...phones.browsers.pushed.map(([{ endpoint }]) => endpoint)];

describe("push message", () => {
  test.each<[string, object, Record<string, unknown>, string[], number]>([
    [
      "devices of its channel only",
      { publishPolicy: "PUSH" },
      {},
      ["token-ipad", "token-pixel", ENDPOINT],
      0,
    ],
    ["devices and listeners", { publishPolicy: "BOTH" }, {}, ["token-ipad", "token-pixel", ENDPOINT], 1],
    [
      "devices only, with the legacy policy",
      { pushPolicy: "ONLY" },
      {},
      ["token-ipad", "token-pixel", ENDPOINT],
      0,
    ],
    [
      "devices and listeners, with the legacy policy",
      { pushPolicy: "ALSO" },
      {},
      ["token-ipad", "token-pixel", ENDPOINT],
      1,
    ],
    [
      "devices if it has push headers",
      {},
      { "ios-alert": "Frost" },
      ["token-ipad", "token-pixel", ENDPOINT],
      1,
    ],
    ["devices of one operating system", { pushBroadcast: "IOS" }, {}, ["token-ipad"], 1],
    ["devices of two operating systems", { pushBroadcast: "ANDROID|WEB" }, {}, ["token-pixel", ENDPOINT], 1],
    [
      "devices of operating systems in a list",
      { pushBroadcast: ["android", "ios"] },
      {},
      ["token-ipad", "token-pixel"],
      1,
    ],
    [
      "devices of operating systems in a bit mask",
      { pushBroadcast: 3 },
      {},
      ["token-ipad", "token-pixel"],
      1,
    ],
    [
      "devices of all operating systems",
      { pushBroadcast: "ALL" },
      {},
      ["token-ipad", "token-pixel", ENDPOINT],
      1,
    ],
    [
      "devices with the given ids on any channel",
      { pushSinglecast: ["far", "pixel", "nobody"] },
      {},
      ["token-far", "token-pixel"],
      1,
    ],
    ["a device with the given id", { pushSinglecast: "far" }, {}, ["token-far"], 1],
    [
      "devices of an operating system and with given ids",
      { pushBroadcast: "IOS", pushSinglecast: ["far"] },
      {},
      ["token-far", "token-ipad"],
      1,
    ],
    [
      "no devices with policy PUBSUB",
      { publishPolicy: "PUBSUB", pushBroadcast: "ALL" },
      { "ios-alert": "x" },
      [],
      1,
    ],
    ["no devices with the legacy policy NONE", { pushPolicy: "NONE", pushBroadcast: "ALL" }, {}, [], 1],
    ["no devices by default", {}, { degrees: -3 }, [], 1],
  ])("reaches %s", async (_what, delivery, headers, tokens, listeners) => {
    await several();
    const answer = await publish(delivery, headers);
    expect([answer.status, answer.errorMessage]).toEqual(["scheduled", null]);
    await phones.work();
    expect([everybody(), publishedMessages.length]).toEqual([tokens, listeners]);
    await phones.work();
    expect(everybody()).toHaveLength(tokens.length);
  });

  test("can create many channels concurrently", async () => {
    const channels = Array.from({ length: 16 }, (_, n) => `channel${n}`);
    const published = channels.map((channel) =>
      sdk.Messaging.publish(channel, "Frost", undefined, { publishPolicy: "PUSH" } as never),
    );
    expect((await Promise.all(published)).map((it) => (it as { status: string }).status)).toEqual(
      channels.map(() => "scheduled"),
    );
  });

  test.each([
    [{ pushBroadcast: "SYMBIAN" }, "pushBroadcast: must be ALL, or some of IOS"],
    [{ pushBroadcast: {} }, "pushBroadcast: must be ALL"],
    [{ pushBroadcast: 0.5 }, "pushBroadcast"],
    [{ pushSinglecast: { id: 1 } }, "pushSinglecast: must be a list"],
    [{ pushSinglecast: Array(501).fill("x") }, "pushSinglecast: must be a list of at most 500"],
    [{ pushPolicy: "PERHAPS" }, "pushPolicy: must be ALSO, ONLY or NONE"],
  ])("refuses %j", async (delivery, words) => {
    await expect(publish(delivery)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(words),
    });
    expect(await many(db, sql`select 1 from pushes`)).toEqual([]);
  });

  test("reports in its status that it is too long to be pushed", async () => {
    await apple("a");
    const answer = await publish({ publishPolicy: "PUSH" }, {}, "ü".repeat(2_000));
    expect(answer).toMatchObject({ status: "failed", errorMessage: expect.stringContaining("3000 bytes") });
    expect([await phones.work(), await status(answer)]).toEqual([0, answer]);
  });

  test("skips devices registered later or expired", async () => {
    await registerTestDevice(sdk, "ending", { expiration: addMilliseconds(clock.at, MINUTE) });
    await apple("a");
    await publish({ publishPolicy: "PUSH" });
    clock.pass(MINUTE);
    await apple("b");
    await phones.work();
    expect(pushedTokens()).toEqual(["token-a"]);
  });

  test("does not reveal targeted devices to listeners", async () => {
    await apple("a");
    await publish({ pushSinglecast: ["a"], publishPolicy: "BOTH" });
    expect(JSON.stringify(publishedMessages)).not.toContain("token-a");
    expect(publishedMessages[0]!.message.pushSinglecast).toBeNull();
  });
});

describe("push content", () => {
  test("for Apple contains the Apple headers, and other headers as data", async () => {
    await apple("a");
    const headers = {
      "ios-alert": "Frost!",
      "ios-badge": "3",
      "ios-sound": "bell.aiff",
      "android-content-title": "no",
      bed: 7,
      aps: "mine",
    };
    const { messageId } = await publish({ publishPolicy: "PUSH" }, headers);
    await phones.work();
    expect(phones.apple.got[0]).toMatchObject({
      headers: {
        "apns-push-type": "alert",
        "apns-collapse-id": messageId,
        "apns-expiration": String(addMilliseconds(clock.at, DAY).getTime() / 1_000),
      },
      body: {
        aps: { alert: { body: "Frost!" }, badge: 3, sound: "bell.aiff", "mutable-content": 1 },
        bed: "7",
        message: "Frost tonight",
        messageId,
        channel: "news",
      },
    });
    expect(JSON.stringify(phones.apple.got[0]!.body)).not.toMatch(/android|mine/);
  });

  test.each<[string, unknown, Record<string, unknown>, object, string]>([
    ["a text message", "Frost", {}, { alert: { body: "Frost" }, "mutable-content": 1 }, "alert"],
    [
      "a long message truncated",
      "x".repeat(500),
      {},
      { alert: { body: "x".repeat(240) }, "mutable-content": 1 },
      "alert",
    ],
    [
      "the header that replaces the message",
      { n: 1 },
      { message: "Frost" },
      { alert: { body: "Frost" }, "mutable-content": 1 },
      "alert",
    ],
    ["nothing if there is no text", { n: 1 }, {}, { "content-available": 1 }, "background"],
    ["only a badge number", { n: 1 }, { "ios-badge": 0 }, { badge: 0 }, "alert"],
    [
      "no invalid badge number",
      "Frost",
      { "ios-badge": "many" },
      { alert: { body: "Frost" }, "mutable-content": 1 },
      "alert",
    ],
  ])("for Apple shows %s", async (_what, message, headers, shown, type) => {
    await apple("a");
    await publish({ publishPolicy: "PUSH" }, headers, message);
    await phones.work();
    expect([aps(), phones.apple.got[0]!.headers["apns-push-type"]]).toEqual([shown, type]);
  });

  test("for Android contains the Android headers, and other headers as data", async () => {
    await registerTestDevice(sdk, "pixel", { platform: "android" });
    const headers = {
      "android-content-title": "Garden",
      "android-content-text": "Frost!",
      "android-ticker-text": "Frost",
      "android-action": "OPEN_BEDS",
      "ios-alert": "no",
      from: "no",
      "google.x": "no",
      bed: 7,
    };
    const { messageId } = await publish({ publishPolicy: "PUSH" }, headers, { n: 1 });
    await phones.work();
    expect(phones.firebase.got[0]!.body).toEqual({
      message: {
        token: "token-pixel",
        data: {
          "android-content-title": "Garden",
          "android-content-text": "Frost!",
          "android-ticker-text": "Frost",
          "android-action": "OPEN_BEDS",
          bed: "7",
          message: '{"n":1}',
          messageId,
          channel: "news",
        },
        notification: { title: "Garden", body: "Frost!" },
        android: {
          priority: "HIGH",
          ttl: "86400s",
          notification: { ticker: "Frost", click_action: "OPEN_BEDS" },
        },
      },
    });
  });

  test("for Android is a data message if it has no text", async () => {
    await registerTestDevice(sdk, "pixel", { platform: "android" });
    const { messageId } = await publish({ publishPolicy: "PUSH" }, {}, { n: 1 });
    await phones.work();
    expect(phones.firebase.got[0]!.body["message"]).toEqual({
      token: "token-pixel",
      data: { message: '{"n":1}', messageId, channel: "news" },
      android: { priority: "NORMAL", ttl: "86400s" },
    });
  });

  test("for browsers contains title, body and data", async () => {
    await registerTestDevice(sdk, "fox", { platform: "web", token: SUBSCRIPTION });
    const { messageId } = await publish(
      { publishPolicy: "PUSH" },
      { "android-content-title": "Garden", bed: 7 },
    );
    await phones.work();
    const [to, payload, topic] = phones.browsers.pushed[0]!;
    expect(to.endpoint).toBe(ENDPOINT);
    expect(payload).toEqual({
      title: "Garden",
      body: "Frost tonight",
      data: { bed: "7", message: "Frost tonight", messageId, channel: "news" },
    });
    expect(topic).toMatch(/^[\w-]{24}$/);
  });
});

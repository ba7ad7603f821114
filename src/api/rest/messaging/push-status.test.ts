import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createDeviceRegistry, purgeDevices } from "#baas/devices";
import { DAY } from "#platform/clock";
import { many, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { NO_PUSH_PROVIDERS } from "../../../../test/support/push-unconfigured.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { startTestApi } from "../../../../test/support/rest/rest-server.ts";
import { type PushInfo, startPushApi, registerTestDevice } from "../../../../test/support/rest/push-api.ts";

const database = await testDatabase();
const { db, clock } = database;
const { phones, providers, testApi, sdk, publish, status, apple, ids, forget, close } =
  await startPushApi(database);
beforeEach(forget);
afterAll(close);

const tally = (it: object) => ({ devices: 0, reached: 0, gone: 0, refused: 0, unknown: 0, ...it });

describe("push status", () => {
  test("changes from sending to delivered", async () => {
    await apple("a", "b");
    const answer = await publish({ publishPolicy: "PUSH" });
    expect(await status(answer)).toEqual({ ...answer, status: "scheduled", devices: tally({}) });
    await phones.work();
    expect(await status(answer)).toEqual({
      ...answer,
      status: "published",
      devices: tally({ devices: 2, reached: 2 }),
    });
  });

  test("reports that no device is registered", async () => {
    const answer = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(await status(answer)).toMatchObject({
      status: "published",
      errorMessage: "No device is registered for this message.",
      devices: tally({}),
    });
  });

  test("reports refused devices with the reason", async () => {
    await apple("a", "b");
    phones.apple.setReply("token-a", { status: 413, body: { reason: "PayloadTooLarge" } });
    const answer = await publish({ publishPolicy: "BOTH" });
    await phones.work();
    expect(await status(answer)).toMatchObject({
      status: "published",
      errorMessage: "Refused for 1 of 2 devices (PayloadTooLarge).",
      devices: tally({ devices: 2, reached: 1, refused: 1 }),
    });
    expect(await ids()).toEqual(["a", "b"]);
  });

  test("fails when a push-only message reaches no device", async () => {
    await apple("a");
    phones.apple.setReply("token-a", { status: 400, body: { reason: "BadTopic" } });
    const answer = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(await status(answer)).toMatchObject({
      status: "failed",
      errorMessage: "Refused for 1 of 1 devices (BadTopic).",
    });
  });

  test("reports a push provider that is not configured", async () => {
    await registerTestDevice(sdk, "pixel", { platform: "android" });
    const bare = createDeviceRegistry(database, NO_PUSH_PROVIDERS, createLog("silent"));
    const other = await startTestApi(database, { devices: bare, channels: testApi.app.channels });
    const answer = await publish({ pushBroadcast: "ANDROID", publishPolicy: "PUSH" });
    phones.devices.providers = NO_PUSH_PROVIDERS;
    await phones.work().finally(() => (phones.devices.providers = providers));
    expect(
      (await other.sdk().Messaging.getMessageStatus(answer.messageId)) as unknown as PushInfo,
    ).toMatchObject({
      status: "failed",
      errorMessage: "Refused for 1 of 1 devices (FcmIsNotSetUp).",
    });
    await other.close();
  });

  test("expires a week after completion", async () => {
    await apple("a");
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    clock.pass(7 * DAY + 1);
    await database.inTransaction(purgeDevices);
    expect(await many(db, sql`select 1 from pushes union all select 1 from push_deliveries`)).toEqual([]);
  });
});

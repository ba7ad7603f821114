import { describe, expect, test } from "vitest";
import { createDeviceRegistry, purgeDevices } from "#baas/devices";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { NO_PUSH_PROVIDERS } from "../../../../test/support/push-unconfigured.ts";
import { CLIENT, startTestApi, SERVER } from "../../../../test/support/rest/rest-server.ts";
import { ENDPOINT, registerTestDevice, SUBSCRIPTION } from "../../../../test/support/rest/push-api.ts";
import {
  database,
  clock,
  db,
  phones,
  testApi,
  messagingPath,
  signInSdk,
  listRegistrations,
  DEVICE,
  registerDevice,
  listTokens,
} from "../../../../test/support/rest/device-api.ts";

describe("device registration", () => {
  test("stores a device, which can be found by its id", async () => {
    const sdk = testApi.sdk();
    const end = addMilliseconds(clock.at, DAY);
    const { registrationId } = await registerTestDevice(sdk, "phone", {
      channels: ["news", "garden"],
      expiration: end,
    });
    expect(await listRegistrations(sdk)).toEqual([
      {
        id: registrationId,
        deviceToken: "token-phone",
        deviceId: "phone",
        os: "IOS",
        osVersion: "17.4",
        expiration: end.getTime(),
        channels: ["garden", "news"],
      },
    ]);
  });

  test("has the default channel and no expiry by default", async () => {
    const sdk = testApi.sdk();
    await registerTestDevice(sdk, "phone", { channels: null });
    expect(await listRegistrations(sdk)).toMatchObject([{ channels: ["default"], expiration: null }]);
  });

  test("updates the device when it is repeated", async () => {
    const sdk = testApi.sdk();
    const first = await registerTestDevice(sdk, "phone", { channels: ["news", "garden"] });
    const again = await registerTestDevice(sdk, "phone", {
      platform: "Android",
      token: "new",
      channels: ["frost"],
    });
    expect(again).toEqual(first);
    expect(await listRegistrations(sdk)).toMatchObject([
      { os: "ANDROID", deviceToken: "new", channels: ["frost"] },
    ]);
  });

  test("moves the token of a reinstalled app to the new device id", async () => {
    const sdk = testApi.sdk();
    await registerTestDevice(sdk, "before", { token: "same" });
    await registerTestDevice(sdk, "after", { token: "same" });
    expect(await many(db, sql`select device_id as id from devices`)).toEqual([{ id: "after" }]);
  });

  test("succeeds for concurrent requests that share two tokens", async () => {
    const bodies = Array.from({ length: 12 }, (_, n) => ({
      deviceId: `d${n % 3}`,
      deviceToken: `t${n % 2}`,
    }));
    const answers = await Promise.all(bodies.map((body) => registerDevice(body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect((await listTokens()).length).toBeLessThanOrEqual(2);
  });

  test.each([
    ["seconds", 1_800_000_000, 1_800_000_000_000],
    ["milliseconds", 1_800_000_000_000, 1_800_000_000_000],
    ["0 for no expiry", 0, null],
  ])("accepts an expiry in %s", async (_what, expiration, read) => {
    expect((await registerDevice({ expiration })).status).toBe(200);
    const { body } = await testApi.call("GET", messagingPath("registrations/phone"));
    expect(body).toMatchObject([{ expiration: read }]);
  });

  test("ends at its expiry, or if it is not renewed for long", async () => {
    const sdk = testApi.sdk();
    await registerTestDevice(sdk, "phone", { expiration: addMilliseconds(clock.at, DAY) });
    await registerTestDevice(testApi.sdk(), "other");
    clock.pass(DAY);
    expect(await listRegistrations(sdk)).toEqual([]);
    await database.inTransaction(purgeDevices);
    expect(await listTokens()).toEqual(["token-other"]);
    clock.pass(270 * DAY);
    await database.inTransaction(purgeDevices);
    expect(await listTokens()).toEqual([]);
  });

  test("can be removed completely or from some channels", async () => {
    const sdk = testApi.sdk();
    await registerTestDevice(sdk, "phone", { channels: ["news", "garden", "frost"] });
    expect(
      (await testApi.call("DELETE", messagingPath("registrations/phone?channels=news,frost"))).body,
    ).toEqual({
      result: true,
    });
    expect(await listRegistrations(sdk)).toMatchObject([{ channels: ["garden"] }]);
    await testApi.call("DELETE", messagingPath("registrations/phone?channels=garden"));
    expect(await listRegistrations(sdk)).toEqual([]);
    await registerTestDevice(sdk, "phone");
    expect(await sdk.Messaging.unregisterDevice()).toEqual({ result: true });
    await expect(sdk.Messaging.unregisterDevice()).rejects.toMatchObject({ code: 5001 });
  });

  test.each<[string, object, string]>([
    ["a missing token", { deviceToken: "" }, "deviceToken: must be the device token"],
    ["a token that is too long", { deviceToken: "x".repeat(4_097) }, "deviceToken: can have at most 4096"],
    ["a token with control characters", { deviceToken: "a\u0007b" }, "deviceToken: cannot have control"],
    ["a number for a token", { deviceToken: 7 }, "deviceToken"],
    ["a missing device id", { deviceId: "" }, "deviceId"],
    ["a device id that is too long", { deviceId: "x".repeat(201) }, "deviceId: can have at most 200"],
    ["an unsupported operating system", { os: "WP" }, "os: must be one of IOS"],
    ["an inherited property name as operating system", { os: "constructor" }, "os: must be one of IOS"],
    ["a missing operating system", { os: null }, "os"],
    ["a version that is too long", { osVersion: "9".repeat(101) }, "osVersion"],
    ["invalid channels", { channels: "news" }, "channels"],
    [
      "too many channels",
      { channels: Array.from({ length: 101 }, (_, n) => `c${n}`) },
      "at most 100 entries",
    ],
    ["a channel with a slash", { channels: ["a/b"] }, "slash"],
    ["an expiry in the past", { expiration: 1_000_000_000 }, "expiration: must be in the future"],
    ["an invalid expiry", { expiration: "soon" }, "expiration"],
    ["an expiry beyond the range of dates", { expiration: 1e300 }, "expiration"],
    [
      "a browser subscription without keys",
      { os: "WEB", deviceToken: JSON.stringify({ endpoint: ENDPOINT }) },
      "deviceToken: must be the browser's push subscription",
    ],
    [
      "a browser subscription with an insecure URL",
      { os: "BROWSER", deviceToken: SUBSCRIPTION.replace("https:", "http:") },
      "deviceToken",
    ],
  ])("refuses %s", async (_what, body, words) => {
    const answer = await registerDevice(body);
    expect([answer.status, answer.body!["message"]]).toEqual([422, expect.stringContaining(words)]);
    expect(await listTokens()).toEqual([]);
  });

  test("refuses community channels", async () => {
    for (const channel of ["discussion:1", "user:1", "conversation:1"])
      expect((await registerDevice({ channels: [channel] })).status).toBe(403);
  });

  test("allows twenty devices per person and removes the one renewed longest ago", async () => {
    const ana = await signInSdk("ana");
    for (let n = 0; n < 21; n++) {
      await registerTestDevice(ana, `phone-${n}`);
      clock.pass(1_000);
    }
    expect(await many(db, sql`select 1 from devices`)).toHaveLength(20);
    expect(await many(db, sql`select 1 from devices where device_id = 'phone-0'`)).toEqual([]);
  });

  test("refuses new devices at the total limit, but renews existing ones", async () => {
    const full = await startTestApi(database, {
      devices: createDeviceRegistry(database, NO_PUSH_PROVIDERS, testApi.app.log, 1),
    });
    await run(
      db,
      sql`insert into devices (id, device_id, os, way, os_version, token, token_hash, created_at, renewed_at)
      values (gen_random_uuid(), 'phone', 'IOS', 'apns', '', 't', 'h', ${clock.at}, ${clock.at})`,
    );
    await expect(registerTestDevice(full.sdk(), "one more")).rejects.toMatchObject({ code: 413 });
    await registerTestDevice(full.sdk(), "phone", { token: "renewed" });
    expect(await listTokens()).toEqual(["renewed"]);
    const other = createDeviceRegistry(database, NO_PUSH_PROVIDERS, testApi.app.log, 1);
    expect([
      await other.quota.left(),
      await createDeviceRegistry(database, NO_PUSH_PROVIDERS, testApi.app.log, 2).quota.left(),
    ]).toEqual([false, true]);
    await full.close();
  });
});

test("device registration has a rate limit, except with the server key", async () => {
  const strict = await startTestApi(database);
  const ask = (key: string) => strict.call("GET", messagingPath("registrations/x", key));
  const answers = [];
  for (let n = 0; n < 61; n++) answers.push((await ask(CLIENT)).status);
  expect(answers).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  expect((await ask(SERVER)).status).toBe(200);
  await strict.close();
});

test.each([
  ["GET", "registrations/%00", undefined],
  ["DELETE", "registrations/%00", undefined],
  ["DELETE", "registrations/x?channels=%00&channels=b", undefined],
  ["GET", "pushtemplates/%00", undefined],
  ["POST", "push/%00", {}],
  ["POST", "push/x", { templateValues: [] }],
  ["POST", "registrations", []],
  ["POST", "registrations", "text"],
  ["POST", "registrations", { ...DEVICE, deviceId: "\ud800", channels: ["\ud800"] }],
  ["POST", "registrations", { ...DEVICE, channels: [null] }],
  ["POST", "news", { message: "\ud800", pushSinglecast: ["\ud800", "\u0000"] }],
] as const)("device request is answered without an internal error: %s %s %j", async (method, path, body) => {
  expect((await testApi.call(method, messagingPath(path), body)).status).toBeLessThan(500);
  await phones.work();
});

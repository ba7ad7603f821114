import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deletePushTemplate, type NewTemplate, savePushTemplate } from "#baas/devices";
import { many, run, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  APP,
  CLIENT,
  startTestApi,
  type TestRestApi,
  SERVER,
} from "../../../../test/support/rest/rest-server.ts";
import { startTestPhones, registerTestDevice, SUBSCRIPTION } from "../../../../test/support/rest/push-api.ts";

const database = await testDatabase();
const { db, clock } = database;
let phones: Awaited<ReturnType<typeof startTestPhones>>;
let testApi: TestRestApi;
let sdk: ReturnType<TestRestApi["sdk"]>;
beforeAll(async () => {
  phones = await startTestPhones(database);
  testApi = await startTestApi(database, { devices: phones.devices });
  sdk = testApi.sdk();
});
beforeEach(async () => {
  testApi.forget();
  phones.forget();
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
});
afterAll(async () => {
  await testApi.close();
  await phones.close();
});

const FROST: NewTemplate = {
  name: "frost",
  os: "ALL",
  channel: null,
  title: "",
  subtitle: "",
  body: "Frost",
  sound: "",
  badge: null,
  headers: {},
};
const template = (input: Partial<NewTemplate>) =>
  database.inTransaction((tx) => savePushTemplate(tx, { ...FROST, ...input }));
type Info = { messageId: string; status: string; errorMessage: string | null };
const push = async (name: string, values?: object) =>
  (await sdk.Messaging.pushWithTemplate(name, values)) as Info;
const templates = async (kind: string) =>
  (await sdk.Messaging.getPushTemplates(kind)) as Record<string, unknown>;

describe("push template", () => {
  test("gets pushed by name with values for its placeholders", async () => {
    await registerTestDevice(sdk, "iphone", { channels: ["elsewhere"] });
    await registerTestDevice(sdk, "pixel", { platform: "android" });
    await registerTestDevice(sdk, "fox", { platform: "web", token: SUBSCRIPTION });
    await template({
      title: "Hello {name}",
      subtitle: "{place}",
      body: "{degrees} degrees, {name}. {not a blank}",
      sound: "bell",
      badge: 2,
      headers: { bed: "{bed}", kind: "frost" },
    });
    const info = await push("frost", {
      name: "Mira",
      place: "Garden",
      degrees: -3,
      bed: true,
      more: "unused",
    });
    expect(info).toEqual({ messageId: expect.any(String), status: "scheduled", errorMessage: null });
    await phones.work();
    const body = "-3 degrees, Mira. {not a blank}";
    expect(phones.apple.got[0]!.body).toEqual({
      aps: {
        alert: { title: "Hello Mira", subtitle: "Garden", body },
        badge: 2,
        sound: "bell",
        "mutable-content": 1,
      },
      bed: "true",
      kind: "frost",
      message: body,
      template_name: "frost",
      messageId: info.messageId,
    });
    expect(phones.firebase.got[0]!.body["message"]).toMatchObject({
      data: { bed: "true", template_name: "frost" },
      notification: { title: "Hello Mira", body },
      android: { notification: { sound: "bell" } },
    });
    expect(phones.browsers.pushed[0]![1]).toMatchObject({ title: "Hello Mira", body });
    expect(await sdk.Messaging.getMessageStatus(info.messageId)).toMatchObject({
      status: "published",
      errorMessage: null,
      devices: { devices: 3, reached: 3 },
    });
  });

  test.each([
    ["IOS", null, ["token-far", "token-iphone"]],
    ["IOS", "news", ["token-iphone"]],
    ["ANDROID", null, ["token-pixel"]],
    ["ALL", "elsewhere", ["token-far"]],
  ] as const)("for devices %s and channel %j reaches only matching devices", async (os, channel, tokens) => {
    await registerTestDevice(sdk, "iphone");
    await registerTestDevice(sdk, "pixel", { platform: "android" });
    await registerTestDevice(sdk, "far", { channels: ["elsewhere"] });
    await template({ os, channel });
    await push("frost");
    await phones.work();
    expect([...phones.apple.got, ...phones.firebase.got].map(({ token }) => token).toSorted()).toEqual(
      tokens,
    );
  });

  test("appears in the list of its device type", async () => {
    await template({ name: "for all", headers: { a: "1" } });
    await template({
      name: "for phones",
      os: "IOS",
      title: "T",
      subtitle: "S",
      sound: "bell",
      badge: 0,
      channel: "news",
    });
    await template({ name: "for robots", os: "ANDROID" });
    expect(await templates("ios")).toEqual({
      "for all": {
        name: "for all",
        type: "ALL",
        channel: null,
        title: "",
        subtitle: "",
        message: "Frost",
        sound: "",
        badge: null,
        customHeaders: { a: "1" },
      },
      "for phones": {
        name: "for phones",
        type: "IOS",
        channel: "news",
        title: "T",
        subtitle: "S",
        message: "Frost",
        sound: "bell",
        badge: 0,
        customHeaders: {},
      },
    });
    expect(Object.keys(await templates("ANDROID"))).toEqual(["for all", "for robots"]);
    expect(Object.keys(await templates("ALL"))).toHaveLength(3);
    await expect(templates("WP")).rejects.toMatchObject({ status: 422 });
  });

  test("cannot be pushed with missing values or content that is too long", async () => {
    await template({ title: "{constructor}" });
    await expect(push("thaw")).rejects.toMatchObject({ code: 404 });
    await expect(push("frost")).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining("{constructor}"),
    });
    await expect(push("frost", { constructor: { a: 1 } })).rejects.toMatchObject({ status: 422 });
    await expect(push("frost", { constructor: "x".repeat(1_001) })).rejects.toMatchObject({ status: 422 });
    await template({ body: "{x}{x}{x}{x}" });
    await expect(push("frost", { x: "x".repeat(900) })).rejects.toMatchObject({ status: 413 });
    expect(await many(db, sql`select 1 from pushes`)).toEqual([]);
  });

  test("can be pushed by callers with publish rights and read by every caller", async () => {
    await template({});
    await testApi.set({ whoPublishes: "servers" });
    testApi.forget();
    await expect(push("frost")).rejects.toMatchObject({ status: 403 });
    expect(Object.keys(await templates("ALL"))).toEqual(["frost"]);
    const answer = await testApi.call("POST", `/${APP}/${SERVER}/messaging/push/frost`);
    expect(answer.status).toBe(200);
    expect((await testApi.call("POST", `/${APP}/${CLIENT}/messaging/push/frost`, [])).status).toBe(403);
  });

  test("has a unique name, and can be replaced and deleted", async () => {
    await template({});
    await template({ body: "Thaw" });
    expect(await templates("ALL")).toMatchObject({ frost: { message: "Thaw" } });
    await database.inTransaction((tx) => deletePushTemplate(tx, "frost"));
    expect(await templates("ALL")).toEqual({});
    await expect(database.inTransaction((tx) => deletePushTemplate(tx, "frost"))).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("gets refused beyond two hundred templates", async () => {
    await run(
      db,
      sql`insert into push_templates (name, os, title, subtitle, body, sound, headers, created_at, updated_at)
          select 't' || n, 'ALL', '', '', 'x', '', '{}', ${clock.at}, ${clock.at}
          from generate_series(1, 200) n`,
    );
    await expect(template({ name: "one more" })).rejects.toMatchObject({ reason: "too-large" });
    await template({ name: "t7", body: "changed" });
    expect(await templates("ALL")).toMatchObject({ t7: { message: "changed" } });
  });

  test("refuses community channels", async () => {
    await expect(template({ channel: "discussion:1" })).rejects.toMatchObject({ reason: "not-allowed" });
  });
});

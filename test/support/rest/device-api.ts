import { afterAll, beforeAll, beforeEach } from "vitest";
import { queueDevicePush } from "#baas/devices";
import { createMessagingContext } from "#baas/messaging";
import { many, sql } from "#platform/database";
import { testDatabase } from "../setup/test-database.ts";
import { APP, CLIENT, startTestApi, PASSWORD, type TestRestApi } from "./rest-server.ts";
import { startTestPhones } from "./push-api.ts";

/** Setup for device tests: an API with push providers, and device registrations. */
export const database = await testDatabase();
export const { db, clock } = database;
export let phones: Awaited<ReturnType<typeof startTestPhones>>;
export let testApi: TestRestApi;
beforeAll(async () => {
  phones = await startTestPhones(database);
  testApi = await startTestApi(database, {
    devices: phones.devices,
    channels: createMessagingContext(database, queueDevicePush),
  });
});
beforeEach(async () => {
  testApi.forget();
  phones.forget();
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
  testApi.app.limits.take = async () => {};
});
afterAll(async () => {
  await testApi.close();
  await phones.close();
});

export const messagingPath = (path: string, key = CLIENT) => `/${APP}/${key}/messaging/${path}`;
/** Creates the SDK of a signed-in person. */
export async function signInSdk(username: string) {
  const client = testApi.sdk();
  const personId = await testApi.member(username);
  await client.UserService.login(username, PASSWORD);
  return Object.assign(client, { personId });
}
export const listRegistrations = (sdk: ReturnType<TestRestApi["sdk"]>) =>
  sdk.Messaging.getRegistrations() as Promise<unknown>;
export const DEVICE = { deviceToken: "t", deviceId: "phone", os: "IOS", osVersion: "17.4" };
export const registerDevice = (body: object, key = CLIENT) =>
  testApi.call("POST", messagingPath("registrations", key), { ...DEVICE, ...body });
export const listTokens = async () =>
  (await many(db, sql<{ token: string }>`select token from devices order by token`)).map(
    ({ token }) => token,
  );

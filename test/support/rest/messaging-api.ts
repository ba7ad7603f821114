import { afterAll, beforeAll, beforeEach } from "vitest";
import { publishDueBatch, type PublishedMessage } from "#baas/messaging";
import { many, sql } from "#platform/database";
import { testDatabase } from "../setup/test-database.ts";
import { APP, CLIENT, startTestApi, type TestRestApi } from "./rest-server.ts";

export const database = await testDatabase();
export const { db, clock } = database;
export let testApi: TestRestApi;
export let messaging: ReturnType<TestRestApi["sdk"]>["Messaging"];
export let publishedMessages: PublishedMessage[];
beforeAll(async () => {
  testApi = await startTestApi(database);
  messaging = testApi.sdk().Messaging;
  testApi.app.channels.listeners.add((it) => publishedMessages.push(it));
});
beforeEach(async () => {
  publishedMessages = [];
  testApi.forget();
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
});
afterAll(() => testApi.close());

export type MessageInfoAnswer = { messageId: string; status: string; errorMessage: string | null };
export const messagingPath = (path: string, key = CLIENT) => `/${APP}/${key}/messaging/${path}`;
export const publishMessage = async (body: object, channel = "news", key = CLIENT) =>
  (await testApi.call("POST", messagingPath(channel, key), body)) as unknown as {
    status: number;
    body: MessageInfoAnswer & { code: number; message: string };
  };
export const readMessageStatus = async (id: string) =>
  (await messaging.getMessageStatus(id)) as unknown as MessageInfoAnswer;
export const cancelPublished = async (id: string) =>
  (await messaging.cancel(id)) as unknown as MessageInfoAnswer;
export const publishDueMessages = () =>
  database.inTransaction((tx) => publishDueBatch(testApi.app.channels, tx));
/** Returns scheduled messages that were published because their time had come. */
export const listAnnouncedMessages = async () =>
  (
    await many(
      db,
      sql<{
        payload: { messageId: string; at: number };
      }>`select payload from outbox where type = 'channel.published' order by id`,
    )
  ).map(({ payload }) => payload);
/** Creates the SDK of a signed-in person. */
export async function signInSdk(username: string) {
  const client = testApi.sdk();
  await testApi.member(username);
  await client.UserService.login(username, "seven brown hens");
  return client;
}

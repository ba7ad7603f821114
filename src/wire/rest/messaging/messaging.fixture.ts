import { afterAll, beforeAll, beforeEach } from "vitest";
import { publishDue, type Published } from "#backend/channels";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../test/setup/database.ts";
import { APP, CLIENT, openDoor, type RestDoor } from "../rest.fixture.ts";

export const database = await testDatabase();
export const { db, clock } = database;
export let door: RestDoor;
export let messaging: ReturnType<RestDoor["sdk"]>["Messaging"];
export let heard: Published[];
beforeAll(async () => {
  door = await openDoor(database);
  messaging = door.sdk().Messaging;
  door.house.channels.listeners.add((it) => heard.push(it));
});
beforeEach(async () => {
  heard = [];
  door.forget();
  await door.set({ apiCalls: 0, apiCallsOfPerson: 0 });
});
afterAll(() => door.close());

export type Info = { messageId: string; status: string; errorMessage: string | null };
export const at = (path: string, key = CLIENT) => `/${APP}/${key}/messaging/${path}`;
export const publish = async (body: object, channel = "news", key = CLIENT) =>
  (await door.call("POST", at(channel, key), body)) as unknown as { status: number; body: Info & { code: number; message: string } };
export const status = async (id: string) => (await messaging.getMessageStatus(id)) as unknown as Info;
export const cancel = async (id: string) => (await messaging.cancel(id)) as unknown as Info;
export const due = () => database.inTransaction((tx) => publishDue(door.house.channels, tx));
/** Messages published because they were due. */
export const announced = async () =>
  (
    await many(
      db,
      sql<{ payload: { messageId: string; at: number } }>`select payload from outbox where type = 'channel.published' order by id`,
    )
  ).map(({ payload }) => payload);
/** The SDK of a signed-in person. */
export async function signedIn(username: string) {
  const app = door.sdk();
  await door.member(username);
  await app.UserService.login(username, "seven brown hens");
  return app;
}

import { askFriend } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { aGroup, bring, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { conversationFor, conversationsOf, messagesOf, NewConversation, sendMessage, startConversation } from "./index.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;

export const write = (from: SignedIn, to: string | string[], body = "Are you there?", clientId?: string) =>
  within((tx) => startConversation(tx, from, NewConversation.parse({ to, body, clientId, name: "" })));
export const say = (from: SignedIn, conversationId: string, body = "Yes.", clientId?: string) =>
  within((tx) => sendMessage(tx, from, { conversationId, body, clientId }));
export const inbox = async (who: SignedIn, tab: Parameters<typeof conversationsOf>[2]["tab"] = "all") =>
  (await conversationsOf(db, who, { tab })).rows;
export const texts = async (who: SignedIn, id: string) =>
  (await messagesOf(db, who, await conversationFor(db, who, id))).messages.map((it) => it.html ?? it.stub);

/** Mira and Tomas are friends; all but Noor share a group. */
export async function setting() {
  const people = await cast(database);
  const group = await aGroup(database, people);
  await within((tx) => bring(tx, group.id, people.ines, "member"));
  await within((tx) => askFriend(tx, people.mira, { personId: people.tomas.id, note: "" }));
  await within((tx) => askFriend(tx, people.tomas, { personId: people.mira.id, note: "" }));
  return { ...people, group };
}

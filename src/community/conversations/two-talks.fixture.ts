import { askFriend } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { conversationFor, messagesOf, NewConversation, NewMessage, sendMessage, startConversation } from "./index.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;

export const say = (from: SignedIn, conversationId: string, body: string, more: { clientId?: string; replyTo?: string } = {}) =>
  within((tx) => sendMessage(tx, from, NewMessage.parse({ conversationId, body, ...more })));
export const seen = async (who: SignedIn, id: string) => (await messagesOf(db, who, await conversationFor(db, who, id))).messages;
export const texts = async (who: SignedIn, id: string) => (await seen(who, id)).map((it) => it.html?.trim() ?? it.stub);

/** Mira and Tomas are friends with a conversation; so are Mira and Noor. */
export async function talk() {
  const people = await cast(database);
  const { mira } = people;
  for (const friend of [people.tomas, people.noor]) {
    await within((tx) => askFriend(tx, mira, { personId: friend.id, note: "" }));
    await within((tx) => askFriend(tx, friend, { personId: mira.id, note: "" }));
  }
  const start = (to: string, body: string) => within((tx) => startConversation(tx, mira, NewConversation.parse({ to, body, name: "" })));
  const { id } = await start("tomas", "The shed is open.");
  const [first] = await seen(mira, id);
  return { ...people, id, first: first!.id, start };
}

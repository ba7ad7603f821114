import { sendFriendRequest } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { createTestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import {
  getConversation,
  getMessagesPage,
  NewConversation,
  NewMessage,
  sendMessage,
  startConversation,
} from "../../../src/community/conversations/index.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;

export const sendTestMessage = (
  from: SignedIn,
  conversationId: string,
  body: string,
  more: { clientId?: string; replyTo?: string } = {},
) => within((tx) => sendMessage(tx, from, NewMessage.parse({ conversationId, body, ...more })));
export const getMessages = async (who: SignedIn, id: string) =>
  (await getMessagesPage(db, who, await getConversation(db, who, id))).messages;
export const listMessageTexts = async (who: SignedIn, id: string) =>
  (await getMessages(who, id)).map((it) => it.html?.trim() ?? it.stub);

/** Creates two conversations of friends: Mira with Tomas, and Mira with Noor. */
export async function setupTwoConversations() {
  const people = await createTestUsers(database);
  const { mira } = people;
  for (const friend of [people.tomas, people.noor]) {
    await within((tx) => sendFriendRequest(tx, mira, { personId: friend.id, note: "" }));
    await within((tx) => sendFriendRequest(tx, friend, { personId: mira.id, note: "" }));
  }
  const start = (to: string, body: string) =>
    within((tx) => startConversation(tx, mira, NewConversation.parse({ to, body, name: "" })));
  const { id } = await start("tomas", "The shed is open.");
  const [first] = await getMessages(mira, id);
  return { ...people, id, first: first!.id, start };
}

import { sendFriendRequest } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { createTestGroup, setMembership, createTestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import {
  getConversation,
  listConversations,
  getMessagesPage,
  NewConversation,
  sendMessage,
  startConversation,
} from "../../../src/community/conversations/index.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;

export const startTestConversation = (
  from: SignedIn,
  to: string | string[],
  body = "Are you there?",
  clientId?: string,
) => within((tx) => startConversation(tx, from, NewConversation.parse({ to, body, clientId, name: "" })));
export const sendTestMessage = (from: SignedIn, conversationId: string, body = "Yes.", clientId?: string) =>
  within((tx) => sendMessage(tx, from, { conversationId, body, clientId }));
export const listInboxIds = async (
  who: SignedIn,
  tab: Parameters<typeof listConversations>[2]["tab"] = "all",
) => (await listConversations(db, who, { tab })).rows;
export const listMessageTexts = async (who: SignedIn, id: string) =>
  (await getMessagesPage(db, who, await getConversation(db, who, id))).messages.map(
    (it) => it.html ?? it.stub,
  );

/** Creates a conversation. Mira and Tomas are friends; all people but Noor share a group. */
export async function setupConversation() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  await within((tx) => setMembership(tx, group.id, people.ines, "member"));
  await within((tx) => sendFriendRequest(tx, people.mira, { personId: people.tomas.id, note: "" }));
  await within((tx) => sendFriendRequest(tx, people.tomas, { personId: people.mira.id, note: "" }));
  return { ...people, group };
}

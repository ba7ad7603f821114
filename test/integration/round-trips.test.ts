import { expect, test } from "vitest";
import {
  markConversationRead,
  reactToMessage,
  sendMessage,
  unreactToMessage,
} from "#community/conversations";
import { addReaction, markRead, removeReaction, reply } from "#community/discussions";
import { randomUUID } from "node:crypto";
import type { Tx } from "#platform/database";
import { sendFriendRequest } from "#community/friends";
import { addComment, addDocument } from "#community/resources";
import { startConversation } from "#community/conversations";
import { countRoundTrips } from "../support/postgres/round-trips.ts";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

// A write takes two round trips beside begin and commit: one that locks and loads what its rules need, and
// one that stores the change with its domain event.

const database = await testDatabase();
const { inTransaction: within } = database;

/** Mira reads a discussion and a resource of Tomas's, and writes to him. */
async function setup() {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  for (const [from, to] of [
    [mira, tomas],
    [tomas, mira],
  ] as const)
    await within((tx) => sendFriendRequest(tx, from, { personId: to.id, note: "" }));
  const group = await createTestGroup(database, people);
  const { id: discussionId } = await createTestDiscussion(database, tomas, group.id);
  const { id: postId } = await within((tx) => reply(tx, tomas, { discussionId, body: "Sow." }));
  const { id: conversationId } = await within((tx) =>
    startConversation(tx, tomas, { to: ["mira"], name: "", body: "Look." }),
  );
  const { id: messageId } = await within((tx) => sendMessage(tx, tomas, { conversationId, body: "There." }));
  const { id: resourceId } = await within((tx) =>
    addDocument(tx, tomas, {
      groupId: group.id,
      title: "Sheet",
      why: "",
      body: "Sow.",
      tags: [],
      language: "en",
      licence: "",
    }),
  );
  const { id: commentId } = await within((tx) => addComment(tx, tomas, { resourceId, body: "It helped." }));
  return { ...people, discussionId, postId, conversationId, messageId, commentId };
}
type Setup = Awaited<ReturnType<typeof setup>>;
const EMOJI = { emoji: "🌱" };

test.each<[name: string, most: number, write: (tx: Tx, it: Setup) => Promise<unknown>]>([
  [
    "reply",
    2,
    (tx, { mira, discussionId, postId }) =>
      reply(tx, mira, { discussionId, body: "Thanks.", replyTo: postId, clientId: randomUUID() }),
  ],
  [
    "message",
    2,
    (tx, { mira, conversationId, messageId }) =>
      sendMessage(tx, mira, {
        conversationId,
        body: "Thanks.",
        replyTo: messageId,
        clientId: randomUUID(),
      }),
  ],
  ["reaction to a post", 2, (tx, { mira, postId }) => addReaction(tx, mira, { postId, ...EMOJI })],
  [
    "reaction to a comment",
    2,
    (tx, { mira, commentId }) => addReaction(tx, mira, { postId: commentId, ...EMOJI }),
  ],
  [
    "reaction to a message",
    2,
    (tx, { mira, messageId }) => reactToMessage(tx, mira, { messageId, ...EMOJI }),
  ],
  [
    "read position of a discussion",
    1,
    (tx, { mira, discussionId }) => markRead(tx, mira, { discussionId, upTo: 2, ms: 1_000 }),
  ],
  [
    "read position of a conversation",
    2,
    (tx, { mira, conversationId }) => markConversationRead(tx, mira, { conversationId, upTo: 2 }),
  ],
])("%s takes at most %i database round trips between begin and commit", async (_, most, write) => {
  const it = await setup();
  expect(await countRoundTrips(() => within((tx) => write(tx, it)))).toBeLessThanOrEqual(most);
});

test("removal of a reaction takes at most two database round trips", async () => {
  const { mira, postId, messageId } = await setup();
  await within((tx) => addReaction(tx, mira, { postId, ...EMOJI }));
  await within((tx) => reactToMessage(tx, mira, { messageId, ...EMOJI }));
  const removal = () => within((tx) => removeReaction(tx, mira, { postId, ...EMOJI }));
  expect(await countRoundTrips(removal)).toBeLessThanOrEqual(2);
  const messageRemoval = () => within((tx) => unreactToMessage(tx, mira, { messageId, ...EMOJI }));
  expect(await countRoundTrips(messageRemoval)).toBeLessThanOrEqual(2);
});

import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import {
  acceptConversation,
  addParticipants,
  getConversation,
  editMessage,
  markConversationRead,
  getMessagesPage,
  ParticipantAddition,
  renameConversation,
  listRequestCards,
} from "./index.ts";
import {
  db,
  listInboxIds,
  sendTestMessage,
  setupConversation,
  listMessageTexts,
  within,
  startTestConversation,
} from "../../../test/support/conversations/conversation-setup.ts";

const LONG = "x".repeat(1_001);

/**
 * Mira begins a conversation with Tomas and Ines. Tomas is a friend and joins at once; Ines gets a request.
 */
async function setupGroupRequest() {
  const people = await setupConversation();
  const { id } = await startTestConversation(people.mira, ["tomas", "ines"], "Shall we plant a hedge?");
  return { ...people, id };
}
const add = (viewer: SignedIn, conversationId: string, to: string) =>
  within((tx) => addParticipants(tx, viewer, ParticipantAddition.parse({ conversationId, to })));

describe("pending request to a group conversation", () => {
  test("shows only the first message until it is accepted", async () => {
    const { mira, tomas, ines, id } = await setupGroupRequest();
    await sendTestMessage(tomas, id, "Hazel.");
    await sendTestMessage(mira, id, "Ines, are you there? Ines!");
    expect(await listMessageTexts(ines, id)).toEqual(["<p>Shall we plant a hedge?</p>\n"]);
    const found = await getConversation(db, ines, id);
    for (const query of [{ before: 4 }, { after: 0 }, { at: 3 }])
      expect(await getMessagesPage(db, ines, found, query)).toMatchObject({
        messages: [{ seq: 1 }],
        hasNewer: false,
      });
    expect(await getMessagesPage(db, ines, found, { after: 1 })).toMatchObject({ messages: [] });
    expect(await listInboxIds(ines, "requests")).toMatchObject([
      { unread: 1, last: { excerpt: "Shall we plant a hedge?" } },
    ]);
    expect(await listRequestCards(db, ines)).toMatchObject([{ html: expect.stringContaining("hedge") }]);
    await within((tx) => markConversationRead(tx, ines, { conversationId: id, upTo: 3 }));
    await within((tx) => acceptConversation(tx, ines, { conversationId: id }));
    expect(await listMessageTexts(ines, id)).toHaveLength(3);
    expect(await listInboxIds(ines)).toMatchObject([
      { unread: 2, last: { excerpt: "Ines, are you there? Ines!" } },
    ]);
  });

  test("limits the first message to a thousand characters, even when it is edited", async () => {
    const { mira, tomas, noor, id } = await setupGroupRequest();
    const first = (await getMessagesPage(db, mira, await getConversation(db, mira, id))).messages[0]!;
    const tooLong = { reason: "invalid", fields: { body: expect.stringContaining("1,000") } };
    await expect(startTestConversation(mira, ["tomas", "ines"], LONG)).rejects.toMatchObject(tooLong);
    await expect(
      within((tx) => editMessage(tx, mira, { messageId: first.id, body: LONG })),
    ).rejects.toMatchObject(tooLong);
    await sendTestMessage(mira, id, LONG);
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${noor.id}`);
    await add(tomas, id, "noor");
    await expect(sendTestMessage(mira, id, LONG)).rejects.toMatchObject(tooLong);
    await sendTestMessage(mira, id, "Noor, we speak of hedges.");
    await sendTestMessage(mira, id, LONG);
    expect(await listMessageTexts(noor, id)).toEqual(["<p>Noor, we speak of hedges.</p>\n"]);
  });

  test("does not show that the conversation was renamed", async () => {
    const { mira, tomas, ines, id } = await setupGroupRequest();
    await within((tx) => renameConversation(tx, mira, { conversationId: id, name: "Answer me" }));
    expect([
      (await getConversation(db, ines, id)).entries,
      (await getConversation(db, tomas, id)).entries,
    ]).toMatchObject([[], [{ kind: "renamed" }]]);
  });
});

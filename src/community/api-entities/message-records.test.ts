import { expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { acceptConversation, sendMessage, startConversation } from "#community/conversations";
import { sendFriendRequest } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { getRecord, getEntityRow } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

test("API clients read only the first message of a group conversation the person has not accepted", async () => {
  const { mira, tomas, noor } = await createTestUsers(database);
  await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${noor.id}`);
  await within((tx) => sendFriendRequest(tx, mira, { personId: tomas.id, note: "" }));
  await within((tx) => sendFriendRequest(tx, tomas, { personId: mira.id, note: "" }));
  const { id } = await within((tx) =>
    startConversation(tx, mira, { to: ["tomas", "noor"], name: "", body: "Hello." }),
  );
  const first = await one(db, sql<{ id: string }>`select id from messages where conversation_id = ${id}`);
  const next = await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "Noor!" }));
  const reads = async (viewer: SignedIn, messageId: string) => {
    const found = [
      getRecord(db, viewer, "Messages", messageId),
      getEntityRow(db, viewer, "Messages", messageId),
    ];
    return (await Promise.all(found.map((it) => it.catch(() => null)))).map((it) => it?.["text"] ?? null);
  };
  expect([await reads(noor, first.id), await reads(noor, next.id)]).toEqual([
    ["Hello.", "Hello."],
    [null, null],
  ]);
  expect(await getEntityRow(db, noor, "Conversations", id)).toMatchObject({ unread: 1, standing: "request" });
  await within((tx) => acceptConversation(tx, noor, { conversationId: id }));
  expect(await reads(noor, next.id)).toEqual(["Noor!", "Noor!"]);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { openFolder } from "#platform/storage";
import { block } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  acceptConversation,
  addMessagePicture,
  addPeople,
  conversationFor,
  deleteMessage,
  editMessage,
  leaveConversation,
  messageFileFor,
  messagesOf,
  sendMessage,
  startConversation,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-message-pictures-"));
const house = { database, storage: openFolder(folder) };
afterAll(() => rm(folder, { recursive: true }));

const bytes = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: "#080" } })
    .png()
    .toBuffer();
const say = (who: SignedIn, conversationId: string, body: string) => within((tx) => sendMessage(tx, who, { conversationId, body }));
const sees = (who: Viewer, id: string) => messageFileFor(db, who, id).then(({ mime }) => mime === "image/webp");
const refused = { reason: "not-found" };

/** Mira, Tomas and Ines talk; Noor has not accepted. */
async function talk() {
  const people = await cast(database);
  const { mira, tomas, ines } = people;
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id } = await within((tx) => startConversation(tx, mira, { to: ["tomas", "ines", "noor"], name: "", body: "Look." }));
  for (const who of [tomas, ines]) await within((tx) => acceptConversation(tx, who, { conversationId: id }));
  const picture = await addMessagePicture(house, mira, id, await bytes());
  return { ...people, id, picture };
}

describe("a picture in a message", () => {
  test("is seen by those who read the message, once it is sent, and by nobody else", async () => {
    const { mira, tomas, noor, ada, guest, id, picture } = await talk();
    await expect(sees(tomas, picture.id)).rejects.toMatchObject(refused);
    await say(mira, id, `The bed: ![green](${picture.address})`);
    expect([await sees(mira, picture.id), await sees(tomas, picture.id)]).toEqual([true, true]);
    const { messages } = await messagesOf(db, tomas, await conversationFor(db, tomas, id));
    expect(messages.at(-1)!.html).toContain(`<img src="${picture.address}" alt="green" width="40" height="20"`);
    // Who has not accepted, or has nothing to do with it, or is nobody.
    for (const who of [noor, ada, guest]) await expect(sees(who, picture.id)).rejects.toMatchObject(refused);
    await expect(sees(tomas, "no id")).rejects.toMatchObject(refused);
  });

  test("is not for who came later, has left, or is parted from its author", async () => {
    const { mira, tomas, ines, ada, id, picture } = await talk();
    await say(mira, id, `![green](${picture.address})`);
    await within((tx) => addPeople(tx, mira, { conversationId: id, to: ["ada"] }));
    await within((tx) => acceptConversation(tx, ada, { conversationId: id }));
    await within((tx) => leaveConversation(tx, ines, { conversationId: id }));
    await within((tx) => block(tx, tomas, { personId: mira.id }));
    for (const who of [ada, ines, tomas]) await expect(sees(who, picture.id)).rejects.toMatchObject(refused);
  });

  test("goes with the message that is changed or taken back", async () => {
    const { mira, tomas, id, picture } = await talk();
    const { id: messageId } = await say(mira, id, `![green](${picture.address})`);
    await within((tx) => editMessage(tx, mira, { messageId, body: "Nothing to see." }));
    await expect(sees(tomas, picture.id)).rejects.toMatchObject(refused);
    await within((tx) => editMessage(tx, mira, { messageId, body: `Again ![green](${picture.address})` }));
    expect(await sees(tomas, picture.id)).toBe(true);
    await within((tx) => deleteMessage(tx, mira, { messageId }));
    await expect(sees(tomas, picture.id)).rejects.toMatchObject(refused);
    expect(await one(db, sql`select attached_kind from uploads where id = ${picture.id}`)).toEqual({ attached_kind: null });
  });

  test("is one's own: another's address shows nothing, and where one may not write none is taken", async () => {
    const { mira, tomas, noor, ada, id, picture } = await talk();
    await say(tomas, id, `![hers](${picture.address})`);
    const { messages } = await messagesOf(db, mira, await conversationFor(db, mira, id));
    expect(messages.at(-1)!.html).not.toContain("<img");
    await expect(sees(tomas, picture.id)).rejects.toMatchObject(refused);
    await expect(addMessagePicture(house, ada, id, await bytes())).rejects.toMatchObject(refused);
    const two = await within((tx) => startConversation(tx, mira, { to: ["noor"], name: "", body: "You?" }));
    await within((tx) => block(tx, noor, { personId: mira.id }));
    await expect(addMessagePicture(house, mira, two.id, await bytes())).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(addMessagePicture(house, mira, id, Buffer.from("no picture"))).rejects.toMatchObject({ reason: "wrong-type" });
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { sendFriendRequest } from "#community/friends";
import type { SignedIn } from "#community/rules";
import { createTestUsers, createPerson } from "../../../test/support/test-users.ts";
import { assertNoStaleParticipants } from "../../../test/support/conversations/stale-participants.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  acceptConversation,
  addParticipants,
  getConversation,
  listConversations,
  leaveConversation,
  markConversationRead,
  markConversationUnread,
  getMessagesPage,
  ParticipantAddition,
  muteConversation,
  NewConversation,
  removeParticipant,
  renameConversation,
  sendMessage,
  startConversation,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
afterEach(() => assertNoStaleParticipants(db));

/** Mira is a friend of Tomas and Ines and begins a conversation with both. */
async function circle() {
  const people = await createTestUsers(database);
  const { mira, tomas, ines } = people;
  for (const friend of [tomas, ines]) {
    await within((tx) => sendFriendRequest(tx, mira, { personId: friend.id, note: "" }));
    await within((tx) => sendFriendRequest(tx, friend, { personId: mira.id, note: "" }));
  }
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id } = await within((tx) =>
    startConversation(tx, mira, NewConversation.parse({ to: "tomas ines", body: "Friday?" })),
  );
  return { ...people, id };
}
const add = (viewer: SignedIn, conversationId: string, to: string) =>
  within((tx) => addParticipants(tx, viewer, ParticipantAddition.parse({ conversationId, to })));
const send = (viewer: SignedIn, conversationId: string, body: string) =>
  within((tx) => sendMessage(tx, viewer, { conversationId, body }));
const texts = async (viewer: SignedIn, id: string) =>
  (await getMessagesPage(db, viewer, await getConversation(db, viewer, id))).messages.map(
    (it) => it.html?.trim() ?? it.stub,
  );
const names = async (viewer: SignedIn, id: string) =>
  (await getConversation(db, viewer, id)).others.map((it) => it.username);

describe("added participant", () => {
  test("sees only later messages, and an activity entry reports the addition", async () => {
    const { mira, tomas, noor, id } = await circle();
    await send(tomas, id, "Between us three.");
    await add(tomas, id, "noor");
    await send(mira, id, "Hello, Noor.");
    expect(await texts(noor, id)).toEqual(["<p>Hello, Noor.</p>"]);
    expect((await getConversation(db, mira, id)).entries).toMatchObject([
      {
        kind: "added",
        afterSeq: 2,
        by: { username: "tomas" },
        person: { username: "noor" },
        byViewer: false,
      },
    ]);
    expect((await listConversations(db, noor, { tab: "requests" })).rows).toMatchObject([{ unread: 1 }]);
    await within((tx) => acceptConversation(tx, noor, { conversationId: id }));
    expect(await getMessagesPage(db, noor, await getConversation(db, noor, id), { before: 3 })).toMatchObject(
      {
        messages: [],
        hasOlder: false,
      },
    );
  });

  test("appears in the error if the conversation is full or already includes them", async () => {
    const { mira, tomas, id } = await circle();
    await within(async (tx) => {
      for (let n = 0; n < 28; n++) await createPerson(tx, `friend${n}`);
      await run(tx, sql`update people set privacy = '{"messages":"everyone"}' where username like 'friend%'`);
    });
    const some = Array.from({ length: 27 }, (_, n) => `friend${n}`).join(",");
    await expect(add(mira, id, `${some}, friend27`)).rejects.toMatchObject({
      fields: { to: expect.stringContaining("Friend27 cannot be added") },
    });
    await add(mira, id, some);
    expect((await getConversation(db, mira, id)).others).toHaveLength(29);
    await expect(add(mira, id, "friend27")).rejects.toMatchObject({
      reason: "invalid",
      fields: { to: expect.stringContaining("Friend27") },
    });
    await expect(add(mira, id, "ines")).rejects.toMatchObject({
      fields: { to: "Ines is already in this conversation." },
    });
    await run(db, sql`update people set privacy = '{"messages":"nobody"}' where username = 'friend27'`);
    await within((tx) => removeParticipant(tx, mira, { conversationId: id, personId: tomas.id }));
    await expect(add(mira, id, "friend27")).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(
      within((tx) =>
        startConversation(
          tx,
          mira,
          NewConversation.parse({ to: `${some} tomas ines friend27 ada noor`, body: "x" }),
        ),
      ),
    ).rejects.toMatchObject({
      fields: { to: expect.stringContaining("cannot be added") },
    });
  });

  test("can be added by participants, to a group conversation only", async () => {
    const { mira, ada, noor, id } = await circle();
    for (const viewer of [ada, noor])
      await expect(add(viewer, id, "ada")).rejects.toMatchObject({ reason: "not-found" });
    const two = await within((tx) =>
      startConversation(tx, mira, NewConversation.parse({ to: "tomas", body: "Us." })),
    );
    await expect(add(mira, two.id, "noor")).rejects.toMatchObject({ reason: "not-allowed" });
    await add(mira, id, "noor");
    await expect(add(noor, id, "ada")).rejects.toMatchObject({ reason: "not-allowed" });
  });
});

describe("removed participant", () => {
  test("loses access to the conversation, and can be removed only by its creator", async () => {
    const { mira, tomas, ines, id } = await circle();
    const out = (by: SignedIn, personId: string) =>
      within((tx) => removeParticipant(tx, by, { conversationId: id, personId }));
    await expect(out(tomas, ines.id)).rejects.toMatchObject({ reason: "not-allowed" });
    for (const personId of ["nobody", mira.id])
      await expect(out(mira, personId)).rejects.toMatchObject({ reason: "not-found" });
    await out(mira, ines.id);
    await expect(getConversation(db, ines, id)).rejects.toMatchObject({ reason: "not-found" });
    expect([(await listConversations(db, ines, { tab: "all" })).rows, await names(tomas, id)]).toEqual([
      [],
      ["mira"],
    ]);
    await expect(out(mira, ines.id)).rejects.toMatchObject({ reason: "not-found" });
    await send(mira, id, "Without her.");
    await add(mira, id, "ines");
    expect(await texts(ines, id)).toEqual([]);
  });
});

describe("leaving a conversation", () => {
  test("notifies no one and makes another participant the creator", async () => {
    const { mira, tomas, ines, id } = await circle();
    const before = (await listConversations(db, tomas, { tab: "groups" })).rows[0]!.lastMessageAt;
    database.clock.pass(60_000);
    await within((tx) => leaveConversation(tx, mira, { conversationId: id }));
    expect((await listConversations(db, tomas, { tab: "groups" })).rows).toMatchObject([
      { lastMessageAt: before, unread: 1, othersCount: 1 },
    ]);
    expect((await getConversation(db, ines, id)).entries).toEqual([]);
    const [successor, other] = (await getConversation(db, tomas, id)).mine ? [tomas, ines] : [ines, tomas];
    expect((await getConversation(db, other, id)).mine).toBe(false);
    await within((tx) => removeParticipant(tx, successor, { conversationId: id, personId: other.id }));
  });
});

describe("conversation name", () => {
  test("can be changed by participants, which adds an entry between the messages", async () => {
    const { mira, tomas, noor, id } = await circle();
    const rename = (by: SignedIn, name: string) =>
      within((tx) => renameConversation(tx, by, { conversationId: id, name }));
    await rename(tomas, "Harvest");
    await rename(tomas, "Harvest");
    expect(await getConversation(db, mira, id)).toMatchObject({
      name: "Harvest",
      entries: [{ kind: "renamed", name: "Harvest" }],
    });
    await expect(rename(noor, "Mine")).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("conversation", () => {
  test("becomes unread from the last message by others when it is marked as unread", async () => {
    const { mira, tomas, id } = await circle();
    await send(tomas, id, "Yes.");
    await send(mira, id, "Good.");
    const unread = async () =>
      (await listConversations(db, mira, { tab: "unread" })).rows.map((it) => it.unread);
    expect(await unread()).toEqual([]);
    await within((tx) => markConversationUnread(tx, mira, { conversationId: id }));
    expect(await unread()).toEqual([2]);
    await within((tx) => markConversationRead(tx, mira, { conversationId: id, upTo: 3 }));
    expect(await unread()).toEqual([]);
    const alone = await within((tx) =>
      startConversation(tx, mira, NewConversation.parse({ to: "ada", body: "Ada?" })),
    );
    await expect(
      within((tx) => markConversationUnread(tx, mira, { conversationId: alone.id })),
    ).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("cannot be muted until a time in the past", async () => {
    const { mira, id } = await circle();
    const mute = (until: Date) => within((tx) => muteConversation(tx, mira, { conversationId: id, until }));
    await expect(mute(database.clock.at)).rejects.toMatchObject({
      reason: "invalid",
      fields: { until: "That time is in the past." },
    });
    await mute(new Date(database.clock.at.getTime() + 1));
  });
});

test("a conversation accepts no changes after sixty renames within an hour", async () => {
  const { id, mira, tomas } = await circle();
  await run(db, sql`delete from settings where key = 'writingLimits'`);
  const name = (viewer: SignedIn, words: string) =>
    within((tx) => renameConversation(tx, viewer, { conversationId: id, name: words }));
  for (let n = 0; n < 59; n++) await name(mira, `Friday ${n}`);
  await name(mira, "Saturday");
  await expect(name(mira, "Sunday")).rejects.toMatchObject({ reason: "too-many" });
  await expect(add(mira, id, "noor")).rejects.toMatchObject({ reason: "too-many" });
  expect((await getConversation(db, tomas, id)).name).toBe("Saturday");
  database.clock.pass(3_600_000);
  await name(tomas, "Sunday");
});

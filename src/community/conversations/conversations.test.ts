import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { block } from "#community/friends";
import type { Viewer } from "#community/rules";
import { announced } from "../../../test/cast.ts";
import {
  acceptConversation,
  archiveConversation,
  conversationFor,
  conversationWith,
  leaveConversation,
  markConversationRead,
  messagesOf,
  muteConversation,
  NewConversation,
  nextUnreadConversation,
  sendMessage,
  startConversation,
  unreadConversations,
} from "./index.ts";
import { database, db, inbox, say, setting, texts, within, write } from "./talking.fixture.ts";

describe("message to a friend", () => {
  test("shows both their shared groups, and none after a block", async () => {
    const { mira, tomas, group } = await setting();
    const { id } = await write(mira, "tomas");
    const shared = async () =>
      Promise.all([mira, tomas].map(async (who) => (await conversationFor(db, who, id)).groupsInCommon.map(({ slug }) => slug)));
    expect(await shared()).toEqual([[group.slug], [group.slug]]);
    await within((tx) => block(tx, tomas, { personId: mira.id }));
    expect(await shared()).toEqual([[], []]);
  });

  test("arrives in the inbox at once, in their one conversation", async () => {
    const { mira, tomas } = await setting();
    const first = await write(mira, "tomas");
    const second = await write(tomas, "@Mira", "Always.");
    expect(second).toEqual({ id: first.id, seq: 2 });
    expect(await inbox(tomas)).toMatchObject([
      { others: [{ username: "mira" }], last: { by: "viewer", excerpt: "Always." }, unread: 0, isRequest: false },
    ]);
    expect(await inbox(mira)).toMatchObject([{ last: { by: { username: "tomas" } }, unread: 1 }]);
    expect([await unreadConversations(db, mira), await conversationWith(db, mira, tomas.id)]).toEqual([1, { id: first.id }]);
    expect(await announced(database)).toContain("message.written");
  });

  test("next unread is the latest, the current one last, without requests and muted ones", async () => {
    const { mira, tomas, ines, guest } = await setting();
    const next = async (who: Viewer, from?: string) => (await nextUnreadConversation(db, who, from))?.id ?? null;
    expect([await next(mira), await next(guest)]).toEqual([null, null]);
    const { id: toTwo } = await write(tomas, ["mira", "ines"]);
    database.clock.pass(1_000);
    const { id: toOne } = await write(tomas, "mira");
    expect([await next(mira), await next(mira, toOne), await next(mira, toTwo), await next(mira, "x")]).toEqual([
      toOne,
      toTwo,
      toOne,
      toOne,
    ]);
    expect([await next(tomas), await next(ines)]).toEqual([null, null]);
    await within((tx) => markConversationRead(tx, mira, { conversationId: toTwo, upTo: 1 }));
    expect(await next(mira, toOne)).toBe(toOne);
    await within((tx) => muteConversation(tx, mira, { conversationId: toOne, until: new Date(Date.now() + 60_000) }));
    expect(await next(mira)).toBeNull();
  });

  test("creates one conversation even when both begin at once", async () => {
    const { mira, tomas } = await setting();
    const [one, two] = await Promise.all([write(mira, "tomas"), write(tomas, "mira")]);
    expect(one.id).toBe(two.id);
    expect(await texts(mira, one.id)).toHaveLength(2);
  });

  test("deletes the draft without recipient; a message elsewhere does not", async () => {
    const { mira, tomas, ines } = await setting();
    const begun = async () => (await many(db, sql<{ place: string }>`select place from drafts order by place`)).map((it) => it.place);
    const { id } = await write(mira, "tomas");
    await run(
      db,
      sql`insert into drafts (person_id, place, version, data, saved_at)
          select ${mira.id}, place, 1, '{"title":"","body":"Dear all"}', now() from unnest(array['new:conversation', ${`conversation:${id}`}]) place`,
    );
    await say(mira, id, "Dear all");
    await say(tomas, id, "Dear all");
    expect(await begun()).toEqual(["new:conversation"]);
    await write(ines, "mira");
    expect(await begun()).toEqual(["new:conversation"]);
    await write(mira, "ines", "Dear all");
    expect(await begun()).toEqual([]);
  });

  test("deletes the draft that was sent and keeps the one of another device", async () => {
    const { mira } = await setting();
    const { id } = await write(mira, "tomas");
    const begun = async () => (await many(db, sql<{ place: string }>`select place from drafts order by place`)).map((it) => it.place);
    const there = `conversation:${id}`;
    await run(
      db,
      sql`insert into drafts (person_id, place, version, data, saved_at)
          select ${mira.id}, place, 3, '{"title":"","body":"Yes, and a long story."}', now() from unnest(array['new:conversation', ${there}]) place`,
    );
    await say(mira, id);
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "Yes", draftVersion: 2 }));
    await write(mira, "tomas", "Another.");
    expect(await begun()).toEqual([there, "new:conversation"]);
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "Yes, and a story.", draftVersion: 3 }));
    expect(await begun()).toEqual(["new:conversation"]);
    await within((tx) => startConversation(tx, mira, NewConversation.parse({ to: "tomas", body: "All.", draftVersion: 3 })));
    expect(await begun()).toEqual([]);
  });

  test("sent twice is stored once, and concurrent ones are numbered without a gap", async () => {
    const { mira, tomas } = await setting();
    const { id } = await write(mira, "tomas");
    const clientId = randomUUID();
    const [one, two] = await Promise.all([say(tomas, id, "x", clientId), say(tomas, id, "x", clientId)]);
    expect(one).toEqual(two);
    const sent = await Promise.all(Array.from({ length: 10 }, (_, i) => say(i % 2 ? mira : tomas, id)));
    expect(sent.map((it) => it.seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i + 3));
  });
});

describe("group conversation", () => {
  test("can be left quietly, and returns not-found to others", async () => {
    const { mira, tomas, noor, ada, guest } = await setting();
    const { id } = await write(mira, ["tomas", "ines"], "Friday?");
    await say(tomas, id, "Friday.");
    expect(await conversationFor(db, tomas, id)).toMatchObject({
      kind: "group",
      others: [{ username: "mira" }, { username: "ines", accepted: false }],
    });
    for (const who of [noor, ada]) await expect(conversationFor(db, who, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(conversationFor(db, guest, id)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(say(noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => leaveConversation(tx, tomas, { conversationId: id }));
    expect([await inbox(tomas), (await inbox(mira))[0]!.othersCount]).toEqual([[], 1]);
    await expect(say(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("sent twice at once is created once", async () => {
    const { mira } = await setting();
    const clientId = randomUUID();
    const [one, two] = await Promise.all([
      write(mira, "tomas, ines", "Friday?", clientId),
      write(mira, "tomas, ines", "Friday?", clientId),
    ]);
    expect(one).toEqual(two);
    expect(await inbox(mira, "groups")).toHaveLength(1);
  });

  test("shows stubs both ways across a block, and no name to the blocked person", async () => {
    const { mira, tomas, ines } = await setting();
    const { id } = await write(mira, ["tomas", "ines"], "Friday?");
    await within((tx) => acceptConversation(tx, ines, { conversationId: id }));
    await say(tomas, id, "Not with her.");
    await within((tx) => block(tx, tomas, { personId: mira.id }));
    expect([await texts(mira, id), await texts(tomas, id), await texts(ines, id)]).toEqual([
      ["<p>Friday?</p>\n", "blocked"],
      ["blocked-by-viewer", "<p>Not with her.</p>\n"],
      ["<p>Friday?</p>\n", "<p>Not with her.</p>\n"],
    ]);
    expect((await conversationFor(db, mira, id)).others.map((it) => it.username)).toEqual(["ines"]);
    expect(await inbox(mira)).toMatchObject([{ last: { by: null, excerpt: "" } }]);
  });
});

describe("conversation state", () => {
  test("block keeps messages and prevents new ones", async () => {
    const { mira, tomas } = await setting();
    const { id } = await write(mira, "tomas");
    await within((tx) => block(tx, tomas, { personId: mira.id }));
    expect(await texts(mira, id)).toEqual(["<p>Are you there?</p>\n"]);
    await expect(say(mira, id)).rejects.toMatchObject({ reason: "not-allowed", message: "You can no longer message this person." });
    await expect(say(tomas, id)).rejects.toMatchObject({ reason: "not-allowed" });
    expect([await inbox(tomas), (await inbox(tomas, "archived")).length]).toEqual([[], 1]);
  });

  test("read position moves only forwards; a message unarchives; muted does not count as unread", async () => {
    database.clock.at = new Date();
    const { mira, tomas } = await setting();
    const { id } = await write(mira, "tomas");
    for (let i = 0; i < 3; i++) await say(mira, id);
    const read = (upTo: number) => within((tx) => markConversationRead(tx, tomas, { conversationId: id, upTo }));
    await read(3);
    await read(1);
    expect((await inbox(tomas))[0]!.unread).toBe(1);
    await within((tx) => archiveConversation(tx, tomas, { conversationId: id, archived: true }));
    expect([await inbox(tomas), await unreadConversations(db, tomas)]).toEqual([[], 0]);
    await say(mira, id);
    expect((await inbox(tomas, "unread"))[0]!.unread).toBe(2);
    await within((tx) => muteConversation(tx, tomas, { conversationId: id, until: new Date(Date.now() + 60_000) }));
    expect(await unreadConversations(db, tomas)).toBe(0);
    await expect(within((tx) => leaveConversation(tx, tomas, { conversationId: id }))).rejects.toMatchObject({ reason: "conflict" });
  });

  test("messages load fifty at a time in both directions", async () => {
    const { mira, tomas } = await setting();
    const { id } = await write(mira, "tomas");
    for (let i = 0; i < 59; i++) await say(tomas, id, `No. ${i}`);
    const conversation = await conversationFor(db, mira, id);
    const range = async (query: Parameters<typeof messagesOf>[3]) => {
      const { messages, hasOlder, hasNewer } = await messagesOf(db, mira, conversation, query);
      return [messages[0]?.seq, messages.at(-1)?.seq, hasOlder, hasNewer];
    };
    expect(await range({})).toEqual([11, 60, true, false]);
    expect(await range({ before: 11 })).toEqual([1, 10, false, true]);
    expect(await range({ after: 5 })).toEqual([6, 55, true, true]);
    for (const odd of [Number.NaN, -1, 1e12]) await range({ before: odd, after: odd });
  });
});

import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { conversationRules, type SignedIn } from "#community/rules";
import { listEmittedEvents, createTestUsers } from "../../../test/support/test-users.ts";
import {
  listConversations,
  deleteMessage,
  editMessage,
  hideMessage,
  NewConversation,
  reactToMessage,
  startConversation,
} from "./index.ts";
import {
  database,
  db,
  sendTestMessage,
  getMessages,
  setupTwoConversations,
  listMessageTexts,
  within,
} from "../../../test/support/conversations/two-conversations.ts";

const MINUTES = 60_000;

describe("own messages", () => {
  test("can be edited for ten minutes, and are marked as edited for everyone", async () => {
    const { mira, tomas, id, first } = await setupTwoConversations();
    database.clock.pass(10 * MINUTES);
    await within((tx) => editMessage(tx, mira, { messageId: first, body: "The shed is **locked**." }));
    expect(await getMessages(tomas, id)).toMatchObject([
      { html: "<p>The shed is <strong>locked</strong>.</p>\n", editedAt: expect.any(Date) },
    ]);
    database.clock.pass(1);
    await expect(
      within((tx) => editMessage(tx, mira, { messageId: first, body: "No." })),
    ).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await listEmittedEvents(database)).toContain("message.edited");
  });

  test("keep the length limit of a message request until it is answered", async () => {
    const { ines, noor } = await createTestUsers(database);
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const { id } = await within((tx) =>
      startConversation(tx, noor, NewConversation.parse({ to: "ines", body: "May I?" })),
    );
    const [first] = await getMessages(noor, id);
    const change = (length: number) =>
      within((tx) => editMessage(tx, noor, { messageId: first!.id, body: "x".repeat(length) }));
    await change(1_000);
    await expect(change(1_001)).rejects.toMatchObject({
      reason: "invalid",
      fields: { body: expect.any(String) },
    });
    await sendTestMessage(ines, id, "Go on.");
    await change(1_001);
  });

  test("can be withdrawn for ten minutes; later they can only be hidden for oneself", async () => {
    const { mira, tomas, id, first } = await setupTwoConversations();
    const { id: second } = await sendTestMessage(tomas, id, "Thanks.");
    await within((tx) => reactToMessage(tx, mira, { messageId: second, emoji: "👍" }));
    await within((tx) => deleteMessage(tx, tomas, { messageId: second }));
    expect(await getMessages(mira, id)).toMatchObject([{}, { stub: "deleted", html: null, reactions: [] }]);
    expect(await one(db, sql`select body_md, body_html from messages where id = ${second}`)).toEqual({
      body_md: "",
      body_html: "",
    });
    database.clock.pass(11 * MINUTES);
    await expect(within((tx) => deleteMessage(tx, mira, { messageId: first }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => hideMessage(tx, mira, { messageId: first }));
    await within((tx) => hideMessage(tx, mira, { messageId: first }));
    expect([await listMessageTexts(mira, id), await listMessageTexts(tomas, id)]).toEqual([
      ["deleted"],
      ["<p>The shed is open.</p>", "deleted"],
    ]);
    await within((tx) => hideMessage(tx, mira, { messageId: second }));
    expect((await listConversations(db, mira, { tab: "all" })).rows).toMatchObject([
      { last: { excerpt: "" } },
    ]);
  });

  test("cannot be edited or withdrawn by others, whatever id is sent", async () => {
    const { mira, tomas, noor, ada, first } = await setupTwoConversations();
    for (const verb of [
      (viewer: SignedIn) => within((tx) => editMessage(tx, viewer, { messageId: first, body: "Mine." })),
      (viewer: SignedIn) => within((tx) => deleteMessage(tx, viewer, { messageId: first })),
    ]) {
      await expect(verb(tomas)).rejects.toMatchObject({ reason: "not-allowed" });
      for (const viewer of [noor, ada])
        await expect(verb(viewer)).rejects.toMatchObject({ reason: "not-found" });
    }
    for (const messageId of ["no id", randomUUID()])
      await expect(within((tx) => hideMessage(tx, mira, { messageId }))).rejects.toMatchObject({
        reason: "not-found",
      });
  });

  test("cannot be edited after a block, but can be withdrawn", async () => {
    const { mira, tomas, id, first } = await setupTwoConversations();
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    await expect(
      within((tx) => editMessage(tx, mira, { messageId: first, body: "?" })),
    ).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => deleteMessage(tx, mira, { messageId: first }));
    expect(await listMessageTexts(tomas, id)).toEqual(["deleted"]);
  });

  test("cannot be edited in a request, across a block, when deleted or after ten minutes", () => {
    const at = new Date(0);
    const viewer: SignedIn = { id: "a", role: "member", trust: "new", limited: false };
    const it = { kind: "direct", viewerState: "accepted", blocked: false, mine: true } as const;
    const message = { mine: true, stub: null, createdAt: at };
    const now = new Date(10 * MINUTES);
    expect(conversationRules.edit(viewer, it, message, now)).toBe(true);
    for (const [place, words] of [
      [{ ...it, viewerState: "request" as const }, message],
      [{ ...it, blocked: true }, message],
      [it, { ...message, mine: false }],
      [it, { ...message, stub: "deleted" }],
      [it, { ...message, createdAt: new Date(-1) }],
    ] as const)
      expect(conversationRules.edit(viewer, place, words, now)).toBe(false);
  });
});

describe("reply to a message", () => {
  test("shows the quoted message as the reader sees it now", async () => {
    const { mira, tomas, id, first } = await setupTwoConversations();
    await sendTestMessage(tomas, id, "Good.", { replyTo: first });
    expect((await getMessages(tomas, id))[1]).toMatchObject({
      replyTo: { id: first, seq: 1, author: { username: "mira" }, excerpt: "The shed is open." },
    });
    await within((tx) => deleteMessage(tx, mira, { messageId: first }));
    expect((await getMessages(tomas, id))[1]).toMatchObject({ replyTo: { excerpt: "" } });
    await within((tx) => hideMessage(tx, tomas, { messageId: first }));
    expect(await getMessages(tomas, id)).toMatchObject([{ replyTo: null, html: "<p>Good.</p>\n" }]);
  });

  test("must refer to a visible message of the conversation", async () => {
    const { mira, tomas, id, first, start } = await setupTwoConversations();
    const other = await start("noor", "Something else.");
    const [elsewhere] = await getMessages(mira, other.id);
    for (const replyTo of [elsewhere!.id, randomUUID()])
      await expect(sendTestMessage(tomas, id, "Huh?", { replyTo })).rejects.toMatchObject({
        reason: "not-found",
      });
    await within((tx) => hideMessage(tx, tomas, { messageId: first }));
    await expect(sendTestMessage(tomas, id, "Huh?", { replyTo: first })).rejects.toMatchObject({
      reason: "not-found",
    });
  });
});

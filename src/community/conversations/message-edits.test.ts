import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { one, run, sql, type Tx } from "#platform/database";
import { blockPerson } from "#community/friends";
import { conversationRules, type SignedIn } from "#community/rules";
import { runConcurrently } from "../../../test/support/concurrently.ts";
import { listEmittedEvents, createTestUsers, createPerson } from "../../../test/support/test-users.ts";
import {
  getConversation,
  listConversations,
  deleteMessage,
  editMessage,
  searchMessages,
  hideMessage,
  markConversationRead,
  MessageReaction,
  NewConversation,
  reactToMessage,
  listRequestCards,
  startConversation,
  unreactToMessage,
} from "./index.ts";
import {
  database,
  db,
  sendTestMessage,
  getMessages,
  setupTwoConversations,
  listMessageTexts,
  within,
} from "../../../test/support/two-conversations.ts";

const MINUTES = 60_000;

describe("own messages", () => {
  test("can be edited for ten minutes, visibly to all", async () => {
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

  test("stay within the limits of a first message until answered", async () => {
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

  test("refuse edits and withdrawal by others, whatever id is sent", async () => {
    const { mira, tomas, noor, ada, first } = await setupTwoConversations();
    for (const verb of [
      (who: SignedIn) => within((tx) => editMessage(tx, who, { messageId: first, body: "Mine." })),
      (who: SignedIn) => within((tx) => deleteMessage(tx, who, { messageId: first })),
    ]) {
      await expect(verb(tomas)).rejects.toMatchObject({ reason: "not-allowed" });
      for (const who of [noor, ada]) await expect(verb(who)).rejects.toMatchObject({ reason: "not-found" });
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

  test("rule requires all conditions", () => {
    const at = new Date(0);
    const who: SignedIn = { id: "a", role: "member", trust: "new", limited: false };
    const it = { kind: "direct", viewerState: "accepted", blocked: false, mine: true } as const;
    const message = { mine: true, stub: null, createdAt: at };
    const now = new Date(10 * MINUTES);
    expect(conversationRules.edit(who, it, message, now)).toBe(true);
    for (const [place, words] of [
      [{ ...it, viewerState: "request" as const }, message],
      [{ ...it, blocked: true }, message],
      [it, { ...message, mine: false }],
      [it, { ...message, stub: "deleted" }],
      [it, { ...message, createdAt: new Date(-1) }],
    ] as const)
      expect(conversationRules.edit(who, place, words, now)).toBe(false);
  });
});

describe("message reactions", () => {
  test("show counts and names, once for each person and emoji", async () => {
    const { mira, tomas, id, first } = await setupTwoConversations();
    for (const who of [tomas, tomas, mira]) {
      await within((tx) => reactToMessage(tx, who, { messageId: first, emoji: "🌱" }));
      database.clock.pass(1);
    }
    expect(await getMessages(tomas, id)).toMatchObject([
      { reactions: [{ emoji: "🌱", count: 2, mine: true, names: ["Tomas", "Mira"] }] },
    ]);
    await within((tx) => unreactToMessage(tx, tomas, { messageId: first, emoji: "🌱" }));
    expect(await getMessages(tomas, id)).toMatchObject([{ reactions: [{ count: 1, mine: false }] }]);
    expect(
      (await listEmittedEvents(database)).filter((type) => type.startsWith("message.react")),
    ).toHaveLength(2);
    expect(MessageReaction.safeParse({ messageId: first, emoji: "no" }).success).toBe(false);
  });

  test("allow fifty a day; two at once in two conversations count as two", async () => {
    const { mira, first, start } = await setupTwoConversations();
    const elsewhere = (await getMessages(mira, (await start("noor", "The shed is open.")).id))[0]!.id;
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    await run(
      db,
      sql`insert into message_reactions (message_id, person_id, emoji, created_at)
          select ${first}, ${mira.id}, 'sign ' || n, ${database.clock.at}::timestamptz from generate_series(1, 49) n`,
    );
    const react = (messageId: string) => (tx: Tx) => reactToMessage(tx, mira, { messageId, emoji: "🌱" });
    expect(await runConcurrently(database, react(first), react(elsewhere))).toMatchObject([
      { status: "fulfilled" },
      { reason: { reason: "too-many" } },
    ]);
  });

  test("require an accepted participant and no block", async () => {
    const { mira, tomas, noor, first, start } = await setupTwoConversations();
    await expect(
      within((tx) => reactToMessage(tx, noor, { messageId: first, emoji: "👍" })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    const stranger = await within((tx) => createPerson(tx, "pavel"));
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${stranger.id}`);
    const { id } = await start("pavel", "Hello?");
    const [message] = await getMessages(stranger, id);
    await expect(
      within((tx) => reactToMessage(tx, stranger, { messageId: message!.id, emoji: "👍" })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    await expect(
      within((tx) => reactToMessage(tx, tomas, { messageId: first, emoji: "👍" })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
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

describe("read receipts", () => {
  const choose = (who: SignedIn) =>
    run(db, sql`update people set privacy = '{"showReading":true}' where id = ${who.id}`);

  test("require that both share them", async () => {
    const { mira, tomas, id } = await setupTwoConversations();
    const told = async () => (await getConversation(db, mira, id)).others[0]!.readUpTo;
    await within((tx) => markConversationRead(tx, tomas, { conversationId: id, upTo: 1 }));
    expect(await told()).toBeNull();
    await choose(tomas);
    expect(await told()).toBeNull();
    await choose(mira);
    expect(await told()).toBe(1);
    await within((tx) => blockPerson(tx, mira, { personId: tomas.id }));
    expect(await told()).toBeNull();
  });

  test("show nothing before the request is accepted", async () => {
    const { mira, start } = await setupTwoConversations();
    const stranger = await within((tx) => createPerson(tx, "pavel"));
    await run(
      db,
      sql`update people set privacy = '{"messages":"everyone","showReading":true}' where id = ${stranger.id}`,
    );
    await choose(mira);
    const { id } = await start(
      "pavel",
      "See [this](https://example.org/x) and ![me](https://example.org/y.png).",
    );
    await within((tx) => markConversationRead(tx, stranger, { conversationId: id, upTo: 1 }));
    expect((await getConversation(db, mira, id)).others).toMatchObject([{ accepted: false, readUpTo: null }]);
    expect(await listMessageTexts(stranger, id)).toEqual(["<p>See this and me.</p>"]);
    expect((await listMessageTexts(mira, id))[0]).toContain("https://example.org/x");
  });
});

describe("message search", () => {
  const find = async (who: SignedIn, search: string, conversationId?: string) =>
    (await searchMessages(db, who, { search, conversationId })).rows.map(({ by, excerpt }) => [
      by === "viewer" ? by : by?.username,
      excerpt,
    ]);

  test("finds readable messages in one or all conversations, newest first", async () => {
    const { mira, tomas, noor, ada, id, start } = await setupTwoConversations();
    database.clock.pass(1);
    const other = await start("noor", "The shed has a new roof.");
    expect(await find(mira, "SHED")).toEqual([
      ["viewer", "The shed has a new roof."],
      ["viewer", "The shed is open."],
    ]);
    expect(await find(mira, "she", id)).toEqual([["viewer", "The shed is open."]]);
    expect(await find(tomas, "shed")).toEqual([["mira", "The shed is open."]]);
    expect([await find(tomas, "shed", other.id), await find(ada, "shed"), await find(noor, "open")]).toEqual([
      [],
      [],
      [],
    ]);
    for (const odd of ["", "!!!", "' or 1=1 --", "a".repeat(500)]) expect(await find(mira, odd)).toEqual([]);
    expect(await find(mira, "shed", "no id")).toEqual([]);
  });

  test("skips withdrawn and hidden messages and those from before joining", async () => {
    const { mira, tomas, id, first } = await setupTwoConversations();
    const second = await sendTestMessage(tomas, id, "The shed burns!");
    await within((tx) => hideMessage(tx, mira, { messageId: first }));
    await within((tx) => deleteMessage(tx, tomas, { messageId: second.id }));
    expect([await find(mira, "shed"), await find(tomas, "shed")]).toEqual([
      [],
      [["mira", "The shed is open."]],
    ]);
    await run(db, sql`update participants set joined_seq = 1 where person_id = ${tomas.id}`);
    expect(await find(tomas, "shed")).toEqual([]);
  });
});

describe("message request card", () => {
  test("shows name, account age and shared groups, but not for blocked people", async () => {
    const { mira, start } = await setupTwoConversations();
    const stranger = await within((tx) => createPerson(tx, "pavel"));
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${stranger.id}`);
    await start("pavel", "See ![me](https://example.org/y.png) [here](https://example.org/x).");
    expect(await listRequestCards(db, stranger)).toMatchObject([
      {
        since: expect.any(Date),
        staff: false,
        groupsInCommon: [],
        html: expect.not.stringContaining("example.org/"),
      },
    ]);
    expect(await listRequestCards(db, mira)).toEqual([]);
    await within((tx) => blockPerson(tx, stranger, { personId: mira.id }));
    expect(await listRequestCards(db, stranger)).toEqual([]);
  });
});

import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { askFriend, block } from "#community/friends";
import { conversationRules, type SignedIn } from "#community/rules";
import { announced, cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  conversationFor,
  conversationsOf,
  deleteMessage,
  editMessage,
  findMessages,
  hideMessage,
  markConversationRead,
  MessageReaction,
  messagesOf,
  NewConversation,
  NewMessage,
  reactToMessage,
  requestCards,
  sendMessage,
  startConversation,
  unreactToMessage,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const MINUTES = 60_000;

const say = (from: SignedIn, conversationId: string, body: string, more: { clientId?: string; replyTo?: string } = {}) =>
  within((tx) => sendMessage(tx, from, NewMessage.parse({ conversationId, body, ...more })));
const seen = async (who: SignedIn, id: string) => (await messagesOf(db, who, await conversationFor(db, who, id))).messages;
const texts = async (who: SignedIn, id: string) => (await seen(who, id)).map((it) => it.html?.trim() ?? it.stub);

/** Mira and Tomas are friends and talk; so are Mira and Noor. */
async function talk() {
  const people = await cast(database);
  const { mira } = people;
  for (const friend of [people.tomas, people.noor]) {
    await within((tx) => askFriend(tx, mira, { personId: friend.id, note: "" }));
    await within((tx) => askFriend(tx, friend, { personId: mira.id, note: "" }));
  }
  const start = (to: string, body: string) => within((tx) => startConversation(tx, mira, NewConversation.parse({ to, body, name: "" })));
  const { id } = await start("tomas", "The shed is open.");
  const [first] = await seen(mira, id);
  return { ...people, id, first: first!.id, start };
}

describe("one's own words", () => {
  test("can be changed for ten minutes, where all see that they were", async () => {
    const { mira, tomas, id, first } = await talk();
    database.clock.pass(10 * MINUTES);
    await within((tx) => editMessage(tx, mira, { messageId: first, body: "The shed is **locked**." }));
    expect(await seen(tomas, id)).toMatchObject([{ html: "<p>The shed is <strong>locked</strong>.</p>\n", editedAt: expect.any(Date) }]);
    database.clock.pass(1);
    await expect(within((tx) => editMessage(tx, mira, { messageId: first, body: "No." }))).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await announced(database)).toContain("message.edited");
  });

  test("stay within what a first message may say, until it is answered", async () => {
    const { ines, noor } = await cast(database);
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const { id } = await within((tx) => startConversation(tx, noor, NewConversation.parse({ to: "ines", body: "May I?" })));
    const [first] = await seen(noor, id);
    const change = (length: number) => within((tx) => editMessage(tx, noor, { messageId: first!.id, body: "x".repeat(length) }));
    await change(1_000);
    await expect(change(1_001)).rejects.toMatchObject({ reason: "invalid", fields: { body: expect.any(String) } });
    await say(ines, id, "Go on.");
    await change(1_001);
  });

  test("can be taken back for ten minutes, and are gone then; who comes later puts them out of their own sight", async () => {
    const { mira, tomas, id, first } = await talk();
    const { id: second } = await say(tomas, id, "Thanks.");
    await within((tx) => reactToMessage(tx, mira, { messageId: second, emoji: "👍" }));
    await within((tx) => deleteMessage(tx, tomas, { messageId: second }));
    expect(await seen(mira, id)).toMatchObject([{}, { stub: "deleted", html: null, reactions: [] }]);
    expect(await one(db, sql`select body_md, body_html from messages where id = ${second}`)).toEqual({ body_md: "", body_html: "" });
    database.clock.pass(11 * MINUTES);
    await expect(within((tx) => deleteMessage(tx, mira, { messageId: first }))).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => hideMessage(tx, mira, { messageId: first }));
    await within((tx) => hideMessage(tx, mira, { messageId: first }));
    expect([await texts(mira, id), await texts(tomas, id)]).toEqual([["deleted"], ["<p>The shed is open.</p>", "deleted"]]);
    await within((tx) => hideMessage(tx, mira, { messageId: second }));
    expect((await conversationsOf(db, mira, { tab: "all" })).rows).toMatchObject([{ last: { excerpt: "" } }]);
  });

  test("are nobody else's to change or take back, whatever id they hand in", async () => {
    const { mira, tomas, noor, ada, first } = await talk();
    for (const verb of [
      (who: SignedIn) => within((tx) => editMessage(tx, who, { messageId: first, body: "Mine." })),
      (who: SignedIn) => within((tx) => deleteMessage(tx, who, { messageId: first })),
    ]) {
      await expect(verb(tomas)).rejects.toMatchObject({ reason: "not-allowed" });
      for (const who of [noor, ada]) await expect(verb(who)).rejects.toMatchObject({ reason: "not-found" });
    }
    for (const messageId of ["no id", randomUUID()])
      await expect(within((tx) => hideMessage(tx, mira, { messageId }))).rejects.toMatchObject({ reason: "not-found" });
  });

  test("stay as they are after a block; one may still take them back", async () => {
    const { mira, tomas, id, first } = await talk();
    await within((tx) => block(tx, tomas, { personId: mira.id }));
    await expect(within((tx) => editMessage(tx, mira, { messageId: first, body: "?" }))).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => deleteMessage(tx, mira, { messageId: first }));
    expect(await texts(tomas, id)).toEqual(["deleted"]);
  });

  test("the rule asks for all of it", () => {
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

describe("reactions", () => {
  test("are counted and signed, once for each person and sign", async () => {
    const { mira, tomas, id, first } = await talk();
    for (const who of [tomas, tomas, mira]) {
      await within((tx) => reactToMessage(tx, who, { messageId: first, emoji: "🌱" }));
      database.clock.pass(1);
    }
    expect(await seen(tomas, id)).toMatchObject([{ reactions: [{ emoji: "🌱", count: 2, mine: true, names: ["Tomas", "Mira"] }] }]);
    await within((tx) => unreactToMessage(tx, tomas, { messageId: first, emoji: "🌱" }));
    expect(await seen(tomas, id)).toMatchObject([{ reactions: [{ count: 1, mine: false }] }]);
    expect((await announced(database)).filter((type) => type.startsWith("message.react"))).toHaveLength(2);
    expect(MessageReaction.safeParse({ messageId: first, emoji: "no" }).success).toBe(false);
  });

  test("are for those in it, not for who has not accepted, nor between two who are parted", async () => {
    const { mira, tomas, noor, first, start } = await talk();
    await expect(within((tx) => reactToMessage(tx, noor, { messageId: first, emoji: "👍" }))).rejects.toMatchObject({
      reason: "not-found",
    });
    const stranger = await within((tx) => person(tx, "pavel"));
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${stranger.id}`);
    const { id } = await start("pavel", "Hello?");
    const [message] = await seen(stranger, id);
    await expect(within((tx) => reactToMessage(tx, stranger, { messageId: message!.id, emoji: "👍" }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => block(tx, tomas, { personId: mira.id }));
    await expect(within((tx) => reactToMessage(tx, tomas, { messageId: first, emoji: "👍" }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });
});

describe("an answer", () => {
  test("shows what it answers, as the reader finds that now", async () => {
    const { mira, tomas, id, first } = await talk();
    await say(tomas, id, "Good.", { replyTo: first });
    expect((await seen(tomas, id))[1]).toMatchObject({
      replyTo: { id: first, seq: 1, author: { username: "mira" }, excerpt: "The shed is open." },
    });
    await within((tx) => deleteMessage(tx, mira, { messageId: first }));
    expect((await seen(tomas, id))[1]).toMatchObject({ replyTo: { excerpt: "" } });
    await within((tx) => hideMessage(tx, tomas, { messageId: first }));
    expect(await seen(tomas, id)).toMatchObject([{ replyTo: null, html: "<p>Good.</p>\n" }]);
  });

  test("is to a message of this conversation, and to none that one does not see", async () => {
    const { mira, tomas, id, first, start } = await talk();
    const other = await start("noor", "Something else.");
    const [elsewhere] = await seen(mira, other.id);
    for (const replyTo of [elsewhere!.id, randomUUID()])
      await expect(say(tomas, id, "Huh?", { replyTo })).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => hideMessage(tx, tomas, { messageId: first }));
    await expect(say(tomas, id, "Huh?", { replyTo: first })).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("a submission", () => {
  test("whose words are others than those that went under its name is another: a page that came back was written in again", async () => {
    const { mira, tomas, id } = await talk();
    const clientId = randomUUID();
    const first = await say(mira, id, "I bring the ladder.", { clientId });
    const second = await say(mira, id, "And the saw.", { clientId });
    expect(second.seq).toBe(first.seq + 1);
    expect(await say(mira, id, "I bring the ladder.", { clientId })).toEqual(first);
    expect((await texts(tomas, id)).slice(-2)).toEqual(["<p>I bring the ladder.</p>", "<p>And the saw.</p>"]);
  });

  test("to others and with other words opens a conversation of its own, whatever came before on the same page", async () => {
    const { mira, tomas, noor } = await talk();
    const clientId = randomUUID();
    const start = (to: string, body: string) =>
      within((tx) => startConversation(tx, mira, NewConversation.parse({ to, body, name: "", clientId })));
    const [both, one] = [await start("tomas, noor", "Friday?"), await start("noor", "Or shall we go alone?")];
    expect(one.id).not.toBe(both.id);
    const again = await start("tomas, noor", "Saturday, then?");
    expect(again.id).not.toBe(both.id);
    expect(await start("tomas, noor", "Friday?")).toEqual(both);
    expect((await texts(noor, one.id)).at(-1)).toBe("<p>Or shall we go alone?</p>");
    expect(await texts(tomas, again.id)).toEqual(["<p>Saturday, then?</p>"]);
  });

  test("that was stored in one conversation is not taken for one in another, at once or later", async () => {
    const { mira, id, start } = await talk();
    const other = await start("noor", "Something else.");
    const clientId = randomUUID();
    await say(mira, id, "Once.", { clientId });
    await expect(say(mira, other.id, "Once.", { clientId })).rejects.toMatchObject({ reason: "conflict" });
    const again = randomUUID();
    const sent = await Promise.allSettled([say(mira, id, "x", { clientId: again }), say(mira, other.id, "x", { clientId: again })]);
    expect(sent.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(sent.find((it) => it.status === "rejected")).toMatchObject({ reason: { reason: "conflict" } });
  });

  test("under somebody else's client id is one's own", async () => {
    const { mira, tomas, id } = await talk();
    const clientId = randomUUID();
    const [hers, his] = [await say(mira, id, "Hers.", { clientId }), await say(tomas, id, "His.", { clientId })];
    expect(his.seq).toBe(hers.seq + 1);
    expect(await seen(tomas, id)).toMatchObject([{}, { clientId: null }, { clientId }]);
  });

  test("waits after ten in ten seconds, and a day has an end for new conversations", async () => {
    const { mira, noor, id } = await talk();
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    database.clock.pass(60_000);
    for (let n = 0; n < 10; n++) await say(mira, id, `No. ${n}`);
    await expect(say(mira, id, "One more")).rejects.toMatchObject({ reason: "too-many", retryAfter: 10 });
    database.clock.pass(10_001);
    await say(mira, id, "Now.");
    await within(async (tx) => {
      for (let n = 0; n < 21; n++) await person(tx, `reader${n}`);
      await run(tx, sql`update people set privacy = '{"messages":"everyone"}' where username like 'reader%'`);
    });
    const begin = (n: number) => within((tx) => startConversation(tx, noor, NewConversation.parse({ to: `reader${n}`, body: "Hello." })));
    for (let n = 0; n < 20; n++) {
      await begin(n);
      database.clock.pass(20_000);
    }
    await expect(begin(20)).rejects.toMatchObject({ reason: "too-many" });
  });
});

describe("what others are told of reading", () => {
  const choose = (who: SignedIn) => run(db, sql`update people set privacy = '{"showReading":true}' where id = ${who.id}`);

  test("is told where both let it be known, and not otherwise", async () => {
    const { mira, tomas, id } = await talk();
    const told = async () => (await conversationFor(db, mira, id)).others[0]!.readUpTo;
    await within((tx) => markConversationRead(tx, tomas, { conversationId: id, upTo: 1 }));
    expect(await told()).toBeNull();
    await choose(tomas);
    expect(await told()).toBeNull();
    await choose(mira);
    expect(await told()).toBe(1);
    await within((tx) => block(tx, mira, { personId: tomas.id }));
    expect(await told()).toBeNull();
  });

  test("is nothing while somebody has not accepted", async () => {
    const { mira, start } = await talk();
    const stranger = await within((tx) => person(tx, "pavel"));
    await run(db, sql`update people set privacy = '{"messages":"everyone","showReading":true}' where id = ${stranger.id}`);
    await choose(mira);
    const { id } = await start("pavel", "See [this](https://example.org/x) and ![me](https://example.org/y.png).");
    await within((tx) => markConversationRead(tx, stranger, { conversationId: id, upTo: 1 }));
    expect((await conversationFor(db, mira, id)).others).toMatchObject([{ accepted: false, readUpTo: null }]);
    expect(await texts(stranger, id)).toEqual(["<p>See this and me.</p>"]);
    expect((await texts(mira, id))[0]).toContain("https://example.org/x");
  });
});

describe("looking for words", () => {
  const find = async (who: SignedIn, search: string, conversationId?: string) =>
    (await findMessages(db, who, { search, conversationId })).rows.map(({ by, excerpt }) => [by === "viewer" ? by : by?.username, excerpt]);

  test("finds what one may read, in one conversation or in all, the latest first", async () => {
    const { mira, tomas, noor, ada, id, start } = await talk();
    database.clock.pass(1);
    const other = await start("noor", "The shed has a new roof.");
    expect(await find(mira, "SHED")).toEqual([
      ["viewer", "The shed has a new roof."],
      ["viewer", "The shed is open."],
    ]);
    expect(await find(mira, "she", id)).toEqual([["viewer", "The shed is open."]]);
    expect(await find(tomas, "shed")).toEqual([["mira", "The shed is open."]]);
    expect([await find(tomas, "shed", other.id), await find(ada, "shed"), await find(noor, "open")]).toEqual([[], [], []]);
    for (const odd of ["", "!!!", "' or 1=1 --", "a".repeat(500)]) expect(await find(mira, odd)).toEqual([]);
    expect(await find(mira, "shed", "no id")).toEqual([]);
  });

  test("finds nothing that was taken back, put out of sight, or said before one came", async () => {
    const { mira, tomas, id, first } = await talk();
    const second = await say(tomas, id, "The shed burns!");
    await within((tx) => hideMessage(tx, mira, { messageId: first }));
    await within((tx) => deleteMessage(tx, tomas, { messageId: second.id }));
    expect([await find(mira, "shed"), await find(tomas, "shed")]).toEqual([[], [["mira", "The shed is open."]]]);
    await run(db, sql`update participants set joined_seq = 1 where person_id = ${tomas.id}`);
    expect(await find(tomas, "shed")).toEqual([]);
  });
});

describe("the card of a request", () => {
  test("says what they say, how long they are here and what one shares; not of who is blocked", async () => {
    const { mira, start } = await talk();
    const stranger = await within((tx) => person(tx, "pavel"));
    await run(db, sql`update people set privacy = '{"messages":"everyone"}' where id = ${stranger.id}`);
    await start("pavel", "See ![me](https://example.org/y.png) [here](https://example.org/x).");
    expect(await requestCards(db, stranger)).toMatchObject([
      { since: expect.any(Date), staff: false, groupsInCommon: [], html: expect.not.stringContaining("example.org/") },
    ]);
    expect(await requestCards(db, mira)).toEqual([]);
    await within((tx) => block(tx, stranger, { personId: mira.id }));
    expect(await requestCards(db, stranger)).toEqual([]);
  });
});

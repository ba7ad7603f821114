import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import type { Viewer } from "#community/rules";
import { listEmittedEvents } from "../../../test/support/test-users.ts";
import {
  acceptConversation,
  archiveConversation,
  getConversation,
  findConversationWith,
  leaveConversation,
  markConversationRead,
  getMessagesPage,
  muteConversation,
  NewConversation,
  findNextUnreadConversation,
  sendMessage,
  startConversation,
  countUnreadConversations,
} from "./index.ts";
import {
  database,
  db,
  listInboxIds,
  sendTestMessage,
  setupConversation,
  listMessageTexts,
  within,
  startTestConversation,
} from "../../../test/support/conversations/conversation-setup.ts";
import { assertNoStaleParticipants } from "../../../test/support/conversations/stale-participants.ts";

afterEach(() => assertNoStaleParticipants(db));

describe("message to a friend", () => {
  test("shows the groups that both people share, but none after a block", async () => {
    const { mira, tomas, group } = await setupConversation();
    const { id } = await startTestConversation(mira, "tomas");
    const shared = async () =>
      Promise.all(
        [mira, tomas].map(async (viewer) =>
          (await getConversation(db, viewer, id)).groupsInCommon.map(({ slug }) => slug),
        ),
      );
    expect(await shared()).toEqual([[group.slug], [group.slug]]);
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    expect(await shared()).toEqual([[], []]);
  });

  test("arrives in the inbox at once, always in the same conversation", async () => {
    const { mira, tomas } = await setupConversation();
    const first = await startTestConversation(mira, "tomas");
    const second = await startTestConversation(tomas, "@Mira", "Always.");
    expect(second).toEqual({ id: first.id, seq: 2 });
    expect(await listInboxIds(tomas)).toMatchObject([
      {
        others: [{ username: "mira" }],
        last: { by: "viewer", excerpt: "Always." },
        unread: 0,
        isRequest: false,
      },
    ]);
    expect(await listInboxIds(mira)).toMatchObject([{ last: { by: { username: "tomas" } }, unread: 1 }]);
    expect([
      await countUnreadConversations(db, mira),
      await findConversationWith(db, mira, tomas.id),
    ]).toEqual([1, { id: first.id }]);
    expect(await listEmittedEvents(database)).toContain("message.written");
  });

  test("makes its conversation the next unread one, unless it is a request or muted", async () => {
    const { mira, tomas, ines, guest } = await setupConversation();
    const next = async (viewer: Viewer, from?: string) =>
      (await findNextUnreadConversation(db, viewer, from))?.id ?? null;
    expect([await next(mira), await next(guest)]).toEqual([null, null]);
    const { id: toTwo } = await startTestConversation(tomas, ["mira", "ines"]);
    database.clock.pass(1_000);
    const { id: toOne } = await startTestConversation(tomas, "mira");
    expect([
      await next(mira),
      await next(mira, toOne),
      await next(mira, toTwo),
      await next(mira, "x"),
    ]).toEqual([toOne, toTwo, toOne, toOne]);
    expect([await next(tomas), await next(ines)]).toEqual([null, null]);
    await within((tx) => markConversationRead(tx, mira, { conversationId: toTwo, upTo: 1 }));
    expect(await next(mira, toOne)).toBe(toOne);
    await within((tx) =>
      muteConversation(tx, mira, { conversationId: toOne, until: new Date(Date.now() + 60_000) }),
    );
    expect(await next(mira)).toBeNull();
  });

  test("creates one conversation even if both friends write first at the same time", async () => {
    const { mira, tomas } = await setupConversation();
    const [one, two] = await Promise.all([
      startTestConversation(mira, "tomas"),
      startTestConversation(tomas, "mira"),
    ]);
    expect(one.id).toBe(two.id);
    expect(await listMessageTexts(mira, one.id)).toHaveLength(2);
  });

  test("deletes the new-conversation draft only when it starts a conversation", async () => {
    const { mira, tomas, ines } = await setupConversation();
    const listDrafts = async () =>
      (await many(db, sql<{ place: string }>`select place from drafts order by place`)).map((it) => it.place);
    const { id } = await startTestConversation(mira, "tomas");
    await run(
      db,
      sql`insert into drafts (person_id, place, version, data, saved_at)
          select ${mira.id}, place, 1, '{"title":"","body":"Dear all"}', now()
          from unnest(array['new:conversation', ${`conversation:${id}`}]) place`,
    );
    await sendTestMessage(mira, id, "Dear all");
    await sendTestMessage(tomas, id, "Dear all");
    expect(await listDrafts()).toEqual(["new:conversation"]);
    await startTestConversation(ines, "mira");
    expect(await listDrafts()).toEqual(["new:conversation"]);
    await startTestConversation(mira, "ines", "Dear all");
    expect(await listDrafts()).toEqual([]);
  });

  test("deletes the sent draft and keeps a newer draft of another device", async () => {
    const { mira } = await setupConversation();
    const { id } = await startTestConversation(mira, "tomas");
    const listDrafts = async () =>
      (await many(db, sql<{ place: string }>`select place from drafts order by place`)).map((it) => it.place);
    const there = `conversation:${id}`;
    await run(
      db,
      sql`insert into drafts (person_id, place, version, data, saved_at)
          select ${mira.id}, place, 3, '{"title":"","body":"Yes, and a long story."}', now()
          from unnest(array['new:conversation', ${there}]) place`,
    );
    await sendTestMessage(mira, id);
    await within((tx) => sendMessage(tx, mira, { conversationId: id, body: "Yes", draftVersion: 2 }));
    await startTestConversation(mira, "tomas", "Another.");
    expect(await listDrafts()).toEqual([there, "new:conversation"]);
    await within((tx) =>
      sendMessage(tx, mira, { conversationId: id, body: "Yes, and a story.", draftVersion: 3 }),
    );
    expect(await listDrafts()).toEqual(["new:conversation"]);
    await within((tx) =>
      startConversation(tx, mira, NewConversation.parse({ to: "tomas", body: "All.", draftVersion: 3 })),
    );
    expect(await listDrafts()).toEqual([]);
  });

  test("sent twice is stored once, and concurrent messages are numbered without a gap", async () => {
    const { mira, tomas } = await setupConversation();
    const { id } = await startTestConversation(mira, "tomas");
    const clientId = randomUUID();
    const [one, two] = await Promise.all([
      sendTestMessage(tomas, id, "x", clientId),
      sendTestMessage(tomas, id, "x", clientId),
    ]);
    expect(one).toEqual(two);
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, i) => sendTestMessage(i % 2 ? mira : tomas, id)),
    );
    expect(sent.map((it) => it.seq).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, i) => i + 3),
    );
  });
});

describe("group conversation", () => {
  test("can be left by a participant, and cannot be found by outsiders", async () => {
    const { mira, tomas, noor, ada, guest } = await setupConversation();
    const { id } = await startTestConversation(mira, ["tomas", "ines"], "Friday?");
    await sendTestMessage(tomas, id, "Friday.");
    expect(await getConversation(db, tomas, id)).toMatchObject({
      kind: "group",
      others: [{ username: "mira" }, { username: "ines", accepted: false }],
    });
    for (const viewer of [noor, ada])
      await expect(getConversation(db, viewer, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(getConversation(db, guest, id)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(sendTestMessage(noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => leaveConversation(tx, tomas, { conversationId: id }));
    expect([await listInboxIds(tomas), (await listInboxIds(mira))[0]!.othersCount]).toEqual([[], 1]);
    await expect(sendTestMessage(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("submitted twice at once is created once", async () => {
    const { mira } = await setupConversation();
    const clientId = randomUUID();
    const [one, two] = await Promise.all([
      startTestConversation(mira, "tomas, ines", "Friday?", clientId),
      startTestConversation(mira, "tomas, ines", "Friday?", clientId),
    ]);
    expect(one).toEqual(two);
    expect(await listInboxIds(mira, "groups")).toHaveLength(1);
  });

  test("shows stubs in both directions across a block, and no name to the blocked person", async () => {
    const { mira, tomas, ines } = await setupConversation();
    const { id } = await startTestConversation(mira, ["tomas", "ines"], "Friday?");
    await within((tx) => acceptConversation(tx, ines, { conversationId: id }));
    await sendTestMessage(tomas, id, "Not with her.");
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    expect([
      await listMessageTexts(mira, id),
      await listMessageTexts(tomas, id),
      await listMessageTexts(ines, id),
    ]).toEqual([
      ["<p>Friday?</p>\n", "blocked"],
      ["blocked-by-viewer", "<p>Not with her.</p>\n"],
      ["<p>Friday?</p>\n", "<p>Not with her.</p>\n"],
    ]);
    expect((await getConversation(db, mira, id)).others.map((it) => it.username)).toEqual(["ines"]);
    expect(await listInboxIds(mira)).toMatchObject([{ last: { by: null, excerpt: "" } }]);
  });
});

describe("existing conversation", () => {
  test("keeps its messages after a block, but accepts no new ones", async () => {
    const { mira, tomas } = await setupConversation();
    const { id } = await startTestConversation(mira, "tomas");
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    expect(await listMessageTexts(mira, id)).toEqual(["<p>Are you there?</p>\n"]);
    await expect(sendTestMessage(mira, id)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "You can no longer message this person.",
    });
    await expect(sendTestMessage(tomas, id)).rejects.toMatchObject({ reason: "not-allowed" });
    expect([await listInboxIds(tomas), (await listInboxIds(tomas, "archived")).length]).toEqual([[], 1]);
  });

  test("has a read position that never moves back", async () => {
    database.clock.at = new Date();
    const { mira, tomas } = await setupConversation();
    const { id } = await startTestConversation(mira, "tomas");
    for (let i = 0; i < 3; i++) await sendTestMessage(mira, id);
    const read = (upTo: number) =>
      within((tx) => markConversationRead(tx, tomas, { conversationId: id, upTo }));
    await read(3);
    await read(1);
    expect((await listInboxIds(tomas))[0]!.unread).toBe(1);
    await within((tx) => archiveConversation(tx, tomas, { conversationId: id, archived: true }));
    expect([await listInboxIds(tomas), await countUnreadConversations(db, tomas)]).toEqual([[], 0]);
    await sendTestMessage(mira, id);
    expect((await listInboxIds(tomas, "unread"))[0]!.unread).toBe(2);
    await within((tx) =>
      muteConversation(tx, tomas, { conversationId: id, until: new Date(Date.now() + 60_000) }),
    );
    expect(await countUnreadConversations(db, tomas)).toBe(0);
    await expect(within((tx) => leaveConversation(tx, tomas, { conversationId: id }))).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("loads fifty messages at a time in both directions", async () => {
    const { mira, tomas } = await setupConversation();
    const { id } = await startTestConversation(mira, "tomas");
    for (let i = 0; i < 59; i++) await sendTestMessage(tomas, id, `No. ${i}`);
    const conversation = await getConversation(db, mira, id);
    const range = async (query: Parameters<typeof getMessagesPage>[3]) => {
      const { messages, hasOlder, hasNewer } = await getMessagesPage(db, mira, conversation, query);
      return [messages[0]?.seq, messages.at(-1)?.seq, hasOlder, hasNewer];
    };
    expect(await range({})).toEqual([11, 60, true, false]);
    expect(await range({ before: 11 })).toEqual([1, 10, false, true]);
    expect(await range({ after: 5 })).toEqual([6, 55, true, true]);
    for (const odd of [Number.NaN, -1, 1e12]) await range({ before: odd, after: odd });
  });
});

import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { type SignedIn } from "#community/rules";
import { createPerson } from "../../../test/support/test-users.ts";
import {
  deleteMessage,
  getConversation,
  hideMessage,
  listRequestCards,
  markConversationRead,
  searchMessages,
} from "./index.ts";
import {
  database,
  db,
  listMessageTexts,
  sendTestMessage,
  setupTwoConversations,
  within,
} from "../../../test/support/conversations/two-conversations.ts";

describe("read receipts", () => {
  const choose = (who: SignedIn) =>
    run(db, sql`update people set privacy = '{"showReading":true}' where id = ${who.id}`);

  test("appear only if both people share read receipts", async () => {
    const { mira, tomas, id } = await setupTwoConversations();
    const getReadUpTo = async () => (await getConversation(db, mira, id)).others[0]!.readUpTo;
    await within((tx) => markConversationRead(tx, tomas, { conversationId: id, upTo: 1 }));
    expect(await getReadUpTo()).toBeNull();
    await choose(tomas);
    expect(await getReadUpTo()).toBeNull();
    await choose(mira);
    expect(await getReadUpTo()).toBe(1);
    await within((tx) => blockPerson(tx, mira, { personId: tomas.id }));
    expect(await getReadUpTo()).toBeNull();
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

  test("finds readable messages in a given conversation or in all conversations, newest first", async () => {
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

  test("skips withdrawn messages, hidden messages and messages from before joining", async () => {
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

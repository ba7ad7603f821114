import { describe, expect, test } from "vitest";
import { run, sql, type Tx } from "#platform/database";
import { reactToMessage, sendMessage, startConversation } from "#community/conversations";
import { sendFriendRequest } from "#community/friends";
import {
  addDocument,
  addResourceBookmark,
  editResource,
  NewDocument,
  ResourceChange,
} from "#community/resources";
import { type SignedIn, SERVER_LIMITS } from "#community/rules";
import { saveSearch } from "#community/search";
import { runConcurrently } from "../support/concurrently.ts";
import { type TestUsers, createTestUsers, createPerson } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

// A limit per person must hold for concurrent requests too.

const database = await testDatabase();
const { db, inTransaction: within } = database;

type Deed = (tx: Tx) => Promise<unknown>;
/** Brings a person to one below a limit. Returns two more requests, of which only one is within the limit. */
type Setting = (people: TestUsers) => Promise<[Deed, Deed]>;

const aDocument = (by: SignedIn, title: string) =>
  within((tx) => addDocument(tx, by, NewDocument.parse({ title, body: "Twice a week." })));

const settings: Record<string, Setting> = {
  "messages, in two conversations": async ({ mira }) => {
    const start = (to: string) =>
      within((tx) =>
        startConversation(tx, mira, { to: [to], name: "", body: "Hello.", clientId: undefined }),
      );
    const [first, second] = [(await start("tomas")).id, (await start("ines")).id];
    await run(db, sql`update participants set state = 'accepted'`);
    const send = (conversationId: string) => (tx: Tx) =>
      sendMessage(tx, mira, { conversationId, body: "And?", clientId: undefined });
    for (let n = 2; n < SERVER_LIMITS.pace.message.burst - 1; n++) await within(send(first));
    return [send(first), send(second)];
  },
  "friend requests": async ({ mira, noor, ada }) => {
    const crowd = await within((tx) =>
      Promise.all(Array.from({ length: 29 }, (_, n) => createPerson(tx, `guest${n}`))),
    );
    const ask = (who: SignedIn) => (tx: Tx) => sendFriendRequest(tx, mira, { personId: who.id, note: "" });
    for (const who of crowd) await within(ask(who));
    return [ask(noor), ask(ada)];
  },
  "new versions, of two documents": async ({ mira }) => {
    const [first, second] = [(await aDocument(mira, "Watering")).id, (await aDocument(mira, "Weeding")).id];
    const edit = (resourceId: string, changes: number) => (tx: Tx) =>
      editResource(
        tx,
        mira,
        ResourceChange.parse({ resourceId, changes, body: `Changed ${changes + 1} times.` }),
      );
    for (let n = 0; n < SERVER_LIMITS.pace.edits.day - 1; n++) await within(edit(first, n));
    return [edit(first, SERVER_LIMITS.pace.edits.day - 1), edit(second, 0)];
  },
  "bookmarked resources": async ({ mira, tomas }) => {
    const ids = [];
    for (let n = 0; n <= SERVER_LIMITS.bookmarks.newDay; n++)
      ids.push((await aDocument(tomas, `Bed ${n}`)).id);
    const keep = (resourceId: string) => (tx: Tx) =>
      addResourceBookmark(tx, { ...mira, trust: "new" }, { resourceId });
    const [first, second, ...others] = ids.map(keep);
    for (const other of others) await within(other);
    return [first!, second!];
  },
  "saved searches": async ({ mira }) => {
    const keep = (asked: string) => (tx: Tx) =>
      saveSearch(tx, mira, { name: asked, asked: `q=${asked}`, tells: false });
    for (let n = 1; n < 30; n++) await within(keep(`beans ${n}`));
    return [keep("peas"), keep("leeks")];
  },
};

describe("two concurrent requests when the limit allows one more", () => {
  test.each(Object.entries(settings))("end with one success and one refusal: %s", async (_, setting) => {
    const people = await createTestUsers(database);
    await run(db, sql`delete from settings where key = 'writingLimits'`);
    await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
    const [first, second] = await setting(people);
    expect(await runConcurrently(database, first, second)).toMatchObject([
      { status: "fulfilled" },
      { reason: { reason: "too-many" } },
    ]);
  });
});

test("sending a message and reacting in the same conversation both succeed concurrently", async () => {
  const { mira } = await createTestUsers(database);
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id: conversationId } = await within((tx) =>
    startConversation(tx, mira, { to: ["tomas"], name: "", body: "Hello.", clientId: undefined }),
  );
  await run(db, sql`update participants set state = 'accepted'`);
  const send = (tx: Tx) => sendMessage(tx, mira, { conversationId, body: "And?", clientId: undefined });
  const { id: messageId } = await within(send);
  const react = (tx: Tx) => reactToMessage(tx, mira, { messageId, emoji: "🌱" });
  const both = [{ status: "fulfilled" }, { status: "fulfilled" }];
  expect(await runConcurrently(database, send, react)).toMatchObject(both);
  expect(await runConcurrently(database, (tx) => react(tx).then(() => send(tx)), send)).toMatchObject(both);
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deletePost, editPost, lockDiscussion, moveDiscussion, addReaction } from "#community/discussions";
import { leaveGroup, updateGroup } from "#community/groups";
import { getRecord } from "#community/api-entities";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  collectAnswers,
  APP,
  waitForConnect,
  waitForDisconnect,
  MessageQueue,
  KEY,
  type TestConnection,
  startRealtimeServer,
} from "../../../test/support/realtime/sdk-connection.ts";
import { createSocketTicket, signOut } from "#community/accounts";

const database = await testDatabase();
const { inTransaction: within } = database;
let line: TestConnection;
let people: TestUsers;
let group: { id: string };
let discussion: { id: string; postId: string };
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
  group = await createTestGroup(database, people, { visibility: "private" });
  discussion = await createTestDiscussion(database, people.mira, group.id);
});
afterEach(() => line.close());

type Records = {
  addCreateListener: (where: string, listener: (it: never) => void, refused?: (it: never) => void) => void;
};
const records = (app: { Data: { of: (table: string) => { rt: () => unknown } } }, table: string) =>
  app.Data.of(table).rt() as Records & Record<string, (...args: unknown[]) => void>;
const here = () => `discussionId = '${discussion.id}'`;

/** Subscribes with the SDK; resolves when the server has confirmed. */
async function follow(viewer: Viewer, kind = "addCreateListener", table = "Posts", where = here()) {
  const app = await line.sdk(viewer);
  const received = new MessageQueue();
  const refused = new MessageQueue<{ code: number; message: string }>();
  records(app, table)[kind]!(where, received.take, refused.take);
  return { app, received, refused };
}

/** A round trip: when the answer arrives, everything sent before has arrived too. */
const settled = (app: Awaited<ReturnType<TestConnection["sdk"]>>) =>
  (app.RT as unknown as { methods: { setUserToken: (it: object) => Promise<unknown> } }).methods.setUserToken(
    {
      userToken: app.session?.token ?? null,
    },
  );

describe("real-time API with the published SDK", () => {
  test("delivers a reply in the same form as a read returns it", async () => {
    const { app, received } = await follow(people.tomas);
    await settled(app);
    const reply = await createTestReply(database, people.mira, discussion.id, {
      body: "After the ice saints.",
    });
    const record = await received.next();
    expect(record).toEqual(await getRecord(database.db, people.tomas, "Posts", reply.id));
    expect(record).toMatchObject({
      ___class: "Posts",
      objectId: reply.id,
      ownerId: people.mira.id,
      number: 2,
      text: "After the ice saints.",
      updated: null,
    });
  });

  test("delivers edits, reactions and locks, and a removal without the text", async () => {
    const changed = await follow(people.tomas, "addUpdateListener");
    const reacted = await follow(people.tomas, "addCreateListener", "Reactions");
    const locked = await follow(
      people.tomas,
      "addUpdateListener",
      "Discussions",
      `objectId = '${discussion.id}'`,
    );
    for (const { app } of [changed, reacted, locked]) await settled(app);
    await within((tx) =>
      editPost(tx, people.mira, { postId: discussion.postId, version: 1, body: "Still too cold." }),
    );
    expect(await changed.received.next()).toMatchObject({
      objectId: discussion.postId,
      text: "Still too cold.",
    });
    await within((tx) => addReaction(tx, people.mira, { postId: discussion.postId, emoji: "👍" }));
    expect(await reacted.received.next()).toMatchObject({
      postId: discussion.postId,
      ownerId: people.mira.id,
      emoji: "👍",
    });
    const reply = await createTestReply(database, people.mira, discussion.id);
    expect(await locked.received.next()).toMatchObject({ replies: 1, locked: false });
    await within((tx) => deletePost(tx, people.mira, { postId: reply.id }));
    expect(await changed.received.next()).toMatchObject({ objectId: reply.id, stub: "deleted", text: null });
    await within((tx) => lockDiscussion(tx, people.tomas, { discussionId: discussion.id, reason: "Said." }));
    expect(await locked.received.next()).toMatchObject({ locked: true, lockedReason: "Said." });
  });

  test("refuses a subscriber without read access as not found", async () => {
    const { refused } = await follow(people.noor);
    expect(await refused.next()).toEqual({ code: 404, message: "Not found." });
  });

  test.each([
    ["a missing table", "Secrets", "1=1", { code: 1009 }],
    [
      "a missing column",
      "Posts",
      "mood = 'good'",
      { code: 1006, message: expect.stringContaining("'mood'") as string },
    ],
    [
      "an invalid condition",
      "Posts",
      "text like",
      { code: 1017, message: expect.stringContaining("a text in quotes") as string },
    ],
  ])("refuses %s with a reason", async (_what, table, where, error) => {
    const { refused } = await follow(people.mira, "addCreateListener", table, where);
    expect(await refused.next()).toMatchObject(error);
  });

  test("ends the subscription of a person who leaves the group", async () => {
    const noor = people.noor;
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    const { app, received, refused } = await follow(noor);
    const inside = await follow(people.tomas);
    for (const one of [app, inside.app]) await settled(one);
    await within((tx) => leaveGroup(tx, noor, { groupId: group.id }));
    expect(await refused.next()).toEqual({ code: 404, message: "Not found." });
    await createTestReply(database, people.mira, discussion.id);
    await inside.received.next();
    await settled(app);
    expect(received.all).toEqual([]);
  });

  test("ends subscriptions of non-members when a group is closed, but not those of members", async () => {
    const open = await createTestGroup(database, people, { name: "The Square" });
    const there = await createTestDiscussion(database, people.mira, open.id);
    const where = `discussionId = '${there.id}'`;
    const outside = await follow(people.noor, "addCreateListener", "Posts", where);
    const inside = await follow(people.mira, "addCreateListener", "Posts", where);
    for (const { app } of [outside, inside]) await settled(app);
    await within((tx) => updateGroup(tx, people.tomas, { groupId: open.id, visibility: "private" }));
    expect(await outside.refused.next()).toMatchObject({ code: 404 });
    await createTestReply(database, people.tomas, there.id);
    expect(await inside.received.next()).toMatchObject({ number: 2 });
    expect(outside.received.all).toEqual([]);
  });

  test("ends subscriptions of people without access when a discussion is moved", async () => {
    const open = await createTestGroup(database, people, { name: "The Square" });
    const there = await createTestDiscussion(database, people.mira, open.id);
    const where = `discussionId = '${there.id}'`;
    const outside = await follow(people.noor, "addCreateListener", "Posts", where);
    const inside = await follow(people.mira, "addCreateListener", "Posts", where);
    for (const { app } of [outside, inside]) await settled(app);
    const move = {
      discussionId: there.id,
      groupId: group.id,
      visibility: "private",
      reason: "It belongs there.",
    } as const;
    await within((tx) => moveDiscussion(tx, people.tomas, move));
    expect(await outside.refused.next()).toMatchObject({ code: 404 });
    await createTestReply(database, people.tomas, there.id);
    expect(await inside.received.next()).toMatchObject({ number: 2, groupId: group.id });
    expect(outside.received.all).toEqual([]);
  });

  test("restores all subscriptions after a lost connection", async () => {
    const { app, received } = await follow(people.tomas);
    await settled(app);
    const back = new Promise<void>((again) => app.RT.addConnectEventListener(() => again()));
    line.realtime.missed();
    await back;
    await settled(app);
    await createTestReply(database, people.mira, discussion.id);
    expect(await received.next()).toMatchObject({ number: 2 });
  });
});

describe("real-time handshake", () => {
  test("requires a valid key to look up the socket address", async () => {
    const at = async (path: string) => {
      const answer = await fetch(line.origin() + path);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    expect(await at(`/${APP}/${KEY}/info`)).toEqual({
      status: 200,
      body: expect.objectContaining({ rtURL: line.origin(), appId: APP }) as object,
    });
    expect((await at("/api/info")).body).toMatchObject({ appId: APP, apiKey: KEY });
    const preflight = await fetch(`${line.origin()}/${APP}/${KEY}/info`, { method: "OPTIONS" });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      expect.stringContaining("user-token"),
    ]);
    expect((await at(`/${APP}/wrong/info`)).body).toMatchObject({ code: 2002 });
    expect((await at(`/other/${KEY}/info`)).status).toBe(404);
  });

  test.each([
    ["a wrong key", { apiKey: "wrong" }, "The key is not valid."],
    ["a malformed token", { userToken: "x".repeat(42) }, "This token is no longer valid."],
    ["a very long token", { userToken: "x".repeat(5_000) }, /userToken/],
  ])("refuses %s", async (_what, query, words) => {
    await expect(waitForConnect(await line.socket(people.mira, query))).rejects.toThrow(words);
  });

  test("accepts a ticket for one minute during the session, but no cookie token", async () => {
    const session = (await line.tokenOf(people.mira, "web"))!;
    const byCookie = await line.socket(people.guest, { userToken: session.token });
    await waitForConnect(byCookie);
    expect((await collectAnswers(byCookie).follow("Posts", "created", here()).next()).error).toMatchObject({
      code: 3064,
    });
    const ticket = createSocketTicket(line.app, session.sessionId);
    const socket = await line.socket(people.guest, { userToken: ticket });
    await waitForConnect(socket);
    expect((await collectAnswers(socket).follow("Posts", "created", here()).next()).event).toBe("SUB_READY");
    database.clock.pass(61_000);
    await expect(waitForConnect(await line.socket(people.guest, { userToken: ticket }))).rejects.toThrow(
      "no longer valid",
    );
    const fresh = createSocketTicket(line.app, session.sessionId);
    const disconnected = waitForDisconnect(socket);
    await signOut(line.app, session.token, "web");
    expect(await disconnected).toBe("io server disconnect");
    await expect(waitForConnect(await line.socket(people.guest, { userToken: fresh }))).rejects.toThrow(
      "no longer valid",
    );
  });

  test("accepts guests until the community becomes private", async () => {
    const open = await createTestGroup(database, people, { name: "The Square" });
    const there = await createTestDiscussion(database, people.mira, open.id);
    const socket = await line.socket(people.guest);
    await waitForConnect(socket);
    const received = collectAnswers(socket).follow("Posts", "created", `discussionId = '${there.id}'`);
    expect((await received.next()).event).toBe("SUB_READY");
    await createTestReply(database, people.mira, there.id, { body: "For all to hear." });
    expect((await received.next()).data).toMatchObject({ text: "For all to hear." });
    const disconnected = waitForDisconnect(socket);
    await within((tx) => line.settings.set(tx, people.ada, { audience: "private" }));
    await disconnected;
    await expect(waitForConnect(await line.socket(people.guest))).rejects.toThrow("members");
  });

  test("does not affect other URLs below the socket path", async () => {
    expect((await fetch(`${line.origin()}/${APP}/`)).status).toBe(404);
    expect(
      await (await fetch(`${line.origin()}/${APP}/${KEY}/data/Posts?EIO=4&transport=polling`)).json(),
    ).toEqual([]);
    const polled = await fetch(`${line.origin()}/${APP}/?EIO=4&transport=polling`);
    expect(await polled.text()).toMatch(/^0\{"sid":/);
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChannelMessage, publish, publishDueBatch, PublishInput } from "#baas/messaging";
import { blockPerson } from "#community/friends";
import { updatePrivacy } from "#community/accounts";
import type { Viewer } from "#community/rules";
import { MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { createTestUsers, type TestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  collectAnswers,
  waitForConnect,
  waitForDisconnect,
  MessageQueue,
  type TestConnection,
  openTestConnection,
  SERVER_KEY,
} from "../../../../test/support/realtime/sdk-connection.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
let line: TestConnection;
let people: TestUsers;
beforeEach(async () => {
  line = await openTestConnection(database);
  people = await createTestUsers(database);
});
afterEach(() => line.close());

type Said = { type: string; data: unknown; connectionId: string; userId: string | null };
type Status = { status: string; data: { connectionId: string; userId: string | null }[] };
/** Shape of the SDK's channel; its own types are incomplete. */
type Channel = {
  addMessageListener: {
    (heard: (it: ChannelMessage) => void): void;
    (selector: string, heard: (it: ChannelMessage) => void): void;
  };
  addCommandListener: (heard: (it: Said) => void) => void;
  addUserStatusListener: (heard: (it: Status) => void) => void;
  send: (type: string, data?: unknown) => Promise<unknown>;
  leave: () => void;
  join: () => void;
};

/** A person with the SDK listening to everything on a channel, after receiving the presence list. */
async function listener(viewer: Viewer, name = "garden", selector?: string) {
  const app = await line.sdk(viewer);
  const channel = app.Messaging.subscribe(name) as unknown as Channel;
  const heard = {
    messages: new MessageQueue<ChannelMessage>(),
    commands: new MessageQueue<Said>(),
    people: new MessageQueue<Status>(),
  };
  if (selector === undefined) channel.addMessageListener(heard.messages.take);
  else channel.addMessageListener(selector, heard.messages.take);
  channel.addCommandListener(heard.commands.take);
  channel.addUserStatusListener(heard.people.take);
  const present = await heard.people.next();
  const send = (type: string, data?: unknown) => channel.send(type, data);
  return {
    app,
    channel,
    present,
    send,
    ...heard,
    id: await (app.RT as unknown as { getConnectionId: () => Promise<string> }).getConnectionId(),
  };
}
const say = (message: unknown, options: object = {}, name = "garden") =>
  publish(
    line.channels,
    { personId: null, trusted: true },
    name,
    PublishInput.parse({ message, ...options }),
  );
const names = (status: Status) => status.data.map(({ userId }) => userId).toSorted();

describe("pub/sub channel", () => {
  test("delivers messages to every connected listener, including the publisher", async () => {
    const [mira, guest] = [await listener(people.mira), await listener(people.guest)];
    const other = await listener(people.tomas, "kitchen");
    const answer = (await mira.app.Messaging.publish("garden", { beans: 3 }, {
      headers: { row: 2 },
      subtopic: "beds",
    } as never)) as {
      messageId: string;
    };
    const expected = {
      messageId: answer.messageId,
      message: { beans: 3 },
      subtopic: "beds",
      headers: { row: "2" },
      publisherId: null,
      repeatEvery: 0,
    };
    expect(await mira.messages.next()).toMatchObject(expected);
    expect(await guest.messages.next()).toMatchObject(expected);
    await say("soup", {}, "kitchen");
    expect((await other.messages.next()).message).toBe("soup");
    expect(other.messages.all).toHaveLength(1);
  });

  test("keeps the order of messages", async () => {
    const mira = await listener(people.mira);
    for (let n = 0; n < 50; n++) await say(n);
    const heard: unknown[] = [];
    for (let n = 0; n < 50; n++) heard.push((await mira.messages.next()).message);
    expect(heard).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  test("delivers only messages whose headers match the selector", async () => {
    const wants = await listener(people.mira, "garden", "foo > 10 and place = 'north'");
    const all = await listener(people.tomas);
    for (const headers of [
      {},
      { foo: 9, place: "north" },
      { foo: 20 },
      { foo: "20", place: "south" },
      { foo: "20", place: "north" },
    ])
      await say("x", { headers });
    for (let n = 0; n < 5; n++) await all.messages.next();
    expect(await wants.messages.next()).toMatchObject({ headers: { foo: "20", place: "north" } });
    expect(wants.messages.all).toHaveLength(1);
  });

  test.each([
    ["foo >", 1017, "expected"],
    ["foo", 1017, "neither true nor false"],
    ["x".repeat(501), 422, "500"],
  ])("refuses an invalid selector: %.20s", async (selector, code, words) => {
    const socket = await line.socket(people.mira);
    await waitForConnect(socket);
    const answer = collectAnswers(socket);
    await answer.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    const { error } = await answer.subscribe("PUB_SUB_MESSAGES", { channel: "garden", selector }).next();
    expect(error).toEqual({ code, message: expect.stringContaining(words) });
  });

  test("stops delivery after leaving until the client joins again", async () => {
    const [mira, tomas] = [await listener(people.mira), await listener(people.tomas)];
    mira.channel.leave();
    expect(await tomas.people.next()).toMatchObject({ status: "DISCONNECTED" });
    await say("while away");
    mira.channel.join();
    expect(await tomas.people.next()).toMatchObject({
      status: "CONNECTED",
      data: [{ userId: people.mira.id }],
    });
    await say("back");
    expect((await mira.messages.next()).message).toBe("back");
    expect(mira.messages.all).toHaveLength(1);
  });

  test("delivers scheduled messages", async () => {
    const mira = await listener(people.mira);
    await say("later", { publishAt: database.clock.at.getTime() + MINUTE, headers: { a: 1 } });
    database.clock.pass(MINUTE);
    await within((tx) => publishDueBatch(line.channels, tx));
    expect(await mira.messages.next()).toMatchObject({
      message: "later",
      headers: { a: "1" },
      timestamp: database.clock.at.getTime(),
    });
  });

  test("refuses names of community channels and reserved API words", async () => {
    const socket = await line.socket(people.guest);
    await waitForConnect(socket);
    const answer = collectAnswers(socket);
    for (const [channel, code] of [
      ["discussion:x", 404],
      ["user:x", 404],
      ["push", 422],
      ["a/b", 422],
      ["x".repeat(101), 422],
    ] as const)
      expect((await answer.subscribe("PUB_SUB_CONNECT", { channel }).next()).error).toMatchObject({ code });
  });
});

describe("pub/sub command", () => {
  test("reaches every connected client, including the sender", async () => {
    const [mira, tomas] = [await listener(people.mira), await listener(people.tomas)];
    await mira.send("move", { x: 1 });
    const said = { type: "move", data: { x: 1 }, connectionId: mira.id, userId: people.mira.id };
    expect(await tomas.commands.next()).toEqual({
      ...said,
      userInfo: { connectionId: mira.id, userId: people.mira.id },
    });
    expect(await mira.commands.next()).toMatchObject(said);
    await tomas.send("nothing");
    expect(await mira.commands.next()).toMatchObject({ type: "nothing", data: null });
  });

  test("requires a connection and the right to publish", async () => {
    const socket = await line.socket(people.guest);
    await waitForConnect(socket);
    const answer = collectAnswers(socket);
    const tell = () => answer.call("PUB_SUB_COMMAND", { channel: "garden", type: "move" }).next();
    expect((await tell()).error).toMatchObject({ code: "404" });
    await answer.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    expect(await tell()).toMatchObject({ result: null });
    await line.set({ whoPublishes: "members" });
    expect((await tell()).error).toMatchObject({ code: "403" });
    await line.set({ whoPublishes: "servers" });
    const server = await line.socket(people.guest, { apiKey: SERVER_KEY });
    await waitForConnect(server);
    const trusted = collectAnswers(server);
    await trusted.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    expect(await trusted.call("PUB_SUB_COMMAND", { channel: "garden", type: "move" }).next()).toMatchObject({
      result: null,
    });
  });
});

describe("pub/sub presence", () => {
  test("lists present clients and reports arrivals, departures and sign-ins", async () => {
    const mira = await listener(people.mira);
    expect(mira.present).toEqual({
      status: "LISTING",
      data: [{ connectionId: mira.id, userId: people.mira.id }],
    });
    const tomas = await listener(people.tomas);
    expect(names(tomas.present)).toEqual([people.mira.id, people.tomas.id].toSorted());
    expect(await mira.people.next()).toEqual({
      status: "CONNECTED",
      data: [{ connectionId: tomas.id, userId: people.tomas.id }],
    });
    tomas.app.UserService.setCurrentUser(null as never, false);
    expect(await mira.people.next()).toEqual({
      status: "USERUPDATE",
      data: [{ connectionId: tomas.id, userId: null }],
    });
    expect(await tomas.people.next()).toMatchObject({ status: "USERUPDATE" });
    (tomas.app.RT as unknown as { disconnect: () => void }).disconnect();
    expect(await mira.people.next()).toEqual({
      status: "DISCONNECTED",
      data: [{ connectionId: tomas.id, userId: null }],
    });
  });

  test("names a person only to people who may see them", async () => {
    const shy = people.noor;
    await within((tx) => updatePrivacy(tx, shy, shy.id, { showOnline: false }));
    await within((tx) => blockPerson(tx, people.mira, { personId: people.tomas.id }));
    const [mira, tomas, noor, guest] = [
      await listener(people.mira),
      await listener(people.tomas),
      await listener(shy),
      await listener(people.guest),
    ];
    expect(names(tomas.present)).toEqual([people.tomas.id, null].toSorted());
    expect(names(noor.present)).toEqual([people.mira.id, people.tomas.id, shy.id].toSorted());
    expect(names(guest.present)).toEqual([null, null, null, null]);
    expect([(await mira.people.next()).data, (await mira.people.next()).data]).toMatchObject([
      [{ userId: null }],
      [{ userId: null }],
    ]);
    await mira.send("wave");
    await noor.send("nod");
    const who = async ({ commands }: typeof mira) => [
      (await commands.next()).userId,
      (await commands.next()).userId,
    ];
    expect(await who(mira)).toEqual([people.mira.id, null]);
    expect(await who(tomas)).toEqual([null, null]);
    expect(await who(noor)).toEqual([people.mira.id, shy.id]);
    expect(await who(guest)).toEqual([null, null]);
  });

  test("becomes anonymous when the session ends", async () => {
    const mira = await listener(people.mira);
    const tomas = await listener(people.tomas);
    await mira.people.next();
    await run(database.db, sql`delete from sessions where id = ${tomas.app.session!.sessionId}`);
    line.realtime.tell({ type: "person.sessions-ended", personId: people.tomas.id }, "1", null);
    expect(await mira.people.next()).toMatchObject({ status: "USERUPDATE", data: [{ userId: null }] });
  });
});

describe("pub/sub limits", () => {
  const bare = async () => {
    const socket = await line.socket(people.mira);
    await waitForConnect(socket);
    return { socket, answer: collectAnswers(socket) };
  };

  test("connection has at most twenty selectors and a thousand subscriptions", async () => {
    const { answer } = await bare();
    await answer.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    const ask = (n: number) =>
      answer.subscribe("PUB_SUB_MESSAGES", { channel: "garden", selector: `a = ${n}` }).next();
    const first = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n)));
    expect(first.filter(({ event }) => event === "SUB_READY")).toHaveLength(20);
    const more = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        answer.subscribe("PUB_SUB_CONNECT", { channel: `c${n}` }).next(),
      ),
    );
    expect(more.filter(({ event }) => event === "SUB_READY")).toHaveLength(979);
  });

  test("a hundred thousand channels disconnect the client and leave nothing behind", async () => {
    const { socket, answer } = await bare();
    const gone = waitForDisconnect(socket);
    for (let n = 0; n < 100_000; n++) answer.subscribe("PUB_SUB_CONNECT", { channel: `c${n}` });
    await gone;
    const mira = await listener(people.mira, "c1");
    expect(mira.present.data).toHaveLength(1);
  });

  test("endless commands are refused, then disconnect the client, and others continue", async () => {
    const tomas = await listener(people.tomas);
    const { socket, answer } = await bare();
    await answer.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    const gone = waitForDisconnect(socket);
    for (let n = 0; n < 5_000; n++) answer.call("PUB_SUB_COMMAND", { channel: "garden", type: "n", data: n });
    await gone;
    await say("still here");
    expect((await tomas.messages.next()).message).toBe("still here");
  });

  test("commands are rate limited across all connections of a person", async () => {
    const lines = [await bare(), await bare()];
    for (const { answer } of lines) await answer.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    const said = lines.flatMap(({ answer }) =>
      Array.from({ length: 350 }, () =>
        answer.call("PUB_SUB_COMMAND", { channel: "garden", type: "n" }).next(),
      ),
    );
    const answered = await Promise.all(said);
    expect(answered.filter(({ error }) => error?.code === "429")).toHaveLength(100);
  });
});

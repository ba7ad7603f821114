import { describe, expect, test } from "vitest";
import { publishDueBatch } from "#baas/messaging";
import { MINUTE } from "#platform/clock";
import {
  collectAnswers,
  waitForConnect,
  waitForDisconnect,
  SERVER_KEY,
} from "../../../../test/support/realtime/sdk-connection.ts";
import {
  database,
  within,
  sdkConnection,
  people,
  connectListener,
  publishToChannel,
} from "../../../../test/support/realtime/pub-sub-setup.ts";

describe("pub/sub channel", () => {
  test("delivers messages to every connected listener, including the publisher", async () => {
    const [mira, guest] = [await connectListener(people.mira), await connectListener(people.guest)];
    const other = await connectListener(people.tomas, "kitchen");
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
    await publishToChannel("soup", {}, "kitchen");
    expect((await other.messages.next()).message).toBe("soup");
    expect(other.messages.all).toHaveLength(1);
  });

  test("preserves the order of messages", async () => {
    const mira = await connectListener(people.mira);
    for (let n = 0; n < 50; n++) await publishToChannel(n);
    const received: unknown[] = [];
    for (let n = 0; n < 50; n++) received.push((await mira.messages.next()).message);
    expect(received).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  test("delivers messages whose headers match the selector", async () => {
    const wants = await connectListener(people.mira, "garden", "foo > 10 and place = 'north'");
    const all = await connectListener(people.tomas);
    for (const headers of [
      {},
      { foo: 9, place: "north" },
      { foo: 20 },
      { foo: "20", place: "south" },
      { foo: "20", place: "north" },
    ])
      await publishToChannel("x", { headers });
    for (let n = 0; n < 5; n++) await all.messages.next();
    expect(await wants.messages.next()).toMatchObject({ headers: { foo: "20", place: "north" } });
    expect(wants.messages.all).toHaveLength(1);
  });

  test.each([
    ["foo >", 1017, "expected"],
    ["foo", 1017, "expected a condition that is true or false"],
    ["x".repeat(501), 422, "500"],
  ])("refuses an invalid selector: %.20s", async (selector, code, words) => {
    const socket = await sdkConnection.socket(people.mira);
    await waitForConnect(socket);
    const answer = collectAnswers(socket);
    await answer.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    const { error } = await answer.subscribe("PUB_SUB_MESSAGES", { channel: "garden", selector }).next();
    expect(error).toEqual({ code, message: expect.stringContaining(words) });
  });

  test("delivers nothing to a client that has left until it joins again", async () => {
    const [mira, tomas] = [await connectListener(people.mira), await connectListener(people.tomas)];
    mira.channel.leave();
    expect(await tomas.people.next()).toMatchObject({ status: "DISCONNECTED" });
    await publishToChannel("while away");
    mira.channel.join();
    expect(await tomas.people.next()).toMatchObject({
      status: "CONNECTED",
      data: [{ userId: people.mira.id }],
    });
    await publishToChannel("back");
    expect((await mira.messages.next()).message).toBe("back");
    expect(mira.messages.all).toHaveLength(1);
  });

  test("delivers scheduled messages", async () => {
    const mira = await connectListener(people.mira);
    await publishToChannel("later", { publishAt: database.clock.at.getTime() + MINUTE, headers: { a: 1 } });
    database.clock.pass(MINUTE);
    await within((tx) => publishDueBatch(sdkConnection.channels, tx));
    expect(await mira.messages.next()).toMatchObject({
      message: "later",
      headers: { a: "1" },
      timestamp: database.clock.at.getTime(),
    });
  });

  test("cannot have the name of a community channel or a reserved API word", async () => {
    const socket = await sdkConnection.socket(people.guest);
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
    const [mira, tomas] = [await connectListener(people.mira), await connectListener(people.tomas)];
    await mira.send("move", { x: 1 });
    const command = { type: "move", data: { x: 1 }, connectionId: mira.id, userId: people.mira.id };
    expect(await tomas.commands.next()).toEqual({
      ...command,
      userInfo: { connectionId: mira.id, userId: people.mira.id },
    });
    expect(await mira.commands.next()).toMatchObject(command);
    await tomas.send("nothing");
    expect(await mira.commands.next()).toMatchObject({ type: "nothing", data: null });
  });

  test("requires a connection and the right to publish", async () => {
    const socket = await sdkConnection.socket(people.guest);
    await waitForConnect(socket);
    const answer = collectAnswers(socket);
    const sendCommand = () => answer.call("PUB_SUB_COMMAND", { channel: "garden", type: "move" }).next();
    expect((await sendCommand()).error).toMatchObject({ code: "404" });
    await answer.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    expect(await sendCommand()).toMatchObject({ result: null });
    await sdkConnection.set({ whoPublishes: "members" });
    expect((await sendCommand()).error).toMatchObject({ code: "403" });
    await sdkConnection.set({ whoPublishes: "servers" });
    const server = await sdkConnection.socket(people.guest, { apiKey: SERVER_KEY });
    await waitForConnect(server);
    const trusted = collectAnswers(server);
    await trusted.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    expect(await trusted.call("PUB_SUB_COMMAND", { channel: "garden", type: "move" }).next()).toMatchObject({
      result: null,
    });
  });
});

describe("pub/sub limits", () => {
  const bare = async () => {
    const socket = await sdkConnection.socket(people.mira);
    await waitForConnect(socket);
    return { socket, answer: collectAnswers(socket) };
  };

  test("allow at most twenty selectors and a thousand subscriptions per connection", async () => {
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

  test("disconnect a client that opens a hundred thousand channels", async () => {
    const { socket, answer } = await bare();
    const disconnected = waitForDisconnect(socket);
    for (let n = 0; n < 100_000; n++) answer.subscribe("PUB_SUB_CONNECT", { channel: `c${n}` });
    await disconnected;
    const mira = await connectListener(people.mira, "c1");
    expect(mira.present.data).toHaveLength(1);
  });

  test("disconnect a client that floods commands, without affecting others", async () => {
    const tomas = await connectListener(people.tomas);
    const { socket, answer } = await bare();
    await answer.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    const disconnected = waitForDisconnect(socket);
    for (let n = 0; n < 5_000; n++) answer.call("PUB_SUB_COMMAND", { channel: "garden", type: "n", data: n });
    await disconnected;
    await publishToChannel("still here");
    expect((await tomas.messages.next()).message).toBe("still here");
  });

  test("apply to commands of a person across all connections", async () => {
    const lines = [await bare(), await bare()];
    for (const { answer } of lines) await answer.subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    const calls = lines.flatMap(({ answer }) =>
      Array.from({ length: 350 }, () =>
        answer.call("PUB_SUB_COMMAND", { channel: "garden", type: "n" }).next(),
      ),
    );
    const answered = await Promise.all(calls);
    expect(answered.filter(({ error }) => error?.code === "429")).toHaveLength(100);
  });
});

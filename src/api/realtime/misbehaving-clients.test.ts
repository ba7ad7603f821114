import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  collectAnswers,
  APP,
  waitForConnect,
  waitForDisconnect,
  KEY,
  type TestConnection,
  startRealtimeServer,
} from "../../../test/support/realtime/sdk-connection.ts";
import type { SharedObject } from "../../../test/support/realtime/shared-objects-setup.ts";
import { createTestTables } from "../../../test/support/realtime/table-followers.ts";

const database = await testDatabase();
let line: TestConnection;
let people: TestUsers;
let discussion: { id: string };
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  discussion = await createTestDiscussion(database, people.mira, group.id);
});
afterEach(() => line.close());

/** Checks that the server still works for other clients. */
async function stillServes() {
  const socket = await line.socket(people.tomas);
  await waitForConnect(socket);
  const received = collectAnswers(socket).follow("Posts", "created", `discussionId = '${discussion.id}'`);
  expect((await received.next()).event).toBe("SUB_READY");
  await createTestReply(database, people.mira, discussion.id);
  expect(await received.next()).toMatchObject({ event: "SUB_RES", data: { discussionId: discussion.id } });
}

describe("real-time API with a misbehaving client", () => {
  test("returns an error or nothing for a malformed packet, without affecting others", async () => {
    const socket = await line.socket(people.mira);
    await waitForConnect(socket);
    const answer = collectAnswers(socket);
    for (const junk of [
      undefined,
      null,
      7,
      "x",
      [],
      {},
      { id: 7 },
      { id: "x".repeat(100) },
      { id: "a", name: null },
    ])
      for (const event of ["SUB_ON", "SUB_OFF", "MET_REQ", "__proto__", "SUB_RES"]) socket.emit(event, junk);
    for (const [name, options] of [
      ["OBJECTS_CHANGES", null],
      ["OBJECTS_CHANGES", { tableName: "__proto__", event: "created" }],
      ["OBJECTS_CHANGES", { tableName: "Posts", event: "made" }],
      ["PUB_SUB_CONNECT", { channel: {} }],
      ["PUB_SUB_CONNECT", { channel: "discussion:not-an-id" }],
      ["PUB_SUB_USERS", { channel: `user:${people.tomas.id}` }],
      ["RSO_CONNECT", { name: "" }],
      ["constructor", {}],
    ] as const)
      expect((await answer.subscribe(name, options as object).next()).error?.message).toMatch(/\w/);
    for (const [name, options] of [
      ["PUB_SUB_COMMAND", { channel: `discussion:${discussion.id}`, type: "typing" }],
      ["RSO_GET", { name: ["canvas"] }],
      ["SET_USER_TOKEN", { userToken: 7 }],
    ] as const)
      expect((await answer.call(name, options).next()).error).toMatchObject({
        code: expect.stringMatching(/^\d+$/) as string,
      });
    expect(socket.connected).toBe(true);
    await stillServes();
  });

  test.each([
    ["API entities", "Posts"],
    ["data tables", "Person"],
  ])(
    "limits a client to a thousand subscriptions (%s), then disconnects it",
    async (_what, table) => {
      await createTestTables(line.tables);
      const socket = await line.socket(people.mira);
      await waitForConnect(socket);
      const answer = collectAnswers(socket);
      const first = await Promise.all(
        Array.from({ length: 1_050 }, (_, n) => answer.follow(table, "created", `objectId = '${n}'`).next()),
      );
      expect(first.filter(({ event }) => event === "SUB_READY")).toHaveLength(1_000);
      expect(first.find(({ error }) => error?.code === 429)?.error?.message).toBe(
        "One connection can have at most 1000 subscriptions.",
      );
      expect(first.filter(({ error }) => error?.code === 429)).toHaveLength(50);
      const disconnected = waitForDisconnect(socket);
      for (let n = 0; n < 100_000; n++) answer.follow(table, "created");
      await disconnected;
      await stillServes();
    },
    60_000,
  );

  test("refuses conditions when their total size is too large", async () => {
    await createTestTables(line.tables);
    const socket = await line.socket(people.mira);
    await waitForConnect(socket);
    const answer = collectAnswers(socket);
    const long = (n: number) =>
      answer.follow("Person", "created", `name = '${n}${"x".repeat(7_000)}'`).next();
    const first = await Promise.all(Array.from({ length: 40 }, (_, n) => long(n)));
    expect(first.filter(({ event }) => event === "SUB_READY")).toHaveLength(28);
    expect(first.at(-1)?.error).toEqual({
      code: 429,
      message: expect.stringContaining("200000 characters") as string,
    });
    await stillServes();
  });

  test("returns an error for an oversized packet, and keeps the connection open", async () => {
    const them = await line.sdk(people.mira);
    const ends: string[] = [];
    (
      them.RT as unknown as { addDisconnectEventListener: (listener: () => void) => void }
    ).addDisconnectEventListener(() => ends.push("end"));
    const canvas = (
      them as unknown as { SharedObject: { connect: (name: string) => SharedObject } }
    ).SharedObject.connect("canvas");
    await canvas.set("a", 1);
    await expect(canvas.set("a", "x".repeat(40_000))).rejects.toMatchObject({
      code: "413",
      message: /32000 characters/,
    });
    expect(await canvas.get()).toEqual({ a: 1 });
    const socket = await line.socket(people.mira);
    await waitForConnect(socket);
    const long = { tableName: "Posts", event: "created", whereClause: "x".repeat(40_000) };
    expect((await collectAnswers(socket).subscribe("OBJECTS_CHANGES", long).next()).error).toMatchObject({
      code: 413,
    });
    expect(ends).toEqual([]);
    await stillServes();
  });

  test("accepts a packet with the maximum number of parents", async () => {
    await createTestTables(line.tables);
    const socket = await line.socket(people.mira);
    await waitForConnect(socket);
    const parentObjects = Array.from({ length: 1_000 }, (_, n) => String(n).padEnd(150, "x"));
    const subscriptionOptions = {
      tableName: "Person",
      event: "set",
      relationColumnName: "friend",
      parentObjects,
    };
    expect(
      await collectAnswers(socket).subscribe("RELATIONS_CHANGES", subscriptionOptions).next(),
    ).toMatchObject({
      event: "SUB_READY",
    });
  });

  test("disconnects a client that sends a frame of one megabyte", async () => {
    const socket = await line.socket(people.mira);
    await waitForConnect(socket);
    const disconnected = waitForDisconnect(socket);
    socket.emit("SUB_ON", { id: "big", name: "x".repeat(1_000_000) });
    expect(await disconnected).toMatch(/transport/);
    await stillServes();
  });

  test("disconnects a client that never reads, and frees its queued data", async () => {
    const { reader, hold } = await deafReader();
    const control = await line.socket(people.tomas);
    await waitForConnect(control);
    const received = collectAnswers(control).follow("Posts", "created", `discussionId = '${discussion.id}'`);
    await received.next();
    hold();
    const closed = new Promise((done) => reader.once("close", done));
    const before = line.realtime.countConnections();
    while (line.realtime.countConnections() === before) {
      await createTestReply(database, people.mira, discussion.id, { body: "x".repeat(32_000) });
      await received.next();
    }
    reader.resume();
    await closed;
    expect(line.realtime.countConnections()).toBe(before - 1);
  }, 60_000);

  test("refuses another connection of a person with too many", async () => {
    for (let n = 0; n < 30; n++) await waitForConnect(await line.socket(people.mira));
    await expect(waitForConnect(await line.socket(people.mira))).rejects.toThrow("30 connections");
    await stillServes();
  });
});

/** A raw socket that creates many equal subscriptions and then stops reading. */
async function deafReader() {
  const { port } = new URL(line.origin());
  const reader = connect(Number(port), "127.0.0.1");
  const waitForText = (pattern: RegExp) =>
    new Promise<void>((found) => {
      let text = "";
      const look = (chunk: Buffer) => {
        text += chunk.toString("latin1");
        if (!pattern.test(text)) return;
        reader.off("data", look);
        found();
      };
      reader.on("data", look);
    });
  const frame = (text: string) => {
    const bytes = Buffer.from(text);
    const head =
      bytes.length < 126
        ? [0x81, 0x80 | bytes.length]
        : [0x81, 0x80 | 126, bytes.length >> 8, bytes.length & 255];
    reader.write(Buffer.concat([Buffer.from(head), Buffer.alloc(4), bytes]));
  };
  reader.write(
    `GET /${APP}/?EIO=4&transport=websocket&apiKey=${KEY}&userToken=null HTTP/1.1\r\nHost: ` +
      `x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
  );
  await waitForText(/0\{"sid"/);
  const joined = waitForText(/40\/[^{]*\{"sid"/);
  frame(`40/${APP},`);
  await joined;
  const ready = waitForText(/last"/);
  const options = { tableName: "Posts", event: "created", whereClause: `discussionId = '${discussion.id}'` };
  for (let n = 0; n < 100; n++)
    frame(
      `42/${APP},${JSON.stringify(["SUB_ON", { id: n === 99 ? "last" : `n${n}`, name: "OBJECTS_CHANGES", options }])}`,
    );
  await ready;
  return { reader, hold: () => void reader.pause() };
}

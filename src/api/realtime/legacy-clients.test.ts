import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import connectLegacy, { type LegacySocket } from "socket.io-client-v2";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { requireNamespace } from "./legacy-clients.ts";
import {
  collectAnswers,
  APP,
  waitForConnect,
  KEY,
  type TestConnection,
  startRealtimeServer,
} from "../../../test/support/realtime/sdk-connection.ts";

const database = await testDatabase();
let line: TestConnection;
let people: TestUsers;
const open: LegacySocket[] = [];
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.close();
  await line.close();
});

/** A Socket.IO 2 client, configured as in SDKs of that time. */
async function legacy(viewer: Viewer, { query = {}, transports = ["polling", "websocket"] } = {}) {
  const session = await line.tokenOf(viewer);
  const socket = connectLegacy(`${line.origin()}/${APP}`, {
    path: `/${APP}`,
    query: { apiKey: KEY, userToken: session?.token ?? null, ...query },
    transports,
    forceNew: true,
    reconnection: false,
  });
  open.push(socket);
  return Object.assign(socket, { session });
}
const untilConnected = (socket: LegacySocket) =>
  new Promise<void>((done, failed) => {
    socket.once("connect", () => done());
    socket.once("error", (error) =>
      failed(new Error(typeof error === "string" ? error : (error as Error).message)),
    );
  });
const untilDisconnected = (socket: LegacySocket) =>
  new Promise<void>((done) => socket.once("disconnect", () => done()));

describe("Socket.IO 2 client", () => {
  test.each([[["polling", "websocket"]], [["websocket"]], [["polling"]]])(
    "receives events of its subscriptions over %j",
    async (transports) => {
      const group = await createTestGroup(database, people, { visibility: "private" });
      const discussion = await createTestDiscussion(database, people.mira, group.id);
      const socket = await legacy(people.tomas, { transports });
      await untilConnected(socket);
      const { follow } = collectAnswers(socket as never);
      const received = follow("Posts", "created", `discussionId = '${discussion.id}'`);
      expect(await received.next()).toMatchObject({ event: "SUB_READY" });
      const reply = await createTestReply(database, people.mira, discussion.id);
      expect(await received.next()).toMatchObject({ event: "SUB_RES", data: { objectId: reply.id } });
      const refused = collectAnswers(socket as never).call("NONE", {});
      expect(await refused.next()).toMatchObject({
        event: "MET_RES",
        error: { message: expect.stringMatching(/NONE/) as string },
      });
    },
  );

  test("counts as one connection and has its engine id", async () => {
    const other = await line.socket(people.mira);
    await waitForConnect(other);
    const { subscribe } = collectAnswers(other);
    await subscribe("PUB_SUB_CONNECT", { channel: "garden" }).next();
    const users = subscribe("PUB_SUB_USERS", { channel: "garden" });
    expect(await users.next()).toMatchObject({ event: "SUB_READY" });
    expect(await users.next()).toMatchObject({ data: { status: "LISTING" } });
    const socket = await legacy(people.tomas);
    await untilConnected(socket);
    expect(line.realtime.countConnections()).toBe(2);
    await collectAnswers(socket as never)
      .subscribe("PUB_SUB_CONNECT", { channel: "garden" })
      .next();
    expect(await users.next()).toMatchObject({
      data: { status: "CONNECTED", data: [{ connectionId: socket.io.engine.id }] },
    });
  });

  test.each([
    ["a wrong key", { apiKey: "no key" }],
    ["an unknown token", { userToken: "nobody" }],
  ])("gets refused with %s", async (_what, query) => {
    await expect(untilConnected(await legacy(people.tomas, { query }))).rejects.toThrow(
      /key is not valid|no longer valid/,
    );
    expect(line.realtime.countConnections()).toBe(0);
  });

  test("gets disconnected after a packet outside of the app's namespace", async () => {
    const socket = await legacy(people.tomas);
    await untilConnected(socket);
    const ended = untilDisconnected(socket);
    socket.io.engine.write('42["SUB_ON",{"id":"a","name":"OBJECTS_CHANGES","options":{}}]');
    await ended;
    expect(line.realtime.countConnections()).toBe(0);
  });

  test("gets disconnected when it leaves the app's namespace", async () => {
    const socket = await legacy(people.tomas);
    await untilConnected(socket);
    const ended = untilDisconnected(socket);
    socket.io.engine.write(`41/${APP},`);
    await ended;
    expect(line.realtime.countConnections()).toBe(0);
  });

  test("may read polling responses in a browser that sends credentials", async () => {
    const poll = async (version: string) => {
      const { headers } = await fetch(
        `${line.origin()}/${APP}/?EIO=${version}&transport=polling&apiKey=${KEY}`,
        {
          headers: { origin: "https://app.example.org" },
        },
      );
      return [headers.get("access-control-allow-origin"), headers.get("access-control-allow-credentials")];
    };
    expect(await poll("3")).toEqual(["https://app.example.org", "true"]);
    expect(await poll("4")).toEqual(["*", null]);
  });
});

test.each([
  ["not joined", false],
  ["joined", true],
])(
  "Socket.IO 2 client that has %s the app's namespace within ten seconds stays connected: %s",
  (_what, joined) => {
    vi.useFakeTimers();
    const conn = {};
    const disconnect = vi.fn<() => void>();
    const callers = new Set(joined ? [{ socket: { conn } }] : []);
    requireNamespace({ callers } as never, { conn, disconnect, on: () => {}, onAny: () => {} } as never);
    vi.advanceTimersByTime(10_000);
    expect(disconnect).toHaveBeenCalledTimes(joined ? 0 : 1);
    vi.useRealTimers();
  },
);

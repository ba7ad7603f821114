import RTClient from "backendless-rt-client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storeClientLines, parseThresholds, LogLines, writeLogLine } from "#baas/logging";
import { run, sql } from "#platform/database";
import { emit } from "#platform/outbox";
import type { Viewer } from "#community/rules";
import { createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  collectAnswers,
  APP,
  waitForConnect,
  MessageQueue,
  KEY,
  type TestConnection,
  startRealtimeServer,
  SERVER_KEY,
} from "../../../test/support/realtime/sdk-connection.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
let line: TestConnection;
let people: TestUsers;
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
});
afterEach(() => line.close());

const KINDS = ["LOGGING_MESSAGES", "CONSOLE_MESSAGES", "DEVELOPER_MESSAGES", "AUTOMATION_MESSAGES"] as const;
const write = (message: string) =>
  fetch(`${line.origin()}/api/log`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([{ logger: "garden", "log-level": "WARN", message, timestamp: 7 }]),
  });

/** A client subscribed to all log kinds, and what it receives. */
async function overhearer(viewer: Viewer, query = {}) {
  const socket = await line.socket(viewer, query);
  await waitForConnect(socket);
  const answer = collectAnswers(socket);
  const kinds = new Map(KINDS.map((name) => [name, answer.subscribe(name, {})]));
  const first = await Promise.all([...kinds.values()].map((it) => it.next()));
  return {
    socket,
    answer,
    kinds,
    let: first.map(({ event }) => event === "SUB_READY"),
    refused: first.map(({ error }) => error?.code),
  };
}

describe("log subscriptions", () => {
  test("deliver log lines of each kind to an admin with the published client", async () => {
    const { session } = await line.sdk(people.ada);
    const client = new RTClient({
      appId: APP,
      connectQuery: () => ({ apiKey: KEY, userToken: session!.token }),
      hostResolver: line.origin,
      socketConfigTransform: async (config) => config,
    });
    const received = new MessageQueue<{ kind: string; lines: unknown }>();
    const { subscriptions } = client;
    const subscribers = [
      ["logging", subscriptions.onLoggingMessages],
      ["console", subscriptions.onConsoleMessages],
      ["developer", subscriptions.onDeveloperMessage],
      ["automation", subscriptions.onAutomationLoggingMessages],
    ] as const;
    for (const [kind, follow] of subscribers)
      await new Promise<void>((ready) =>
        follow({}, { onData: (lines: unknown) => received.take({ kind, lines }), onReady: () => ready() }),
      );
    await write("The hose leaks, token=abc123");
    expect(await received.next()).toEqual({
      kind: "logging",
      lines: [
        {
          logger: "garden",
          "log-level": "WARN",
          message: "The hose leaks, token=…",
          exception: null,
          timestamp: 7,
        },
      ],
    });
    for (const kind of ["console", "developer", "automation"] as const) {
      await writeLogLine(line.app.logs, kind, {
        logger: "own",
        level: "ERROR",
        message: "x".repeat(5_000),
        exception: "y".repeat(9_000),
      });
      const oversizedLine = {
        logger: "own",
        "log-level": "ERROR",
        message: "x".repeat(4_000),
        exception: "y".repeat(8_000),
      };
      expect(await received.next()).toMatchObject({ kind, lines: [oversizedLine] });
    }
    client.terminate();
  });

  test("require an admin or the server key", async () => {
    const none = [404, 404, 404, 404];
    const outside = [];
    for (const viewer of [people.guest, people.mira, people.ines]) {
      const it = await overhearer(viewer);
      expect(it.refused).toEqual(none);
      outside.push(it);
    }
    const admin = await overhearer(people.ada);
    const server = await overhearer(people.guest, { apiKey: SERVER_KEY });
    expect([admin.let, server.let]).toEqual([Array(4).fill(true), Array(4).fill(true)]);
    await write("secret");
    for (const it of [admin, server])
      expect(await it.kinds.get("LOGGING_MESSAGES")!.next()).toMatchObject({ data: [{ message: "secret" }] });
    for (const { answer, kinds, socket } of outside) {
      await answer.call("SET_USER_TOKEN", { userToken: socket.session?.token ?? null }).next();
      expect([...kinds.values()].every(({ all }) => all.length === 1)).toBe(true);
    }
  });

  test("end when an admin loses the role or another user signs in", async () => {
    const [former, other] = [await overhearer(people.ada), await overhearer(people.ada)];
    await other.answer.call("SET_USER_TOKEN", { userToken: null }).next();
    expect(await other.kinds.get("LOGGING_MESSAGES")!.next()).toMatchObject({ error: { code: 401 } });
    await run(database.db, sql`update people set site_role = 'member' where id = ${people.ada.id}`);
    await write("not for them");
    expect(await former.kinds.get("LOGGING_MESSAGES")!.next()).toMatchObject({
      event: "SUB_RES",
      error: { code: 404 },
    });
    await write("nor this");
    await former.answer.call("SET_USER_TOKEN", { userToken: former.socket.session!.token }).next();
    expect(former.kinds.get("LOGGING_MESSAGES")!.all).toHaveLength(2);
  });

  test("work in a private community with the server key and no token", async () => {
    await within((tx) => line.settings.set(tx, people.ada, { audience: "private" }));
    await expect(overhearer(people.guest)).rejects.toThrow();
    const server = await overhearer(people.guest, { apiKey: SERVER_KEY });
    await within((tx) => emit(tx, { type: "settings.changed", keys: "audience", by: people.ada.id }));
    await write("still heard");
    expect(await server.kinds.get("LOGGING_MESSAGES")!.next()).toMatchObject({
      data: [{ message: "still heard" }],
    });
  });

  test("deliver lines that were written by another process", async () => {
    const admin = await overhearer(people.ada);
    const ids: string[] = [];
    const elsewhere = await startRealtimeServer(database);
    elsewhere.app.logs.listeners.add(({ id }) => ids.push(id));
    await writeLogLine(elsewhere.app.logs, "developer", {
      logger: "own",
      level: "INFO",
      message: "over there",
    });
    await elsewhere.close();
    line.realtime.log({ kind: "developer", id: ids[0]! });
    expect(await admin.kinds.get("DEVELOPER_MESSAGES")!.next()).toMatchObject({
      data: [
        {
          logger: "own",
          "log-level": "INFO",
          message: "over there",
          exception: null,
          timestamp: database.clock.at.getTime(),
        },
      ],
    });
  });

  test("deliver at most a hundred lines in one message", async () => {
    const admin = await overhearer(people.ada);
    const lines = Array.from({ length: 300 }, (_, n) => ({
      logger: "l",
      "log-level": "INFO",
      message: String(n),
      timestamp: 1,
    }));
    await storeClientLines(line.app.logs, LogLines.parse(lines), parseThresholds("all", ""));
    const { data } = (await admin.kinds.get("LOGGING_MESSAGES")!.next()) as { data: { message: string }[] };
    expect([data.length, data[0]!.message, data.at(-1)!.message]).toEqual([100, "200", "299"]);
  });
});

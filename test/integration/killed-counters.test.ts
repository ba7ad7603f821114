import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Backendless from "backendless";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { many, openDatabase, sql } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { type ServerProcess, startServer, waitUntil } from "../support/processes/server-process.ts";
import { createDatabase, databaseConfig, connectionUrl } from "../support/setup/global-setup.ts";

/**
 * One server on one PostgreSQL, killed while API clients count and schedule messages, some of which are due.
 */
const DATABASE = "kith_killed_counting";
const [APP, SERVER] = ["A".repeat(32), "5".repeat(32)];
const dataDir = mkdtempSync(join(tmpdir(), "kith-counting-"));
const connection = databaseConfig(inject("server"), DATABASE);
const url = connectionUrl(connection);
const database = openDatabase({
  connection,
  runtime: { now: () => new Date(), newId: uuidv7 },
  size: 2,
  onIdleError: () => {},
});
const start = () =>
  startServer(dataDir, { DATABASE_URL: url, KITH_APP_ID: APP, KITH_SERVER_KEY: SERVER, KITH_SEED: "empty" });
let server: ServerProcess;

beforeAll(async () => {
  await createDatabase(inject("server"), DATABASE);
  server = await start();
}, 120_000);
afterAll(async () => {
  await database.close();
  server.child.kill("SIGTERM");
  await server.ended;
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

const program = () =>
  Backendless.initApp({
    appId: APP,
    apiKey: SERVER,
    serverURL: server.url,
    standalone: true,
  } as never) as typeof Backendless;

const LINES = 6;
/**
 * Repeats `work` on several connections. Kills the server once `inTheMiddle` returns true, and returns what
 * was acknowledged until then.
 */
async function untilKilled<T>(
  work: (app: typeof Backendless) => Promise<T>,
  inTheMiddle = async () => true,
): Promise<T[]> {
  const app = program();
  const acknowledged: T[] = [];
  const line = async () => {
    for (let done = await work(app); ; done = await work(app)) acknowledged.push(done);
  };
  const lines = Array.from({ length: LINES }, () => line().catch(() => {}));
  await waitUntil(async () => acknowledged.length > 60 && (await inTheMiddle()));
  server.child.kill("SIGKILL");
  await server.ended;
  await Promise.all(lines);
  server = await start();
  return acknowledged;
}

test("a server killed during counting loses no acknowledged increment", async () => {
  const answered = await untilKilled(({ Counters }) => Counters.incrementAndGet("killed"));
  expect(new Set(answered).size).toBe(answered.length);
  const stands = await program().Counters.get("killed");
  expect(stands).toBeGreaterThanOrEqual(Math.max(...answered));
  // Each connection may have added one increment that was not acknowledged.
  expect(stands).toBeLessThanOrEqual(answered.length + LINES);
  expect(await program().Counters.incrementAndGet("killed")).toBe(stands + 1);
}, 180_000);

/** Returns by id how often each message was published. */
const timesOf = async () =>
  new Map(
    (
      await many(
        database.db,
        sql<{ id: string; n: number }>`
          select payload ->> 'messageId' as id, count(*)::int as n from outbox
          where type = 'channel.published' group by 1`,
      )
    ).map(({ id, n }) => [id, n]),
  );

const someAreOut = async () => (await timesOf()).size > 5;

test("a server killed while scheduling loses no message and publishes none twice", async () => {
  let n = 0;
  const taken = await untilKilled(async ({ Messaging }) => {
    // Some messages are due while others are still being accepted, some at the very moment of the kill, and
    // some after it.
    const publishAt = Date.now() + (n++ % 2 ? 300 : 4_000);
    const { messageId } = (await Messaging.publish(
      "clock",
      `message ${n}`,
      {} as never,
      { publishAt } as never,
    )) as { messageId: string };
    return messageId;
  }, someAreOut);
  const app = program();
  const statusOf = async (id: string) =>
    ((await app.Messaging.getMessageStatus(id)) as unknown as { status: string }).status;
  await waitUntil(async () =>
    (await Promise.all(taken.map(statusOf))).every((status) => status === "published"),
  );
  const times = await timesOf();
  expect(taken.filter((id) => times.get(id) !== 1)).toEqual([]);
  expect([...times.values()].filter((it) => it !== 1)).toEqual([]);
}, 180_000);

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Backendless from "backendless";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { requeueDuePushes } from "#baas/devices";
import { openDatabase, run, sql } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { type ServerProcess, startServer, waitUntil } from "../support/processes/server-process.ts";
import { startTestApns, TEAM, TOPIC } from "../support/push-services.ts";
import { createDatabase, databaseConfig, connectionUrl } from "../support/setup/global-setup.ts";

/** Pushes over two servers on one database, one of which ends suddenly in the middle. */
const DATABASE = "kith_pushes";
const DEVICES = 130;
const dataDir = mkdtempSync(join(tmpdir(), "kith-pushes-"));
const connection = databaseConfig(inject("server"), DATABASE);
const url = connectionUrl(connection);
const now = () => new Date();
const database = openDatabase({
  connection,
  runtime: { now, newId: uuidv7 },
  size: 2,
  onIdleError: () => {},
});
let apple: Awaited<ReturnType<typeof startTestApns>>;
let env: Record<string, string>;
let here: ServerProcess;
let there: ServerProcess | undefined;

beforeAll(async () => {
  await createDatabase(inject("server"), DATABASE);
  apple = await startTestApns(now);
  const key = join(dataDir, "key.p8");
  writeFileSync(key, apple.pem);
  env = {
    DATABASE_URL: url,
    KITH_SEED: "empty",
    APNS_URL: apple.origin,
    APNS_KEY: key,
    APNS_KEY_ID: TEAM.keyId,
    APNS_TEAM_ID: TEAM.teamId,
    APNS_TOPIC: TOPIC,
  };
  here = await startServer(dataDir, env);
}, 90_000);
afterAll(async () => {
  await database.close();
  for (const server of [here, there]) server?.child.kill("SIGTERM");
  await Promise.all([here.ended, there?.ended]);
  await apple.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

async function sdkOf(server: ServerProcess) {
  const { appId, apiKey } = (await (await fetch(`${server.url}/api/info`)).json()) as {
    appId: string;
    apiKey: string;
  };
  return Backendless.initApp({
    appId,
    apiKey,
    serverURL: server.url,
    standalone: true,
  } as never) as typeof Backendless;
}
type Info = { messageId: string; status: string; devices: Record<string, number> };
const push = async (app: typeof Backendless) =>
  (await app.Messaging.publish("news", "Frost tonight", {} as never, { publishPolicy: "PUSH" } as never)) as {
    messageId: string;
  };
async function ended(app: typeof Backendless, messageId: string): Promise<Info> {
  const ask = async () => (await app.Messaging.getMessageStatus(messageId)) as unknown as Info;
  await waitUntil(async () => (await ask()).status !== "scheduled");
  return ask();
}
/** Returns how often a message was pushed, and to how many different tokens. */
const timesOf = (messageId: string) => {
  const tokens = apple.got.filter(({ body }) => body["messageId"] === messageId).map(({ token }) => token);
  return { sent: tokens.length, different: new Set(tokens).size };
};

test("a process killed while pushing sends no push twice, and another process sends the rest", async () => {
  // Inserted at once: registration has its own test.
  await run(
    database.db,
    sql`with made as (
      insert into devices (id, device_id, os, way, os_version, token, token_hash, created_at, renewed_at)
      select gen_random_uuid(), 'd' || n, 'IOS', 'apns', '', 't' || n, sha256(('t' || n)::bytea), now(), now()
      from generate_series(1, ${DEVICES}::int) n
      returning id)
    insert into device_channels select 'news', id from made`,
  );
  const silent = new Promise<"hang">((hang) => hang("hang"));
  // Apple stops answering after the first batch: the second is under way at the kill.
  for (let n = 1; n <= DEVICES; n++)
    apple.setReply(`t${n}`, () => (apple.got.length > 60 ? silent : { status: 200 }));
  const { messageId } = await push(await sdkOf(here));
  await waitUntil(() => apple.got.length > 60);
  here.child.kill("SIGKILL");
  await here.ended;
  apple.forgetAnswers();

  there = await startServer(dataDir, env);
  // Lets the claim of the dead process expire.
  await run(database.db, sql`update push_deliveries set claimed_at = claimed_at - interval '2 minutes'`);
  await run(database.db, sql`update pushes set due_at = due_at - interval '2 minutes'`);
  await requeueDuePushes(database.db, now());
  const app = await sdkOf(there);
  const { devices } = await ended(app, messageId);
  expect(timesOf(messageId)).toEqual({
    sent: timesOf(messageId).different,
    different: timesOf(messageId).different,
  });
  expect(devices).toMatchObject({ devices: DEVICES, refused: 0, gone: 0 });
  expect([devices["reached"], devices["unknown"]]).toEqual([DEVICES - 50, 50]);
}, 120_000);

test("two processes send each device a single push", async () => {
  here = await startServer(dataDir, env);
  const [one, two] = [await sdkOf(here), await sdkOf(there!)];
  const messages = await Promise.all([push(one), push(two), push(one), push(two)]);
  for (const { messageId } of messages) {
    expect((await ended(one, messageId)).devices).toMatchObject({ devices: DEVICES, reached: DEVICES });
    expect(timesOf(messageId)).toEqual({ sent: DEVICES, different: DEVICES });
  }
}, 120_000);

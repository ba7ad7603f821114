import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Backendless from "backendless";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type ChannelMessage, createMessagingContext, publishDueBatch } from "#baas/messaging";
import { openDatabase } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { type ServerProcess, startServer, waitUntil } from "../support/processes/server-process.ts";
import { createDatabase, databaseConfig, connectionUrl } from "../support/setup/global-setup.ts";

/** API clients' channels over two servers on one database, one of which ends suddenly. */
const DATABASE = "kith_channels";
const ADMIN = { email: "ada@example.org", password: "seven brown hens in a row" };
const dataDir = mkdtempSync(join(tmpdir(), "kith-channels-"));
const connection = databaseConfig(inject("server"), DATABASE);
const url = connectionUrl(connection);
const env = {
  DATABASE_URL: url,
  KITH_SEED: "empty",
  KITH_ADMIN_EMAIL: ADMIN.email,
  KITH_ADMIN_PASSWORD: ADMIN.password,
};
const database = openDatabase({
  connection,
  runtime: { now: () => new Date(), newId: uuidv7 },
  size: 2,
  onIdleError: () => {},
});
let here: ServerProcess;
let there: ServerProcess;
const open: { RT: unknown }[] = [];

beforeAll(async () => {
  await createDatabase(inject("server"), DATABASE);
  here = await startServer(dataDir, env);
  there = await startServer(dataDir, env);
}, 90_000);
afterAll(async () => {
  for (const { RT } of open) (RT as { terminate: () => void }).terminate();
  await database.close();
  for (const server of [here, there]) server.child.kill("SIGTERM");
  await Promise.all([here.ended, there.ended]);
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

type Status = { status: string; data: { connectionId: string; userId: string | null }[] };
type Said = { type: string; data: unknown; connectionId: string };

async function sdkOf(server: ServerProcess) {
  const { appId, apiKey } = (await (await fetch(`${server.url}/api/info`)).json()) as {
    appId: string;
    apiKey: string;
  };
  const app = Backendless.initApp({
    appId,
    apiKey,
    serverURL: server.url,
    standalone: true,
  } as never) as typeof Backendless;
  open.push(app);
  return app;
}

/** An API client that listens on a channel through one server, with its presence. */
async function listener(app: typeof Backendless, name: string) {
  const channel = app.Messaging.subscribe(name);
  const received = { messages: [] as ChannelMessage[], commands: [] as Said[], people: [] as Status[] };
  channel.addMessageListener((it: unknown) => void received.messages.push(it as ChannelMessage));
  channel.addCommandListener((it: unknown) => void received.commands.push(it as Said));
  channel.addUserStatusListener((it: unknown) => void received.people.push(it as Status));
  await waitUntil(() => received.people.length > 0);
  return {
    app,
    channel,
    id: await (app.RT as unknown as { getConnectionId: () => Promise<string> }).getConnectionId(),
    ...received,
  };
}
const publish = async (app: typeof Backendless, channel: string, message: unknown, delivery: object = {}) =>
  (await app.Messaging.publish(channel, message as object, {} as never, delivery as never)) as {
    messageId: string;
  };

test("channels connect both processes for messages of any length, commands and presence", async () => {
  const [a, b] = [await sdkOf(here), await sdkOf(there)];
  const user = await b.UserService.login(ADMIN.email, ADMIN.password);
  const one = await listener(a, "garden");
  const two = await listener(b, "garden");
  await waitUntil(() =>
    one.people.some(({ status, data }) => status === "CONNECTED" && data[0]!.connectionId === two.id),
  );
  // The first listener is a guest without a name. The second listener receives the first one immediately or a
  // moment later.
  expect(one.people.at(-1)).toEqual({ status: "CONNECTED", data: [{ connectionId: two.id, userId: null }] });
  await waitUntil(() =>
    two.people.some(({ data }) => data.some(({ connectionId }) => connectionId === one.id)),
  );
  expect(two.people[0]!.data).toContainEqual({ connectionId: two.id, userId: user.objectId });

  const texts = ["short", "ü".repeat(25_000), "寿".repeat(5_000), "short again"];
  for (const text of texts) await publish(a, "garden", text);
  await waitUntil(() => two.messages.length === texts.length);
  expect(two.messages.map(({ message }) => message)).toEqual(texts);
  expect(one.messages).toEqual(two.messages);

  await one.channel.send("move", { to: "x".repeat(20_000) });
  await waitUntil(() => two.commands.length > 0);
  expect(two.commands).toMatchObject([
    { type: "move", connectionId: one.id, data: { to: "x".repeat(20_000) } },
  ]);

  b.UserService.setCurrentUser(null as never, false);
  await waitUntil(() => one.people.at(-1)!.status === "USERUPDATE");
  (two.channel as unknown as { leave: () => void }).leave();
  await waitUntil(() => one.people.at(-1)!.status === "DISCONNECTED");
  expect(one.people.at(-1)!.data).toEqual([{ connectionId: two.id, userId: null }]);
}, 60_000);

test("a scheduled message is published once, even if the process that claimed it was killed", async () => {
  const [a, b] = [await sdkOf(here), await sdkOf(there)];
  const [one, two] = [await listener(a, "clock"), await listener(b, "clock")];
  await waitUntil(() =>
    two.people.some(({ data }) => data.some(({ connectionId }) => connectionId === one.id)),
  );
  const start = Date.now() + 500;
  await publish(a, "clock", "tick", { publishAt: start, repeatEvery: 1, repeatExpiresAt: start + 3_500 });
  await waitUntil(() => one.messages.length === 4 && two.messages.length === 4);
  expect(new Set(two.messages.map(({ timestamp }) => timestamp)).size).toBe(4);
  expect(two.messages).toEqual(one.messages);

  // The message is published by this process, which has no sockets: as if a server had died right after
  // publishing it.
  const channels = createMessagingContext(database, null);
  const { messageId: lost } = await publish(a, "clock", "almost lost", { publishAt: Date.now() + 2_000 });
  here.child.kill("SIGSTOP");
  there.child.kill("SIGSTOP");
  await waitUntil(async () => (await database.inTransaction((tx) => publishDueBatch(channels, tx))) === 1);
  there.child.kill("SIGCONT");
  here.child.kill("SIGCONT");
  await waitUntil(() => two.messages.some(({ messageId }) => messageId === lost));

  const { messageId: left } = await publish(a, "clock", "left behind", { publishAt: Date.now() + 2_000 });
  here.child.kill("SIGKILL");
  await here.ended;
  await waitUntil(() => two.messages.some(({ messageId }) => messageId === left));
  await waitUntil(() =>
    two.people.some(({ status, data }) => status === "DISCONNECTED" && data[0]!.connectionId === one.id),
  );
  expect(two.messages.filter(({ messageId }) => messageId === lost || messageId === left)).toHaveLength(2);
}, 60_000);

test("a message due while no process ran is published at the next start", async () => {
  const app = await sdkOf(there);
  const { messageId } = await publish(app, "clock", "in the night", { publishAt: Date.now() + 4_000 });
  const { messageId: taken } = await publish(app, "clock", "undone", { publishAt: Date.now() + 4_000 });
  await app.Messaging.cancel(taken);
  there.child.kill("SIGKILL");
  await there.ended;
  here = await startServer(dataDir, env);
  const back = await sdkOf(here);
  const status = async (id: string) =>
    ((await back.Messaging.getMessageStatus(id)) as unknown as { status: string }).status;
  await waitUntil(async () => (await status(messageId)) === "published");
  expect(await status(taken)).toBe("cancelled");
  const { rows } = await database.pool.query<{ n: number }>(
    "select count(*)::int as n from outbox where type = 'channel.published' and payload ->> 'messageId' = $1",
    [messageId],
  );
  expect(rows).toEqual([{ n: 1 }]);
}, 60_000);

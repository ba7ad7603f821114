import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type AServer, form, signInTo, startServer } from "./a-server.ts";
import { onDatabase } from "./setup/cluster.ts";

/** Two servers on one database, with the secrets of one data folder: as behind a balancer. */
const DATABASE = "kith_two_processes";
const dataDir = mkdtempSync(join(tmpdir(), "kith-two-"));
let here: AServer;
let there: AServer;

beforeAll(async () => {
  const client = new pg.Client(inject("server"));
  await client.connect();
  await client.query(`drop database if exists ${DATABASE} with (force)`);
  await client.query(`create database ${DATABASE}`);
  await client.end();
  const env = { DATABASE_URL: urlOf(onDatabase(inject("server"), DATABASE)), KITH_SEED: "demo" };
  here = await startServer(dataDir, env);
  there = await startServer(dataDir, env);
}, 60_000);
afterAll(async () => {
  for (const server of [here, there]) server.child.kill("SIGTERM");
  await Promise.all([here.ended, there.ended]);
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

const urlOf = ({ connectionString, host, port, user, database }: pg.ClientConfig): string =>
  connectionString ?? `postgres:///${database}?${new URLSearchParams({ host: String(host), port: String(port), user: String(user) })}`;

/** A line to one of the servers, as the page of somebody has it. */
async function lineTo(server: AServer, cookie: string): Promise<Socket> {
  const { ticket } = (await (await fetch(`${server.url}/live/ticket`, { headers: { cookie } })).json()) as { ticket: string };
  const { appId, apiKey } = (await (await fetch(`${server.url}/api/info`)).json()) as { appId: string; apiKey: string };
  const query = { apiKey, userToken: ticket };
  const socket = io(`${server.url}/${appId}`, { path: `/${appId}`, query, transports: ["websocket"], forceNew: true, reconnection: false });
  await new Promise<void>((done, failed) => socket.once("connect", done).once("connect_error", failed));
  return socket;
}

const heard = <T>(socket: Socket, event: string, which: (it: { id: string; data?: T }) => boolean) =>
  new Promise<T | undefined>((found) => {
    socket.on(event, (it: { id: string; data?: T }) => which(it) && found(it.data));
  });

async function subscribe(socket: Socket, id: string, name: string, options: object) {
  const ready = heard(socket, "SUB_READY", (it) => it.id === id);
  socket.emit("SUB_ON", { id, name, options });
  await ready;
}

/** A discussion that Mira and Tomas write in. */
async function aDiscussion(cookie: string): Promise<string> {
  const address = `${here.url}/groups/chain-and-spoke/new`;
  const groupId = /name="groupId" value="([^"]+)"/.exec(await (await fetch(address, { headers: { cookie } })).text())?.[1] ?? "";
  const body = form({ groupId, title: "Two houses, one street", body: "Can you hear me?", clientId: crypto.randomUUID() });
  const answer = await fetch(address, { method: "POST", redirect: "manual", headers: { cookie }, body });
  const id = /[0-9a-f-]{36}/.exec(answer.headers.get("location") ?? "")?.[0];
  if (!id) throw new Error(`Starting a discussion answered ${answer.status}.`);
  return id;
}

test("what is said in one process is heard in the other, and who signs out in one is gone in both", async () => {
  const mira = await signInTo(here, "mira");
  const tomas = await signInTo(here, "tomas");
  const id = await aDiscussion(tomas);
  const [miraHere, tomasThere] = [await lineTo(here, mira), await lineTo(there, tomas)];
  await subscribe(tomasThere, "posts", "OBJECTS_CHANGES", { tableName: "Posts", event: "created", whereClause: `discussionId = '${id}'` });
  await subscribe(tomasThere, "typing", "PUB_SUB_COMMANDS", { channel: `discussion:${id}` });
  await subscribe(miraHere, "join", "PUB_SUB_CONNECT", { channel: `discussion:${id}` });

  const typing = heard<{ type: string }>(tomasThere, "SUB_RES", (it) => it.id === "typing");
  miraHere.emit("MET_REQ", { id: "say", name: "PUB_SUB_COMMAND", options: { channel: `discussion:${id}`, type: "typing" } });
  expect(await typing).toMatchObject({ type: "typing" });

  const posts: unknown[] = [];
  tomasThere.on("SUB_RES", (it: { id: string; data: unknown }) => it.id === "posts" && posts.push(it.data));
  const post = heard<{ text: string }>(tomasThere, "SUB_RES", (it) => it.id === "posts");
  const body = form({ intent: "reply", body: "Loud and clear.", clientId: crypto.randomUUID() });
  await fetch(`${here.url}/discussions/${id}`, { method: "POST", redirect: "manual", headers: { cookie: mira }, body });
  expect(await post).toMatchObject({ text: "Loud and clear.", number: 2 });

  const gone = new Promise<string>((done) => tomasThere.once("disconnect", done));
  const out = await fetch(`${here.url}/logout`, { method: "POST", redirect: "manual", headers: { cookie: tomas }, body: form({}) });
  expect(out.status).toBe(302);
  expect(await gone).toBe("io server disconnect");
  expect(posts).toHaveLength(1);
  miraHere.close();
}, 30_000);

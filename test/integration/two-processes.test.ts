import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Backendless from "backendless";
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import {
  type ServerProcess,
  formBody,
  signInTo,
  startServer,
  waitUntil,
} from "../support/processes/server-process.ts";
import { createDatabase, connectionUrl } from "../support/setup/global-setup.ts";
import { type RedisServer, findRedisProgram, startRedis } from "../support/setup/redis-server.ts";

const redisServer = findRedisProgram();

/**
 * Two servers on one database with the secrets of one data folder, as behind a load balancer. They
 * communicate through the database or a Redis.
 */
describe.each([
  ["notifying each other through PostgreSQL", false],
  ["notifying each other through Redis, if installed", true],
])("two processes on one database, %s", (_how, withRedis) => {
  const skipped = withRedis && !redisServer;
  const DATABASE = `kith_two_processes${withRedis ? "_and_redis" : ""}`;
  const dataDir = mkdtempSync(join(tmpdir(), "kith-two-"));
  let redis: RedisServer | null = null;
  let here: ServerProcess;
  let there: ServerProcess;

  beforeAll(async () => {
    if (skipped) return;
    const connection = await createDatabase(inject("server"), DATABASE);
    redis = withRedis ? await startRedis(redisServer!) : null;
    const env = {
      DATABASE_URL: connectionUrl(connection),
      KITH_SEED: "demo",
      ...(redis && { REDIS_URL: redis.url }),
    };
    here = await startServer(dataDir, env);
    there = await startServer(dataDir, env);
  }, 240_000);
  afterAll(async () => {
    if (skipped) return;
    for (const server of [here, there]) server.child.kill("SIGTERM");
    await Promise.all([here.ended, there.ended]);
    await redis?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  /** A socket to one of the servers, as a signed-in page has it. */
  async function lineTo(server: ServerProcess, cookie: string): Promise<Socket> {
    const { ticket } = (await (await fetch(`${server.url}/live/ticket`, { headers: { cookie } })).json()) as {
      ticket: string;
    };
    const { appId, apiKey } = (await (await fetch(`${server.url}/api/info`)).json()) as {
      appId: string;
      apiKey: string;
    };
    const query = { apiKey, userToken: ticket };
    const socket = io(`${server.url}/${appId}`, {
      path: `/${appId}`,
      query,
      transports: ["websocket"],
      forceNew: true,
      reconnection: false,
    });
    await new Promise<void>((done, failed) => socket.once("connect", done).once("connect_error", failed));
    return socket;
  }

  const waitForEvent = <T>(socket: Socket, event: string, which: (it: { id: string; data?: T }) => boolean) =>
    new Promise<T | undefined>((found) => {
      socket.on(event, (it: { id: string; data?: T }) => which(it) && found(it.data));
    });

  async function subscribe(socket: Socket, id: string, name: string, options: object) {
    const ready = waitForEvent(socket, "SUB_READY", (it) => it.id === id);
    socket.emit("SUB_ON", { id, name, options });
    await ready;
  }

  /** A discussion that Mira and Tomas write in. */
  async function aDiscussion(cookie: string): Promise<string> {
    const address = `${here.url}/groups/chain-and-spoke/new`;
    const groupId =
      /name="groupId" value="([^"]+)"/.exec(
        await (await fetch(address, { headers: { cookie } })).text(),
      )?.[1] ?? "";
    const body = formBody({
      groupId,
      title: "Two houses, one street",
      body: "Can you hear me?",
      clientId: crypto.randomUUID(),
    });
    const answer = await fetch(address, { method: "POST", redirect: "manual", headers: { cookie }, body });
    const id = /[0-9a-f-]{36}/.exec(answer.headers.get("location") ?? "")?.[0];
    if (!id) throw new Error(`Starting a discussion answered ${answer.status}.`);
    return id;
  }

  test.skipIf(skipped)(
    "deliver live posts to each other, and both end a revoked session",
    async () => {
      const mira = await signInTo(here, "mira");
      const tomas = await signInTo(here, "tomas");
      const id = await aDiscussion(tomas);
      const [miraHere, tomasThere] = [await lineTo(here, mira), await lineTo(there, tomas)];
      await subscribe(tomasThere, "posts", "OBJECTS_CHANGES", {
        tableName: "Posts",
        event: "created",
        whereClause: `discussionId = '${id}'`,
      });
      await subscribe(tomasThere, "typing", "PUB_SUB_COMMANDS", { channel: `discussion:${id}` });
      await subscribe(miraHere, "join", "PUB_SUB_CONNECT", { channel: `discussion:${id}` });

      const typing = waitForEvent<{ type: string }>(tomasThere, "SUB_RES", (it) => it.id === "typing");
      miraHere.emit("MET_REQ", {
        id: "say",
        name: "PUB_SUB_COMMAND",
        options: { channel: `discussion:${id}`, type: "typing" },
      });
      expect(await typing).toMatchObject({ type: "typing" });

      const posts: unknown[] = [];
      tomasThere.on(
        "SUB_RES",
        (it: { id: string; data: unknown }) => it.id === "posts" && posts.push(it.data),
      );
      const post = waitForEvent<{ text: string }>(tomasThere, "SUB_RES", (it) => it.id === "posts");
      const body = formBody({ intent: "reply", body: "Loud and clear.", clientId: crypto.randomUUID() });
      await fetch(`${here.url}/discussions/${id}`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie: mira },
        body,
      });
      expect(await post).toMatchObject({ text: "Loud and clear.", number: 2 });

      const disconnected = new Promise<string>((done) => tomasThere.once("disconnect", done));
      const out = await fetch(`${here.url}/logout`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie: tomas },
        body: formBody({}),
      });
      expect(out.status).toBe(302);
      expect(await disconnected).toBe("io server disconnect");
      expect(posts).toHaveLength(1);
      miraHere.close();
    },
    30_000,
  );

  type Keys = { appId: string; serverKey: string };
  const keys = () => JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")) as Keys;

  /** An API client with the server key and the published SDK. */
  const program = (server: ServerProcess) =>
    Backendless.initApp({
      appId: keys().appId,
      apiKey: keys().serverKey,
      serverURL: server.url,
      standalone: true,
    } as never) as typeof Backendless;

  /** Calls the table management API. */
  async function manage(path: string, body: object) {
    const address = `${here.url}/${keys().appId}/${keys().serverKey}/management/data/table${path}`;
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status, await answer.text()).toBe(200);
  }

  type Listeners = Record<string, (...args: unknown[]) => void>;
  type Connection = { methods: { setUserToken: (it: object) => Promise<unknown> }; disconnect: () => void };

  test.skipIf(skipped)(
    "deliver table changes to each other: once, in order, and at any length",
    async () => {
      const [writer, reader] = [program(here), program(there)];
      const [plants, beds] = [writer.Data.of("Plant"), writer.Data.of("Bed")];
      const columns = [
        { name: "name", dataType: "STRING" },
        { name: "notes", dataType: "TEXT" },
      ];
      await manage("", { name: "Plant", columns });
      await manage("", { name: "Bed" });
      await manage("/Bed/columns/relation", {
        name: "plants",
        toTable: "Plant",
        relationshipType: "ONE_TO_MANY",
      });
      await beds.bulkCreate([{ objectId: "bed" }] as never);

      const received: [string, unknown][] = [];
      const rt = (table: string) => reader.Data.of(table).rt() as unknown as Listeners;
      const recordAs = (as: string) => (it: unknown) => received.push([as, JSON.parse(JSON.stringify(it))]);
      for (const kind of ["Create", "Update", "Delete"])
        rt("Plant")[`add${kind}Listener`]!("name like 'be%'", recordAs(kind));
      rt("Plant")["addBulkCreateListener"]!(recordAs("BulkCreate"));
      rt("Bed")["addSetRelationListener"]!("plants", recordAs("Set"));
      const line = reader.RT as unknown as Connection;
      for (let n = 0; n < 2; n++) await line.methods.setUserToken({ userToken: null });

      const short = (await plants.save({ name: "beet", notes: "in short" })) as unknown as {
        objectId: string;
      };
      await plants.save({ objectId: short.objectId, name: "radish" });
      await plants.save({ objectId: short.objectId, name: "beet again" });
      await plants.remove(short);
      const long = (await plants.save({ name: "bean", notes: "文".repeat(4_000) })) as unknown as {
        objectId: string;
      };
      await waitUntil(() => received.length === 4);
      await plants.remove(long);
      const ids = await plants.bulkCreate(Array.from({ length: 400 }, () => ({ name: "onion" })) as never);
      // Changes of different tables have no order among each other.
      await waitUntil(() => received.length === 6);
      await beds.setRelation({ objectId: "bed" }, "plants", ids.map((objectId) => ({ objectId })) as never);
      await waitUntil(() => received.length === 7);
      expect(received).toMatchObject([
        ["Create", { name: "beet", notes: "in short" }],
        ["Update", { objectId: short.objectId, name: "beet again", notes: "in short" }],
        ["Delete", { objectId: short.objectId }],
        ["Create", { objectId: long.objectId, notes: "文".repeat(4_000) }],
        ["Delete", { objectId: long.objectId }],
        ["BulkCreate", ids],
        ["Set", { parentObjectId: "bed", conditional: false, children: ids }],
      ]);
      line.disconnect();
    },
    60_000,
  );

  test.skipIf(skipped)(
    "share objects and logs across processes",
    async () => {
      const [mira, ada] = [await signInTo(here, "mira"), await signInTo(there, "ada")];
      const [miraHere, adaThere] = [await lineTo(here, mira), await lineTo(there, ada)];
      for (const [socket, sides] of [
        [miraHere, ["CONNECT"]],
        [adaThere, ["CONNECT", "CHANGES", "CLEARED", "INVOKE"]],
      ] as const)
        for (const side of sides) await subscribe(socket, side, `RSO_${side}`, { name: "canvas" });
      const deed = async (name: string, options: object, side: string) => {
        const response = waitForEvent<object>(adaThere, "SUB_RES", (it) => it.id === side);
        miraHere.emit("MET_REQ", { id: name, name, options: { name: "canvas", ...options } });
        return response;
      };
      expect(await deed("RSO_SET", { key: "x", data: { y: 1 } }, "CHANGES")).toMatchObject({
        key: "x",
        data: { y: 1 },
      });
      expect(await deed("RSO_INVOKE", { method: "draw", args: [1] }, "INVOKE")).toMatchObject({
        method: "draw",
        args: [1],
      });
      const whole = new Promise((done) =>
        adaThere.once("MET_RES", (it: { result: unknown }) => done(it.result)),
      );
      adaThere.emit("MET_REQ", { id: "get", name: "RSO_GET", options: { name: "canvas" } });
      expect(await whole).toEqual({ x: { y: 1 } });
      expect(await deed("RSO_CLEAR", {}, "CLEARED")).toHaveProperty("connectionId");

      await subscribe(adaThere, "logs", "LOGGING_MESSAGES", {});
      const line = waitForEvent<object[]>(adaThere, "SUB_RES", (it) => it.id === "logs");
      const body = JSON.stringify([
        { logger: "pump", "log-level": "INFO", message: "over here", timestamp: 1 },
      ]);
      await fetch(`${here.url}/api/log`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body,
      });
      expect(await line).toMatchObject([{ logger: "pump", message: "over here" }]);
      for (const socket of [miraHere, adaThere]) socket.close();
    },
    30_000,
  );
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Backendless from "backendless";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import {
  type ServerProcess,
  formBody,
  runServer,
  signInTo,
  startServer,
} from "../support/processes/server-process.ts";
import { createDatabase, databaseConfig, connectionUrl } from "../support/setup/global-setup.ts";
import { type RedisServer, findRedisProgram, startRedis } from "../support/setup/redis-server.ts";

/** Two servers on one database and one Redis, as behind a load balancer. */
const DATABASE = "kith_two_processes_redis";
const program = findRedisProgram();
const dataDir = mkdtempSync(join(tmpdir(), "kith-two-redis-"));
let redis: RedisServer;
let env: Record<string, string>;
let here: ServerProcess;
let there: ServerProcess;

const keys = () =>
  JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")) as { appId: string; serverKey: string };

/** An API client with the server key and the published SDK. */
const sdkOf = (server: ServerProcess) =>
  Backendless.initApp({
    appId: keys().appId,
    apiKey: keys().serverKey,
    serverURL: server.url,
    standalone: true,
  } as never) as typeof Backendless;

/** Sets the log level as an admin does on the page; each process tells its API clients. */
async function keepOfLogs(server: ServerProcess, level: string) {
  const body = formBody({ key: "logLevel", logLevel: level });
  const headers = { cookie: await signInTo(server, "ada") };
  const answer = await fetch(`${server.url}/admin/settings`, {
    method: "POST",
    redirect: "manual",
    headers,
    body,
  });
  expect(answer.status).toBe(302);
}
const keptOfLogs = async (server: ServerProcess) =>
  ((await (await fetch(`${server.url}/api/info`)).json()) as { loggers: { level: string }[] }).loggers[0]!
    .level;

const status = async (server: ServerProcess, path: string) =>
  (await fetch(server.url + path, { redirect: "manual" })).status;

describe.skipIf(!program)("two processes with the same PostgreSQL and Redis", () => {
  beforeAll(async () => {
    const connection = await createDatabase(inject("server"), DATABASE);
    redis = await startRedis(program!);
    env = { DATABASE_URL: connectionUrl(connection), REDIS_URL: `${redis.url}/1`, KITH_SEED: "demo" };
    here = await startServer(dataDir, env);
    there = await startServer(dataDir, env);
  }, 240_000);
  afterAll(async () => {
    for (const server of [here, there]) server.child.kill("SIGTERM");
    await Promise.all([here.ended, there.ended]);
    await redis.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  test("share counters, which are stored in Redis", async () => {
    const both = [sdkOf(here), sdkOf(there)];
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => both[n % 2]!.Counters.incrementAndGet("visits")),
    );
    expect(answers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
    const first = await Promise.all(
      Array.from({ length: 20 }, (_, n) => both[n % 2]!.Counters.compareAndSet("owner", 0, n + 1)),
    );
    expect(first.filter(Boolean)).toHaveLength(1);
    const client = new pg.Client(databaseConfig(inject("server"), DATABASE));
    await client.connect();
    expect((await client.query("select 1 from counters")).rows).toEqual([]);
    await client.end();
  });

  test("share cached values, which either process can read, replace and remove", async () => {
    const [a, b] = [sdkOf(here).Cache, sdkOf(there).Cache];
    await a.put("weather", { sun: true, at: [1, null] });
    expect(await b.get("weather")).toEqual({ sun: true, at: [1, null] });
    await b.put("weather", "rain", 60);
    expect(await a.get("weather")).toBe("rain");
    await a.remove("weather");
    expect([await b.get("weather"), await b.contains("weather")]).toEqual([null, false]);
  });

  test("change the same hive stores without losing updates", async () => {
    const [a, b] = [sdkOf(here).Hive("garden"), sdkOf(there).Hive("garden")];
    await a.create();
    await expect(b.create()).rejects.toMatchObject({ code: 409 });
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? a : b).ListStore("queue").addLastValue(n)),
    );
    const removed = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? a : b).ListStore("queue").deleteFirst()),
    );
    expect(removed.flat().toSorted((x, y) => Number(x) - Number(y))).toEqual(
      Array.from({ length: 40 }, (_, n) => n),
    );
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? a : b).SortedSetStore("points").incrementScore("ada", 1)),
    );
    expect(await b.SortedSetStore("points").getScore("ada")).toBe(40);
  });

  test("count sign-in attempts together", async () => {
    // A different name each time: the limit counts attempts of one address.
    const tried = async (server: ServerProcess) => {
      const body = formBody({ login: `nobody-${crypto.randomUUID()}`, password: "not it at all" });
      return (await fetch(`${server.url}/login`, { method: "POST", redirect: "manual", body })).status;
    };
    for (let attempts = 1; (await tried(here)) !== 429; attempts++) expect(attempts).toBeLessThan(200);
    expect(await tried(there)).toBe(429);
  });

  test("lose no acknowledged increment when one process is killed during counting", async () => {
    const mine = sdkOf(there).Counters;
    let answered = 0;
    let failed = false;
    const counting = Array.from({ length: 8 }, async () => {
      while (!failed) {
        const now = await mine.incrementAndGet("killed").catch(() => null);
        if (now === null) failed = true;
        else answered = Math.max(answered, now);
      }
    });
    await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(50);
    there.child.kill("SIGKILL");
    await there.ended;
    await Promise.all(counting);
    const stands = await sdkOf(here).Counters.get("killed");
    expect(stands).toBeGreaterThanOrEqual(answered);
    // Each connection may have added one increment that was not acknowledged.
    expect(stands).toBeLessThanOrEqual(answered + 8);
    there = await startServer(dataDir, env);
    expect(await sdkOf(there).Counters.incrementAndGet("killed")).toBe(stands + 1);
  }, 120_000);

  test("serve pages while Redis is down, refuse requests that need it, and recover", async () => {
    const counters = sdkOf(here).Counters;
    await redis.stop();
    await expect(counters.get("visits")).rejects.toMatchObject({ code: 503 });
    await expect(sdkOf(there).Cache.put("a", 1)).rejects.toMatchObject({ code: 503 });
    await expect(sdkOf(there).Hive("garden").ListStore("queue").get()).rejects.toMatchObject({ code: 503 });
    expect([await status(here, "/"), await status(there, "/groups"), await status(here, "/readyz")]).toEqual([
      200, 200, 200,
    ]);
    expect(await signInTo(here, "mira")).toContain("kith_session");
    // A setting of one process reaches the other before long, even without the bus.
    expect(await keptOfLogs(there)).toBe("all");
    await keepOfLogs(here, "warn");
    await expect.poll(() => keptOfLogs(there), { timeout: 60_000 }).toBe("warn");
    const refused = await runServer(dataDir, env);
    expect(await refused.ended).toBe(78);
    expect(refused.said()).toContain("REDIS_URL names a Redis that cannot be used");
    redis = await startRedis(program!, { port: redis.port });
    // Redis stored nothing: it holds what is counted from now on.
    await expect.poll(() => counters.get("visits").catch(() => null), { timeout: 60_000 }).toBe(0);
    expect(await counters.incrementAndGet("visits")).toBe(1);
  }, 120_000);
});

import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "#platform/log";
import { Limits } from "#platform/limits";
import { findRedisProgram, startRedis, type RedisServer } from "../../../test/support/setup/redis-server.ts";
import { parseGlob, Redis, redisErrorMessage, defineScript } from "./index.ts";

const log = createLog("silent");
const program = findRedisProgram();
const open = (url: string, timeout?: number) =>
  Redis.open({ url, prefix: "kith:{test}:", log, ...(timeout && { timeout }) });

describe("connection to unusable Redis", () => {
  let deaf: Server;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    deaf = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await once(deaf, "listening");
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    deaf.close();
  });
  const portOf = (server: Server) => (server.address() as { port: number }).port;

  test("fails at once when nothing listens", async () => {
    const nobody = createServer().listen(0, "127.0.0.1");
    await once(nobody, "listening");
    const port = portOf(nobody);
    nobody.close();
    await expect(open(`redis://:secret-word@127.0.0.1:${port}`)).rejects.toMatchObject({
      variable: "REDIS_URL",
      sentence: "names a Redis that cannot be used (ECONNREFUSED).",
    });
  });

  test("fails soon when the server never answers", async () => {
    const opened = open(`redis://127.0.0.1:${portOf(deaf)}`, 200);
    await expect(opened).rejects.toMatchObject({
      variable: "REDIS_URL",
      sentence: "names a Redis that cannot be used (no answer in time).",
    });
  });
});

describe.skipIf(!program)("Redis connection", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis(program!);
  });
  afterAll(() => server.stop());
  const ECHO = defineScript("return { KEYS[1], ARGV[1] }");

  test("runs scripts even after the server has dropped them from its cache", async () => {
    const redis = await open(server.url);
    expect(await redis.run(ECHO, "a")).toEqual(["kith:{test}:", "a"]);
    await redis.call("SCRIPT", "FLUSH");
    expect(await redis.run(ECHO, 2)).toEqual(["kith:{test}:", "2"]);
    const refused = await redis
      .run(defineScript("return redis.error_reply('KITH full')"))
      .catch((error: unknown) => error);
    expect(redisErrorMessage(refused)).toBe("KITH full");
    redis.close();
  });

  test("reports a wrong password without repeating it", async () => {
    const wrong = await open(server.url.replace("://", "://:hunter2@")).catch(
      (error: Error) => error.message,
    );
    expect(wrong).toMatch(/^REDIS_URL: names a Redis that cannot be used \((?!.*hunter2)/);
  });

  test("refuses a command that times out, and recovers afterwards", async () => {
    const redis = await open(server.url, 300);
    process.kill(server.child.pid!, "SIGSTOP");
    await expect(redis.call("PING")).rejects.toMatchObject({ reason: "unavailable", retryAfter: 5 });
    process.kill(server.child.pid!, "SIGCONT");
    await expect.poll(() => redis.call("PING").catch(() => null)).toBe("PONG");
    redis.close();
  });

  test("refuses writes when Redis is out of memory, but still reads", async () => {
    const redis = await open(server.url);
    await redis.call("SET", "kith:{test}:a", "1");
    await redis.call("CONFIG", "SET", "maxmemory", "1");
    await expect(redis.call("SET", "kith:{test}:b", "1")).rejects.toMatchObject({ reason: "unavailable" });
    await expect(
      redis.run(defineScript("return redis.call('SET', KEYS[1] .. 'b', '1')")),
    ).rejects.toMatchObject({ reason: "unavailable" });
    expect(await redis.call("GET", "kith:{test}:a")).toBe("1");
    await redis.call("CONFIG", "SET", "maxmemory", "0");
    redis.close();
  });

  test("deletes the keys with a prefix and no others", async () => {
    const mine = await Redis.open({ url: server.url, prefix: "kith:[ab]*:", log });
    const names = [
      "kith:[ab]*:hive:1",
      "kith:[ab]*:hives",
      "kith:[ab]*:cache",
      "kith:a*:hives",
      "kith:a:hives",
    ];
    for (const name of names) await mine.call("SET", name, "1");
    await mine.removeAll("hive");
    expect(await mine.call<number>("EXISTS", ...names.slice(0, 2))).toBe(0);
    expect(await mine.call<number>("EXISTS", ...names.slice(2))).toBe(3);
    mine.close();
  });

  test("applies the configured rate limits even during an outage", async () => {
    const mine = await startRedis(program!);
    const redis = await open(mine.url);
    const [limits, seconds] = [new Limits(redis), 600];
    await limits.take("tries", { points: 1, seconds }, "a");
    await mine.stop();
    for (let n = 0; n < 3; n++) await limits.take("tries", { points: 3, seconds }, "a");
    await expect(limits.take("tries", { points: 3, seconds }, "a")).rejects.toMatchObject({
      reason: "too-many",
    });
    const again = await startRedis(program!, { port: mine.port });
    await expect.poll(() => redis.call("PING").catch(() => null)).toBe("PONG");
    await limits.forget("tries", { points: 3, seconds }, "a");
    await again.stop();
    await limits.take("tries", { points: 1, seconds }, "a");
    redis.close();
  });

  test("reconnects after an outage, during which it refuses commands and counts limits locally", async () => {
    const mine = await startRedis(program!);
    const redis = await open(mine.url);
    const [limits, two] = [new Limits(redis), { points: 2, seconds: 60 }];
    const [lines, words]: [boolean[], string[]] = [[], []];
    const end = redis.listen("news", {
      onMessage: (text) => void words.push(text),
      onConnection: (stands) => void lines.push(stands),
    });
    await expect.poll(() => lines).toEqual([true]);
    await mine.stop();
    await expect.poll(() => lines.at(-1)).toBe(false);
    await expect(redis.call("PING")).rejects.toMatchObject({ reason: "unavailable" });
    await limits.take("tries", two, "a");
    await limits.take("tries", two, "a");
    await expect(limits.take("tries", two, "a")).rejects.toMatchObject({ reason: "too-many" });
    const again = await startRedis(program!, { port: mine.port });
    await expect.poll(() => lines.at(-1)).toBe(true);
    await expect.poll(() => redis.call("PUBLISH", "kith:{test}:news", "here").catch(() => 0)).toBe(1);
    await expect.poll(() => words).toContain("here");
    end();
    redis.close();
    await again.stop();
  });
});

describe("glob pattern", () => {
  test.each<[string, string[]]>([
    ["*", ["", "a", "ab", "a*b", "aXbXb"]],
    ["a", ["a"]],
    ["a*", ["a", "ab", "a*b", "aXbXb"]],
    ["*b", ["ab", "a*b", "aXbXb"]],
    ["a**b", ["ab", "a*b", "aXbXb"]],
    ["a*b*b", ["aXbXb"]],
    ["ab*b", []],
    ["?", []],
    ["", [""]],
  ])("%j matches exactly the expected texts", (pattern, found) => {
    expect(["", "a", "ab", "a*b", "aXbXb"].filter(parseGlob(pattern).matches)).toEqual(found);
  });

  test("with many stars takes linear time", () => {
    expect(parseGlob("*a".repeat(125)).matches("a".repeat(124) + "b".repeat(100_000))).toBe(false);
  });
});

import type Backendless from "backendless";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { purgeLogs, listLogLines } from "#baas/logging";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { startTestApi, type TestRestApi } from "../../../test/support/rest/rest-server.ts";
import { measureCpu } from "../../../test/support/cpu-time.ts";

const database = await testDatabase();
let testApi: TestRestApi;
beforeEach(async () => {
  await testApi?.close();
  testApi = await startTestApi(database);
});
afterAll(() => testApi.close());

const LINE = { logger: "browser", "log-level": "ERROR", message: "It broke", timestamp: 1 };
const put = (payload: unknown) => testApi.call("PUT", "/api/log", payload);
const listStored = async (logFilter: Parameters<typeof listLogLines>[1] = {}) =>
  (await listLogLines(testApi.app.logs, logFilter)).lines;
const texts = async (logFilter: Parameters<typeof listLogLines>[1] = {}) =>
  (await listStored(logFilter)).map(({ message }) => message);

/** Makes the client send its collected lines. */
async function sent(client: typeof Backendless) {
  await (client.Logging as unknown as { flush: () => Promise<unknown> }).flush();
}

describe("client log lines", () => {
  test("have the level and details given by the published client", async () => {
    const client = testApi.sdk();
    const logger = client.Logging.getLogger("garden");
    logger.debug("one");
    logger.info("two");
    logger.warn("three", "of a kind");
    logger.error("four", new Error("gone") as never);
    logger.fatal("five", { code: 7 } as never);
    logger.trace({ six: 6 } as never);
    await sent(client);
    expect(
      (await listStored()).map(({ logger: name, level, message, exception }) => [
        name,
        level,
        message,
        exception,
      ]),
    ).toEqual([
      ["garden", "TRACE", '{"six":6}', null],
      ["garden", "FATAL", "five", '{"code":7}'],
      ["garden", "ERROR", "four", null],
      ["garden", "WARN", "three", "of a kind"],
      ["garden", "INFO", "two", null],
      ["garden", "DEBUG", "one", null],
    ]);
  });

  test("have the client's time, or the time of arrival if that is invalid", async () => {
    await put([
      LINE,
      { ...LINE, timestamp: -1 },
      { ...LINE, timestamp: "soon" },
      { ...LINE, timestamp: undefined },
      { ...LINE, timestamp: 1e300 },
    ]);
    expect((await listStored()).map(({ saidAt }) => saidAt.getTime())).toEqual([
      ...Array<number>(4).fill(database.clock.at.getTime()),
      1,
    ]);
  });

  test("get corrected if partly invalid, so that a client does not resend them forever", async () => {
    await put([
      { logger: "", "log-level": "error" },
      {
        logger: "x".repeat(500),
        "log-level": "Info",
        message: 7,
        exception: [1],
        build: null,
        page: "groups/:groupId",
      },
      { logger: "nul\0", "log-level": "WARN", message: "a\0b \ud800" },
    ]);
    expect(await listStored()).toMatchObject([
      { logger: "nul", message: "ab \ufffd" },
      { logger: "x".repeat(200), level: "INFO", message: "7", exception: "[1]", page: "groups/:groupId" },
      { logger: "unnamed", level: "ERROR", message: "", exception: null },
    ]);
  });

  test.each([
    [{}],
    [[{}]],
    [[{ ...LINE, "log-level": "LOUD" }]],
    [[{ ...LINE, logger: 7 }]],
    ["text"],
    [null],
  ])("get refused in an invalid batch: %.40j", async (payload) => {
    expect((await put(payload)).status).toBe(422);
    expect(await listStored()).toEqual([]);
  });

  test("get truncated when long, and a batch contains at most a thousand", async () => {
    await put([{ ...LINE, message: "x".repeat(9_000), exception: "y".repeat(20_000) }]);
    const [line] = await listStored();
    expect([line!.message.length, line!.exception!.length]).toEqual([4_000, 8_000]);
    expect((await put(Array.from({ length: 1_000 }, () => LINE))).status).toBe(200);
    expect((await put(Array.from({ length: 1_001 }, () => LINE))).status).toBe(413);
  });

  test("have a rate limit per batch, except with the server key", async () => {
    for (let n = 0; n < 60; n++) await put([LINE]);
    const refused = await put([LINE]);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    const client = testApi.sdk(testApi.app.serverKey);
    client.Logging.getLogger("server").info("still heard");
    await sent(client);
    expect(await texts({ logger: "server" })).toEqual(["still heard"]);
  });

  test("have a limit per minute", async () => {
    const many = Array.from({ length: 1_000 }, () => LINE);
    for (let n = 0; n < 5; n++) expect((await put(many)).status).toBe(200);
    expect((await put([LINE])).status).toBe(429);
  });

  test("contain no secrets or email addresses", async () => {
    const token = "a1".repeat(22);
    await put([
      { ...LINE, message: `login with password=hunter2 and user-token: ${token}` },
      {
        ...LINE,
        message: `sent ${token} to mira@example.org`,
        exception: `at https://x.org/a.js?key=${token}:1:2\nCookie: a=b; kith=c`,
      },
      {
        ...LINE,
        message:
          'authorization: Bearer abcdefghij, {"apiKey":"short one"} GET /invite/abc /search?q=my+illness',
      },
      { ...LINE, message: "0198c0de-0000-7000-8000-000000000001 is an id, and nothing of it is a secret" },
    ]);
    const all = (await listStored()).map(({ message, exception }) => `${message} ${exception}`).join("\n");
    for (const secret of [
      "hunter2",
      token,
      "mira@",
      "kith=c",
      "a=b",
      "abcdefghij",
      "short one",
      "/invite/abc",
      "illness",
    ])
      expect(all).not.toContain(secret);
    expect(all).toContain("0198c0de-0000-7000-8000-000000000001 is an id");
  });

  test("take little time even if crafted for slow pattern matching", async () => {
    const cost = await measureCpu(async () => {
      for (const text of ["a", "/", "a-", "token", "eyJ", "a@", "?", "cookie ", '"', "1a_", "@a.", "bearer "])
        await put(
          Array.from({ length: 20 }, () => ({
            ...LINE,
            message: text.repeat(4_000),
            exception: text.repeat(8_000),
          })),
        );
    });
    expect(cost).toBeLessThan(10_000);
    expect(await listStored()).toHaveLength(50);
  });
});

describe("stored log", () => {
  test("contains lines according to the level settings", async () => {
    await testApi.set({ logLevel: "info", logLevels: "browser = error\nloud talker = off\nquiet=trace" });
    await put([
      { ...LINE, logger: "browser", "log-level": "WARN", message: "no" },
      { ...LINE, logger: "browser", "log-level": "FATAL", message: "worse" },
      { ...LINE, logger: "loud talker", message: "no" },
      { ...LINE, logger: "quiet", "log-level": "DEBUG", message: "no" },
      { ...LINE, logger: "quiet", "log-level": "INFO", message: "as for all" },
    ]);
    expect(await texts()).toEqual(["as for all", "worse"]);
    const info = (await testApi.call("GET", "/api/info")).body;
    expect(info).toMatchObject({
      loggers: [
        { name: "Global logger", level: "info" },
        { name: "browser", level: "error" },
        { name: "loud talker", level: "off" },
        { name: "quiet", level: "trace" },
      ],
    });
    const client = testApi.sdk();
    await (client as unknown as { appInfoPromise: () => Promise<unknown> }).appInfoPromise();
    client.Logging.getLogger("anything").debug("not even sent");
    client.Logging.getLogger("anything").info("sent");
    await sent(client);
    expect(await texts({ logger: "anything" })).toEqual(["sent"]);
  });

  test.each(["browser", "browser = loud", "= warn", "a = warn\nb"])(
    "cannot have the invalid level setting %j",
    async (logLevels) => {
      await expect(testApi.set({ logLevels })).rejects.toMatchObject({
        reason: "invalid",
        fields: { logLevels: expect.any(String) },
      });
    },
  );

  test("can be searched by logger, level, time and text, page by page, newest first", async () => {
    const at = database.clock.at.getTime();
    for (let n = 0; n < 3; n++) {
      await put(
        Array.from({ length: 30 }, (_, i) => ({
          ...LINE,
          "log-level": i % 2 ? "INFO" : "ERROR",
          message: `bean number ${n * 30 + i}`,
        })),
      );
      database.clock.pass(DAY);
    }
    await put([{ ...LINE, logger: "tools", message: "The handle of spade_7 broke: Größe x.y.length" }]);
    expect(await texts({ logger: "tools" })).toHaveLength(1);
    expect(await texts({ words: "HANDLE spad größe length" })).toHaveLength(1);
    expect(await texts({ words: "handle rake" })).toHaveLength(0);
    expect(await texts({ words: "number 17" })).toEqual(["bean number 17"]);
    expect(await texts({ words: "' & | ! :* \\" })).toHaveLength(50);
    expect(
      await texts({ from: new Date(at + DAY), until: new Date(at + 2 * DAY), level: "WARN" }),
    ).toHaveLength(15);
    const first = await listLogLines(testApi.app.logs, { logger: "browser" });
    const second = await listLogLines(testApi.app.logs, { logger: "browser", after: first.next! });
    expect([...first.lines, ...second.lines].map(({ message }) => message)).toEqual(
      Array.from({ length: 90 }, (_, n) => `bean number ${n}`)
        .toReversed()
        .map((text) => text),
    );
    expect(second.next).toBeNull();
    for (const after of ["", "x", "x.1", `${first.lines[0]!.at}9999999`, "'; drop table log_entries; --"])
      expect(await texts({ after })).toHaveLength(50);
  });

  test("contains lines for the configured number of days", async () => {
    await put([{ ...LINE, message: "old" }]);
    database.clock.pass(14 * DAY);
    await put([{ ...LINE, message: "new" }]);
    await database.inTransaction((tx) => purgeLogs(tx, 14));
    expect(await texts()).toEqual(["old", "new"].toReversed());
    database.clock.pass(1);
    await database.inTransaction((tx) => purgeLogs(tx, 14));
    expect(await texts()).toEqual(["new"]);
  });

  test("contains at most a hundred thousand lines, without the oldest", async () => {
    for (const from of [1, 25_001, 50_001, 75_001])
      await run(
        database.db,
        sql`insert into log_entries (batch_id, n, kind, logger, level, message, written_at, at, words)
            select '00000000-0000-7000-8000-000000000001', n, 'logging', 'flood', 6, '', now(), now(), ''
            from generate_series(${from}::int, ${from + 24_999}::int) n`,
      );
    await put([{ ...LINE, message: "the latest" }]);
    const found = await one(
      database.db,
      sql<{
        n: number;
        least: number;
      }>`select count(*)::int as n, min(n) as least from log_entries where logger = 'flood'`,
    );
    expect(found).toEqual({ n: 89_999, least: 10_002 });
    expect(await texts({ logger: "browser" })).toEqual(["the latest"]);
  });
});

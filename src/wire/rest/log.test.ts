import { Writable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openHttp } from "#platform/http";
import { Limits } from "#platform/limits";
import { openLog } from "#platform/log";
import { serveRest } from "./index.ts";

let server: FastifyInstance;
let written: Record<string, unknown>[];
beforeEach(() => {
  written = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => (written.push(JSON.parse(String(chunk)) as Record<string, unknown>), done()),
  });
  server = openHttp({ log: openLog("silent"), trustProxy: false });
  serveRest(server, { log: pino({ level: "trace" }, sink), limits: new Limits() });
});
afterEach(() => server.close());

const LINE = { logger: "browser", "log-level": "ERROR", message: "It broke", timestamp: 1 };
const put = (payload: unknown) =>
  server.inject({ method: "PUT", url: "/api/log", payload: JSON.stringify(payload), headers: { "content-type": "application/json" } });

describe("lines of a program's log", () => {
  test("are written under its own logger, at its own level", async () => {
    expect((await put([LINE, { ...LINE, "log-level": "WARN", message: "Careful" }])).statusCode).toBe(200);
    expect(written).toMatchObject([
      { level: 50, logger: "browser", msg: "It broke" },
      { level: 40, msg: "Careful" },
    ]);
  });

  test.each([[{}], [[{}]], [[{ ...LINE, "log-level": "LOUD" }]], [Array.from({ length: 1_001 }, () => LINE)], ["text"]])(
    "that are none are refused: %.40j",
    async (payload) => {
      expect((await put(payload)).statusCode).toBe(422);
      expect(written).toEqual([]);
    },
  );

  test("are cut to what is worth keeping", async () => {
    await put([{ ...LINE, message: "x".repeat(9_000), exception: "y".repeat(20_000) }]);
    expect(String(written[0]!["msg"])).toHaveLength(4_000);
    expect(String(written[0]!["exception"])).toHaveLength(8_000);
  });

  test("come so often and no more", async () => {
    for (let n = 0; n < 60; n++) await put([LINE]);
    const refused = await put([LINE]);
    expect([refused.statusCode, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  });
});

import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openHttp } from "#platform/http";
import { openLog } from "#platform/log";
import { testDatabase } from "../../../test/setup/database.ts";
import { serveHealth } from "./index.ts";

const database = await testDatabase();
let server: FastifyInstance;
let draining = false;
beforeEach(() => {
  draining = false;
  server = openHttp({ log: openLog("silent"), trustProxy: false });
  serveHealth(server, { pool: database.pool, migrations: "db/migrations", draining: () => draining, live: () => 3 });
});
afterEach(() => server.close());

describe("whoever asks how it is", () => {
  test("hears that it lives, and that it can serve", async () => {
    expect((await server.inject("/healthz")).json()).toEqual({ status: "alive" });
    expect((await server.inject("/readyz")).json()).toEqual({ status: "ready" });
  });

  test("hears what is missing: it is being stopped, or the tables are not there yet", async () => {
    draining = true;
    const closing = await server.inject("/readyz");
    expect([closing.statusCode, closing.json(), closing.headers["retry-after"]]).toEqual([503, { status: "draining" }, "5"]);
    draining = false;
    await database.pool.query("alter table migrations rename to put_away");
    const unready = await server.inject("/readyz");
    await database.pool.query("alter table put_away rename to migrations");
    expect([unready.statusCode, unready.json()]).toEqual([503, { status: "the database cannot be reached" }]);
  });

  test("gets figures on this machine, and nothing from elsewhere", async () => {
    expect((await server.inject("/metrics")).body).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect((await server.inject({ url: "/metrics", remoteAddress: "192.0.2.7" })).statusCode).toBe(404);
    expect((await server.inject({ url: "/metrics", headers: { "x-forwarded-for": "192.0.2.7" } })).statusCode).toBe(404);
  });
});

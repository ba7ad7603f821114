import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createHttpServer } from "#platform/http";
import { createLog } from "#platform/log";
import { TaggedCache } from "#platform/tagged-cache";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { serveHealth } from "./index.ts";

const database = await testDatabase();
let server: FastifyInstance;
let draining = false;
const createCache = () => new TaggedCache({ maxBytes: 100, maxAge: 1_000, sizeOf: () => 60 });
const sharedPosts = createCache();
const serve = (
  on: FastifyInstance,
  metrics: { token: string | null; behindProxy: boolean } = { token: null, behindProxy: false },
) =>
  serveHealth(on, {
    pool: database.pool,
    migrations: "db/migrations",
    draining: () => draining,
    live: () => 3,
    caches: { guest_pages: createCache(), shared_posts: sharedPosts, markup: createCache() },
    metrics,
  });
beforeEach(() => {
  draining = false;
  server = createHttpServer({ log: createLog("silent"), trustProxy: false });
  serve(server);
});
afterEach(() => server.close());

describe("health endpoints", () => {
  test("report liveness and readiness", async () => {
    expect((await server.inject("/healthz")).json()).toEqual({ status: "alive" });
    expect((await server.inject("/readyz")).json()).toEqual({ status: "ready" });
  });

  test("report why the server is not ready: draining or pending migrations", async () => {
    draining = true;
    const closing = await server.inject("/readyz");
    expect([closing.statusCode, closing.json(), closing.headers["retry-after"]]).toEqual([
      503,
      { status: "draining" },
      "5",
    ]);
    draining = false;
    await database.pool.query("alter table migrations rename to put_away");
    const unready = await server.inject("/readyz");
    await database.pool.query("alter table put_away rename to migrations");
    expect([unready.statusCode, unready.json()]).toEqual([503, { status: "the database cannot be reached" }]);
  });

  test("serve metrics on the local machine only", async () => {
    expect((await server.inject("/metrics")).body).toMatch(/^process_resident_memory_bytes \d+$/m);
    for (const key of ["a", "b"]) sharedPosts.keep(key, {}, [], sharedPosts.begin(), 0);
    sharedPosts.get("b", 0);
    const shown = (await server.inject("/metrics")).body;
    for (const [figure, value] of Object.entries({
      hits_total: 1,
      misses_total: 2,
      evictions_total: 1,
      bytes: 60,
    }))
      expect(shown).toContain(`\nkith_shared_posts_${figure} ${value}\n`);
    expect((await server.inject({ url: "/metrics", remoteAddress: "192.0.2.7" })).statusCode).toBe(404);
  });
});

describe("metrics endpoint", () => {
  const TOKEN = "a-token-of-the-monitoring";

  /** Status of one request to a server with these settings. */
  async function statusOf(
    settings: { token?: string; behindProxy?: boolean },
    request: { headers?: object; remoteAddress?: string } = {},
  ) {
    const other = createHttpServer({ log: createLog("silent"), trustProxy: false });
    serve(other, { token: settings.token ?? null, behindProxy: settings.behindProxy ?? false });
    const { statusCode, headers } = await other.inject({ url: "/metrics", ...request } as object);
    await other.close();
    return statusCode === 401 ? [401, headers["www-authenticate"]] : statusCode;
  }
  const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  test.each([
    "x-forwarded-for",
    "forwarded",
    "x-real-ip",
    "x-forwarded-host",
    "x-forwarded-proto",
    "via",
    "cf-connecting-ip",
  ])("refuses a local request with the proxy header %s", async (name) =>
    expect(await statusOf({}, { headers: { [name]: "192.0.2.7" } })).toBe(404),
  );

  test("refuses requests of a local proxy", async () => {
    expect(await statusOf({ behindProxy: true })).toBe(404);
    expect(await statusOf({ behindProxy: true, token: TOKEN })).toEqual([401, "Bearer"]);
    expect(await statusOf({ behindProxy: true, token: TOKEN }, bearing(TOKEN))).toBe(200);
  });

  test("accepts remote requests with the token, and local requests without it", async () => {
    const from = { remoteAddress: "192.0.2.7" };
    expect(await statusOf({ token: TOKEN }, { ...from, ...bearing(TOKEN) })).toBe(200);
    expect(await statusOf({ token: TOKEN }, { ...from, ...bearing(`${TOKEN}x`) })).toEqual([401, "Bearer"]);
    expect(await statusOf({ token: TOKEN }, from)).toEqual([401, "Bearer"]);
    expect(await statusOf({ token: TOKEN })).toBe(200);
    expect(await statusOf({}, { ...from, ...bearing("") })).toBe(404);
  });
});

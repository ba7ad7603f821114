import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onKept, openLogs, said } from "#backend/logs";
import { openTables } from "#backend/tables";
import { tellAll } from "#platform/bus";
import type { Redis } from "#platform/redis";
import { newSession, sdkWith } from "../src/wire/realtime/line.fixture.ts";
import { furnish } from "../src/wire/realtime/tables/tables.fixture.ts";
import * as live from "../src/wire/realtime/walk.fixture.ts";
import { ROUTES } from "../src/wire/rest/index.ts";
import { APP, CLIENT, SERVER } from "../src/wire/rest/rest.fixture.ts";
import type { Asked } from "../src/wire/rest/walk/asked.fixture.ts";
import { openWalk, type Walk } from "../src/wire/rest/walk/walk.fixture.ts";
import { comparedWithDescription, furnishWalk, named, walkAlong } from "../src/wire/rest/walk/whole.fixture.ts";
import { type AServer, until } from "./a-server.ts";
import { cast } from "./cast.ts";
import { redisProgram } from "./setup/redis-server.ts";
import { closeShared, lineTo, openShared, type Shared, startTwo } from "./two-servers.ts";

type Info = { loggers: { level: string }[] };

const program = redisProgram();
const ENV = {
  KITH_APP_ID: APP,
  KITH_CLIENT_KEY: CLIENT,
  KITH_SERVER_KEY: SERVER,
  KITH_ALLOW_RESET: "1",
  KITH_EXTENSIONS: "test/extensions",
};

/**
 * The published SDK works the same with two processes behind a load balancer, on one PostgreSQL and one
 * Redis, as with one.
 */
describe.skipIf(!program)("contract tests on two processes", () => {
  let shared: Shared;
  let redis: Redis;
  let servers: AServer[] = [];
  let walk: Walk;
  let turn = 0;
  /** Each call goes to the other server than the one before. */
  const next = () => servers[turn++ % 2]!.url;

  const callsOf = (n: number) => join(shared.folder, `calls-${n}`);
  const askedOf = (n: number) =>
    readFileSync(callsOf(n), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Asked)
      .filter(({ url }) => url.startsWith(`/${APP}/`));

  beforeAll(async () => {
    shared = await openShared("kith_walks_on_two", program!);
    redis = await lineTo(shared.redis, APP);
    walk = await openWalk(shared.database, next);
    await furnishWalk(walk);
    const key = join(shared.folder, "google.json");
    writeFileSync(key, JSON.stringify(walk.store.account));
    const env = { ...ENV, GOOGLE_CREDENTIALS: key, WALKED_STORE: walk.store.url };
    servers = await startTwo(shared, (n) => ({ ...env, WALKED_CALLS: callsOf(n) }), "test/walked-server.ts");
  }, 240_000);
  afterAll(async () => {
    await walk.close();
    redis.close();
    await closeShared(shared, servers);
  }, 60_000);

  /** Calls one of the two as an operator's script. */
  const manage = async (at: string, method: "GET" | "POST", path: string, body?: object) => {
    const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(`${at}/${APP}/${SERVER}/management${path}`, { method, ...sent });
    return (await answer.json()) as Record<string, unknown>;
  };
  const empty = async () => expect(await manage(next(), "POST", "/reset", { confirm: APP })).toEqual({ emptied: true });

  /** Resets to the initial data, known to both. */
  async function furnishAgain() {
    await empty();
    await furnishWalk(walk);
    // A final change that both report from memory, so both have caught up.
    await walk.door.set({ logLevel: "debug" });
    const says = async ({ url }: AServer) => ((await (await fetch(`${url}/${APP}/${CLIENT}/info`)).json()) as Info).loggers[0]!.level;
    await until(async () => (await Promise.all(servers.map(says))).every((level) => level === "debug"));
  }

  test.each([
    [0, "each at the other than the one before"],
    [1, "and each at the other than on the first walk"],
  ])(
    "every REST call (%i), %s: sent, answered and stored as on one",
    async (from) => {
      if (from > 0) await furnishAgain();
      turn = from;
      await walkAlong(walk);
      expect(walk.recorder.heard.filter(({ status }) => status >= 500)).toEqual([]);
      const asked = [askedOf(0), askedOf(1)];
      expect(named(asked.flat())).toEqual(named(ROUTES));
      // Each server got its half of the calls.
      for (const half of asked) expect(half.length).toBeGreaterThan(named(ROUTES).length / 3);
      const { faults, calls } = comparedWithDescription(walk, asked.flat());
      expect(faults).toEqual([]);
      expect(calls).toBeGreaterThan(200);
    },
    300_000,
  );

  test("every subscription and method of the real-time API, listening at one and acting at the other", async () => {
    const { database } = shared;
    await empty();
    await furnish(openTables({ database, dynamicSchema: true }));
    const { ada } = await cast(database);
    const walkers = [];
    for (const { url } of servers) walkers.push(live.walkerOf(sdkWith(await newSession(database, ada), url, CLIENT, APP)));
    // Without an HTTP server it logs as a worker does.
    const logs = openLogs(database);
    const deafen = onKept(logs, ({ kind, id }) => void tellAll({ db: database.db, redis }, [], { kept: { kind, id } }));
    const asked = await live.walkAlong([walkers[0]!, walkers[1]!], (kind, it) => said(logs, kind, it));
    expect(asked).toEqual(live.ALL);
    deafen();
    for (const { at } of walkers) (at.app.RT as unknown as { disconnect: () => void }).disconnect();
  }, 300_000);
});

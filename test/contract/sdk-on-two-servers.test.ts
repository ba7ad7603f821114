import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listenToLogs, createLogStore, writeLogLine } from "#baas/logging";
import { createDataTableStore } from "#baas/data";
import { publishToAll } from "#platform/bus";
import type { Redis } from "#platform/redis";
import { createTestSession, createSdk } from "../support/realtime/sdk-connection.ts";
import { createTestTables } from "../support/realtime/table-followers.ts";
import * as live from "../support/contract/realtime-steps.ts";
import type { BusMessage } from "../../src/app/event-hub.ts";
import { ENDPOINTS } from "../../src/api/rest/index.ts";
import { APP, CLIENT, SERVER } from "../support/rest/rest-server.ts";
import type { RecordedRequest } from "../support/contract/recorded-calls.ts";
import { startContractSession, type ContractRun } from "../support/contract/contract-run.ts";
import {
  compareWithOpenApi,
  prepareContractRun,
  uniqueEndpoints,
  runRestSteps,
} from "../support/contract/all-steps.ts";
import { type ServerProcess, waitUntil } from "../support/processes/server-process.ts";
import { createTestUsers } from "../support/test-users.ts";
import { findRedisProgram } from "../support/setup/redis-server.ts";
import {
  closeSharedServices,
  connectToRedis,
  startSharedServices,
  type SharedServices,
  startTwoServers,
} from "../support/processes/two-servers.ts";

type Info = { loggers: { level: string }[] };

const program = findRedisProgram();
const ENV = {
  KITH_APP_ID: APP,
  KITH_CLIENT_KEY: CLIENT,
  KITH_SERVER_KEY: SERVER,
  KITH_ALLOW_RESET: "1",
  KITH_EXTENSIONS: "test/support/extensions",
};

/**
 * The published SDK works the same with two processes behind a load balancer, on one PostgreSQL and one
 * Redis, as with one.
 */
describe.skipIf(!program)("contract test on two processes", () => {
  let shared: SharedServices;
  let redis: Redis;
  let servers: ServerProcess[] = [];
  let walk: ContractRun;
  let turn = 0;
  /** Each call goes to the other server than the one before. */
  const next = () => servers[turn++ % 2]!.url;

  const callsOf = (n: number) => join(shared.folder, `calls-${n}`);
  const askedOf = (n: number) =>
    readFileSync(callsOf(n), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RecordedRequest)
      .filter(({ url }) => url.startsWith(`/${APP}/`));

  beforeAll(async () => {
    shared = await startSharedServices("kith_walks_on_two", program!);
    redis = await connectToRedis(shared.redis, APP);
    walk = await startContractSession(shared.database, next);
    await prepareContractRun(walk);
    const key = join(shared.folder, "google.json");
    writeFileSync(key, JSON.stringify(walk.store.account));
    const env = { ...ENV, GOOGLE_CREDENTIALS: key, WALKED_STORE: walk.store.url };
    servers = await startTwoServers(
      shared,
      (n) => ({ ...env, WALKED_CALLS: callsOf(n) }),
      "test/support/contract/contract-server.ts",
    );
  }, 240_000);
  afterAll(async () => {
    await walk.close();
    redis.close();
    await closeSharedServices(shared, servers);
  }, 60_000);

  /** Calls the management API of one server, as an operator's script does. */
  const manage = async (at: string, method: "GET" | "POST", path: string, body?: object) => {
    const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(`${at}/${APP}/${SERVER}/management${path}`, { method, ...sent });
    return (await answer.json()) as Record<string, unknown>;
  };
  const empty = async () =>
    expect(await manage(next(), "POST", "/reset", { confirm: APP })).toEqual({ emptied: true });

  /** Resets the data to its initial state, and waits until both servers know it. */
  async function furnishAgain() {
    await empty();
    await prepareContractRun(walk);
    // Both servers report this last change from memory, so both have caught up.
    await walk.testApi.set({ logLevel: "debug" });
    const logLevelOf = async ({ url }: ServerProcess) =>
      ((await (await fetch(`${url}/${APP}/${CLIENT}/info`)).json()) as Info).loggers[0]!.level;
    await waitUntil(async () =>
      (await Promise.all(servers.map(logLevelOf))).every((level) => level === "debug"),
    );
  }

  test.each([
    [0, "alternating between the processes"],
    [1, "starting at the other process"],
  ])(
    "gives every REST call (%i), %s, the same result as on one process",
    async (from) => {
      if (from > 0) await furnishAgain();
      turn = from;
      await runRestSteps(walk);
      expect(walk.recorder.recordedCalls.filter(({ status }) => status >= 500)).toEqual([]);
      const endpoints = [askedOf(0), askedOf(1)];
      expect(uniqueEndpoints(endpoints.flat())).toEqual(uniqueEndpoints(ENDPOINTS));
      // Each server got its half of the calls.
      for (const half of endpoints)
        expect(half.length).toBeGreaterThan(uniqueEndpoints(ENDPOINTS).length / 3);
      const { faults, calls } = compareWithOpenApi(walk, endpoints.flat());
      expect(faults).toEqual([]);
      expect(calls).toBeGreaterThan(200);
    },
    300_000,
  );

  test("covers every real-time subscription at one process and every method at the other process", async () => {
    const { database } = shared;
    await empty();
    await createTestTables(createDataTableStore({ database, dynamicSchema: true }));
    const { ada } = await createTestUsers(database);
    const walkers = [];
    for (const { url } of servers)
      walkers.push(
        live.createRealtimeClient(createSdk(await createTestSession(database, ada), url, CLIENT, APP)),
      );
    // Without an HTTP server it logs as a worker does.
    const logs = createLogStore(database);
    const deafen = listenToLogs(
      logs,
      ({ kind, id }) =>
        void publishToAll({ db: database.db, redis }, [], { logBatch: { kind, id } } satisfies BusMessage),
    );
    const methods = await live.runRealtimeSteps([walkers[0]!, walkers[1]!], (kind, it) =>
      writeLogLine(logs, kind, it),
    );
    expect(methods).toEqual(live.ALL_CLIENT_NAMES);
    deafen();
    for (const { at } of walkers) (at.app.RT as unknown as { disconnect: () => void }).disconnect();
  }, 300_000);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { openDatabase } from "#platform/database";
import { uuidv7 } from "#platform/ids";
import { createLog } from "#platform/log";
import { Redis } from "#platform/redis";
import { readSecrets } from "../../../src/app/secrets.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { createDatabase, TEMPLATE, connectionUrl } from "../setup/global-setup.ts";
import type { TestDatabase } from "../setup/test-database.ts";
import { type RedisServer, startRedis } from "../setup/redis-server.ts";

/**
 * Starts the services that two servers share: one PostgreSQL, one Redis and one folder. The test can access
 * them too.
 */
export async function startSharedServices(name: string, redisProgram: string) {
  const connection = await createDatabase(inject("server"), name, TEMPLATE);
  const clock = { at: new Date(), pass: () => {} };
  const runtime = { now: () => new Date(), newId: uuidv7 };
  const database: TestDatabase = {
    ...openDatabase({ connection, runtime, size: 4, onIdleError: () => {} }),
    clock,
    connection,
  };
  const redis = await startRedis(redisProgram);
  const folder = mkdtempSync(join(tmpdir(), "kith-shared-"));
  // Creates the secrets before the servers start, so that both read the same ones.
  readSecrets({
    dataDir: folder,
    keys: { app: undefined, client: undefined, server: undefined, search: undefined },
    production: false,
  });
  return { database, redis, folder, env: { DATABASE_URL: connectionUrl(connection), REDIS_URL: redis.url } };
}
export type SharedServices = Awaited<ReturnType<typeof startSharedServices>>;

/** Starts two servers as behind a load balancer; `closeSharedServices` stops them. */
export async function startTwoServers(
  { env, folder }: SharedServices,
  more: (n: number) => Record<string, string>,
  program?: string,
) {
  const start = (n: number) => startServer(folder, { ...env, KITH_SEED: "empty", ...more(n) }, program);
  return Promise.all([start(0), start(1)]);
}

export async function closeSharedServices(
  { database, redis, folder }: SharedServices,
  servers: readonly ServerProcess[],
): Promise<void> {
  for (const { child } of servers) child.kill("SIGTERM");
  await Promise.all(servers.map(({ ended }) => ended));
  await database.close();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Connects to the Redis of these servers from a process without an HTTP server. */
export const connectToRedis = ({ url }: RedisServer, appId: string) =>
  Redis.open({ url, prefix: `kith:{${appId}}:`, log: createLog("silent") });

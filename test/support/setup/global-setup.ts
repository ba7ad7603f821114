import { mkdtempSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "#platform/database";
import { startEmbedded } from "#platform/embedded-postgres";
import { migrateJobs } from "#platform/jobs";
import { createLog } from "#platform/log";
import { WORKERS } from "./test-projects.ts";
import { findRedisProgram, startRedis } from "./redis-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    server: pg.ClientConfig;
  }
}

export const TEMPLATE = "kith_template";

/**
 * Starts a cluster in memory for this run, or uses the server of `KITH_TEST_DATABASE_URL`, and creates the
 * template database; also starts a Redis, if the machine has one. A run of only unit tests needs neither
 * server.
 */
export default async function setup(project: TestProject) {
  if (project.vitest.projects.every(({ name }) => name === "unit")) return;
  const { server, stop } = await startTestDatabaseServer();
  await createTemplate(server);
  project.provide("server", server);
  const program = findRedisProgram();
  const redis = program ? await startRedis(program) : null;
  project.provide("redis", redis?.url ?? null);
  return async () => {
    await redis?.stop();
    await stop();
  };
}

export async function startTestDatabaseServer(): Promise<{
  server: pg.ClientConfig;
  stop: () => Promise<void>;
}> {
  const url = process.env["KITH_TEST_DATABASE_URL"];
  if (url) return { server: { connectionString: url }, stop: async () => {} };
  const dataDir = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "kith-test-"));
  const binaries = process.env["KITH_TEST_POSTGRES"];
  const cluster = await startEmbedded({
    dataDir,
    ...(binaries && { binaries }),
    durable: false,
    database: "kith",
    print: () => {},
    settings: { max_connections: String(60 + 30 * WORKERS) },
  });
  return {
    server: { host: cluster.socketDir, port: cluster.port, user: cluster.user, database: cluster.database },
    stop: async () => {
      await cluster.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the connection to another database of the same server. */
export function databaseConfig(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!server.connectionString) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** Returns a connection as a URL, for a server's environment. */
export const connectionUrl = ({ connectionString, host, port, user, database }: pg.ClientConfig): string =>
  connectionString ??
  `postgres:///${database}?${new URLSearchParams({ host: String(host), port: String(port), user: String(user) })}`;

/**
 * Creates an empty database or a copy of the template, and replaces a database of an earlier run. Returns
 * the connection.
 */
export async function createDatabase(
  server: pg.ClientConfig,
  name: string,
  template?: string,
): Promise<pg.ClientConfig> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  // Copying the files takes an eighth of the time of logging each page, the default strategy.
  const source = template ? `template ${template} strategy file_copy` : "";
  await client.query(`create database ${name} ${source}`);
  await client.end();
  return databaseConfig(server, name);
}

async function createTemplate(server: pg.ClientConfig) {
  const template = await createDatabase(server, TEMPLATE);
  await migrate(template, "db/migrations", () => {});
  const pool = new pg.Pool({ ...template, max: 1 });
  pool.on("error", () => {}).on("connect", (it) => void it.on("error", () => {}));
  await migrateJobs(pool, createLog("silent"));
  await pool.end();
}

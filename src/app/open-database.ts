import pg from "pg";
import { migrate } from "#platform/database";
import { findServerInUse, startEmbedded } from "#platform/embedded-postgres";
import type { Environment } from "#platform/environment";
import { errorCode } from "#platform/errors";
import { migrateJobs } from "#platform/jobs";
import type { Log } from "#platform/log";

/** The oldest PostgreSQL version with every feature that we use. */
const OLDEST_POSTGRES = 150_000;

/** Maximum connections of one process: its pools, the event bus, and job workers. */
const CONNECTIONS_PER_PROCESS = 50;

/** A database problem that only the operator can solve, with a message of one sentence and with advice. */
export class DatabaseSetupError extends Error {
  override name = "MemoryFault";
  readonly advice: string;
  constructor(sentence: string, advice: string) {
    super(sentence);
    this.advice = advice;
  }
}

/** Connection to the database server, and how to stop it. */
export type DatabaseServer = { connection: pg.ClientConfig; kind: string; stop: () => Promise<void> };
type Print = (sentence: string) => void;

/** Opens the database that `DATABASE_URL` names, or the embedded one. */
export async function openDatabaseServer(
  { databaseUrl, dataDir, processes }: Environment,
  print: Print,
): Promise<DatabaseServer> {
  if (databaseUrl) {
    const connection = { connectionString: databaseUrl };
    return {
      connection,
      kind: `PostgreSQL ${await readServerVersion(connection)} at ${new URL(databaseUrl).host}`,
      stop: async () => {},
    };
  }
  // The server's default limit of connections is enough for one process. Each further process, and the job
  // process, needs as many connections again.
  const settings: Record<string, string> = {};
  if (processes > 1) settings["max_connections"] = String(CONNECTIONS_PER_PROCESS * (processes + 1));
  const own = await startEmbedded({ dataDir, print, settings });
  const connection = { host: own.socketDir, port: own.port, user: own.user, database: own.database };
  return { connection, kind: `its own PostgreSQL ${own.version}`, stop: own.stop };
}

/**
 * Connects a command to the embedded database that a running server has started. Opens the database as
 * `openDatabaseServer` does if no server runs or `DATABASE_URL` is set.
 */
export async function shareDatabaseServer(environment: Environment, print: Print): Promise<DatabaseServer> {
  const server = environment.databaseUrl ? null : findServerInUse(environment.dataDir);
  if (!server) return openDatabaseServer(environment, print);
  const connection = { host: server.socketDir, port: server.port, user: server.user, database: "kith" };
  return { connection, kind: "the PostgreSQL of the running Kith", stop: async () => {} };
}

async function readServerVersion(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 8_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ n: string; v: string }>(
      "select current_setting('server_version_num') n, current_setting('server_version') v",
    );
    const { n, v } = rows[0]!;
    if (Number(n) < OLDEST_POSTGRES)
      throw new DatabaseSetupError(
        `The server at DATABASE_URL is PostgreSQL ${v}; 15 or newer is needed.`,
        "Point DATABASE_URL to a newer server, or unset it to use the one that Kith brings.",
      );
    return v.split(" ")[0]!;
  } catch (error) {
    if (error instanceof DatabaseSetupError) throw error;
    const why = error instanceof Error ? error.message || String(errorCode(error)) : String(error);
    throw new DatabaseSetupError(
      `The database at DATABASE_URL cannot be reached (${why}).`,
      "Check the address, the password and that the database exists; or unset DATABASE_URL to use the " +
        "one that Kith brings.",
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** Applies pending migrations: our own and those of the job queue. */
export async function prepareDatabase(
  { connection }: DatabaseServer,
  folder: string,
  print: Print,
  log: Log,
) {
  await migrate(connection, folder, print);
  const pool = new pg.Pool({ ...connection, max: 1 });
  pool.on("error", (error) => log.warn({ err: error }, "a database connection was lost"));
  pool.on("connect", (client) => void client.on("error", () => {}));
  try {
    await migrateJobs(pool, log);
  } finally {
    await pool.end();
  }
}

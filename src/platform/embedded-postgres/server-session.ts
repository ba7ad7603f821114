import pg from "pg";
import { errorCode } from "#platform/errors";
import { SUPERUSER } from "./cluster.ts";

export type ServerAddress = { socketDir: string; port: number };

const NO_SUCH_DATABASE = "3D000";

/** Opens a connection that ignores the environment's settings for other servers (PGHOST…). */
export async function openSession(address: ServerAddress, database: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: address.socketDir,
    port: address.port,
    user: SUPERUSER,
    password: "",
    database,
    ssl: false,
    options: "",
    connectionTimeoutMillis: 5_000,
  });
  // Connection errors after the response do not matter.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Runs one query over a connection of its own. */
async function querySession<Row extends pg.QueryResultRow>(
  address: ServerAddress,
  database: string,
  text: string,
): Promise<Row[]> {
  const client = await openSession(address, database);
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const VERSION_QUERY = "select split_part(current_setting('server_version'), ' ', 1) as version";

/**
 * Version of the server at that address ("18.4"); null when no server answers, or when it belongs to another
 * cluster.
 */
export async function readRunningVersion(address: ServerAddress, cluster: string): Promise<string | null> {
  try {
    const text = `${VERSION_QUERY}, current_setting('data_directory') as cluster`;
    const [row] = await querySession<{ version: string; cluster: string }>(address, "postgres", text);
    return row?.cluster === cluster ? row.version : null;
  } catch {
    return null;
  }
}

/** Creates the database if it is missing. Returns the version of the server. */
export async function ensureDatabase(address: ServerAddress, database: string): Promise<string> {
  try {
    const [row] = await querySession<{ version: string }>(address, database, VERSION_QUERY);
    return row!.version;
  } catch (error) {
    if (errorCode(error) !== NO_SUCH_DATABASE) throw error;
    await querySession(address, "postgres", `create database ${pg.escapeIdentifier(database)}`);
    return ensureDatabase(address, database);
  }
}

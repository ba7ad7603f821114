import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";

/** A migration was edited after it was applied, is missing, or fails. */
export class MigrationError extends Error {
  override name = "MigrationFault";
}

type Migration = { name: string; text: string; checksum: string };

/**
 * Arbitrary key of an advisory lock, so that two processes that start at once migrate one after the other.
 */
const LOCK_KEY = 7_284_019_336;

/**
 * Applies the pending `.sql` files of `folder` in the order of their names, one transaction each, and returns
 * their names.
 * @throws `MigrationError` when an applied file was edited or is gone, or the database has the schema of an
 * earlier version
 */
export async function migrate(
  connection: pg.ClientConfig,
  folder: string,
  print: (sentence: string) => void,
) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const pending = findPending(await readMigrations(folder), await readApplied(client));
    if (pending.length > 0) print(`Preparing the database (${pending.length} steps)…`);
    for (const migration of pending) await applyMigration(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** Names of the migrations that `migrate` would apply now. */
export async function pendingMigrations(ask: pg.Pool, folder: string): Promise<string[]> {
  return findPending(await readMigrations(folder), await readApplied(ask)).map((migration) => migration.name);
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${folder}/${name}`, "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

async function readApplied(ask: Pick<pg.Client, "query">): Promise<Map<string, string>> {
  const { rows } = await ask.query<{ name: string; checksum: string }>(
    "select name, checksum from migrations",
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/**
 * First migration of earlier development versions. A database that has it cannot be migrated to this version.
 */
const FIRST_OLD_MIGRATION = "0001_outbox_mails_settings.sql";

function findPending(files: Migration[], applied: Map<string, string>): Migration[] {
  if (applied.has(FIRST_OLD_MIGRATION))
    throw new MigrationError(
      "This database was made by an earlier development version of Kith. Export the community with that version " +
        "(npm run export), and import it into an empty database with this one (npm run import).",
    );
  for (const [name, checksum] of applied) {
    const file = files.find((it) => it.name === name);
    if (!file)
      throw new MigrationError(
        `The database has ${name} applied, but this version of Kith does not know it. Is it older than the data?`,
      );
    if (file.checksum !== checksum)
      throw new MigrationError(
        `${name} was edited after it was applied. Undo the edit and write a new migration.`,
      );
  }
  return files.filter((file) => !applied.has(file.name));
}

async function applyMigration(client: pg.Client, { name, text, checksum }: Migration) {
  await client.query("begin");
  try {
    await client.query(text);
    await client.query("insert into migrations (name, checksum) values ($1, $2)", [name, checksum]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new MigrationError(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

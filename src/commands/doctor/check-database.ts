import pg from "pg";
import { embeddedBinaries, inspectBinaries } from "#platform/embedded-postgres";
import type { Environment } from "#platform/environment";
import { type Finding, noteFinding, okFinding, errorReason, wrongFinding } from "./finding.ts";

const OLDEST_SERVER = 15;

/** The database that Kith would use: the configured server, or the embedded one. */
export async function examineDatabase(
  { databaseUrl, databaseReplicaUrl }: Environment,
  existingFolder: string,
): Promise<Finding[]> {
  if (!databaseUrl) return examineEmbedded(embeddedBinaries(), existingFolder);
  const named: [string, string | null][] = [
    ["DATABASE_URL", databaseUrl],
    ["DATABASE_REPLICA_URL", databaseReplicaUrl],
  ];
  return Promise.all(named.flatMap(([name, url]) => (url ? [examineServer(name, url)] : [])));
}

async function examineServer(name: string, url: string): Promise<Finding> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(
      "select split_part(current_setting('server_version'), ' ', 1) as version",
    );
    const version = rows[0]!.version;
    if (Number.parseInt(version, 10) >= OLDEST_SERVER)
      return okFinding("Database", `${name}: PostgreSQL ${version} answers.`);
    return wrongFinding(
      "Database",
      `${name}: PostgreSQL ${version} is too old.`,
      `Kith needs ${OLDEST_SERVER} or later.`,
    );
  } catch (error) {
    return wrongFinding(
      "Database",
      `${name}: the server cannot be used (${errorReason(error)}).`,
      "Is it running? Are host, port, user, password and database right?",
    );
  } finally {
    await client.end().catch(() => {});
  }
}

const RUNNER_DESCRIPTIONS = {
  directly: "is run by this user.",
  namespace: "is run in a user namespace, since it refuses to run as root. Its files stay root's.",
  user: "is run as another user, since it refuses to run as root.",
};

export function examineEmbedded(binaries: string | null, existingFolder: string): Finding[] {
  if (!binaries)
    return [
      wrongFinding(
        "Database",
        `There is no embedded PostgreSQL for ${process.platform} ${process.arch}, or it was not installed.`,
        "Let DATABASE_URL name a server, or remove node_modules and start again.",
      ),
    ];
  const found = inspectBinaries(binaries, existingFolder);
  if (!found)
    return [
      wrongFinding(
        "Database",
        "The embedded PostgreSQL is here, but cannot be run.",
        "It needs glibc and the C++ library of the system. Else let DATABASE_URL name a server.",
      ),
    ];
  const sentence = `The embedded PostgreSQL ${found.version} ${RUNNER_DESCRIPTIONS[found.how]}`;
  if (found.how === "user" && !found.enters)
    return [
      noteFinding(
        "Database",
        sentence,
        `That user cannot enter ${existingFolder}, so that the database is kept in /var/lib/kith. User namespaces would avoid it.`,
      ),
    ];
  return [found.how === "user" ? noteFinding("Database", sentence) : okFinding("Database", sentence)];
}

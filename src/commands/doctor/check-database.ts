import pg from "pg";
import { embeddedBinaries, inspectBinaries } from "#platform/embedded-postgres";
import type { Environment } from "#platform/environment";
import { type Finding, noteFinding, okFinding, errorReason, problemFinding } from "./finding.ts";

const OLDEST_SERVER = 15;

/** Checks the database that Kith would use: the configured server, or the embedded one. */
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
      return okFinding("Database", `${name}: PostgreSQL ${version} is running.`);
    return problemFinding(
      "Database",
      `${name}: PostgreSQL ${version} is too old.`,
      `Kith needs ${OLDEST_SERVER} or later.`,
    );
  } catch (error) {
    return problemFinding(
      "Database",
      `${name}: the server cannot be used (${errorReason(error)}).`,
      "Is it running? Are host, port, user, password and database correct?",
    );
  } finally {
    await client.end().catch(() => {});
  }
}

const RUNNER_DESCRIPTIONS = {
  directly: "runs as this user.",
  namespace: "runs in a user namespace, since it must not run as root. Its files still belong to root.",
  user: "runs as another user, since it must not run as root.",
};

export function examineEmbedded(binaries: string | null, existingFolder: string): Finding[] {
  if (!binaries)
    return [
      problemFinding(
        "Database",
        `There is no embedded PostgreSQL for ${process.platform} ${process.arch}, or it was not installed.`,
        "Set DATABASE_URL to a server, or remove node_modules and start again.",
      ),
    ];
  const found = inspectBinaries(binaries, existingFolder);
  if (!found)
    return [
      problemFinding(
        "Database",
        "The embedded PostgreSQL is installed, but cannot run.",
        "It needs glibc and the system's C++ library. Otherwise set DATABASE_URL to a server.",
      ),
    ];
  const sentence = `The embedded PostgreSQL ${found.version} ${RUNNER_DESCRIPTIONS[found.how]}`;
  if (found.how === "user" && !found.enters)
    return [
      noteFinding(
        "Database",
        sentence,
        `That user cannot enter ${existingFolder}, so the database is stored in /var/lib/kith. User ` +
          `namespaces would avoid that.`,
      ),
    ];
  return [found.how === "user" ? noteFinding("Database", sentence) : okFinding("Database", sentence)];
}

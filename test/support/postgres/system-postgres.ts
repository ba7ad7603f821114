import { globSync } from "node:fs";

/**
 * Finds the system's PostgreSQL, version 15 or newer, for running the tests on it instead of on the packaged
 * PostgreSQL.
 */
export function findSystemPostgres(): { binaries: string; version: string } | null {
  const found = globSync("/usr/lib/postgresql/*/bin/postgres").map((path) => ({
    binaries: path.slice(0, -"/postgres".length),
    version: path.split("/")[4]!,
  }));
  return (
    found
      .filter(({ version }) => Number(version) >= 15)
      .sort((a, b) => Number(a.version) - Number(b.version))[0] ?? null
  );
}

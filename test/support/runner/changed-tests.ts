import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

export type ChangedTests = { unit: string[]; browser: string[] };

/**
 * Lists the tests for files that differ from `base`: changed tests, tests of each changed module, tests that
 * import a changed helper, and browser tests named after an area whose pages changed. The import graph is
 * not used: modules import each other through their index, so nearly all tests would be included.
 */
export function listChangedTests(base: string): ChangedTests {
  const changed = listChangedFiles(base);
  return selectTests(changed, globSync("{src,test}/**/*.test.ts"), globSync("test/browser/*.spec.ts"));
}

export function selectTests(
  changed: readonly string[],
  tests: readonly string[],
  specs: readonly string[],
  read: (path: string) => string = (path) => readFileSync(path, "utf8"),
): ChangedTests {
  const modules = new Set(changed.map(findModule).filter((it) => it !== null));
  const helpers = changed.filter((path) => path.startsWith("test/support/")).map((path) => basename(path));
  const areas = changed.flatMap((path) => /^src\/web\/([\w-]+)\/.*\.tsx$/.exec(path)?.[1] ?? []);
  const importsHelper = (path: string) => {
    const text = helpers.length > 0 ? read(path) : "";
    return helpers.some((name) => text.includes(`/${name}"`));
  };
  const isOfModule = (path: string) => [...modules].some((start) => path.startsWith(start));
  return {
    unit: tests.filter((path) => changed.includes(path) || isOfModule(path) || importsHelper(path)),
    browser: specs.filter(
      (path) =>
        changed.includes(path) || importsHelper(path) || areas.some((area) => isNamedAfter(path, area)),
    ),
  };
}

/**
 * Returns the prefix of the tests of a file's module: `src/app/secrets.` for `src/app/secrets.ts`,
 * `src/community/groups/` for `src/community/groups/ownership/successors.ts`.
 */
const findModule = (path: string) => /^src\/[\w-]+\/[\w-]+[/.]/.exec(path)?.[0] ?? null;

/** True when a test is named after an area: `groups.spec.ts` and `group-lists.spec.ts` after `groups`. */
const isNamedAfter = (path: string, area: string) => basename(path).startsWith(area.replace(/s$/, ""));

function listChangedFiles(base: string): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
  return [
    ...git("diff", "--name-only", "--diff-filter=d", "--merge-base", base),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
}

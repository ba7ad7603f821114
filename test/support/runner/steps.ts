import { globSync, readFileSync } from "node:fs";
import { findSystemPostgres } from "../postgres/system-postgres.ts";
import { readPlaywrightResult, readVitestResult } from "../test-results.ts";
import { listChangedTests } from "./changed-tests.ts";
import type { Step } from "./step-process.ts";

export const RESULTS_FOLDER = "test/results";

const bin = (name: string) => `node_modules/.bin/${name}`;
const vitest = (name: string, ...more: string[]) => ({
  command: [
    bin("vitest"),
    "run",
    "--reporter=dot",
    "--reporter=json",
    `--outputFile.json=${RESULTS_FOLDER}/${name}.json`,
    ...more,
  ],
  count: () => readVitestResult(`${RESULTS_FOLDER}/${name}.json`),
});

const checks: Step[] = [
  { name: "route types", command: [bin("react-router"), "typegen"] },
  { name: "types", command: [bin("tsc"), "--noEmit"] },
  { name: "lint", command: [bin("oxlint"), "src", "test", "bench", "server.ts", "worker.ts"] },
  {
    name: "format",
    command: [
      bin("oxfmt"),
      "--check",
      "src",
      "test",
      "bench",
      "server.ts",
      "worker.ts",
      "run.mjs",
      "runtime",
      "vite.config.ts",
      "vitest.config.ts",
      "playwright.config.ts",
      "react-router.config.ts",
    ],
  },
  { name: "unused code", command: [bin("knip")] },
];

/** Lists the files with property-based tests. */
const propertyBasedTests = () =>
  globSync("{src,test}/**/*.test.ts").filter((path) => readFileSync(path, "utf8").includes('fast-check"'));

/**
 * Folders whose code contains SQL. If the machine has its own PostgreSQL, the tests of these folders run on
 * it; all other tests run on the packaged PostgreSQL.
 */
const DATABASE_FOLDERS = [
  "src/community",
  "src/baas",
  "src/platform/database",
  "src/platform/outbox",
  "src/event-handlers",
  "src/api/rest",
];

/** The files are listed by name, because `--exclude` does not apply to a project with its own settings. */
const otherTests = () =>
  globSync("{src,test}/**/*.test.ts").filter(
    (path) => !DATABASE_FOLDERS.some((folder) => path.startsWith(`${folder}/`)),
  );

/** Lanes of steps: the steps of a lane run one after another, and the lanes at the same time. */
export type Plan = Step[][];

const browserTests = (...specs: string[]): Step => ({
  name: "browser tests",
  command: [bin("playwright"), "test", ...specs],
  count: () => readPlaywrightResult(`${RESULTS_FOLDER}/browser.json`),
});

/** Returns the steps of `npm test` with this flag. */
export function planSteps(flag = "", argument = "main"): Plan {
  switch (flag) {
    case "--check":
      return [
        [
          ...checks,
          {
            name: "layers and translations",
            ...vitest("check", "test/integration/layers.test.ts", "test/integration/catalogues.test.ts"),
          },
        ],
      ];
    case "--fuzz":
      return [
        [
          {
            name: "property-based tests",
            ...vitest("fuzz", ...propertyBasedTests()),
            env: { KITH_FUZZ: process.env["KITH_FUZZ"] ?? "100000" },
          },
        ],
      ];
    case "--unit":
      return [[{ name: "unit tests", ...vitest("unit", "--project=unit") }]];
    case "--changed": {
      const { unit, browser } = listChangedTests(argument);
      return [
        unit.length > 0 ? [{ name: "tests of changed modules", ...vitest("vitest", ...unit) }] : [],
        browser.length > 0 ? [{ ...browserTests(...browser), quiet: unit.length > 0 }] : [],
      ];
    }
    default:
      return planAll();
  }
}

/**
 * Two lanes, because many tests wait for processes, timers and responses. Tests of the other lane use the
 * processors during these waits.
 */
const planAll = (): Plan => [
  planVitest(),
  [...checks, browserTests()].map((step) => ({ ...step, quiet: true })),
];

function planVitest(): Step[] {
  const systemPostgres = findSystemPostgres();
  if (!systemPostgres) return [{ name: "unit, database and API tests", ...vitest("vitest") }];
  return [
    {
      name: `database tests on the system's PostgreSQL ${systemPostgres.version}`,
      ...vitest("system", ...DATABASE_FOLDERS),
      env: { KITH_TEST_POSTGRES: systemPostgres.binaries },
    },
    { name: "all other tests", ...vitest("vitest", ...otherTests()) },
  ];
}

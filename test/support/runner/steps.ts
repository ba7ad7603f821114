import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
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

/** Tests that call `countCases()`. */
const propertyBasedTests = () =>
  globSync("{src,test}/**/*.test.ts").filter((path) => readFileSync(path, "utf8").includes("/fuzz-cases.ts"));

/**
 * Folders with SQL; code built on them has none. Where the system has a PostgreSQL of its own, these
 * tests run on that; all other tests run on the packaged one.
 */
const DATABASE_FOLDERS = [
  "src/community",
  "src/baas",
  "src/platform/database",
  "src/platform/outbox",
  "src/event-handlers",
  "src/api/rest",
];

/** Listed by name: `--exclude` does not apply to a project with its own settings. */
const otherTests = () =>
  globSync("{src,test}/**/*.test.ts").filter(
    (path) => !DATABASE_FOLDERS.some((folder) => path.startsWith(`${folder}/`)),
  );

/** Steps of each lane run one after another, and the lanes at the same time once `first` has ended. */
export type Plan = { first: Step[]; lanes: Step[][] };

const browserTests = (...specs: string[]): Step => ({
  name: "browser tests",
  command: [bin("playwright"), "test", ...specs],
  count: () => readPlaywrightResult(`${RESULTS_FOLDER}/browser.json`),
});

/** The steps of `npm test` with this flag. */
export function planSteps(flag = "", argument = "main"): Plan {
  switch (flag) {
    case "--check":
      return {
        first: [
          ...checks,
          {
            name: "layers and translations",
            ...vitest("check", "test/integration/layers.test.ts", "test/integration/catalogues.test.ts"),
          },
        ],
        lanes: [],
      };
    case "--fuzz":
      return {
        first: [
          {
            name: "property-based tests",
            ...vitest("fuzz", ...propertyBasedTests()),
            env: { KITH_FUZZ: process.env["KITH_FUZZ"] ?? "100000" },
          },
        ],
        lanes: [],
      };
    case "--unit":
      return { first: [{ name: "unit tests", ...vitest("unit", "--project=unit") }], lanes: [] };
    case "--changed": {
      const { unit, browser } = listChangedTests(argument);
      return {
        first: [],
        lanes: [
          unit.length > 0 ? [{ name: "tests of changed modules", ...vitest("vitest", ...unit) }] : [],
          browser.length > 0 ? [{ ...browserTests(...browser), quiet: unit.length > 0 }] : [],
        ],
      };
    }
    default:
      return { first: checks, lanes: planAll() };
  }
}

/**
 * Many tests wait for processes and timers: browser tests use the processors meanwhile. With fewer than four,
 * pages would wait too long for one of them.
 */
function planAll(): Step[][] {
  return availableParallelism() < 4
    ? [[...planVitest(), browserTests()]]
    : [planVitest(), [{ ...browserTests(), quiet: true }]];
}

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

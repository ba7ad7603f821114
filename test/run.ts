import { type ChildProcess, spawn } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { findSystemPostgres } from "./support/postgres/system-postgres.ts";
import {
  readPlaywrightResult,
  readVitestResult,
  formatFailures,
  type StepResult,
} from "./support/test-results.ts";

/**
 * `npm test`: everything; `npm run check`: tests without database and browser; `npm run fuzz`: property-based
 * tests with `KITH_FUZZ` cases. The last line counts what ran.
 */
type Step = { name: string; command: string[]; env?: Record<string, string>; count?: () => StepResult };

const onlyCheck = process.argv.includes("--check");
const onlyFuzz = process.argv.includes("--fuzz");
const RESULTS_FOLDER = "test/results";

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

function chooseSteps(): Step[] {
  if (onlyFuzz)
    return [
      {
        name: "property-based tests",
        ...vitest("fuzz", ...propertyBasedTests()),
        env: { KITH_FUZZ: process.env["KITH_FUZZ"] ?? "100000" },
      },
    ];
  if (onlyCheck)
    return [
      ...checks,
      {
        name: "layers and translations",
        ...vitest("check", "test/integration/layers.test.ts", "test/integration/catalogues.test.ts"),
      },
    ];
  const systemPostgres = findSystemPostgres();
  const tests: Step[] = systemPostgres
    ? [
        {
          name: `database tests on the system's PostgreSQL ${systemPostgres.version}`,
          ...vitest("system", ...DATABASE_FOLDERS),
          env: { KITH_TEST_POSTGRES: systemPostgres.binaries },
        },
        {
          name: "all other tests",
          ...vitest("vitest", ...otherTests()),
        },
      ]
    : [{ name: "unit, database and API tests", ...vitest("vitest") }];
  return [
    ...checks,
    ...tests,
    {
      name: "browser tests",
      command: [bin("playwright"), "test"],
      count: () => readPlaywrightResult(`${RESULTS_FOLDER}/browser.json`),
    },
  ];
}

/**
 * A test file that never exits is not caught by its tests' timeouts, so each step has a limit for the time
 * without output and a longer one in total. Slow machines may take three times as long, and there are many
 * property-based tests, but a running step prints something regularly.
 */
const MAX_SILENT_SECONDS = onlyFuzz ? 3_600 : 300;
const MAX_SECONDS = onlyFuzz ? 4 * 3_600 : 3_000;
const MAX_KEPT_OUTPUT = 1_200;

type ProcessResult = { code: number; lastOutput: string };

async function runProcess({ name, command, env }: Step): Promise<ProcessResult> {
  const [program, ...rest] = command;
  const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(program!, rest, {
    stdio: ["inherit", "pipe", "pipe"],
    env: { ...process.env, ...colour, NODE_ENV: "test", ...env },
  });
  const watch = killIfHanging(child, name);
  const output = forwardOutput(child.stdout, process.stdout, watch.onOutput);
  const errorOutput = forwardOutput(child.stderr, process.stderr, watch.onOutput);
  const code = await new Promise<number>((resolve) =>
    child.on("close", (exitCode) => resolve(exitCode ?? 1)),
  );
  watch.stop();
  return { code, lastOutput: `${output()}${errorOutput()}` };
}

/** Kills a process that is silent or runs for too long; call `onOutput` on output and `stop` at its end. */
function killIfHanging(child: ChildProcess, name: string) {
  const killAfter = (seconds: number, reason: string) =>
    setTimeout(() => {
      console.log(`\n  ${name}: ${reason} ${seconds} s, stopping it.`);
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 30_000).unref();
    }, seconds * 1_000);
  const all = killAfter(MAX_SECONDS, "not finished after");
  const silence = killAfter(MAX_SILENT_SECONDS, "no output for");
  return {
    onOutput: () => void silence.refresh(),
    stop() {
      clearTimeout(all);
      clearTimeout(silence);
    },
  };
}

/** Forwards a process's output and keeps its last part. */
function forwardOutput(from: Readable, to: Writable, onOutput: () => void): () => string {
  let kept = "";
  from.setEncoding("utf8").on("data", (text: string) => {
    onOutput();
    to.write(text);
    kept = (kept + text).slice(-MAX_KEPT_OUTPUT);
  });
  return () => kept;
}

async function runStep(step: Step): Promise<StepResult> {
  const started = Date.now();
  console.log(`\n— ${step.name}`);
  const { code, lastOutput } = await runProcess(step);
  console.log(`  ${code === 0 ? "passed" : "FAILED"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  const counted = readCounts(step) ?? {
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    skipped: 0,
    failures: [],
  };
  if (code === 0 || counted.failures.length > 0) return counted;
  // A failure outside of every test shows only in the last output.
  return {
    ...counted,
    failed: Math.max(1, counted.failed),
    failures: [{ name: step.name, message: lastOutput }],
  };
}

/** Null when the step counts nothing, or never wrote its counts. */
function readCounts(step: Step): StepResult | null {
  try {
    return step.count?.() ?? null;
  } catch {
    return null;
  }
}

rmSync(RESULTS_FOLDER, { recursive: true, force: true });
mkdirSync(RESULTS_FOLDER, { recursive: true });
const totals: StepResult = { passed: 0, failed: 0, skipped: 0, failures: [] };
const failedSteps: string[] = [];
for (const step of chooseSteps()) {
  const result = await runStep(step);
  if (result.failed > 0) failedSteps.push(step.name);
  for (const key of ["passed", "failed", "skipped"] as const) totals[key] += result[key];
  totals.failures.push(...result.failures);
}
if (totals.failures.length > 0) console.log(`\n${formatFailures(totals.failures)}`);
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(", ")}.`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed > 0 ? 1 : 0;

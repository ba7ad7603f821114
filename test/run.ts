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
  { name: "types of the routes", command: [bin("react-router"), "typegen"] },
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
  { name: "nothing unused", command: [bin("knip")] },
];

/** Tests that call `countCases()`. */
const propertyBasedTests = () =>
  globSync("{src,test}/**/*.test.ts").filter((path) => readFileSync(path, "utf8").includes("/fuzz-cases.ts"));

/**
 * Folders with SQL; code built on them has none. Where the system has an older PostgreSQL, they run on that
 * one; on the packaged one they run below sockets, pages and browsers.
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
    (path) => !DATABASE_FOLDERS.some((room) => path.startsWith(`${room}/`)),
  );

function chooseSteps(): Step[] {
  if (onlyFuzz)
    return [
      {
        name: "tests by chance",
        ...vitest("fuzz", ...propertyBasedTests()),
        env: { KITH_FUZZ: process.env["KITH_FUZZ"] ?? "100000" },
      },
    ];
  if (onlyCheck)
    return [
      ...checks,
      {
        name: "the plan of the house, the words",
        ...vitest("check", "test/integration/layers.test.ts", "test/integration/catalogues.test.ts"),
      },
    ];
  const other = findSystemPostgres();
  const tests: Step[] = other
    ? [
        {
          name: `what asks the database, on the system's PostgreSQL ${other.version}`,
          ...vitest("system", ...DATABASE_FOLDERS),
          env: { KITH_TEST_POSTGRES: other.binaries },
        },
        {
          name: "all other unit, database and wire tests",
          ...vitest("vitest", ...otherTests()),
        },
      ]
    : [{ name: "unit, database and wire tests", ...vitest("vitest") }];
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
 * A test file that never exits is not caught by its tests' timeouts, so each step has a limit for silence and
 * a longer one in total. Slow machines may take three times as long, and property-based tests are many, but a
 * running step prints something now and then.
 */
const MAX_SILENT_SECONDS = onlyFuzz ? 3_600 : 300;
const MAX_SECONDS = onlyFuzz ? 4 * 3_600 : 3_000;
const MAX_KEPT_OUTPUT = 1_200;

type ProcessResult = { code: number; end: string };

async function runProcess({ name, command, env }: Step): Promise<ProcessResult> {
  const [program, ...rest] = command;
  const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(program!, rest, {
    stdio: ["inherit", "pipe", "pipe"],
    env: { ...process.env, ...colour, NODE_ENV: "test", ...env },
  });
  const watch = killIfHanging(child, name);
  const end = forwardOutput(child.stdout, process.stdout, watch.heard);
  const complaints = forwardOutput(child.stderr, process.stderr, watch.heard);
  const code = await new Promise<number>((done) => child.on("close", (is) => done(is ?? 1)));
  watch.over();
  return { code, end: `${end()}${complaints()}` };
}

/** Kills a process that is silent or runs for too long; call `heard` on output and `over` at its end. */
function killIfHanging(child: ChildProcess, name: string) {
  const end = (seconds: number, how: string) =>
    setTimeout(() => {
      console.log(`\n  ${name}: ${how} for ${seconds} s, so it is ended here.`);
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 30_000).unref();
    }, seconds * 1_000);
  const all = end(MAX_SECONDS, "no end");
  const silence = end(MAX_SILENT_SECONDS, "not a word");
  return {
    heard: () => void silence.refresh(),
    over() {
      clearTimeout(all);
      clearTimeout(silence);
    },
  };
}

/** Forwards a process's output and keeps its last part. */
function forwardOutput(from: Readable, to: Writable, heard: () => void): () => string {
  let kept = "";
  from.setEncoding("utf8").on("data", (words: string) => {
    heard();
    to.write(words);
    kept = (kept + words).slice(-MAX_KEPT_OUTPUT);
  });
  return () => kept;
}

async function runStep(step: Step): Promise<StepResult> {
  const started = Date.now();
  console.log(`\n— ${step.name}`);
  const { code, end } = await runProcess(step);
  console.log(`  ${code === 0 ? "good" : "NOT GOOD"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  const counted = readCounts(step) ?? {
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    skipped: 0,
    failures: [],
  };
  if (code === 0 || counted.failures.length > 0) return counted;
  // A failure outside of every test shows only in the last output.
  return { ...counted, failed: Math.max(1, counted.failed), failures: [{ name: step.name, words: end }] };
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
if (failedSteps.length > 0) console.log(`\nNot good: ${failedSteps.join(", ")}.`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed > 0 ? 1 : 0;

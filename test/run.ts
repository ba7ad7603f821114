import { type ChildProcess, spawn } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { systemPostgres } from "./system-postgres.ts";
import { fromPlaywright, fromVitest, inWords, type Result } from "./told.ts";

/**
 * `npm test`: everything; `npm run check`: tests without database and browser; `npm run fuzz`: property-based
 * tests with `KITH_FUZZ` cases. The last line counts what ran.
 */
type Step = { name: string; command: string[]; env?: Record<string, string>; count?: () => Result };

const onlyCheck = process.argv.includes("--check");
const onlyFuzz = process.argv.includes("--fuzz");
const results = "test/results";

const bin = (name: string) => `node_modules/.bin/${name}`;
const vitest = (name: string, ...more: string[]) => ({
  command: [bin("vitest"), "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${results}/${name}.json`, ...more],
  count: () => fromVitest(`${results}/${name}.json`),
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
      "runtime/lock.mjs",
      "vite.config.ts",
      "vitest.config.ts",
      "playwright.config.ts",
      "react-router.config.ts",
    ],
  },
  { name: "nothing unused", command: [bin("knip")] },
];

/** Tests that call `countCases()`. */
const byChance = () => globSync("{src,test}/**/*.test.ts").filter((path) => readFileSync(path, "utf8").includes("/fuzz.ts"));

/**
 * Folders with SQL; code built on them has none. Where the system has an older PostgreSQL, they run on that
 * one; on the packaged one they run below sockets, pages and browsers.
 */
const ASKS_THE_DATABASE = ["src/community", "src/backend", "src/platform/database", "src/platform/outbox", "src/relay", "src/wire/rest"];

/** Listed by name: `--exclude` does not apply to a project with its own settings. */
const allOthers = () =>
  globSync("{src,test}/**/*.test.ts").filter((path) => !ASKS_THE_DATABASE.some((room) => path.startsWith(`${room}/`)));

function stepsOf(): Step[] {
  if (onlyFuzz)
    return [{ name: "tests by chance", ...vitest("fuzz", ...byChance()), env: { KITH_FUZZ: process.env["KITH_FUZZ"] ?? "100000" } }];
  if (onlyCheck)
    return [...checks, { name: "the plan of the house, the words", ...vitest("check", "test/house.test.ts", "test/words.test.ts") }];
  const other = systemPostgres();
  const tests: Step[] = other
    ? [
        {
          name: `what asks the database, on the system's PostgreSQL ${other.version}`,
          ...vitest("system", ...ASKS_THE_DATABASE),
          env: { KITH_TEST_POSTGRES: other.binaries },
        },
        {
          name: "all other unit, database and wire tests",
          ...vitest("vitest", ...allOthers()),
        },
      ]
    : [{ name: "unit, database and wire tests", ...vitest("vitest") }];
  return [
    ...checks,
    ...tests,
    { name: "browser tests", command: [bin("playwright"), "test"], count: () => fromPlaywright(`${results}/browser.json`) },
  ];
}

/**
 * A test file that never exits is not caught by its tests' timeouts, so each step has a limit for silence and
 * a longer one in total. Slow machines may take three times as long, and property-based tests are many, but a
 * running step prints something now and then.
 */
const MOST_SILENT_SECONDS = onlyFuzz ? 3_600 : 300;
const MOST_SECONDS = onlyFuzz ? 4 * 3_600 : 3_000;
const MOST_KEPT = 1_200;

type Ran = { code: number; end: string };

async function ran({ name, command, env }: Step): Promise<Ran> {
  const [program, ...rest] = command;
  const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(program!, rest, { stdio: ["inherit", "pipe", "pipe"], env: { ...process.env, ...colour, NODE_ENV: "test", ...env } });
  const watch = endedIfItHangs(child, name);
  const end = theEndOf(child.stdout, process.stdout, watch.heard);
  const complaints = theEndOf(child.stderr, process.stderr, watch.heard);
  const code = await new Promise<number>((done) => child.on("close", (is) => done(is ?? 1)));
  watch.over();
  return { code, end: `${end()}${complaints()}` };
}

/** Kills a process that is silent or runs for too long; call `heard` on output and `over` at its end. */
function endedIfItHangs(child: ChildProcess, name: string) {
  const end = (seconds: number, how: string) =>
    setTimeout(() => {
      console.log(`\n  ${name}: ${how} for ${seconds} s, so it is ended here.`);
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 30_000).unref();
    }, seconds * 1_000);
  const all = end(MOST_SECONDS, "no end");
  const silence = end(MOST_SILENT_SECONDS, "not a word");
  return {
    heard: () => void silence.refresh(),
    over() {
      clearTimeout(all);
      clearTimeout(silence);
    },
  };
}

/** Forwards a process's output and keeps its last part. */
function theEndOf(from: Readable, to: Writable, heard: () => void): () => string {
  let kept = "";
  from.setEncoding("utf8").on("data", (words: string) => {
    heard();
    to.write(words);
    kept = (kept + words).slice(-MOST_KEPT);
  });
  return () => kept;
}

async function take(step: Step): Promise<Result> {
  const started = Date.now();
  console.log(`\n— ${step.name}`);
  const { code, end } = await ran(step);
  console.log(`  ${code === 0 ? "good" : "NOT GOOD"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  const counted = countedIn(step) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, failures: [] };
  if (code === 0 || counted.failures.length > 0) return counted;
  // A failure outside of every test shows only in the last output.
  return { ...counted, failed: Math.max(1, counted.failed), failures: [{ name: step.name, words: end }] };
}

/** Null when the step counts nothing, or never wrote its counts. */
function countedIn(step: Step): Result | null {
  try {
    return step.count?.() ?? null;
  } catch {
    return null;
  }
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const total: Result = { passed: 0, failed: 0, skipped: 0, failures: [] };
const bad: string[] = [];
for (const step of stepsOf()) {
  const result = await take(step);
  if (result.failed > 0) bad.push(step.name);
  for (const key of ["passed", "failed", "skipped"] as const) total[key] += result[key];
  total.failures.push(...result.failures);
}
if (total.failures.length > 0) console.log(`\n${inWords(total.failures)}`);
if (bad.length > 0) console.log(`\nNot good: ${bad.join(", ")}.`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

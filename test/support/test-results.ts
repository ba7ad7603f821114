import { readFileSync } from "node:fs";

/** Result of a step of `npm test`, with the message of each failure. */
export type StepResult = { passed: number; failed: number; skipped: number; failures: TestFailure[] };
type TestFailure = { name: string; message: string };

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numFailedTestSuites: number;
  testResults: VitestFile[];
};
type VitestFile = {
  name: string;
  status: string;
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
};

export function readVitestResult(path: string): StepResult {
  const report = readJson<VitestReport>(path);
  // A file that could not be loaded reports no failed tests, so it counts as a failure.
  const broken = report.numFailedTests === 0 ? report.numFailedTestSuites : 0;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.filter(({ status }) => status === "failed").flatMap(collectFailures),
  };
}

function collectFailures({ name, message, assertionResults }: VitestFile): TestFailure[] {
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (failed.length === 0) return [{ name, message }];
  return failed.map((one) => ({
    name: `${name} › ${one.fullName}`,
    message: one.failureMessages.join("\n"),
  }));
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: { file: string; line: number; title: string; tests: PlaywrightTest[] }[];
};
type PlaywrightTest = { projectName: string; status: string; results: { errors: { message?: string }[] }[] };

export function readPlaywrightResult(path: string): StepResult {
  const { stats, suites, errors } = readJson<{
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    suites: PlaywrightSuite[];
    errors: { message?: string }[];
  }>(path);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: [
      ...errors.map(({ message }) => ({ name: "browser tests", message: message ?? "" })),
      ...suites.flatMap(browserFailures),
    ],
  };
}

function browserFailures({ suites = [], specs = [] }: PlaywrightSuite): TestFailure[] {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ projectName, results }) => ({
        name: `[${projectName}] ${file}:${line} › ${title}`,
        message: results.flatMap(({ errors }) => errors.map(({ message }) => message ?? "")).join("\n"),
      })),
  );
  return [...own, ...suites.flatMap(browserFailures)];
}

const readJson = <T>(path: string) => JSON.parse(readFileSync(path, "utf8")) as T;

/** Maximum number of failures repeated at the end of a run, because its output is long. */
const MAX_FAILURES = 10;
const MAX_MESSAGE_LENGTH = 2_500;

/** Formats failures for the end of a run: the first ones, each with the start of its message. */
export function formatFailures(failures: readonly TestFailure[]): string {
  const listed = failures
    .slice(0, MAX_FAILURES)
    .map(
      ({ name, message }) =>
        `✗ ${name}\n${message.slice(0, MAX_MESSAGE_LENGTH).trim().replaceAll(/^/gm, "    ")}`,
    );
  const more = failures.length - listed.length;
  return [...listed, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n\n");
}

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readPlaywrightResult, readVitestResult, formatFailures } from "../support/test-results.ts";

function writeReport(report: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), "kith-report-")), "report.json");
  writeFileSync(path, JSON.stringify(report));
  return path;
}

const unitReport = {
  numPassedTests: 4,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 0,
  numFailedTestSuites: 1,
  testResults: [
    {
      name: "a.test.ts",
      status: "passed",
      message: "",
      assertionResults: [{ status: "passed", fullName: "holds", failureMessages: [] }],
    },
    {
      name: "b.test.ts",
      status: "failed",
      message: "",
      assertionResults: [
        { status: "passed", fullName: "holds", failureMessages: [] },
        { status: "failed", fullName: "breaks", failureMessages: ["expected 1\nto be 2"] },
      ],
    },
  ],
};

it("counts the tests of a run and shows the message of a failed test", () => {
  const { failures, ...counted } = readVitestResult(writeReport(unitReport));
  expect(counted).toEqual({ passed: 4, failed: 1, skipped: 2 });
  expect(formatFailures(failures)).toBe("✗ b.test.ts › breaks\n    expected 1\n    to be 2");
});

it("shows a file that failed to load, which has no failed tests", () => {
  const testResults = [
    { name: "c.test.ts", status: "failed", message: "Cannot find module", assertionResults: [] },
  ];
  const { failed, failures } = readVitestResult(
    writeReport({ ...unitReport, numFailedTests: 0, testResults }),
  );
  expect(failed).toBe(1);
  expect(failures).toEqual([{ name: "c.test.ts", message: "Cannot find module" }]);
});

it("shows nested failed and flaky browser tests", () => {
  const spec = (title: string, status: string) => ({
    file: "a.spec.ts",
    line: 3,
    title,
    tests: [{ projectName: "scripts", status, results: [{ errors: [{ message: `${title}: no` }] }] }],
  });
  const suites = [
    {
      specs: [spec("good", "expected")],
      suites: [{ specs: [spec("bad", "unexpected"), spec("odd", "flaky")] }],
    },
  ];
  const { failures, ...counted } = readPlaywrightResult(
    writeReport({ stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 0 }, suites, errors: [] }),
  );
  expect(counted).toEqual({ passed: 1, failed: 2, skipped: 0 });
  expect(failures).toEqual([
    { name: "[scripts] a.spec.ts:3 › bad", message: "bad: no" },
    { name: "[scripts] a.spec.ts:3 › odd", message: "odd: no" },
  ]);
});

it("shows the first of many failures and counts the others", () => {
  const many = Array.from({ length: 12 }, (_, n) => ({ name: `test ${n}`, message: "x".repeat(10_000) }));
  const summary = formatFailures(many);
  expect(summary).toContain("✗ test 9\n");
  expect(summary.endsWith("… and 2 more")).toBe(true);
  expect(summary.length).toBeLessThan(30_000);
});

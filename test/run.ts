import { mkdirSync, rmSync } from "node:fs";
import { formatSlowest, readDurations } from "./support/runner/slowest-tests.ts";
import { runStep, type Step, type StepLimits } from "./support/runner/step-process.ts";
import { planSteps, RESULTS_FOLDER } from "./support/runner/steps.ts";
import { formatFailures, type StepResult } from "./support/test-results.ts";

/**
 * `npm test`: everything; `npm run check`: tests without database and browser; `npm run test:unit`: tests of
 * single functions; `npm run test:changed`: tests of what differs from `main` or the named commit; `npm run
 * fuzz`: property-based tests with `KITH_FUZZ` cases. The last line counts what ran.
 */
const [flag, argument] = process.argv.slice(2);
const LIMITS: StepLimits =
  flag === "--fuzz" ? { silence: 3_600, total: 4 * 3_600 } : { silence: 300, total: 3_000 };

const totals: StepResult = { passed: 0, failed: 0, skipped: 0, failures: [] };
const failedSteps: string[] = [];

async function runSteps(steps: readonly Step[]) {
  for (const step of steps) {
    const result = await runStep(step, LIMITS);
    if (result.failed > 0) failedSteps.push(step.name);
    for (const key of ["passed", "failed", "skipped"] as const) totals[key] += result[key];
    totals.failures.push(...result.failures);
  }
}

rmSync(RESULTS_FOLDER, { recursive: true, force: true });
mkdirSync(RESULTS_FOLDER, { recursive: true });
await Promise.all(planSteps(flag, argument).map(runSteps));
const slowest = formatSlowest(readDurations(RESULTS_FOLDER));
if (slowest) console.log(`\n${slowest}`);
if (totals.failures.length > 0) console.log(`\n${formatFailures(totals.failures)}`);
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(", ")}.`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed > 0 ? 1 : 0;

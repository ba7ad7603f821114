import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { StepResult } from "../test-results.ts";

/** A program that `test/run.ts` starts, and how its tests are counted afterwards. */
export type Step = {
  name: string;
  command: string[];
  env?: Record<string, string>;
  count?: () => StepResult;
  /** Prints the output when the step has ended, because another step prints at the same time. */
  quiet?: boolean;
};

/**
 * Limits of a step in seconds: without output, and in total. Timeouts of tests do not end a test file that
 * never exits. The limits allow for machines that are three times slower and for many property-based tests;
 * a running step prints something regularly.
 */
export type StepLimits = { silence: number; total: number };

const MAX_REPORTED_OUTPUT = 1_200;

/** Tests start dozens of servers: with compiled modules, a start takes 1.7 instead of 2.9 s of CPU time. */
const COMPILE_CACHE = join(process.cwd(), "test/results/compile-cache");

export async function runStep(step: Step, limits: StepLimits): Promise<StepResult> {
  const started = Date.now();
  if (!step.quiet) console.log(`\n— ${step.name}`);
  const { code, output } = await runProcess(step, limits);
  if (step.quiet) process.stdout.write(`\n\n— ${step.name}\n${output}`);
  console.log(`  ${code === 0 ? "passed" : "FAILED"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  const counted = readCounts(step) ?? {
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    skipped: 0,
    failures: [],
  };
  if (code === 0 || counted.failures.length > 0) return counted;
  // The counts miss a failure outside of all tests, so the end of the output is added.
  return {
    ...counted,
    failed: Math.max(1, counted.failed),
    failures: [{ name: step.name, message: output.slice(-MAX_REPORTED_OUTPUT) }],
  };
}

/** Returns null when the step counts no tests, or has not written its counts. */
function readCounts(step: Step): StepResult | null {
  try {
    return step.count?.() ?? null;
  } catch {
    return null;
  }
}

async function runProcess({ name, command, env, quiet = false }: Step, limits: StepLimits) {
  const [program, ...rest] = command;
  const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(program!, rest, {
    stdio: ["inherit", "pipe", "pipe"],
    env: { ...process.env, ...colour, NODE_ENV: "test", NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
  });
  const watch = killIfHanging(child, name, limits);
  let output = "";
  const collect = (from: Readable) =>
    from.setEncoding("utf8").on("data", (text: string) => {
      watch.onOutput();
      if (!quiet) process.stdout.write(text);
      output += text;
    });
  collect(child.stdout);
  collect(child.stderr);
  const code = await new Promise<number>((resolve) =>
    child.on("close", (exitCode) => resolve(exitCode ?? 1)),
  );
  watch.stop();
  return { code, output };
}

/**
 * Kills a process that prints nothing for too long or runs for too long. Call `onOutput` for each output and
 * `stop` when the process has ended.
 */
function killIfHanging(child: ChildProcess, name: string, limits: StepLimits) {
  const killAfter = (seconds: number, reason: string) =>
    setTimeout(() => {
      console.log(`\n  ${name}: ${reason} ${seconds} s, stopping it.`);
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 30_000).unref();
    }, seconds * 1_000);
  const all = killAfter(limits.total, "not finished after");
  const silence = killAfter(limits.silence, "no output for");
  return {
    onOutput: () => void silence.refresh(),
    stop() {
      clearTimeout(all);
      clearTimeout(silence);
    },
  };
}

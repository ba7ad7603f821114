import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { StepResult } from "../test-results.ts";

/** A program that `test/run.ts` starts, and how to count its tests afterwards. */
export type Step = {
  name: string;
  command: string[];
  env?: Record<string, string>;
  count?: () => StepResult;
  /** Prints the output when the step ends, since another step prints meanwhile. */
  quiet?: boolean;
};

/**
 * A test file that never exits is not caught by its tests' timeouts, so each step has a limit for the time
 * without output and a longer one in total, in seconds. Slow machines may take three times as long, and there
 * are many property-based tests, but a running step prints something regularly.
 */
export type StepLimits = { silence: number; total: number };

const MAX_KEPT_OUTPUT = 1_200;

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
  // A failure outside of every test shows only in the last output.
  return {
    ...counted,
    failed: Math.max(1, counted.failed),
    failures: [{ name: step.name, message: output.slice(-MAX_KEPT_OUTPUT) }],
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

async function runProcess({ name, command, env, quiet = false }: Step, limits: StepLimits) {
  const [program, ...rest] = command;
  const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(program!, rest, {
    stdio: ["inherit", "pipe", "pipe"],
    env: { ...process.env, ...colour, NODE_ENV: "test", ...env },
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

/** Kills a process that is silent or runs for too long; call `onOutput` on output and `stop` at its end. */
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

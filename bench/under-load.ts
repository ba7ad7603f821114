import { type ChildProcess, fork } from "node:child_process";

/** A measured process, and what it reported when it was ready. */
export type MeasuredProcess<K> = { name: string; child: ChildProcess; url: string; known: K };

/** The same memory settings as those with which `run.mjs` starts the server. */
const LAUNCHER_ENV = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "262144" };
const HEAP_FLAGS = ["--max-semi-space-size=32", "--heap-growing-percent=40", "--max-old-space-size=1024"];

/**
 * Starts a measured process from `file`, in this folder or as the URL of a file in another checkout's `bench`;
 * resolves when it is ready.
 */
export function startMeasuredProcess<K>(
  name: string,
  file: string,
  port: number,
  env: Record<string, string> = {},
): Promise<MeasuredProcess<K>> {
  const url = new URL(file, import.meta.url);
  const child = fork(url, {
    cwd: new URL("..", url),
    env: { ...LAUNCHER_ENV, ...process.env, BENCH_PORT: String(port), ...env },
    execArgv: HEAP_FLAGS,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return new Promise((ready, broken) => {
    child.once("message", (known: K) => ready({ name, child, url: `http://127.0.0.1:${port}`, known }));
    child.once("exit", (code) => broken(new Error(`${name} ended with ${code}`)));
  });
}

/**
 * Returns the CPU time so far in microseconds, and the memory; `database` is the CPU time of the embedded
 * PostgreSQL.
 */
export const readUsage = ({ child }: Pick<MeasuredProcess<unknown>, "child">) =>
  new Promise<{ cpu: number; rss: number; database: number }>((told) => {
    child.once("message", told);
    child.send("cpu");
  });

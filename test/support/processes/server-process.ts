import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEMO_PASSWORD } from "../../../src/app/secrets.ts";
import { findFreePort } from "../setup/free-port.ts";

/** A whole server in a separate process, with its own data folder. */
export type ServerProcess = {
  url: string;
  child: ChildProcess;
  /** Returns the output so far. */
  said: () => string;
  /** Resolves with the exit code when the process has ended. */
  ended: Promise<number | null>;
  postmaster: () => number;
};

/**
 * Starts `server.ts`, or a program that starts it. Resolves when the server is ready, and rejects with its
 * output when it ends before.
 */
export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
  program?: string,
): Promise<ServerProcess> {
  const server = await runServer(dataDir, env, program);
  const died = server.ended.then((code) =>
    Promise.reject(new Error(`It ended with ${code}: ${server.said()}`)),
  );
  await Promise.race([
    waitUntil(() =>
      fetch(`${server.url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ),
    ),
    died,
  ]);
  return server;
}

/** Starts `server.ts` without waiting until it is ready. */
export async function runServer(
  dataDir: string,
  env: Record<string, string> = {},
  program = "server.ts",
): Promise<ServerProcess> {
  const port = env["PORT"] ?? String(await findFreePort());
  const { NODE_ENV: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { ...inherited, LOG_LEVEL: "error", KITH_DATA: dataDir, PORT: port, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  child.stdout.on("data", (chunk) => (words += String(chunk)));
  child.stderr.on("data", (chunk) => (words += String(chunk)));
  const ended = new Promise<number | null>((done) => child.once("close", done));
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    said: () => words,
    ended,
    postmaster: () => Number(readFileSync(join(dataDir, "cluster/postmaster.pid"), "utf8").split("\n")[0]),
  };
}

/** Polls until the condition holds; the test's own timeout is the limit. */
export async function waitUntil(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((soon) => setTimeout(soon, 40));
}

/** True when a process runs; a zombie does not count. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}

export const formBody = (values: Record<string, string>) => new URLSearchParams(values);

/** Signs in through the page's form and returns the session cookie. */
export async function signInTo({ url }: ServerProcess, login = "mira"): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    body: formBody({ login, password: DEMO_PASSWORD, stay: "on" }),
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0]!);
  if (!cookies.some((cookie) => cookie.startsWith("kith_session=")))
    throw new Error(`Signing in answered ${answer.status}.`);
  return cookies.join("; ");
}

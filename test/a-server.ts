import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEMO_PASSWORD } from "../src/secrets.ts";
import { freePort } from "./setup/free-port.ts";

/** A whole server as somebody starts it, in a process of its own, with its own data folder. */
export type AServer = {
  url: string;
  child: ChildProcess;
  /** What it has said so far. */
  said: () => string;
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
  postmaster: () => number;
};

/** Starts `server.ts`, or a program around it; resolves when it is ready, and rejects with its words when it ends before that. */
export async function startServer(dataDir: string, env: Record<string, string> = {}, program?: string): Promise<AServer> {
  const server = await runServer(dataDir, env, program);
  const died = server.ended.then((code) => Promise.reject(new Error(`It ended with ${code}: ${server.said()}`)));
  await Promise.race([
    until(() =>
      fetch(`${server.url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ),
    ),
    died,
  ]);
  return server;
}

/** Starts `server.ts` and does not wait for anything. */
export async function runServer(dataDir: string, env: Record<string, string> = {}, program = "server.ts"): Promise<AServer> {
  const port = env["PORT"] ?? String(await freePort());
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

/** Asks until the answer is yes; the test's own time limit is the end of patience. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((soon) => setTimeout(soon, 40));
}

/** Whether a process lives. One that is dead and only waits for somebody to take note of it does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}

export const form = (values: Record<string, string>) => new URLSearchParams(values);

/** Signs in through the page's form; the session's cookie. */
export async function signInTo({ url }: AServer, login = "mira"): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    body: form({ login, password: DEMO_PASSWORD, stay: "on" }),
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0]!);
  if (!cookies.some((cookie) => cookie.startsWith("kith_session="))) throw new Error(`Signing in answered ${answer.status}.`);
  return cookies.join("; ");
}

import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { findFreePort } from "./free-port.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of a Redis for this run; null when the machine has none. */
    redis: string | null;
  }
}

export type RedisServer = { url: string; port: number; child: ChildProcess; stop: () => Promise<void> };

/**
 * Returns the path of this machine's Redis server; null when there is none. Tests that need Redis are then
 * skipped.
 */
export function findRedisProgram(): string | null {
  const found = (path: string) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, "redis-server")).find(found) ?? null;
}

/** Starts a server without persistence on this port, or on a free one. Resolves when it answers. */
export async function startRedis(
  program: string,
  { port = 0, more = [] as string[] } = {},
): Promise<RedisServer> {
  const on = port || (await findFreePort());
  const child = spawn(
    program,
    ["--port", String(on), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...more],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  let words = "";
  const ready = new Promise<void>((done) =>
    child.stdout.on("data", (chunk) => (words += String(chunk)).includes("Ready to accept") && done()),
  );
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(`redis-server ended: ${words}`)))]);
  return {
    url: `redis://127.0.0.1:${on}`,
    port: on,
    child,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

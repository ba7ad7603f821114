import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, vi } from "vitest";
import {
  type EmbeddedServer,
  type EmbeddedOptions,
  startEmbedded,
} from "../../../src/platform/embedded-postgres/index.ts";
import { inspectData } from "../../../src/platform/embedded-postgres/inspect-data.ts";
import { readPostmasterFile } from "../../../src/platform/embedded-postgres/postmaster-file.ts";
import { stopPostmaster } from "../../../src/platform/embedded-postgres/postmaster.ts";
import { removeSocketFolder } from "../../../src/platform/embedded-postgres/socket-folder.ts";

/** Setup for tests: removes the data folders and ends the postmasters that a test has left behind. */
export function setUpEmbeddedTests() {
  // Creating clusters takes a while on a busy machine.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
  const base = join(
    existsSync("/dev/shm") ? "/dev/shm" : tmpdir(),
    `kith-embedded-${randomUUID().slice(0, 8)}`,
  );
  const folders: string[] = [];
  const running: EmbeddedServer[] = [];
  const children: ChildProcess[] = [];
  const output: string[] = [];

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    for (const embedded of running.splice(0)) await embedded.stop();
    for (const folder of folders.splice(0)) await removeDataFolder(folder);
    rmSync(base, { recursive: true, force: true });
    output.length = 0;
  });

  const folder = (name: string) => {
    const path = join(base, name);
    mkdirSync(base, { recursive: true });
    // Tests that run as root start PostgreSQL as another user, who must be able to reach this folder.
    chmodSync(base, 0o755);
    folders.push(path);
    return path;
  };
  const start = async (dataDir: string, options: Partial<EmbeddedOptions> = {}) => {
    const embedded = await startEmbedded({
      dataDir,
      durable: false,
      print: (sentence) => output.push(sentence),
      ...options,
    });
    running.push(embedded);
    return embedded;
  };
  /** Starts the embedded PostgreSQL in another process, which runs until the test kills it. */
  const startElsewhere = async (dataDir: string): Promise<ChildProcess & { pid: number }> => {
    const module = new URL("../../../src/platform/embedded-postgres/index.ts", import.meta.url);
    const program = `
      const { startEmbedded } = await import(${JSON.stringify(module.href)});
      await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, durable: false, print: () => {} });
      console.log("up");
      setInterval(() => {}, 1_000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    await new Promise((up, down) =>
      child.stdout.once("data", up).once("close", () => down(new Error("It did not start."))),
    );
    return child as ChildProcess & { pid: number };
  };
  return { folder, start, startElsewhere, output };
}

async function removeDataFolder(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, "cluster", "PG_VERSION"))) {
    const left = readPostmasterFile(join(dataDir, "cluster"));
    if (inspectData(dataDir).postmaster) await stopPostmaster(left!.pid);
    if (left) removeSocketFolder(left.socketDir, left.port);
  }
  rmSync(dataDir, { recursive: true, force: true });
}

export async function queryServer(place: EmbeddedServer, text: string): Promise<unknown[]> {
  const client = new pg.Client({
    host: place.socketDir,
    port: place.port,
    user: place.user,
    database: place.database,
  });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query({ text, rowMode: "array" });
  await client.end();
  return rows.map((row: unknown[]) => row[0]);
}

export const readTestPostmasterPid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, "cluster", "postmaster.pid"), "utf8").split("\n")[0]);

/** Retries `work` for ten seconds until it succeeds. */
export async function retryUntilSuccess<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

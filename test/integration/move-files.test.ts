import { spawn } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestBucket } from "../support/storage/s3-bucket.ts";
import { type ServerProcess, signInTo, startServer } from "../support/processes/server-process.ts";

const dataDir = mkdtempSync(join(tmpdir(), "kith moved files "));
const [APP, SERVER] = ["A".repeat(32), "5".repeat(32)];
const KEYS = { KITH_APP_ID: APP, KITH_SERVER_KEY: SERVER, KITH_SEED: "demo" };
let bucket: Awaited<ReturnType<typeof startTestBucket>>;
let inBucket: Record<string, string>;
let server: ServerProcess;

const stop = async () => {
  server.child.kill("SIGTERM");
  await server.ended;
};
beforeAll(async () => {
  bucket = await startTestBucket();
  inBucket = { S3_URL: bucket.url, S3_KEY: bucket.key, S3_SECRET: bucket.secret };
  server = await startServer(dataDir, KEYS);
}, 120_000);
afterAll(async () => {
  await stop();
  await bucket.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

/** Runs the command as an operator does, beside a running server. */
async function moveFiles(...args: string[]) {
  const { NODE_ENV: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ["src/commands/move-files.ts", ...args], {
    env: { ...inherited, KITH_DATA: dataDir, ...inBucket },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  return { output: await text(child.stdout), code: await ended };
}

const at = (path: string) => `${server.url}/${APP}/${SERVER}/files/${path}`;
const save = (path: string, body: string) =>
  fetch(at(path), { method: "POST", headers: { "content-type": "application/octet-stream" }, body });

/** All pictures of the people directory by address: size in bytes. */
async function faces(): Promise<Record<string, number>> {
  const headers = { cookie: await signInTo(server), accept: "text/html" };
  const html = await (await fetch(`${server.url}/people`, { headers })).text();
  const found = [
    ...new Set([...html.matchAll(/src="(\/files\/pictures\/[0-9a-f-]+)"/g)].map((match) => match[1]!)),
  ];
  const sizes = found.map(async (path) => {
    const answer = await fetch(server.url + path, { headers });
    return [path, answer.ok ? (await answer.arrayBuffer()).byteLength : 0] as const;
  });
  return Object.fromEntries(await Promise.all(sizes));
}

describe("documented move of files into a bucket", () => {
  test("lets the server send all files from the bucket", async () => {
    await save("early.txt", "while it runs");
    const shown = await faces();
    expect(Object.keys(shown).length).toBeGreaterThan(3);
    expect(Object.values(shown)).not.toContain(0);

    expect(await moveFiles("to-bucket")).toMatchObject({ code: 0 });
    await save("late.txt", "after the first run");
    expect(await moveFiles("to-bucket", "--remove")).toMatchObject({
      code: 1,
      output: expect.stringContaining("Kith is running (process") as string,
    });
    await stop();
    const last = await moveFiles("to-bucket", "--remove");
    expect(last).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^[1-9]\d* files? \(\S+ KB\) copied, \d{2,} files/m) as string,
    });
    expect(globSync(join(dataDir, "{files,program-files}/*/*/*"))).toEqual([]);

    server = await startServer(dataDir, { ...KEYS, ...inBucket });
    expect(await faces()).toEqual(shown);
    expect(await (await fetch(at("early.txt"))).text()).toBe("while it runs");
    expect(await (await fetch(at("late.txt"))).text()).toBe("after the first run");
  }, 180_000);
});

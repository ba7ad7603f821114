import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ServerProcess,
  isProcessRunning,
  runServer,
  signInTo,
  startServer,
  waitUntil,
} from "../support/processes/server-process.ts";
import { findFreePort } from "../support/setup/free-port.ts";
import { createDiscussionClient } from "../support/processes/discussion-client.ts";

const dataDir = mkdtempSync(join(tmpdir(), "kith bad days "));
let server: ServerProcess;
let cookie: string;
const { fetchPage, findDiscussion, reply, findWords } = createDiscussionClient(() => ({ server, cookie }));

const stop = async (serverProcess: ServerProcess) => {
  serverProcess.child.kill("SIGTERM");
  await serverProcess.ended;
};

beforeAll(async () => {
  server = await startServer(dataDir);
  // Ines moderates the site, so no rate limit slows the test down.
  cookie = await signInTo(server, "ines");
}, 60_000);
afterAll(async () => {
  await stop(server);
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

/** Writes over four connections until `end`; returns what was acknowledged. */
async function writeUntil(path: string, mark: string, end: Promise<unknown>): Promise<string[]> {
  let over = false;
  void end.then(() => (over = true));
  const stored: string[] = [];
  const line = async (name: number) => {
    for (let n = 0; !over && n < 200; n++) {
      const word = `${mark}-${name}-${n}-end`;
      const status = await reply(path, word).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 302 || status === 200) stored.push(word);
    }
  };
  await Promise.all([1, 2, 3, 4].map(line));
  return stored;
}

describe("database failure", () => {
  test("makes pages return 503 without a crash, and the server recovers with all data", async () => {
    const path = await findDiscussion();
    const killed = Promise.withResolvers<void>();
    const writing = writeUntil(path, "dbdies", killed.promise);
    await waitUntil(async () => (await findWords(path, ["dbdies-1-1-end"])).length > 0);
    const before = server.postmaster();
    process.kill(before, "SIGKILL");
    const answers: Response[] = [];
    await waitUntil(async () => {
      answers.push(await fetchPage("/groups"));
      return answers.at(-1)!.status === 503 || server.postmaster() !== before;
    });
    killed.resolve();
    const stored = await writing;
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await waitUntil(async () => (await fetch(`${server.url}/readyz`)).ok);
    for (const answer of answers.filter((it) => it.status !== 200)) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(stored.length).toBeGreaterThan(0);
    expect(await findWords(path, stored)).toEqual(stored);
  }, 60_000);
});

describe("killed process", () => {
  test("loses no acknowledged write", async () => {
    const path = await findDiscussion();
    const killed = Promise.withResolvers<void>();
    const writing = writeUntil(path, "nodedies", killed.promise);
    await waitUntil(async () => (await findWords(path, ["nodedies-1-1-end"])).length > 0);
    const left = server.postmaster();
    server.child.kill("SIGKILL");
    await server.ended;
    killed.resolve();
    const stored = await writing;
    expect(isProcessRunning(left)).toBe(true);
    server = await startServer(dataDir);
    expect(server.postmaster()).toBe(left);
    expect(stored.length).toBeGreaterThan(0);
    expect(await findWords(path, stored)).toEqual(stored);
  }, 60_000);

  test("loses no data when its database is killed as well", async () => {
    const path = await findDiscussion();
    const killed = Promise.withResolvers<void>();
    const writing = writeUntil(path, "bothdie", killed.promise);
    await waitUntil(async () => (await findWords(path, ["bothdie-1-1-end"])).length > 0);
    process.kill(server.postmaster(), "SIGKILL");
    server.child.kill("SIGKILL");
    await server.ended;
    killed.resolve();
    const stored = await writing;
    server = await startServer(dataDir);
    expect(await findWords(path, stored)).toEqual(stored);
  }, 60_000);

  test("finishes its requests on SIGTERM and leaves no child process behind", async () => {
    const left = server.postmaster();
    server.child.kill("SIGTERM");
    const code = await server.ended;
    const isRunning = isProcessRunning(left);
    server = await startServer(dataDir);
    expect([code, isRunning]).toEqual([0, false]);
  }, 60_000);
});

describe("impossible start", () => {
  const data = mkdtempSync(join(tmpdir(), "kith-start-"));
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  test("names the port that is taken and exits with 78", async () => {
    const port = new URL(server.url).port;
    const second = await runServer(data, { PORT: port });
    expect(await second.ended).toBe(78);
    expect(second.said()).toContain(`PORT ${port} is already in use`);
  });

  test.each([
    [{ PORT: "many" }, "PORT must be a number."],
    [{ KITH_SEED: "full" }, "KITH_SEED must be demo or empty."],
    [
      { DATABASE_URL: "postgres://nobody:nothing@127.0.0.1:1/none" },
      "The database at DATABASE_URL cannot be reached",
    ],
    [{ KITH_DATA: "/dev/null/kith" }, "KITH_DATA names /dev/null/kith, which is not writable (ENOTDIR)."],
    [{ KITH_DATA: "/proc/kith" }, "KITH_DATA names /proc/kith, which is not writable (ENOENT)."],
  ])("explains what is wrong with %j and exits with 78", async (env: Record<string, string>, sentence) => {
    const it = await runServer(data, { PORT: String(await findFreePort()), ...env });
    expect(await it.ended).toBe(78);
    expect(it.said()).toContain(sentence);
    expect(it.said()).not.toMatch(/^\s+at /m);
  });

  test("reports that another process uses the data folder", async () => {
    const second = await runServer(dataDir);
    expect(await second.ended).toBe(78);
    expect(second.said()).toMatch(/already|another/i);
  });
});

test("the log contains no error after all of these failures", () => {
  expect(server.said()).not.toMatch(/"level":50|UnhandledPromise|TypeError/);
});

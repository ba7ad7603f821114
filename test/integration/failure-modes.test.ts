import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ServerProcess,
  formBody,
  isProcessRunning,
  runServer,
  signInTo,
  startServer,
  waitUntil,
} from "../support/server-process.ts";
import { findFreePort } from "../support/setup/free-port.ts";

const dataDir = mkdtempSync(join(tmpdir(), "kith bad days "));
let server: ServerProcess;
let cookie: string;

const stop = async (it: ServerProcess) => {
  it.child.kill("SIGTERM");
  await it.ended;
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

const page = (path: string, more: RequestInit = {}) =>
  fetch(server.url + path, { redirect: "manual", headers: { cookie, accept: "text/html" }, ...more });

/** Creates a discussion that she may write in. */
async function aDiscussion(): Promise<string> {
  const html = await (await page("/?tab=latest")).text();
  for (const [path] of html.matchAll(/\/discussions\/[0-9a-f-]{36}/g))
    if ((await (await page(path)).text()).includes('name="clientId"')) return path;
  throw new Error("There is no discussion to write in.");
}

const reply = (path: string, body: string) =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie },
    body: formBody({ intent: "reply", body, clientId: crypto.randomUUID() }),
  });

/** Which of these words the discussion shows now. */
async function wordsIn(path: string, words: string[]): Promise<string[]> {
  const first = await (await page(`${path}?page=1`)).text();
  const pages = Math.max(1, ...[...first.matchAll(/page=(\d+)/g)].map((match) => Number(match[1])));
  const all = await Promise.all(
    Array.from({ length: pages + 1 }, async (_, n) => (await page(`${path}?page=${n + 1}`)).text()),
  );
  return words.filter((word) => all.some((html) => html.includes(word)));
}

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
  test("pages return 503, nothing crashes, and the server recovers with all data", async () => {
    const path = await aDiscussion();
    const killed = Promise.withResolvers<void>();
    const writing = writeUntil(path, "dbdies", killed.promise);
    await waitUntil(async () => (await wordsIn(path, ["dbdies-1-1-end"])).length > 0);
    const before = server.postmaster();
    process.kill(before, "SIGKILL");
    const answers: Response[] = [];
    await waitUntil(async () => {
      answers.push(await page("/groups"));
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
    expect(await wordsIn(path, stored)).toEqual(stored);
  }, 60_000);
});

describe("process kill", () => {
  test("keeps everything acknowledged when killed during writes", async () => {
    const path = await aDiscussion();
    const killed = Promise.withResolvers<void>();
    const writing = writeUntil(path, "nodedies", killed.promise);
    await waitUntil(async () => (await wordsIn(path, ["nodedies-1-1-end"])).length > 0);
    const left = server.postmaster();
    server.child.kill("SIGKILL");
    await server.ended;
    killed.resolve();
    const stored = await writing;
    expect(isProcessRunning(left)).toBe(true);
    server = await startServer(dataDir);
    expect(server.postmaster()).toBe(left);
    expect(stored.length).toBeGreaterThan(0);
    expect(await wordsIn(path, stored)).toEqual(stored);
  }, 60_000);

  test("recovers without loss when killed with its database", async () => {
    const path = await aDiscussion();
    const killed = Promise.withResolvers<void>();
    const writing = writeUntil(path, "bothdie", killed.promise);
    await waitUntil(async () => (await wordsIn(path, ["bothdie-1-1-end"])).length > 0);
    process.kill(server.postmaster(), "SIGKILL");
    server.child.kill("SIGKILL");
    await server.ended;
    killed.resolve();
    const stored = await writing;
    server = await startServer(dataDir);
    expect(await wordsIn(path, stored)).toEqual(stored);
  }, 60_000);

  test("lets requests finish on SIGTERM and leaves no process behind", async () => {
    const left = server.postmaster();
    server.child.kill("SIGTERM");
    const code = await server.ended;
    const stays = isProcessRunning(left);
    server = await startServer(dataDir);
    expect([code, stays]).toEqual([0, false]);
  }, 60_000);
});

describe("impossible start", () => {
  const data = mkdtempSync(join(tmpdir(), "kith-start-"));
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  test("names the port that is taken and exits with 78", async () => {
    const port = new URL(server.url).port;
    const second = await runServer(data, { PORT: port });
    expect(await second.ended).toBe(78);
    expect(second.said()).toContain(`PORT ${port} is in use already`);
  });

  test.each([
    [{ PORT: "many" }, "PORT must be a number."],
    [{ KITH_SEED: "full" }, "KITH_SEED must be demo or empty."],
    [
      { DATABASE_URL: "postgres://nobody:nothing@127.0.0.1:1/none" },
      "The database at DATABASE_URL cannot be reached",
    ],
    [{ KITH_DATA: "/dev/null/kith" }, "KITH_DATA names /dev/null/kith, which cannot be written (ENOTDIR)."],
    [{ KITH_DATA: "/proc/kith" }, "KITH_DATA names /proc/kith, which cannot be written (ENOENT)."],
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

describe("hostile input", () => {
  const PATHS = [
    "/",
    "/groups",
    "/discussions",
    "/users",
    "/resources",
    "/login",
    "/register",
    "/resetPassword",
    "/messages",
    "/myFriends",
    "/search",
    "/welcome",
  ];
  const NASTY = [
    "%00",
    "%ff%fe",
    "..%2f..%2fetc%2fpasswd",
    "'%22%3Cscript%3E",
    "%F0%9F%98%80",
    "a".repeat(2_000),
    "1e999",
    "-1",
    "null",
    "%",
    "00000000-0000-0000-0000-000000000000",
  ];

  test.each(PATHS)(
    "in the address of %s never causes a 500",
    async (path) => {
      for (const nasty of NASTY)
        for (const address of [
          `${path === "/" ? "" : path}/${nasty}`,
          `${path}?after=${nasty}&page=${nasty}&post=${nasty}&q=${nasty}&tab=${nasty}&search=${nasty}&kind=${nasty}&tag=${nasty}&sort=${nasty}&next=${nasty}`,
        ])
          for (const headers of [{}, { cookie }] as Record<string, string>[]) {
            const { status } = await fetch(server.url + address, { redirect: "manual", headers });
            expect(status, `${address.slice(0, 120)} ${Object.keys(headers).join()}`).toBeLessThan(500);
          }
    },
    60_000,
  );

  const HUGE = "x".repeat(1_200_000);
  test.each([
    ["nothing", "application/x-www-form-urlencoded", "", [400, 403, 415, 422]],
    ["another kind of content", "application/json", "{}", [415]],
    ["no kind of content", "", "x", [415]],
    ["broken parts", "multipart/form-data; boundary=x", "--y\r\nnonsense", [400, 422]],
    ["parts without a boundary", "multipart/form-data", "--y", [400, 415, 422]],
    ["broken UTF-8", "application/x-www-form-urlencoded", "intent=reply&body=%ff%fe%00", [302, 422]],
    ["zero bytes", "application/x-www-form-urlencoded", "intent=reply&body=a%00b", [302, 422]],
    ["an unknown verb", "application/x-www-form-urlencoded", "intent=explode&body=a", [422]],
    ["more than fits", "application/x-www-form-urlencoded", `intent=reply&body=${HUGE}`, [413]],
  ])("as a form of %s gets a readable error", async (_what, type, body, expected) => {
    const path = await aDiscussion();
    const answer = await page(path, {
      method: "POST",
      headers: { cookie, accept: "text/html", ...(type && { "content-type": type }) },
      body: type ? body : new Blob([body]),
    });
    expect(expected).toContain(answer.status);
  });

  test("from another site changes nothing", async () => {
    const path = await aDiscussion();
    const answer = await page(path, {
      method: "POST",
      headers: { cookie, origin: "https://evil.example" },
      body: formBody({ intent: "reply", body: "from-another-site" }),
    });
    expect(answer.status).toBe(403);
    expect(await wordsIn(path, ["from-another-site"])).toEqual([]);
  });

  test("sent slowly delays no one", async () => {
    const { hostname, port } = new URL(server.url);
    const slow = Array.from({ length: 100 }, () =>
      connect(Number(port), hostname, function (this: { write: (text: string) => void }) {
        this.write(
          "POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nlog",
        );
      }).on("error", () => {}),
    );
    expect((await page("/groups")).status).toBe(200);
    // Answered while they were still open, not after they had been closed.
    expect(slow.filter((socket) => socket.closed || socket.readableEnded)).toEqual([]);
    for (const socket of slow) socket.destroy();
  });

  test("ten thousand wrong passwords are refused quickly, and the owner still signs in", async () => {
    const statuses = new Map<number, number>();
    const guess = async (n: number) => {
      const { status } = await fetch(`${server.url}/login`, {
        method: "POST",
        redirect: "manual",
        body: formBody({ login: "tomas", password: `guess-number-${n}` }),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    for (let n = 0; n < 10_000; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, i) => guess(n + i)));
    expect([...statuses.keys()].filter((status) => ![401, 422, 429].includes(status))).toEqual([]);
    expect(statuses.get(429)).toBeGreaterThan(9_900);
    expect((await page("/")).status).toBe(200);
    expect(await statusFromElsewhere("/login/ask-link", formBody({ email: "tomas@example.org" }))).toBe(302);
  }, 120_000);
});

/** Sends a form from another origin. */
const statusFromElsewhere = (path: string, body: URLSearchParams) =>
  new Promise<number>((answered, broken) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    request(server.url + path, { method: "POST", localAddress: "127.0.0.2", headers }, (answer) =>
      answered(answer.resume().statusCode!),
    )
      .on("error", broken)
      .end(String(body));
  });

test("the log has no error after all of this", () => {
  expect(server.said()).not.toMatch(/"level":50|UnhandledPromise|TypeError/);
});

import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, formBody, signInTo, startServer } from "../support/processes/server-process.ts";
import { createDiscussionClient } from "../support/processes/discussion-client.ts";

const dataDir = mkdtempSync(join(tmpdir(), "kith hostile input "));
let server: ServerProcess;
let cookie: string;
const { fetchPage, findDiscussion, findWords } = createDiscussionClient(() => ({ server, cookie }));

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

  const PARAMETERS = ["after", "page", "post", "q", "tab", "search", "kind", "tag", "sort", "next"];
  test.each(PATHS)(
    "in the path or query of %s never causes a 500",
    async (path) => {
      for (const nasty of NASTY)
        for (const address of [
          `${path === "/" ? "" : path}/${nasty}`,
          `${path}?${PARAMETERS.map((name) => `${name}=${nasty}`).join("&")}`,
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
    ["an empty body", "application/x-www-form-urlencoded", "", [400, 403, 415, 422]],
    ["a JSON body", "application/json", "{}", [415]],
    ["no content type", "", "x", [415]],
    ["broken multipart data", "multipart/form-data; boundary=x", "--y\r\nnonsense", [400, 422]],
    ["multipart data without a boundary", "multipart/form-data", "--y", [400, 415, 422]],
    ["broken UTF-8", "application/x-www-form-urlencoded", "intent=reply&body=%ff%fe%00", [302, 422]],
    ["zero bytes", "application/x-www-form-urlencoded", "intent=reply&body=a%00b", [302, 422]],
    ["an unknown intent", "application/x-www-form-urlencoded", "intent=explode&body=a", [422]],
    ["too much text", "application/x-www-form-urlencoded", `intent=reply&body=${HUGE}`, [413]],
  ])("in a form with %s gets a readable error", async (_what, type, body, expected) => {
    const path = await findDiscussion();
    const answer = await fetchPage(path, {
      method: "POST",
      headers: { cookie, accept: "text/html", ...(type && { "content-type": type }) },
      body: type ? body : new Blob([body]),
    });
    expect(expected).toContain(answer.status);
  });

  test("from another site is rejected and changes nothing", async () => {
    const path = await findDiscussion();
    const answer = await fetchPage(path, {
      method: "POST",
      headers: { cookie, origin: "https://evil.example" },
      body: formBody({ intent: "reply", body: "from-another-site" }),
    });
    expect(answer.status).toBe(403);
    expect(await findWords(path, ["from-another-site"])).toEqual([]);
  });

  test("sent slowly does not delay other requests", async () => {
    const { hostname, port } = new URL(server.url);
    const slow = Array.from({ length: 100 }, () =>
      connect(Number(port), hostname, function (this: { write: (text: string) => void }) {
        this.write(
          "POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nContent-Type: " +
            "application/x-www-form-urlencoded\r\n\r\nlog",
        );
      }).on("error", () => {}),
    );
    expect((await fetchPage("/groups")).status).toBe(200);
    // The other request was answered while the slow connections were still open, not because they had been
    // closed.
    expect(slow.filter((socket) => socket.closed || socket.readableEnded)).toEqual([]);
    for (const socket of slow) socket.destroy();
  });

  test("with ten thousand wrong passwords is refused quickly, and the owner can still sign in", async () => {
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
    expect((await fetchPage("/")).status).toBe(200);
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

test("the log contains no error after all hostile input", () => {
  expect(server.said()).not.toMatch(/"level":50|UnhandledPromise|TypeError/);
});

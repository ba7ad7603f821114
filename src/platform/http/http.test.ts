import compress from "@fastify/compress";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "#platform/log";
import { Refusal } from "#platform/refusal";
import { MAX_QUERY_PARAMETERS } from "./http.ts";
import { isSameOrigin, createHttpServer } from "./index.ts";

let server: FastifyInstance;
beforeEach(() => {
  server = createHttpServer({ log: createLog("silent"), trustProxy: false });
  server.post("/echo", async (request) => request.body);
  server.get("/refuse", async () => {
    throw new Refusal("too-many", "Slowly, please.", { retryAfter: 7 });
  });
  server.get("/break", async () => {
    throw new Error("a secret detail");
  });
  server.get("/away", async () => {
    throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  });
  server.post("/form", async (request) => ({ ours: isSameOrigin(request, "https://kith.example.org") }));
});
afterEach(() => server.close());

describe("HTTP server", () => {
  test("answers a refusal with its status, message and Retry-After", async () => {
    const answer = await server.inject("/refuse");
    expect(answer.statusCode).toBe(429);
    expect(answer.headers["retry-after"]).toBe("7");
    expect(answer.json()).toEqual({ code: 429, message: "Slowly, please." });
  });

  test("rejects a URL with too many query parameters before it parses them", async () => {
    server.get("/echo", async (request) => Object.keys(request.query as object).length);
    const withParameters = (count: number) =>
      server.inject(`/echo?${Array.from({ length: count }, (_, n) => n).join("&")}`);
    expect((await withParameters(MAX_QUERY_PARAMETERS)).json()).toBe(MAX_QUERY_PARAMETERS);
    const refused = await withParameters(MAX_QUERY_PARAMETERS + 1);
    expect(refused.statusCode).toBe(413);
    expect(refused.json()).toEqual({ code: 413, message: "An address can have 1000 parameters at most." });
  });

  test("sends HSTS on every response when the public address has https", async () => {
    const secure = createHttpServer({ log: createLog("silent"), trustProxy: false, https: true });
    const [answer, none] = [await secure.inject("/nowhere"), await server.inject("/nowhere")];
    await secure.close();
    expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000");
    expect(none.headers).not.toHaveProperty("strict-transport-security");
  });

  test("hides internal errors from clients", async () => {
    const answer = await server.inject({ url: "/break", headers: { accept: "text/html" } });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain("secret");
    expect(answer.body).toContain("<h1>Internal Server Error</h1>");
    expect(answer.body).toContain(answer.headers["x-request-id"]);
  });

  test("logs paths without the secrets in them", async () => {
    const log = createLog("silent");
    const lines: unknown[] = [];
    log.info = (facts: unknown) => void lines.push(facts);
    const other = createHttpServer({ log, trustProxy: false });
    await other.inject(`/invite/${"aB3_".repeat(10)}xyz?token=abc`);
    await other.inject(`/unsubscribe/${"aB3_".repeat(30)}`);
    await other.inject(`/1/keys/${"aB3".repeat(30)}%2B${"aB3".repeat(10)}%3D%3D?x-algolia-api-key=abc`);
    await other.inject("/groups/long-beds/manage");
    await other.close();
    expect(lines).toMatchObject([
      { path: "/invite/…" },
      { path: "/unsubscribe/…" },
      { path: "/1/keys/…" },
      { path: "/groups/long-beds/manage" },
    ]);
  });

  test("returns 503 with Retry-After while the database is unavailable", async () => {
    const answer = await server.inject("/away");
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("5");
  });

  test.each([
    [
      "a body that is too large",
      { payload: "x".repeat(1_000_001), headers: { "content-type": "text/plain" } },
      413,
    ],
    ["broken JSON", { payload: "{", headers: { "content-type": "application/json" } }, 400],
    ["an unknown content type", { payload: "x", headers: { "content-type": "application/x-mystery" } }, 415],
  ])("answers %s with a clear error", async (_what, more, status) => {
    const answer = await server.inject({ method: "POST", url: "/echo", ...more });
    expect(answer.statusCode).toBe(status);
    expect(answer.json<{ message: string }>().message).toMatch(/^[A-Z].+\.$/);
  });

  test.each(["/%", "/%ff%fe", "/a%00b", `/${"a".repeat(9_000)}`])(
    "answers the invalid URL %.20s with a client error",
    async (url) => {
      const { statusCode } = await server.inject({ url });
      expect([400, 404, 414]).toContain(statusCode);
    },
  );

  test("sets the security headers on every response", async () => {
    const { headers } = await server.inject("/nothing-here");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-frame-options": "DENY",
    });
  });

  test.each([
    [
      "a header that is too large",
      `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${"a".repeat(40_000)}\r\n\r\n`,
      "431",
    ],
    ["a request that is not HTTP", "\u0016\u0003\u0001 hello\r\n\r\n", "400"],
  ])("answers %s before closing the connection", async (_what, bytes, status) => {
    await server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = server.server.address() as AddressInfo;
    const response = await new Promise<string>((done) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
      socket.on("data", (chunk) => (text += String(chunk)));
      socket.on("close", () => done(text));
      socket.on("error", () => done(text));
    });
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe("same-origin check of a form", () => {
  const sentWith = async (headers: Record<string, string>) =>
    (
      await server.inject({ method: "POST", url: "/form", headers: { host: "kith.example.org", ...headers } })
    ).json<{ ours: boolean }>().ours;

  test("accepts the public origin, with http or https, and requests without an origin", async () => {
    expect(await sentWith({ origin: "https://kith.example.org", "sec-fetch-site": "same-origin" })).toBe(
      true,
    );
    expect(await sentWith({ origin: "http://kith.example.org" })).toBe(true);
    expect(await sentWith({})).toBe(true);
  });

  test.each([
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "https://kith.example.org.evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "https://other.example.org" },
  ])("rejects the headers %j", async (headers) => {
    expect(await sentWith(headers as Record<string, string>)).toBe(false);
  });
});

describe("HEAD", () => {
  test("returns the headers of GET, including the length of the compressed body", async () => {
    const own = createHttpServer({ log: createLog("silent"), trustProxy: false });
    await own.register(compress, { threshold: 100, syncThreshold: 65_536 });
    await own.register(
      async (part) =>
        void part.get("/of/:id", async (request) => ({
          ...(request.params as object),
          text: "beds ".repeat(1_000),
        })),
      { prefix: "/part" },
    );
    const ask = (method: "HEAD" | "GET") =>
      own.inject({ method, url: "/part/of/beds", headers: { "accept-encoding": "gzip" } });
    const [head, get] = [await ask("HEAD"), await ask("GET")];
    expect(head.body).toBe("");
    expect(Number(head.headers["content-length"])).toBeGreaterThan(20);
    const about = ({ headers }: typeof get) =>
      ["content-length", "content-encoding", "content-type", "vary"].map((it) => headers[it]);
    expect(about(head)).toEqual(about(get));
    await own.close();
  });
});

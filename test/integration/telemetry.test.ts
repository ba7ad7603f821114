import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { trace } from "@opentelemetry/api";
import { many, sql } from "#platform/database";
import { createHttpServer, traceRequests } from "#platform/http";
import { createLog } from "#platform/log";
import { startTelemetry, type Telemetry, traceWork } from "#platform/telemetry";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();

type Attribute = { key: string; value: Record<string, unknown> };
type SentSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Attribute[];
};

let collector: Server;
let received: { path: string; key: string | undefined; body: string }[];
beforeEach(async () => {
  received = [];
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const key = String(request.headers["api-key"]);
      received.push({ path: request.url ?? "", key, body: Buffer.concat(chunks).toString() });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((listening) => collector.listen(0, "127.0.0.1", listening));
});
afterEach(() => new Promise((closed) => collector.close(closed)));

const addressOf = (server: Server) => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The collector has no port.");
  return `http://127.0.0.1:${address.port}/`;
};

const start = () =>
  startTelemetry({
    endpoint: addressOf(collector),
    headers: { "api-key": "of-the-collector" },
    serviceName: "kith-test",
    sampled: 1,
  });

/** Serves two routes, requests this address, and stops the telemetry. */
async function sendRequest(telemetry: Telemetry, url: string): Promise<number> {
  const server = createHttpServer({ log: createLog("silent"), trustProxy: false });
  traceRequests(server);
  server.get("/*", async () => many(database.db, sql`select ${"a private text"}::text as it`));
  server.get("/data/:table", async () => {
    throw new Error("A private sentence.");
  });
  const { statusCode } = await server.inject(url);
  await server.close();
  await telemetry.stop();
  return statusCode;
}

const readSpans = (): SentSpan[] =>
  received
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);

const readAttributes = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe("telemetry", () => {
  test("sends a request with its statements as one trace", async () => {
    expect(await sendRequest(await start(), "/discussions/019a/drafts?token=a-secret")).toBe(200);
    const [statement, page] = readSpans();
    expect([statement!.name, page!.name]).toEqual(["select", "GET /discussions/*"]);
    expect([statement!.traceId, statement!.parentSpanId]).toEqual([page!.traceId, page!.spanId]);
    expect(readAttributes(page!)).toEqual({
      "http.request.method": "GET",
      "http.route": "/discussions/*",
      "http.response.status_code": 200,
    });
    expect(readAttributes(statement!)["db.query.text"]).toBe("select $1::text as it");
    expect(received[0]!.key).toBe("of-the-collector");
  });

  test("sends no address, parameter, value or message of an error", async () => {
    await sendRequest(await start(), "/discussions/019a/drafts?token=a-secret");
    expect(await sendRequest(await start(), "/data/Diaries?where=private")).toBe(500);
    await traceWork("job clean", async () => {});
    const sent = received.map(({ body }) => body).join("\n");
    expect(sent).toContain("GET /data/:table");
    for (const secret of ["019a", "a-secret", "private", "Diaries", "127.0.0.1"])
      expect(sent).not.toContain(secret);
  });

  test("names no path that does not exist", async () => {
    const server = createHttpServer({ log: createLog("silent"), trustProxy: false });
    const telemetry = await start();
    traceRequests(server);
    await server.inject("/made-up");
    await server.close();
    await telemetry.stop();
    expect(readSpans().map(({ name }) => name)).toEqual(["GET /*"]);
  });

  test("sends jobs as traces of their own, with their failures", async () => {
    const telemetry = await start();
    await traceWork("job clean", () => many(database.db, sql`select 1`));
    await traceWork("job fail", async () => {
      throw new TypeError("A private sentence.");
    }).catch(() => {});
    await telemetry.stop();
    const spans = readSpans();
    expect(spans.map(({ name }) => name)).toEqual(["select", "job clean", "job fail"]);
    expect(spans[2]!.parentSpanId).toBeUndefined();
    expect(readAttributes(spans[2]!)).toEqual({ "error.type": "TypeError" });
  });

  test("sends figures and the durations of requests as metrics", async () => {
    const telemetry = await start();
    telemetry.observe({
      types: { kith_live_lines: "gauge", kith_markup_hits_total: "counter" },
      measure: () => ({ kith_live_lines: 3, kith_markup_hits_total: 7 }),
    });
    await sendRequest(telemetry, "/groups");
    const sent = received.filter(({ path }) => path === "/v1/metrics").map(({ body }) => body);
    for (const name of ["kith_live_lines", "kith_markup_hits_total", "http.server.request.duration"])
      expect(sent.join("")).toContain(`"${name}"`);
  });

  test("records nothing when it has not started or has stopped", async () => {
    await traceWork("job clean", () => many(database.db, sql`select 1`));
    await (await start()).stop();
    await traceWork("job clean", () => many(database.db, sql`select 1`));
    expect([trace.getActiveSpan(), readSpans()]).toEqual([undefined, []]);
  });

  test("stops although the collector does not answer", async () => {
    collector.removeAllListeners("request");
    const telemetry = await start();
    await traceWork("job clean", async () => {});
    const stopped = telemetry.stop();
    collector.closeAllConnections();
    collector.close();
    await stopped;
    expect(readSpans()).toEqual([]);
  });
});

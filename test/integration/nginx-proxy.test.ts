import { readFileSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseTrustedProxies } from "#platform/client-address";
import { createHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { createLog } from "#platform/log";
import { createSocketServer } from "../../src/api/realtime/socket-server.ts";
import { findFreePort } from "../support/setup/free-port.ts";
import { findNginx, startNginx } from "../support/setup/nginx.ts";

const nginx = findNginx();

/** The README's configuration, except port, certificate and Kith's address. */
function recipeFor(port: number, kith: number): string {
  const recipe = /```nginx\n([\s\S]*?)```/.exec(readFileSync("README.md", "utf8"))![1]!;
  return recipe
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/ssl_certificate\S* .*;/g, "")
    .replace("127.0.0.1:3000", `127.0.0.1:${kith}`);
}

describe.skipIf(nginx === null)("nginx with the README's configuration", () => {
  const trustProxy = parseTrustedProxies("1") || false;
  const limits = new Limits();
  const server = createHttpServer({ log: createLog("silent"), trustProxy });
  const sockets = createSocketServer(server, { appId: "app", limits, trustProxy });
  let proxy: Awaited<ReturnType<typeof startNginx>>;
  let port: number;

  beforeAll(async () => {
    server.addContentTypeParser(
      "application/octet-stream",
      { parseAs: "buffer", bodyLimit: 12_000_000 },
      (_request, body, done) => done(null, body),
    );
    server.post("/seen", { bodyLimit: 12_000_000 }, async (received) => {
      const { ip, host, protocol } = received;
      return { ip, host, protocol, bytes: (received.body as Buffer).length };
    });
    await server.listen({ port: 0, host: "127.0.0.1" });
    port = await findFreePort();
    proxy = await startNginx(nginx!, recipeFor(port, (server.server.address() as AddressInfo).port), port);
  });
  afterAll(async () => {
    await proxy.stop();
    await sockets.close();
    await server.close();
  });

  const send = (headers: Record<string, string>, body = Buffer.from("x")) =>
    new Promise<unknown>((done, failed) => {
      const sent = request(
        {
          port,
          host: "127.0.0.1",
          method: "POST",
          path: "/seen",
          headers: { "content-type": "application/octet-stream", ...headers },
        },
        (answer) => {
          let text = "";
          answer.on("data", (chunk) => (text += String(chunk)));
          answer.on("end", () => done(JSON.parse(text)));
        },
      );
      sent.once("error", failed);
      sent.end(body);
    });

  test("ignores forged forwarding headers for address, host and protocol", async () => {
    const madeUp = {
      "x-forwarded-for": "203.0.113.99",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.example.org",
    };
    expect(await send({ host: "kith.example.org", ...madeUp })).toEqual({
      ip: "127.0.0.1",
      host: "kith.example.org",
      protocol: "http",
      bytes: 1,
    });
  });

  test("passes a body of 10 MB", async () => {
    expect(await send({}, Buffer.alloc(10_000_000))).toMatchObject({ bytes: 10_000_000 });
  });

  test.each(["websocket", "polling"] as const)(
    "passes a %s handshake and counts it for the client's own address",
    async (transport) => {
      const counted = () => limits.used("handshakes", { points: 600, seconds: 60 }, "127.0.0.1");
      const before = await counted();
      const extraHeaders = { "x-forwarded-for": "203.0.113.99" };
      const socket = io(`http://127.0.0.1:${port}`, {
        path: "/socket.io/",
        transports: [transport],
        extraHeaders,
        forceNew: true,
      });
      await new Promise<void>((done, failed) => {
        socket.once("connect", done);
        socket.once("connect_error", failed);
      });
      socket.close();
      expect(await counted()).toBeGreaterThan(before);
      expect(await limits.used("handshakes", { points: 600, seconds: 60 }, "203.0.113.99")).toBe(0);
    },
  );
});

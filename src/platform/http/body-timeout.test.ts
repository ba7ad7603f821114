import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { limitBodyTime, allowSlowBody } from "./body-timeout.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server with this many milliseconds for a body; returns its port. */
async function listening(timeout: number, answer: RequestListener): Promise<number> {
  const server = createServer({ requestTimeout: 0 }, answer);
  servers.push(server);
  server.on("clientError", (_error, socket) => socket.end("HTTP/1.1 408 Request Timeout\r\n\r\n"));
  limitBodyTime(server, timeout);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

/**
 * Announces ten bytes and sends them one by one with this many milliseconds between; returns the response.
 */
const sent = (port: number, pause: number, bytes = 10) =>
  new Promise<string>((done) => {
    let text = "";
    let left = bytes;
    const line = connect(port, "127.0.0.1", () => {
      line.write("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n\r\n");
      const clock = setInterval(() => (left-- > 0 ? line.write("x") : clearInterval(clock)), pause);
      line.on("close", () => (clearInterval(clock), done(text)));
    });
    line.on("data", (part) => (text += String(part)));
    line.on("error", () => {});
  });

const echo: RequestListener = (request, response) =>
  void request.on("end", () => response.end("all of it")).resume();
const unhurried =
  (quiet: number): RequestListener =>
  (request, response) => {
    allowSlowBody(request, quiet);
    echo(request, response);
  };

describe("request body", () => {
  test("arrives in time and is accepted", async () =>
    expect(await sent(await listening(5_000, echo), 1)).toContain("all of it"));

  test("gets 408 when it is slow", async () => {
    expect(await sent(await listening(60, echo), 25)).toMatch(/^HTTP\/1.1 408 /);
  });

  test("may be slow on a route that allows it, while data keeps arriving", async () => {
    expect(await sent(await listening(60, unhurried(5_000)), 25)).toContain("all of it");
  });

  test("gets 408 when it is announced but never arrives", async () => {
    expect(await sent(await listening(60, unhurried(80)), 5, 1)).toMatch(/^HTTP\/1.1 408 /);
  });
});

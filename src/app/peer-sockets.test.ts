import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPeers, type Peers } from "./peer-sockets.ts";

describe("a request forwarded to another process", () => {
  const folder = mkdtempSync(join(tmpdir(), "kith-peers-"));
  const servers: Server[] = [];
  const processes: Peers[] = [];
  let port: number;

  async function startProcess(number: number, handler: (peers: Peers) => RequestListener): Promise<Server> {
    const server = createServer();
    const peers = createPeers(folder, number, server);
    server.on("request", handler(peers));
    await peers.listen();
    servers.push(server);
    processes.push(peers);
    return server;
  }

  beforeAll(async () => {
    const public1 = await startProcess(1, (peers) => (incoming, response) => {
      if (!peers.forward("2.session", incoming, response)) response.writeHead(404).end();
    });
    await startProcess(2, () => (incoming, response) => {
      void text(incoming).then((body) => response.end(`${body} ${incoming.headers.connection}`));
    });
    await new Promise<void>((done) => public1.listen(0, "127.0.0.1", done));
    port = (public1.address() as AddressInfo).port;
  });
  afterAll(async () => {
    servers[0]!.close();
    await Promise.all(processes.map((it) => it.close()));
    rmSync(folder, { recursive: true });
  });

  async function send(connection: "close" | "keep-alive"): Promise<string> {
    const sent = request({ port, method: "POST", agent: false, headers: { connection } }).end("hello");
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return `${await text(answer)}, ${answer.headers.connection}`;
  }

  test.each(["close", "keep-alive"] as const)(
    "keeps the connection between the processes open when the client's connection is %s",
    async (connection) => {
      expect(await send(connection)).toBe(`hello keep-alive, ${connection}`);
    },
  );
});

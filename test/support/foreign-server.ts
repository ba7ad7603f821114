import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { createFetcher } from "../../src/platform/fetcher/index.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

/** A foreign web server on this machine; returns its port. */
export async function app(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return (server.address() as AddressInfo).port;
}

/** Test servers run on this machine, so one of its ports counts as public. */
export const reaching = (port: number, more: Parameters<typeof createFetcher>[0] = {}) =>
  createFetcher({
    canConnect: (address, to) => address === "127.0.0.1" && to === port,
    resolve: async () => ["127.0.0.1"],
    ...more,
  });

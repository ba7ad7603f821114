import { createServer } from "node:net";

/** Ports below those that systems assign automatically: from 32768 on (Linux) or 49152 on (RFC 6335). */
const [FROM, TO] = [15_000, 32_000];

/**
 * Finds a port for a program that starts listening later. A port assigned by the system could be taken by
 * then: tests that run at the same time open hundreds.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM));
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((found) => {
    const probe = createServer();
    probe.once("error", () => found(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => found(true)));
  });

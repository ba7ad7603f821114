import { createServer } from "node:net";

/** Systems hand out ports from 32768 on (Linux) or 49152 on (RFC 6335) to whoever leaves the choice to them, listening or asking. */
const [FROM, TO] = [15_000, 32_000];

/**
 * A port for a program that will listen on it a while later. One that the system hands out by itself could be somebody else's by then:
 * the tests beside this one open hundreds of them, and the program of another would answer in place of this one.
 */
export async function freePort(): Promise<number> {
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

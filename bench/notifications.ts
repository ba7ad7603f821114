import { randomUUID } from "node:crypto";
import { WATCHED_DISCUSSION } from "./large-community.ts";
import { signIn } from "./pages.ts";

const TIMES = 40;
type Measured = { name: string; target: string; p50: number; p99: number };

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

/**
 * Measures the response time of a reply on a quiet server, and while ten thousand people are notified of
 * another reply. The difference is the delay that a large audience causes for others.
 */
export async function measureNotifications(origin: string, elsewhere: string): Promise<Measured[]> {
  const [speaker, neighbour] = [await signIn(origin, "mira"), await signIn(origin, "tomas")];
  const reply = async (discussion: string, cookie: string) => {
    const begun = performance.now();
    const answer = await fetch(`${origin}/discussions/${discussion}/replies`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", cookie, origin },
      body: new URLSearchParams({ body: "The soil is still cold.", clientId: randomUUID() }),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`A reply was answered with ${answer.status}.`);
    return performance.now() - begun;
  };
  const times = async () => {
    const taken: number[] = [];
    for (let n = 0; n < TIMES; n++) taken.push(await reply(elsewhere, neighbour));
    return taken;
  };
  await times();
  const quiet = await times();
  await reply(WATCHED_DISCUSSION, speaker);
  const busy = await times();
  const row = (name: string, target: string, taken: number[]) => ({
    name,
    target,
    p50: percentile(taken, 0.5),
    p99: percentile(taken, 0.99),
  });
  return [
    row("a reply on an idle server", "the yardstick", quiet),
    row("while 10 000 are notified of another", "p99 at most 50 ms more", busy),
  ];
}

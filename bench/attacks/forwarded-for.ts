import { request } from "node:http";
import { parseArgs } from "node:util";

/**
 * `node bench/attacks/forwarded-for.ts --port 8080 --tries 200`: guesses passwords through a proxy, with a
 * different forged entry in `X-Forwarded-For` each time. Prints how many guesses passed the sign-in limit.
 * Each guess is for another unknown name, so that only the limit per address counts. Use it against your own
 * server only.
 */
const { values } = parseArgs({
  options: { port: { type: "string", default: "3000" }, tries: { type: "string", default: "200" } },
});
const port = Number(values.port);

function guessPassword(n: number): Promise<number> {
  const body = new URLSearchParams({ login: `nobody${n}`, password: `guess number ${n}` }).toString();
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": Buffer.byteLength(body),
    "x-forwarded-for": `203.0.${Math.floor(n / 250)}.${(n % 250) + 1}`,
  };
  return new Promise((done, failed) => {
    const sent = request({ host: "127.0.0.1", port, path: "/login", method: "POST", headers }, (answer) => {
      answer.resume();
      answer.on("end", () => done(answer.statusCode ?? 0));
    });
    sent.once("error", failed);
    sent.end(body);
  });
}

const statuses = new Map<number, number>();
for (let n = 0; n < Number(values.tries); n++) {
  const status = await guessPassword(n);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}
console.log(
  Object.fromEntries([...statuses].toSorted()),
  "429: refused by a limit; any other: the password was looked at.",
);

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type autocannon from "autocannon";
import { runLoad } from "./pipelined-client.ts";
import { type FirstLoad, measureFirstLoads } from "./first-load.ts";
import { measureLive } from "./live-replies.ts";
import { measureNotifications } from "./notifications.ts";
import { measureMessages } from "./messages.ts";
import { measureSearch } from "./search.ts";
import { measureWatchedWords } from "./watched-words.ts";
import { CONNECTED_PERSON, LONG_DISCUSSION, LONG_DISCUSSION_POSTS, WRITER_COUNT } from "./large-community.ts";
import {
  findLongPublicDiscussion,
  assertSignedIn,
  createReplies,
  signIn,
  createSignIns,
  dataUrl,
  type WriterSetup,
} from "./pages.ts";
import { startMeasuredProcess, type MeasuredProcess, readUsage } from "./under-load.ts";

/**
 * `npm run bench`: measures pages beside a bare Fastify in the same run. Rounds alternate, so that other
 * load affects all rows alike; compare the ratios. CPU time is that of the server's process. If that process
 * is not busy all the time, the client limits the throughput, and only the CPU ratio describes the server.
 * PostgreSQL's CPU time is shown separately.
 */
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 3);

type Row = {
  name: string;
  target: string;
  requests: () => autocannon.Options;
  under: MeasuredProcess<unknown>;
  perSecond: number[];
  cpuMs: number[];
  databaseMs: number[];
  p50: number[];
  p99: number[];
  failed: number;
};

async function runRound(row: Row, seconds: number, keep: boolean) {
  const before = await readUsage(row.under);
  const result = await runLoad(seconds, row.requests());
  const after = await readUsage(row.under);
  if (!keep) return;
  const answered = result.requests.total;
  row.perSecond.push(answered / result.duration);
  row.cpuMs.push((after.cpu - before.cpu) / 1000 / Math.max(1, answered));
  row.databaseMs.push((after.database - before.database) / 1000 / Math.max(1, answered));
  row.p50.push(result.latency.p50);
  row.p99.push(result.latency.p99);
  row.failed += result["4xx"] + result["5xx"] + result.errors;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const formatNumber = (n: number, digits: number) => n.toFixed(digits).padStart(9);

const headers = { "accept-encoding": "gzip, br, zstd", accept: "text/html" };
const data = mkdtempSync(join(tmpdir(), "kith-bench-"));
const bare = await startMeasuredProcess("bare Fastify", "./bare-fastify.ts", 4191);
const app = await startMeasuredProcess<{ writing: WriterSetup }>("Kith", "./server.ts", 4192, {
  BENCH_DATA: data,
});
const discussion = await findLongPublicDiscussion(app.url);
const cookie = await signIn(app.url, "mira");
const connectedCookie = await signIn(app.url, CONNECTED_PERSON);
const asConnectedPerson = (path: string) => () => ({
  url: app.url + path,
  headers: { ...headers, cookie: connectedCookie },
});
const writing = await createReplies(app.url, app.known.writing);
const signedIn = { ...headers, cookie };
const postPage = (post: number) => () => ({
  url: `${app.url}/discussions/${LONG_DISCUSSION}?post=${post}`,
  headers: signedIn,
});
let n = 0;

const row = (
  name: string,
  target: string,
  under: MeasuredProcess<unknown>,
  requests: () => autocannon.Options,
): Row => ({
  name,
  target,
  under,
  requests,
  perSecond: [],
  cpuMs: [],
  databaseMs: [],
  p50: [],
  p99: [],
  failed: 0,
});
const rows = [
  row("bare Fastify, hello world", "the yardstick", bare, () => ({ url: bare.url, headers })),
  row("discussion page, signed out, kept", "≥ 40 % of bare", app, () => ({
    url: app.url + discussion,
    headers,
  })),
  row("discussion page, signed out, made", "≤ 4 ms CPU", app, () => ({
    url: app.url,
    requests: [
      {
        method: "GET",
        path: discussion,
        headers,
        setupRequest: (request) => ({ ...request, path: `${discussion}&n=${n++}` }),
      },
    ],
  })),
  row("discussion page, signed in", "≤ 6 ms CPU", app, () => ({
    url: app.url + discussion,
    headers: signedIn,
  })),
  row("the same, come to from another page", "≤ 6 ms CPU", app, () => ({
    url: app.url + dataUrl(discussion),
    headers: signedIn,
  })),
  row(`first of ${LONG_DISCUSSION_POSTS} posts, signed in`, "as the page above", app, postPage(1)),
  row("in their middle", "as the page above", app, postPage(LONG_DISCUSSION_POSTS / 2)),
  row("at their end", "as the page above", app, postPage(LONG_DISCUSSION_POSTS)),
  row("home, following 200", "5 queries", app, () => ({ url: app.url, headers: signedIn })),
  row("the library of 10 000 resources", "≤ 6 ms CPU, 5 queries", app, asConnectedPerson("/resources")),
  row("inbox of 2 000 conversations", "≤ 6 ms CPU, 4 queries", app, asConnectedPerson("/messages")),
  row("1 000 friends", "≤ 6 ms CPU, 4 queries", app, asConnectedPerson("/myFriends")),
  row(`replies, ${WRITER_COUNT} writers`, "≥ 800/s", app, () => ({
    url: app.url,
    connections: WRITER_COUNT,
    ...writing,
  })),
  row("sign-in (Argon2id 19 MiB)", "hashing is the cost", app, () => ({
    url: app.url,
    connections: 4,
    ...createSignIns(app.url, app.known.writing.signers),
  })),
];

for (const it of rows) await runRound(it, 1, false);
for (let turn = 0; turn < ROUNDS; turn++)
  for (const it of rows) await runRound(it, it.name.startsWith("sign-in") ? 2 : SECONDS, true);

await assertSignedIn(app.url, cookie, connectedCookie);

const baseline = median(rows[0]!.perSecond);
const baselineCpu = median(rows[0]!.cpuMs);
console.log(
  `\n${cpus().length} cores, Node ${process.version}, ${ROUNDS} rounds of ${SECONDS} s at 16 clients, medians\n`,
);
console.log(
  "                                      per second   of bare    CPU ms   of bare     DB ms   p50 ms   p99 ms   target",
);
for (const it of rows) {
  const [rate, work] = [median(it.perSecond), median(it.cpuMs)];
  console.log(
    `${it.name.padEnd(36)}${formatNumber(rate, 0)}${formatNumber((100 * rate) / baseline, 1)} ` +
      `%${formatNumber(work, 3)}${formatNumber((100 * baselineCpu) / work, 1)} ` +
      `%${formatNumber(median(it.databaseMs), 2)}${formatNumber(median(it.p50), 0)}` +
      `${formatNumber(median(it.p99), 0)}   ${it.target}${it.failed > 0 ? `   ${it.failed} FAILED` : ""}`,
  );
}
const checking = measureWatchedWords();
console.log(
  `${"watched words: 500 in a post of 1,000".padEnd(58)}${formatNumber(checking, 3)}` +
    `${formatNumber((100 * baselineCpu) / checking, 1)} %${" ".repeat(30)}≤ 1 ms CPU`,
);
const live = await measureLive(app.url, discussion, async () => (await readUsage(app)).cpu);
console.log("\nfrom sending to hearing");
const messages = await measureMessages(app.url, async () => (await readUsage(app)).cpu);
for (const { name, target, cpuMs, p50, p99 } of [...live, ...messages])
  console.log(
    `${name.padEnd(56)}${formatNumber(cpuMs, 2)}${formatNumber(p50, 1)}${formatNumber(p99, 1)}   ${target}`,
  );
console.log("\nfrom sending to the answer, ms                                           p50      p99");
for (const { name, target, p50, p99 } of await measureNotifications(app.url, LONG_DISCUSSION))
  console.log(`${name.padEnd(65)}${formatNumber(p50, 1)}${formatNumber(p99, 1)}   ${target}`);
const kilobytes = (bytes: number) => formatNumber(bytes / 1000, 1);
const printLoads = (who: string, target: string, loads: FirstLoad[]) => {
  console.log(
    `\nfirst load ${who}, KB with gzip (${target})`.padEnd(101) + "script  with later       html      CLS",
  );
  for (const { name, script, later, html, shift } of loads)
    console.log(
      name.padEnd(92) +
        kilobytes(script) +
        kilobytes(script + later).padStart(12) +
        kilobytes(html).padStart(11) +
        formatNumber(shift, 3),
    );
};
const pages = { "a discussion": discussion, home: "/", groups: "/groups", "the library": "/resources" };
await assertSignedIn(app.url, cookie);
printLoads(
  "signed in",
  "script ≤ 130, html ≤ 60, CLS < 0.05",
  await measureFirstLoads(app.url, pages, cookie),
);
printLoads("of a guest", "script ≤ 15, html ≤ 60, CLS < 0.05", await measureFirstLoads(app.url, pages));
/** Milliseconds from the last request until idle memory is read, because garbage is collected late. */
const SETTLE_TIME = 20_000;
const megabytes = async () => Math.round((await readUsage(app)).rss / 1_000_000);
const finalMemory = await megabytes();
await new Promise((rested) => setTimeout(rested, SETTLE_TIME));
console.log(
  `\nmemory of the server at the end ${finalMemory} MB, ${SETTLE_TIME / 1_000} s after it ` +
    `${await megabytes()} MB (target ≤ 350)`,
);
// Waits for requests that the clients abandoned, before the server closes.
await new Promise((soon) => setTimeout(soon, 1_000));
for (const { child } of [bare, app]) child.disconnect();
await new Promise((done) => app.child.once("exit", done));
rmSync(data, { recursive: true, force: true });
for (const posts of [100_000, ...(process.argv.includes("--large") ? [1_000_000] : [])]) {
  console.log(`\nsearch over ${posts} posts, ms                                               p50      p99`);
  for (const { name, target, p50, p99 } of await measureSearch(posts))
    console.log(`${name.padEnd(65)}${formatNumber(p50, 1)}${formatNumber(p99, 1)}   ${target}`);
}
process.exitCode = rows.some((it) => it.failed > 0) ? 1 : 0;

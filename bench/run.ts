import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { measureCalendar } from "./calendar.ts";
import { type FirstLoad, measureFirstLoads } from "./first-load.ts";
import { LONG_DISCUSSION } from "./large-community.ts";
import { measureLive } from "./live-replies.ts";
import { measureMessages } from "./messages.ts";
import { measureNotifications } from "./notifications.ts";
import { createPageRows, createYardstick } from "./page-rows.ts";
import type { WriterSetup } from "./pages.ts";
import { formatNumber, median, ROUNDS, runRounds, SECONDS } from "./rounds.ts";
import { measureSearch } from "./search.ts";
import { readUsage, startMeasuredProcess } from "./under-load.ts";
import { measureWatchedWords } from "./watched-words.ts";

/**
 * `npm run bench`: measures pages beside a bare Fastify in the same run. Rounds alternate, so that other
 * load affects all rows alike; compare the ratios. CPU time is that of the server's process. If that process
 * is not busy all the time, the client limits the throughput, and only the CPU ratio describes the server.
 * PostgreSQL's CPU time is shown separately. `npm run bench -- compare REVISION` measures the pages of two
 * commits instead.
 */
if (process.argv[2] === "compare") {
  const { compareWith } = await import("./compare.ts");
  process.exit(await compareWith(process.argv[3] ?? ""));
}

const data = mkdtempSync(join(tmpdir(), "kith-bench-"));
const bare = await startMeasuredProcess("bare Fastify", "./bare-fastify.ts", 4191);
const app = await startMeasuredProcess<{ writing: WriterSetup }>("Kith", "./server.ts", 4192, {
  BENCH_DATA: data,
});
const { rows: pageRows, discussion, cookie, assertSignedIn } = await createPageRows(app);
const rows = [createYardstick(bare), ...pageRows];
await runRounds(rows);
await assertSignedIn();

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
await assertSignedIn();
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
console.log("\ncalendar, ms                                                              p50      p99");
for (const { name, target, p50, p99 } of await measureCalendar())
  console.log(`${name.padEnd(65)}${formatNumber(p50, 1)}${formatNumber(p99, 1)}   ${target}`);
process.exitCode = rows.some((it) => it.failed > 0) ? 1 : 0;

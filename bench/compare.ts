import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createPageRows, createYardstick } from "./page-rows.ts";
import type { WriterSetup } from "./pages.ts";
import { formatNumber, median, ROUNDS, type Row, runRounds, SECONDS } from "./rounds.ts";
import { startMeasuredProcess } from "./under-load.ts";

const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();

/**
 * Measures the pages of the working tree and of another commit in alternating rounds, and prints the ratios
 * of their medians. The other commit is checked out, installed and built in a temporary folder, which is
 * deleted at the end. Returns the exit code.
 */
export async function compareWith(revision: string): Promise<number> {
  const commit = findCommit(revision);
  if (!commit) {
    console.error(`"${revision}" is no commit of this repository. Use: npm run bench -- compare REVISION`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "kith-compare-"));
  const checkout = join(folder, "checkout");
  git("worktree", "add", "--detach", checkout, commit);
  try {
    execFileSync(process.execPath, ["run.mjs", "build"], { cwd: checkout, stdio: "inherit" });
    return await measureBoth(checkout, commit.slice(0, 9), folder);
  } finally {
    git("worktree", "remove", "--force", checkout);
    rmSync(folder, { recursive: true, force: true });
  }
}

function findCommit(revision: string): string | null {
  try {
    return git("rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`);
  } catch {
    return null;
  }
}

async function measureBoth(checkout: string, name: string, folder: string): Promise<number> {
  const start = (label: string, file: string, port: number) =>
    startMeasuredProcess<{ writing: WriterSetup }>(label, file, port, {
      BENCH_DATA: mkdtempSync(join(folder, "data-")),
    });
  const bare = await startMeasuredProcess("bare Fastify", "./bare-fastify.ts", 4191);
  const servers = [
    await start(name, pathToFileURL(join(checkout, "bench/server.ts")).href, 4193),
    await start("working tree", "./server.ts", 4192),
  ];
  const [before, after] = [await createPageRows(servers[0]!), await createPageRows(servers[1]!)];
  const pairs = before.rows.map((row, n) => [row, after.rows[n]!] as const);
  const yardstick = createYardstick(bare);
  await runRounds([yardstick, ...pairs.flat()]);
  await before.assertSignedIn();
  await after.assertSignedIn();
  printRatios(name, yardstick, pairs);
  for (const { child } of [bare, ...servers]) child.disconnect();
  await Promise.all(servers.map(({ child }) => new Promise((ended) => child.once("exit", ended))));
  return pairs.flat().some(({ failed }) => failed > 0) ? 1 : 0;
}

/** Prints for each row both throughputs, and the ratios of throughput and CPU times: above 1 is more. */
function printRatios(name: string, yardstick: Row, pairs: (readonly [Row, Row])[]) {
  const ratio = (key: "perSecond" | "cpuMs" | "databaseMs", [before, after]: readonly [Row, Row]) =>
    formatNumber(median(after[key]) / median(before[key]), 2);
  console.log(
    `\nworking tree beside ${name}, ${ROUNDS} rounds of ${SECONDS} s, medians; ` +
      `${yardstick.name}: ${median(yardstick.perSecond).toFixed(0)} per second\n`,
  );
  console.log(`${"".padEnd(36)}${name.padStart(9)}     tree   rate ×    CPU ×     DB ×`);
  for (const pair of pairs) {
    const [before, after] = pair;
    console.log(
      before.name.padEnd(36) +
        formatNumber(median(before.perSecond), 0) +
        formatNumber(median(after.perSecond), 0) +
        ratio("perSecond", pair) +
        ratio("cpuMs", pair) +
        ratio("databaseMs", pair) +
        (before.failed + after.failed > 0 ? `   ${before.failed} and ${after.failed} FAILED` : ""),
    );
  }
}

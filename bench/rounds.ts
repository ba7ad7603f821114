import type autocannon from "autocannon";
import { runLoad } from "./pipelined-client.ts";
import { type MeasuredProcess, readUsage } from "./under-load.ts";

export const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
export const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 3);

/** Requests of one kind to one server, and what each round measured. CPU times are per request. */
export type Row = {
  name: string;
  target: string;
  requests: () => autocannon.Options;
  under: MeasuredProcess<unknown>;
  /** Maximum seconds of a round; without it, {@link SECONDS}. */
  seconds?: number;
  perSecond: number[];
  cpuMs: number[];
  databaseMs: number[];
  p50: number[];
  p99: number[];
  failed: number;
};

type RowOptions = Pick<Row, "name" | "target" | "under" | "requests" | "seconds">;

export const createRow = (options: RowOptions): Row => ({
  ...options,
  perSecond: [],
  cpuMs: [],
  databaseMs: [],
  p50: [],
  p99: [],
  failed: 0,
});

/**
 * Measures all rows in alternating rounds, after a round of a second that does not count. Every other round runs
 * backwards, because a server still works on events of a row while the next row is measured.
 */
export async function runRounds(rows: readonly Row[]): Promise<void> {
  for (const row of rows) await runRound(row, 1, false);
  for (let round = 0; round < ROUNDS; round++)
    for (const row of round % 2 === 0 ? rows : rows.toReversed())
      await runRound(row, Math.min(row.seconds ?? SECONDS, SECONDS), true);
}

async function runRound(row: Row, seconds: number, counts: boolean) {
  const before = await readUsage(row.under);
  const result = await runLoad(seconds, row.requests());
  const after = await readUsage(row.under);
  if (!counts) return;
  const answered = result.requests.total;
  row.perSecond.push(answered / result.duration);
  row.cpuMs.push((after.cpu - before.cpu) / 1000 / Math.max(1, answered));
  row.databaseMs.push((after.database - before.database) / 1000 / Math.max(1, answered));
  row.p50.push(result.latency.p50);
  row.p99.push(result.latency.p99);
  row.failed += result["4xx"] + result["5xx"] + result.errors;
}

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

export const formatNumber = (n: number, digits: number): string => n.toFixed(digits).padStart(9);

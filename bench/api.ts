import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type autocannon from "autocannon";
import { runLoad } from "./pipelined-client.ts";
import pg from "pg";
import { parseClause } from "#baas/data";
import { DEMO_PASSWORD } from "../src/app/secrets.ts";
import { startMeasuredProcess, readUsage } from "./under-load.ts";

/**
 * `node bench/api.ts`: measures the API for data tables beside a bare Fastify and the bare driver in the
 * same run. Rounds alternate; compare the ratios.
 */
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 3);
const RECORDS = Number(process.env["BENCH_RECORDS"] ?? 100_000);
const CLIENTS = 16;
/** Number of different requests per row. */
const REQUEST_VARIANTS = 1_009;

type Known = { appId: string; serverKey: string; connection: pg.PoolConfig };
const data = mkdtempSync(join(tmpdir(), "kith-bench-wire-"));
const bare = await startMeasuredProcess("bare Fastify", "./bare-fastify.ts", 4191);
const app = await startMeasuredProcess<Known>("Kith", "./server.ts", 4192, { BENCH_DATA: data });
const base = `/${app.known.appId}/${app.known.serverKey}`;
const json = { "content-type": "application/json" };

async function call<T>(method: string, path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${app.url}${base}${path}`, {
    method,
    headers: json,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  const result: T = await answer.json();
  return result;
}

const column = (name: string, dataType: string, more = {}) => ({ name, dataType, ...more });
await call("POST", "/management/data/table", { name: "Owner", columns: [column("name", "STRING")] });
const columns = [
  column("name", "STRING"),
  column("rank", "INT", { indexed: true }),
  column("seen", "DATETIME"),
  column("notes", "JSON"),
];
await call("POST", "/management/data/table", { name: "Thing", columns });
await call("POST", "/management/data/table/Thing/columns/relation", {
  name: "owner",
  toTable: "Owner",
  relationshipType: "ONE_TO_ONE",
});
await call("POST", "/data/bulk/Owner", [{ objectId: "o", name: "Ann" }]);
const thing = (n: number) => ({
  objectId: `t${n}`,
  name: `thing ${n}`,
  rank: n,
  seen: 1_777_000_000_000 + n,
  notes: { n, tags: ["a", "b"] },
});
const bulk: number[] = [];
for (let at = 0; at < RECORDS; at += 10_000) {
  const things = Array.from({ length: Math.min(10_000, RECORDS - at) }, (_, n) => thing(at + n));
  const before = performance.now();
  await call("POST", "/data/bulk/Thing", things);
  bulk.push(performance.now() - before);
}
for (let n = 0; n < 100; n++) await call("POST", `/data/Thing/t${n}/owner`, ["o"]);

const session = await call<{ "user-token": string }>("POST", "/users/login", {
  login: "mira",
  password: DEMO_PASSWORD,
});

const pool = new pg.Pool({ ...app.known.connection, max: CLIENTS });
const { rows: known } = await pool.query<{ sql_name: string }>(
  "select sql_name from data_tables where name = 'Thing'",
);
const table = `data.${known[0]!.sql_name}`;
await pool.query(
  "create table bench_updates (id int primary key, n int); insert into bench_updates select n, 0 from " +
    "generate_series(1, 1000) n",
);
await pool.query("analyze");

let n = 0;
const nextRank = () => (n = (n + 7_919) % RECORDS);
type Row = { name: string; target: string; round: (seconds: number) => Promise<Measured> };
type Measured = { perSecond: number; cpuMs: number; p50: number; p99: number; failed: number };

/** Measures the bare driver with sixteen connections. */
const driverRow = (name: string, text: string, values: () => unknown[]): Row => ({
  name,
  target: "a yardstick",
  async round(seconds) {
    const end = performance.now() + seconds * 1_000;
    const took: number[] = [];
    const client = async () => {
      while (performance.now() < end) {
        const before = performance.now();
        await pool.query({ name, text, values: values() });
        took.push(performance.now() - before);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    took.sort((a, b) => a - b);
    return {
      perSecond: took.length / seconds,
      cpuMs: 0,
      p50: took[took.length >> 1]!,
      p99: took[Math.floor(took.length * 0.99)]!,
      failed: 0,
    };
  },
});

const httpRow = (
  name: string,
  target: string,
  under: typeof bare | typeof app,
  request: () => autocannon.Request,
): Row => ({
  name,
  target,
  async round(seconds) {
    const before = await readUsage(under);
    // Requests are created beforehand, so that the client uses as little CPU as possible.
    const requests = Array.from({ length: REQUEST_VARIANTS }, request);
    const result = await runLoad(seconds, { url: under.url, connections: CLIENTS, requests });
    const cpu = (await readUsage(under)).cpu - before.cpu;
    const answered = Math.max(1, result.requests.total);
    const failed = result["4xx"] + result["5xx"] + result.errors;
    return {
      perSecond: answered / result.duration,
      cpuMs: cpu / 1_000 / answered,
      p50: result.latency.p50,
      p99: result.latency.p99,
      failed,
    };
  },
});

const get = (path: string): autocannon.Request => ({ method: "GET", path: base + path });
const send = (method: "POST" | "PUT", path: string, body: unknown): autocannon.Request => ({
  method,
  path: base + path,
  headers: json,
  body: JSON.stringify(body),
});
const twentyRecords = (more = {}) => ({
  where: `rank >= ${nextRank()}`,
  sortBy: "rank",
  pageSize: 20,
  ...more,
});
/** The number of matches of a pattern depends on its text, so PostgreSQL plans this query each time. */
const twentyByPattern = () => twentyRecords({ where: `rank >= ${nextRank()} and name like 'thing%'` });
const transactionBody = () => ({
  operations: Array.from({ length: 10 }, (_, at) => ({
    operationType: "CREATE",
    table: "Thing",
    // The rank is outside the counted range, which would otherwise grow each round.
    payload: { name: "made", rank: RECORDS + at },
    opResultId: `r${at}`,
  })),
});

const rows: Row[] = [
  httpRow("bare Fastify, hello world", "the yardstick", bare, () => ({ method: "GET", path: "/" })),
  driverRow("driver: prepared select", `select * from ${table} where object_id = $1`, () => [
    `t${nextRank()}`,
  ]),
  driverRow("driver: durable update", "update bench_updates set n = n + 1 where id = $1", () => [
    1 + (nextRank() % 1_000),
  ]),
  httpRow("get by id", "9 000 of 66 000 bare", app, () => get(`/data/Thing/t${nextRank()}`)),
  httpRow("find 20, where and sort, indexed", "5 000", app, () =>
    send("POST", "/data/Thing/find", twentyRecords()),
  ),
  httpRow("find 20, by a pattern as well", "5 000", app, () =>
    send("POST", "/data/Thing/find", twentyByPattern()),
  ),
  httpRow("find 20 with what is related", "3 times 1 730", app, () =>
    send("POST", "/data/Thing/find", twentyRecords({ loadRelations: "owner" })),
  ),
  httpRow("count", "as find", app, () =>
    send("POST", "/data/Thing/count", { where: `rank < ${1 + (nextRank() % 1_000)}` }),
  ),
  httpRow("load a relation", "as find", app, () => get(`/data/Thing/t${nextRank() % 100}/owner`)),
  httpRow("login check", "as get", app, () => get(`/users/isvalidusertoken/${session["user-token"]}`)),
  httpRow("save", "4 000", app, () =>
    send("PUT", "/data/Thing", { name: "new", rank: nextRank(), notes: { a: 1 } }),
  ),
  httpRow("count with a thousand counters", "5 000", app, () => ({
    method: "PUT",
    path: `${base}/counters/c${nextRank() % 1_000}/increment/get`,
  })),
  httpRow("put into the cache", "5 000", app, () =>
    send("PUT", `/cache/k${nextRank() % 1_000}`, { n: nextRank(), name: "a value" }),
  ),
  httpRow("get out of the cache", "5 000", app, () => get(`/cache/k${nextRank() % 1_000}`)),
  httpRow("transaction of 10", "a tenth of save", app, () =>
    send("POST", "/transaction/unit-of-work", transactionBody()),
  ),
];

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const fixed = (value: number, digits: number) => value.toFixed(digits).padStart(9);
const measured = new Map<Row, Measured[]>(rows.map((row) => [row, []]));
for (const row of rows) await row.round(1);
for (let turn = 0; turn < ROUNDS; turn++)
  for (const row of rows) measured.get(row)!.push(await row.round(SECONDS));

const medianOf = (row: Row, what: keyof Measured) => median(measured.get(row)!.map((it) => it[what]));
const [yardstick, select] = [medianOf(rows[0]!, "perSecond"), medianOf(rows[1]!, "perSecond")];
console.log(
  `\n${cpus().length} cores, Node ${process.version}, ${RECORDS} records, ${ROUNDS} rounds of ` +
    `${SECONDS} s at ${CLIENTS} clients, medians\n`,
);
console.log(
  "                                      per second   of bare  of select    CPU ms   p50 ms   p99 ms   target",
);
for (const row of rows) {
  const failed = medianOf(row, "failed");
  const perSecond = medianOf(row, "perSecond");
  console.log(
    `${row.name.padEnd(36)}${fixed(perSecond, 0)}${fixed((100 * perSecond) / yardstick, 1)} ` +
      `%${fixed((100 * perSecond) / select, 1)} %${fixed(medianOf(row, "cpuMs"), 2)}` +
      `${fixed(medianOf(row, "p50"), 1)}${fixed(medianOf(row, "p99"), 1)}   ${row.target}` +
      (failed > 0 ? `   ${failed} FAILED` : ""),
  );
}
console.log(`\n10 000 records in bulk: ${Math.round(median(bulk))} ms (target ≤ 2 000)`);
const long = Array.from({ length: 130 }, (_, at) => `name = 'somebody-${at}'`).join(" or ");
const parsing = Array.from({ length: 200 }, () => {
  const before = performance.now();
  parseClause(long);
  return performance.now() - before;
});
console.log(
  `a clause of ${long.length} characters is parsed in ${median(parsing).toFixed(2)} ms (target ≤ 2)`,
);
console.log(
  `memory of the server afterwards: ${Math.round((await readUsage(app)).rss / 1_000_000)} MB (target ≤ 350)`,
);
await pool.end();
for (const { child } of [bare, app]) child.disconnect();
await new Promise((done) => app.child.once("exit", done));
rmSync(data, { recursive: true, force: true });
process.exitCode = rows.some((row) => medianOf(row, "failed") > 0) ? 1 : 0;

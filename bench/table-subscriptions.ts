import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { io, type Socket } from "socket.io-client";
import { sendRequest } from "./replies.ts";
import { startMeasuredProcess, readUsage } from "./under-load.ts";

/**
 * `node bench/table-subscriptions.ts`: measures the time from a save over REST to its arrival at a
 * subscriber of the table, and the cost of unrelated subscriptions for a save. CPU time is that of the
 * server.
 */
const SAVES = Number(process.env["BENCH_SAVES"] ?? 500);
const LISTENERS = 500;
const CONDITIONS_EACH = 10;
const IDLE_EACH = 1_000;

type Known = { appId: string; serverKey: string };
const data = mkdtempSync(join(tmpdir(), "kith-bench-live-wire-"));
const app = await startMeasuredProcess<Known>("Kith", "./server.ts", 4194, { BENCH_DATA: data });
const { appId, serverKey } = app.known;

const json = { "content-type": "application/json" };
async function call(method: string, path: string, body: unknown): Promise<void> {
  const { status, text } = await sendRequest(
    `${app.url}/${appId}/${serverKey}${path}`,
    method,
    json,
    JSON.stringify(body),
  );
  if (status >= 400) throw new Error(`${path} answered ${status}: ${text}`);
}

const columns = [
  { name: "name", dataType: "STRING" },
  { name: "rank", dataType: "INT" },
];
await call("POST", "/management/data/table", { name: "Thing", columns });

const sockets: Socket[] = [];
/** Called for each record that arrives at a subscriber. */
let onRecord: (rank: number) => void = () => {};

/** Opens a connection with these subscriptions; resolves when all are active. */
async function connectSubscriber(conditions: string[]): Promise<void> {
  const query = { apiKey: serverKey, userToken: "null" };
  const socket = io(`${app.url}/${appId}`, {
    path: `/${appId}`,
    query,
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
  });
  sockets.push(socket);
  await new Promise<void>((ready, failed) => {
    let missing = conditions.length;
    socket.once("connect_error", failed);
    socket.on("SUB_READY", () => --missing === 0 && ready());
    socket.on("SUB_RES", (it: { data?: { rank: number }; error?: { message: string } }) =>
      it.data ? onRecord(it.data.rank) : failed(new Error(it.error?.message)),
    );
    socket.once("connect", () => {
      for (const [at, whereClause] of conditions.entries())
        socket.emit("SUB_ON", {
          id: `s${at}`,
          name: "OBJECTS_CHANGES",
          options: { tableName: "Thing", event: "created", whereClause },
        });
    });
  });
}

const closeSubscribers = () => {
  for (const socket of sockets.splice(0)) socket.close();
};

/** Returns the milliseconds from sending a save to its arrival at all listeners. */
async function save(rank: number, listeners: number): Promise<number> {
  const began = performance.now();
  const arrived = new Promise<number>((done) => {
    let missing = listeners;
    if (missing === 0) done(0);
    onRecord = (it) => it === rank && --missing === 0 && done(performance.now() - began);
  });
  await call("PUT", "/data/Thing", { name: "new", rank });
  return listeners === 0 ? performance.now() - began : arrived;
}

type Row = { name: string; target: string; p50: number; p99: number; cpuMs: number };

async function measureSaves(
  name: string,
  target: string,
  rank: (n: number) => number,
  listeners: number,
): Promise<Row> {
  for (let n = 0; n < SAVES / 5; n++) await save(rank(n), listeners);
  const before = (await readUsage(app)).cpu;
  const took: number[] = [];
  for (let n = 0; n < SAVES; n++) took.push(await save(rank(n), listeners));
  const cpuMs = ((await readUsage(app)).cpu - before) / 1_000 / SAVES;
  took.sort((a, b) => a - b);
  return { name, target, p50: took[SAVES >> 1]!, p99: took[Math.floor(SAVES * 0.99)]!, cpuMs };
}

// A fresh server is slow for a while, so without warm-up the first row would look slowest.
for (let n = 0; n < 4 * SAVES; n++) await save(-n, 0);
const rows: Row[] = [];
const unfollowed = await measureSaves("a save that nobody follows", "the yardstick", (n) => -n, 0);
rows.push(unfollowed);
await connectSubscriber(["rank >= 0"]);
rows.push(await measureSaves("a save to its one listener, quiet", "p50 ≤ 3, p99 ≤ 8", (n) => n, 1));
closeSubscribers();

// Every record matches one condition of every tenth connection; some conditions compare a value, others a
// range.
const conditions = (at: number) =>
  Array.from({ length: CONDITIONS_EACH }, (_, n) =>
    n % 2 === 0 ? `rank = ${at * CONDITIONS_EACH + n}` : `rank > ${10_000_000 + at * CONDITIONS_EACH + n}`,
  );
for (let at = 0; at < LISTENERS; at += 25)
  await Promise.all(Array.from({ length: 25 }, (_, n) => connectSubscriber(conditions(at + n))));
const matchingOne = (n: number) => (n % LISTENERS) * CONDITIONS_EACH;
rows.push(
  await measureSaves(
    `to its listener, ${LISTENERS} lines that follow ${LISTENERS * CONDITIONS_EACH} things`,
    "p99 ≤ 60",
    matchingOne,
    1,
  ),
);
closeSubscribers();

for (let at = 0; at < 10; at++)
  await connectSubscriber(
    Array.from({ length: IDLE_EACH }, (_, n) => `rank = ${1_000_000 + at * IDLE_EACH + n}`),
  );
rows.push(
  await measureSaves(
    "nobody's, beside 10 000 values that others follow",
    "1 ms more CPU at most",
    (n) => -n,
    0,
  ),
);
closeSubscribers();
for (let at = 0; at < 10; at++)
  await connectSubscriber(
    Array.from({ length: IDLE_EACH }, (_, n) => `rank > ${1_000_000 + at * IDLE_EACH + n}`),
  );
rows.push(
  await measureSaves(
    "nobody's, beside 10 000 ranges that others follow",
    "1 ms more CPU at most",
    (n) => -n,
    0,
  ),
);
closeSubscribers();

const formatNumber = (value: number) => value.toFixed(2).padStart(9);
console.log(`\n${cpus().length} cores, Node ${process.version}, ${SAVES} saves one after the other\n`);
console.log(`${"".padEnd(56)}   p50 ms   p99 ms   CPU ms     more   target`);
for (const { name, target, p50, p99, cpuMs } of rows)
  console.log(
    [name.padEnd(56), ...[p50, p99, cpuMs, cpuMs - unfollowed.cpuMs].map(formatNumber), `   ${target}`].join(
      "",
    ),
  );
console.log(
  `\nmemory of the server afterwards: ${Math.round((await readUsage(app)).rss / 1_000_000)} MB (target ≤ 350)`,
);
app.child.disconnect();
await new Promise((done) => app.child.once("exit", done));
rmSync(data, { recursive: true, force: true });

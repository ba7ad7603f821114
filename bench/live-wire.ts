import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { io, type Socket } from "socket.io-client";
import { send } from "./sending.ts";
import { open, usage } from "./under.ts";

/**
 * `node bench/table-subscriptions.ts`: time from a save over REST to a subscriber of the table, and what
 * unrelated subscriptions cost a save. CPU time is the server's.
 */
const SAVES = Number(process.env["BENCH_SAVES"] ?? 500);
const CROWD = 500;
const EACH = 10;
const IDLE_EACH = 1_000;

type Known = { appId: string; serverKey: string };
const data = mkdtempSync(join(tmpdir(), "kith-bench-live-wire-"));
const house = await open<Known>("Kith", "./house.ts", 4194, { BENCH_DATA: data });
const { appId, serverKey } = house.known;

const json = { "content-type": "application/json" };
async function call(method: string, path: string, body: unknown): Promise<void> {
  const { status, text } = await send(`${house.url}/${appId}/${serverKey}${path}`, method, json, JSON.stringify(body));
  if (status >= 400) throw new Error(`${path} answered ${status}: ${text}`);
}

const columns = [
  { name: "name", dataType: "STRING" },
  { name: "rank", dataType: "INT" },
];
await call("POST", "/management/data/table", { name: "Thing", columns });

const sockets: Socket[] = [];
/** Called for each record that arrives at any subscriber. */
let heard: (rank: number) => void = () => {};

/** A connection with these subscriptions; resolves when all are active. */
async function line(conditions: string[]): Promise<void> {
  const query = { apiKey: serverKey, userToken: "null" };
  const socket = io(`${house.url}/${appId}`, { path: `/${appId}`, query, transports: ["websocket"], forceNew: true, reconnection: false });
  sockets.push(socket);
  await new Promise<void>((ready, failed) => {
    let missing = conditions.length;
    socket.once("connect_error", failed);
    socket.on("SUB_READY", () => --missing === 0 && ready());
    socket.on("SUB_RES", (it: { data?: { rank: number }; error?: { message: string } }) =>
      it.data ? heard(it.data.rank) : failed(new Error(it.error?.message)),
    );
    socket.once("connect", () => {
      for (const [at, whereClause] of conditions.entries())
        socket.emit("SUB_ON", { id: `s${at}`, name: "OBJECTS_CHANGES", options: { tableName: "Thing", event: "created", whereClause } });
    });
  });
}

const hangUp = () => {
  for (const socket of sockets.splice(0)) socket.close();
};

/** Milliseconds from sending a save to its arrival at all listeners. */
async function save(rank: number, listeners: number): Promise<number> {
  const began = performance.now();
  const arrived = new Promise<number>((done) => {
    let missing = listeners;
    if (missing === 0) done(0);
    heard = (it) => it === rank && --missing === 0 && done(performance.now() - began);
  });
  await call("PUT", "/data/Thing", { name: "new", rank });
  return listeners === 0 ? performance.now() - began : arrived;
}

type Row = { name: string; target: string; p50: number; p99: number; cpuMs: number };

async function measured(name: string, target: string, rank: (n: number) => number, listeners: number): Promise<Row> {
  for (let n = 0; n < SAVES / 5; n++) await save(rank(n), listeners);
  const before = (await usage(house)).cpu;
  const took: number[] = [];
  for (let n = 0; n < SAVES; n++) took.push(await save(rank(n), listeners));
  const cpuMs = ((await usage(house)).cpu - before) / 1_000 / SAVES;
  took.sort((a, b) => a - b);
  return { name, target, p50: took[SAVES >> 1]!, p99: took[Math.floor(SAVES * 0.99)]!, cpuMs };
}

// A fresh server is slow for a while: whatever is measured first would look slowest.
for (let n = 0; n < 4 * SAVES; n++) await save(-n, 0);
const rows: Row[] = [];
const alone = await measured("a save that nobody follows", "the yardstick", (n) => -n, 0);
rows.push(alone);
await line(["rank >= 0"]);
rows.push(await measured("a save to its one listener, quiet", "p50 ≤ 3, p99 ≤ 8", (n) => n, 1));
hangUp();

// Every record meets one condition of each tenth connection: some by value, some by range.
const conditions = (at: number) =>
  Array.from({ length: EACH }, (_, n) => (n % 2 === 0 ? `rank = ${at * EACH + n}` : `rank > ${10_000_000 + at * EACH + n}`));
for (let at = 0; at < CROWD; at += 25) await Promise.all(Array.from({ length: 25 }, (_, n) => line(conditions(at + n))));
const ofOne = (n: number) => (n % CROWD) * EACH;
rows.push(await measured(`to its listener, ${CROWD} lines that follow ${CROWD * EACH} things`, "p99 ≤ 60", ofOne, 1));
hangUp();

for (let at = 0; at < 10; at++) await line(Array.from({ length: IDLE_EACH }, (_, n) => `rank = ${1_000_000 + at * IDLE_EACH + n}`));
rows.push(await measured("nobody's, beside 10 000 values that others follow", "1 ms more CPU at most", (n) => -n, 0));
hangUp();
for (let at = 0; at < 10; at++) await line(Array.from({ length: IDLE_EACH }, (_, n) => `rank > ${1_000_000 + at * IDLE_EACH + n}`));
rows.push(await measured("nobody's, beside 10 000 ranges that others follow", "1 ms more CPU at most", (n) => -n, 0));
hangUp();

const fixed = (value: number) => value.toFixed(2).padStart(9);
console.log(`\n${cpus().length} cores, Node ${process.version}, ${SAVES} saves one after the other\n`);
console.log(`${"".padEnd(56)}   p50 ms   p99 ms   CPU ms     more   target`);
for (const { name, target, p50, p99, cpuMs } of rows)
  console.log(`${name.padEnd(56)}${fixed(p50)}${fixed(p99)}${fixed(cpuMs)}${fixed(cpuMs - alone.cpuMs)}   ${target}`);
console.log(`\nmemory of the house after it: ${Math.round((await usage(house)).rss / 1_000_000)} MB (target ≤ 350)`);
house.child.disconnect();
await new Promise((done) => house.child.once("exit", done));
rmSync(data, { recursive: true, force: true });

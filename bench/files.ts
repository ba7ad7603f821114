import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { startMeasuredProcess, type MeasuredProcess, readUsage } from "./under-load.ts";

/**
 * `node bench/files.ts`: measures the upload and download of a file of 100 MB, and the memory used, beside a
 * bare stream copy in the same run. Rounds alternate; compare the ratios.
 */
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const SIZE = 100_000_000;
const CHUNK = randomBytes(1_000_000);
/** Milliseconds between two memory readings, because each reading costs the process time. */
const MEMORY_INTERVAL = 50;

const data = mkdtempSync(join(tmpdir(), "kith-bench-files-"));
const bare = await startMeasuredProcess("bare Fastify", "./bare-files.ts", 4191);
const app = await startMeasuredProcess<{ appId: string; serverKey: string }>("Kith", "./server.ts", 4192, {
  BENCH_DATA: data,
});
const files = `${app.url}/${app.known.appId}/${app.known.serverKey}/files`;

type Row = {
  name: string;
  target: string;
  under: MeasuredProcess<unknown>;
  work: () => Promise<void>;
  took: number[];
  cpu: number[];
  rss: number[];
};

/** The bytes differ in each round, because content that is already stored would be faster. */
let round = 0;
function createBytes(before = "", after = ""): Readable {
  const first = Buffer.alloc(CHUNK.length, String(round++));
  const pieces = [first, ...Array<Buffer>(SIZE / CHUNK.length - 1).fill(CHUNK)];
  return Readable.from(
    [Buffer.from(before), ...pieces, Buffer.from(after)].filter(({ length }) => length > 0),
  );
}

const call = (method: string, url: string, headers: Record<string, string | number> = {}, body?: Readable) =>
  new Promise<void>((done, failed) => {
    const asked = request(url, { method, headers }, (answer) => {
      answer.resume().once("error", failed);
      answer.once("end", () =>
        answer.statusCode! < 300 ? done() : failed(new Error(`${url} answered ${answer.statusCode}`)),
      );
    });
    asked.once("error", failed);
    if (body) body.pipe(asked);
    else asked.end();
  });

const raw = { "content-type": "application/octet-stream", "content-length": SIZE };
const [head, tail] = [
  '--b\r\ncontent-disposition: form-data; name="file"; filename="it"\r\n\r\n',
  "\r\n--b--\r\n",
];
const form = {
  "content-type": "multipart/form-data; boundary=b",
  "content-length": SIZE + head.length + tail.length,
};
const row = (
  name: string,
  target: string,
  under: MeasuredProcess<unknown>,
  work: () => Promise<void>,
): Row => ({
  name,
  target,
  under,
  work,
  took: [],
  cpu: [],
  rss: [],
});

const rows = [
  row("bare: a stream to the disk", "the yardstick", bare, () =>
    call("PUT", `${bare.url}/it`, raw, createBytes()),
  ),
  row("sent as bytes", "≥ 50 % of bare", app, () =>
    call("PUT", `${files}/binary/it?overwrite=true`, raw, createBytes()),
  ),
  row("sent as a form", "≥ 50 % of bare", app, () =>
    call("POST", `${files}/it?overwrite=true`, form, createBytes(head, tail)),
  ),
  row("bare: a stream from the disk", "the yardstick", bare, () => call("GET", `${bare.url}/it`)),
  row("got", "≥ 50 % of bare", app, () => call("GET", `${files}/it`)),
];

/** Returns the highest memory reading while the work ran. */
async function measurePeakMemory(under: MeasuredProcess<unknown>, work: Promise<void>): Promise<number> {
  let most = 0;
  let over = false;
  void work.catch(() => {}).finally(() => (over = true));
  while (!over) {
    most = Math.max(most, (await readUsage(under)).rss);
    await new Promise((soon) => setTimeout(soon, MEMORY_INTERVAL));
  }
  await work;
  return most;
}

const before = new Map<MeasuredProcess<unknown>, number>();
for (const { work } of rows) await work();
for (const under of [bare, app]) before.set(under, (await readUsage(under)).rss);
for (let turn = 0; turn < ROUNDS; turn++)
  for (const it of rows) {
    const { cpu } = await readUsage(it.under);
    const begun = performance.now();
    const most = await measurePeakMemory(it.under, it.work());
    it.took.push(performance.now() - begun);
    it.cpu.push((await readUsage(it.under)).cpu - cpu);
    it.rss.push(most);
  }

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const throughput = ({ took }: Row) => SIZE / 1_000 / median(took);
console.log(
  `\n${cpus().length} cores, Node ${process.version}, ${SIZE / 1e6} MB, ${ROUNDS} rounds, medians\n`,
);
console.log(
  "                                  MB/s   of bare   CPU ms   most memory   more than before   target",
);
let yardstick = 1;
for (const it of rows) {
  if (it.under === bare) yardstick = throughput(it);
  const most = Math.max(...it.rss);
  const cells = [
    throughput(it).toFixed(0).padStart(8),
    `${((100 * throughput(it)) / yardstick).toFixed(0).padStart(8)} %`,
    (median(it.cpu) / 1_000).toFixed(0).padStart(9),
    `${(most / 1e6).toFixed(0).padStart(10)} MB`,
    `${((most - before.get(it.under)!) / 1e6).toFixed(0).padStart(15)} MB`,
  ];
  console.log(`${it.name.padEnd(30)}${cells.join("")}   ${it.target}`);
}
for (const { child } of [bare, app]) child.disconnect();
await new Promise((done) => app.child.once("exit", done));
rmSync(data, { recursive: true, force: true });

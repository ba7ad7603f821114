import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openMemory, prepare } from "../src/memory.ts";
import { readEnvironment } from "#platform/environment";
import { openLog } from "#platform/log";
import { fill, MIGRATIONS, openHouse, shared } from "../src/app.ts";
import { openApp } from "../src/doors.ts";
import { builtPages } from "../src/build.ts";
import { DEMO_PASSWORD, readSecrets } from "../src/secrets.ts";
import { answerCpu } from "./cpu.ts";
import { fillMuch, whoWrites } from "./much.ts";

/** The whole server as in production, durable, with the demo community. */
const port = process.env["BENCH_PORT"]!;
const environment = readEnvironment({
  NODE_ENV: "production",
  KITH_SEED: "demo",
  LOG_LEVEL: "error",
  PORT: port,
  KITH_URL: `http://127.0.0.1:${port}`,
  // Each sign-in comes from another address: the rate limit per address is not measured.
  KITH_TRUST_PROXY: "1",
  // Counters and caches of API clients use it, if this is set.
  REDIS_URL: process.env["BENCH_REDIS_URL"],
  KITH_DATA: process.env["BENCH_DATA"] ?? mkdtempSync(join(tmpdir(), "kith-bench-")),
});
const log = openLog("error");
const memory = await openMemory(environment, () => {});
await prepare(memory, MIGRATIONS, () => {}, log);
const secrets = readSecrets(environment);
const given = { environment, memory, secrets, log, redis: await shared({ environment, secrets, log }) };
const house = openHouse(given);
await fill(house, DEMO_PASSWORD, () => {});
// The rate limit per person is not measured either.
await house.database.pool.query(
  "insert into settings (key, value, changed_at) values ('writingLimits', 'false', now()) on conflict do nothing",
);
await fillMuch(house.database.pool);
const writing = await whoWrites(house.database.pool);
const build = await builtPages();
const app = await openApp(house, { ...given, build });
await app.server.listen({ port: environment.port, host: "127.0.0.1" });
// The demo content is indexed for search after the start: that is not measured.
const { filing } = house.search;
const isFiled = async () => {
  const progress = await filing.progress();
  return progress.length > 0 && progress.every(({ finished }) => finished) && (await filing.waiting()) === 0;
};
while (!(await isFiled())) await setTimeout(100);
const { appId, serverKey } = given.secrets;
answerCpu(() => app.close().then(memory.stop), { writing, appId, serverKey, connection: memory.connection }, environment.dataDir);

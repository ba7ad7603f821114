import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openDatabaseServer, prepareDatabase } from "../src/app/open-database.ts";
import { readEnvironment } from "#platform/environment";
import { createLog } from "#platform/log";
import { seedDemoIfEmpty, MIGRATIONS, createAppContext, connectSharedRedis } from "../src/app/app.ts";
import { createHttpApp } from "../src/app/http-server.ts";
import { loadWebBuild } from "../src/app/web-build.ts";
import { DEMO_PASSWORD, readSecrets } from "../src/app/secrets.ts";
import { reportUsage } from "./cpu.ts";
import { fillLargeCommunity, listWriters } from "./large-community.ts";

/** Starts the whole server as in production, with durable commits and the demo community. */
const port = process.env["BENCH_PORT"]!;
const environment = readEnvironment({
  NODE_ENV: "production",
  KITH_SEED: "demo",
  LOG_LEVEL: "error",
  PORT: port,
  KITH_URL: `http://127.0.0.1:${port}`,
  // Each sign-in comes from another address, which keeps the rate limit per address out of the measurement.
  KITH_TRUST_PROXY: "1",
  // Counters and caches of API clients use this Redis, if it is set.
  REDIS_URL: process.env["BENCH_REDIS_URL"],
  KITH_DATA: process.env["BENCH_DATA"] ?? mkdtempSync(join(tmpdir(), "kith-bench-")),
});
const log = createLog("error");
const databaseServer = await openDatabaseServer(environment, () => {});
await prepareDatabase(databaseServer, MIGRATIONS, () => {}, log);
const secrets = readSecrets(environment);
const given = {
  environment,
  databaseServer,
  secrets,
  log,
  redis: await connectSharedRedis({ environment, secrets, log }),
};
const app = createAppContext(given);
await seedDemoIfEmpty(app, DEMO_PASSWORD, () => {});
// Turns off the rate limits for writing, so that they are not measured either.
await app.database.pool.query(
  "insert into settings (key, value, changed_at) values ('writingLimits', 'false', now()) on conflict do nothing",
);
await fillLargeCommunity(app.database.pool);
const writers = await listWriters(app.database.pool);
const build = await loadWebBuild();
const runningApp = await createHttpApp(app, { ...given, build });
await runningApp.server.listen({ port: environment.port, host: "127.0.0.1" });
// After the start the demo content is indexed for search. The benchmark waits until that is done.
const { indexer } = app.search;
const isIndexed = async () => {
  const progress = await indexer.progress();
  return progress.length > 0 && progress.every(({ finished }) => finished) && (await indexer.waiting()) === 0;
};
while (!(await isIndexed())) await setTimeout(100);
const { appId, serverKey } = given.secrets;
reportUsage(
  () => runningApp.close().then(databaseServer.stop),
  { writing: writers, appId, serverKey, connection: databaseServer.connection },
  environment.dataDir,
);

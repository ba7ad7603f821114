import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvironment } from "#platform/environment";
import { createLog } from "#platform/log";
import { seedDemoIfEmpty, MIGRATIONS, createAppContext } from "../src/app/app.ts";
import { openDatabaseServer, prepareDatabase } from "../src/app/open-database.ts";
import { DEMO_PASSWORD, readSecrets } from "../src/app/secrets.ts";

export type Measured = { name: string; target: string; p50: number; p99: number };
export type MeasuredApp = ReturnType<typeof createAppContext>;

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

/** A row of the report: the median and the slowest hundredth of measured times. */
export const row = (name: string, target: string, taken: number[]): Measured => ({
  name,
  target,
  p50: percentile(taken, 0.5),
  p99: percentile(taken, 0.99),
});

/** Measures an app with the demo community and a database of its own, which are deleted afterwards. */
export async function measureApp<T>(name: string, measure: (app: MeasuredApp) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), `kith-bench-${name}-`));
  const environment = readEnvironment({
    NODE_ENV: "production",
    KITH_SEED: "demo",
    LOG_LEVEL: "error",
    KITH_DATA: data,
  });
  const log = createLog("error");
  const databaseServer = await openDatabaseServer(environment, () => {});
  try {
    await prepareDatabase(databaseServer, MIGRATIONS, () => {}, log);
    const app = createAppContext({ environment, databaseServer, secrets: readSecrets(environment), log });
    await seedDemoIfEmpty(app, DEMO_PASSWORD, () => {});
    const measured = await measure(app);
    await app.search.indexer.stop();
    await app.database.close();
    return measured;
  } finally {
    await databaseServer.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { readEnvironment } from "#platform/environment";
import { createLog } from "#platform/log";
import { createAppContext } from "../../src/app/app.ts";
import { readSecrets } from "../../src/app/secrets.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const { connection } = await testDatabase();
const KITH_DATA = mkdtempSync(join(tmpdir(), "kith-slow-"));
const environment = readEnvironment({ KITH_DATA });
const databaseServer = { kind: "outside" as const, connection, stop: async () => {} };
const app = createAppContext({
  environment,
  databaseServer,
  secrets: readSecrets(environment),
  log: createLog("silent"),
});
afterAll(async () => {
  await app.database.close();
  rmSync(KITH_DATA, { recursive: true, force: true });
});

test("slow queries of API clients do not delay pages", async () => {
  const slow = Array.from({ length: 40 }, () => many(app.tables.db, sql`select pg_sleep(0.4) where ${true}`));
  const waiting = Promise.all(slow);
  const first = await Promise.race([
    waiting.then(() => "programs"),
    many(app.db, sql`select 1 where ${true}`).then(() => "page"),
  ]);
  expect(first).toBe("page");
  await waiting;
});

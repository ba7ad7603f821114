import { afterAll, beforeAll, expect, test } from "vitest";
import { writeLogLine } from "#baas/logging";
import { createTestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { type TestConnection, startRealtimeServer } from "../support/realtime/sdk-connection.ts";
import { createTestTables } from "../support/realtime/table-followers.ts";
import {
  ALL_CLIENT_NAMES,
  runRealtimeSteps,
  createRealtimeClient,
} from "../support/contract/realtime-steps.ts";

const database = await testDatabase();
let line: TestConnection;
beforeAll(async () => {
  line = await startRealtimeServer(database);
});
afterAll(() => line.close());

test("published SDK receives events of every subscription and a response to every method", async () => {
  const { ada } = await createTestUsers(database);
  await createTestTables(line.tables);
  const walker = createRealtimeClient(await line.sdk(ada));
  const methods = await runRealtimeSteps([walker, walker], (kind, it) =>
    writeLogLine(line.app.logs, kind, it),
  );
  expect(methods).toEqual(ALL_CLIENT_NAMES);
}, 300_000);

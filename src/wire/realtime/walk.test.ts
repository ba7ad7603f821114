import { afterAll, beforeAll, expect, test } from "vitest";
import { logLine } from "#backend/logs";
import { createTestUsers } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { type TestConnection, openTestConnection } from "./line.fixture.ts";
import { createTestTables } from "./tables/tables.fixture.ts";
import { ALL_CLIENT_NAMES, walkRealtimeSteps, createWalker } from "./walk.fixture.ts";

const database = await testDatabase();
let line: TestConnection;
beforeAll(async () => {
  line = await openTestConnection(database);
});
afterAll(() => line.close());

test("published client receives every subscription and gets an answer to every method", async () => {
  const { ada } = await createTestUsers(database);
  await createTestTables(line.tables);
  const walker = createWalker(await line.sdk(ada));
  const asked = await walkRealtimeSteps([walker, walker], (kind, it) => logLine(line.app.logs, kind, it));
  expect(asked).toEqual(ALL_CLIENT_NAMES);
}, 300_000);

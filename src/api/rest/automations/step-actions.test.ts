import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createStepActions } from "./step-actions.ts";
import { startTestApi, type TestRestApi, SERVER } from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database);
});
afterAll(() => testApi.close());

test("interrupted record step creates its record exactly once, even in a new table", async () => {
  const { record } = createStepActions(testApi.app, null);
  const by = { personId: null, server: true, cause: database.runtime.newId() };
  const act = {
    act: "create",
    table: "Sheds",
    objectId: database.runtime.newId(),
    values: { name: "north" },
    again: true,
  } as const;
  for (const _time of [1, 2])
    expect(await record(by, act)).toMatchObject({ objectId: act.objectId, name: "north" });
  expect(await testApi.sdk(SERVER).Data.of("Sheds").find()).toHaveLength(1);
});

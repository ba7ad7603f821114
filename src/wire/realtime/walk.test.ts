import { afterAll, beforeAll, expect, test } from "vitest";
import { said } from "#backend/logs";
import { cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { type Line, openLine } from "./line.fixture.ts";
import { furnish } from "./tables/tables.fixture.ts";
import { ALL, walkAlong, walkerOf } from "./walk.fixture.ts";

const database = await testDatabase();
let line: Line;
beforeAll(async () => {
  line = await openLine(database);
});
afterAll(() => line.close());

test("published client receives every subscription and gets an answer to every method", async () => {
  const { ada } = await cast(database);
  await furnish(line.tables);
  const walker = walkerOf(await line.sdk(ada));
  const asked = await walkAlong([walker, walker], (kind, it) => said(line.house.logs, kind, it));
  expect(asked).toEqual(ALL);
}, 300_000);

import { afterAll, beforeAll, expect, test } from "vitest";
import { setConfig } from "#backend/tables";
import { makeRole } from "#community/people";
import { OPERATOR } from "#community/rules";
import { testDatabase } from "../../../../test/setup/database.ts";
import { furnish } from "../data.fixture.ts";
import { ASKING } from "./asking.fixture.ts";
import { ROLES } from "./roles.fixture.ts";
import { REMOVING, SAVING } from "./tables.fixture.ts";
import { USERS } from "./users.fixture.ts";
import { any, openWalk, step, type Walk } from "./walk.fixture.ts";

/** Each finds what those before it have left. */
const LINES = { ...USERS, ...ROLES, ...SAVING, ...ASKING, ...REMOVING };

const database = await testDatabase();
let walk: Walk;
beforeAll(async () => {
  walk = await openWalk(database);
});
afterAll(() => walk.close());

test("the client as it is published: what each call sends, what it makes of the answer, and what is kept", async () => {
  const { door, recorder } = walk;
  await door.set({ confirmAddress: false, registrationTries: 0, accountsPerAddress: 0, apiCalls: 0, apiCallsOfPerson: 0 });
  await furnish(door.house.tables);
  await setConfig(door.house.tables, { dynamicSchema: true });
  await database.inTransaction((tx) => makeRole(tx, OPERATOR, "Editor"));
  const at = walk.at();
  for (const [name, line] of Object.entries(LINES)) await step(walk, at, name, line);
  expect(recorder.heard.filter(({ status }) => status >= 500)).toEqual([]);
  expect(recorder.heard.find(({ path }) => path.endsWith("/info"))?.answer).toMatchObject({ rtURL: any(String), loggers: any(Array) });
}, 120_000);

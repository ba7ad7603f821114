import { afterAll, beforeAll, expect, test } from "vitest";
import { setConfig } from "#backend/tables";
import { makeRole } from "#community/people";
import { OPERATOR } from "#community/rules";
import { testDatabase } from "../../../../test/setup/database.ts";
import { ROUTES } from "../index.ts";
import { openApi } from "../../docs/openapi.ts";
import { endpointsOf } from "../../docs/endpoints.ts";
import { furnish } from "../data.fixture.ts";
import { ASKING } from "./asking.fixture.ts";
import { DOING, MESSAGING } from "./doing.fixture.ts";
import { FILES } from "./files.fixture.ts";
import { descriptionOf } from "./description.fixture.ts";
import { HIVES, SORTED } from "./hives.fixture.ts";
import { CACHE, COUNTERS } from "./keeping.fixture.ts";
import { MANAGING, RESET } from "./managing.fixture.ts";
import { AUTOMATIONS, furnishReaching, REACHING } from "./reaching.fixture.ts";
import { ROLES } from "./roles.fixture.ts";
import { REMOVING, SAVING } from "./tables.fixture.ts";
import { USERS } from "./users.fixture.ts";
import { any, askedFor, type Lines, openWalk, step, type Walk } from "./walk.fixture.ts";

/** Each finds what those before it have left. */
const LINES: Lines = {
  ...USERS,
  ...ROLES,
  ...SAVING,
  ...ASKING,
  ...REMOVING,
  ...COUNTERS,
  ...CACHE,
  ...HIVES,
  ...SORTED,
  ...FILES,
  ...MESSAGING,
  ...REACHING,
  ...DOING,
  ...AUTOMATIONS,
  ...MANAGING,
  ...RESET,
};

const database = await testDatabase();
const { asked, stop } = askedFor();
let walk: Walk;
beforeAll(async () => {
  walk = await openWalk(database);
});
afterAll(async () => {
  stop();
  await walk.close();
});

test("the client as it is published: what each call sends, what it makes of the answer, and what is kept", async () => {
  const { door, recorder } = walk;
  await door.set({ confirmAddress: false, registrationTries: 0, accountsPerAddress: 0, apiCalls: 0, apiCallsOfPerson: 0 });
  await furnish(door.house.tables);
  await setConfig(door.house.tables, { dynamicSchema: true });
  await database.inTransaction((tx) => makeRole(tx, OPERATOR, "Editor"));
  walk.store.knows("products", "gold", "bought", { purchaseState: 0, orderId: "GPA.1" });
  walk.store.knows("subscriptions", "monthly", "held", { autoRenewing: true, expiryTimeMillis: String(Date.parse("2030-01-01")) });
  const at = walk.at();
  await furnishReaching(at);
  for (const [name, line] of Object.entries(LINES)) await step(walk, at, name, line);
  expect(recorder.heard.filter(({ status }) => status >= 500)).toEqual([]);
  expect(recorder.heard.find(({ path }) => path.endsWith("/info"))?.answer).toMatchObject({ rtURL: any(String), loggers: any(Array) });
}, 300_000);

test("no call of the documentation is passed by, and none is made that is not in it", () => {
  const named = (calls: Parameters<typeof endpointsOf>[0]) =>
    [...new Set(endpointsOf(calls).map(({ method, path }) => `${method} ${path}`))].toSorted();
  expect(named(asked)).toEqual(named(ROUTES));
});

test("what was sent and what was answered is what the description for programs says", () => {
  const { services } = walk.door.house;
  const says = descriptionOf(openApi({ base: "http://kith.test/app/key", services: services.all(), endpoints: endpointsOf(ROUTES) }));
  const [faults, compared] = [[] as unknown[], new Set<string>()];
  for (const { method, path: url, status, body, answer } of walk.recorder.heard) {
    const it = asked.find((call) => call.method === method && call.url === url);
    // Services stand in the description one by one, each with a schema of its own.
    if (!it || status >= 300 || it.path.startsWith("/services/")) continue;
    const { path } = endpointsOf([it])[0]!;
    const wrong = [...says.sent(method, path, body), ...says.answered(method, path, answer)];
    if (wrong.length > 0) faults.push({ call: `${method} ${path}`, wrong, body, answer });
    compared.add(`${method} ${path}`);
  }
  expect(faults).toEqual([]);
  expect(compared.size).toBeGreaterThan(200);
});

import { expect } from "vitest";
import { setConfig } from "#backend/tables";
import { makeRole } from "#community/people";
import { OPERATOR } from "#community/rules";
import { endpointsOf } from "../../docs/endpoints.ts";
import { openApi } from "../../docs/openapi.ts";
import { furnish } from "../data.fixture.ts";
import { ROUTES } from "../index.ts";
import type { Asked } from "./asked.fixture.ts";
import { ASKING } from "./asking.fixture.ts";
import { descriptionOf } from "./description.fixture.ts";
import { DOING, MESSAGING } from "./doing.fixture.ts";
import { FILES } from "./files.fixture.ts";
import { HIVES, SORTED } from "./hives.fixture.ts";
import { CACHE, COUNTERS } from "./keeping.fixture.ts";
import { MANAGING, RESET } from "./managing.fixture.ts";
import { PLAIN } from "./plain.fixture.ts";
import { AUTOMATIONS, furnishReaching, REACHING } from "./reaching.fixture.ts";
import { ROLES } from "./roles.fixture.ts";
import { REMOVING, SAVING } from "./tables.fixture.ts";
import { USERS } from "./users.fixture.ts";
import { aKindOf, type Lines, step, type Walk } from "./walk.fixture.ts";

/** Each step finds what the previous ones left. */
const LINES: Lines = {
  ...USERS,
  ...ROLES,
  ...SAVING,
  ...ASKING,
  ...PLAIN,
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

/** Creates the data the walk starts from. */
export async function furnishWalk({ door, store }: Walk): Promise<void> {
  const { database, tables } = door.house;
  await door.set({ confirmAddress: false, registrationTries: 0, accountsPerAddress: 0, apiCalls: 0, apiCallsOfPerson: 0 });
  await furnish(tables);
  await setConfig(tables, { dynamicSchema: true });
  await database.inTransaction((tx) => makeRole(tx, OPERATOR, "Editor"));
  store.knows("products", "gold", "bought", { purchaseState: 0, orderId: "GPA.1" });
  store.knows("subscriptions", "monthly", "held", { autoRenewing: true, expiryTimeMillis: String(Date.parse("2030-01-01")) });
  await furnishReaching(door.house);
}

/** Runs every step in order: request, result in the client, database content. */
export async function walkAlong(walk: Walk): Promise<void> {
  const { heard } = walk.recorder;
  const at = walk.begin();
  for (const [name, line] of Object.entries(LINES)) await step(walk, at, name, line);
  expect(heard.find(({ path }) => path.endsWith("/info"))?.answer).toMatchObject({ rtURL: aKindOf(String), loggers: aKindOf(Array) });
}

/** Unique endpoints of a list, named as in the documentation. */
export const named = (calls: Parameters<typeof endpointsOf>[0]) =>
  [...new Set(endpointsOf(calls).map(({ method, path }) => `${method} ${path}`))].toSorted();

/**
 * Compares recorded requests and answers with the OpenAPI document: mismatches, and the number of calls
 * compared.
 */
export function comparedWithDescription({ door, recorder }: Walk, asked: Asked[]): { faults: unknown[]; calls: number } {
  const { services } = door.house;
  const says = descriptionOf(openApi({ base: "http://kith.test/app/key", services: services.all(), endpoints: endpointsOf(ROUTES) }));
  const [faults, compared] = [[] as unknown[], new Set<string>()];
  for (const { method, path: url, status, body, answer } of recorder.heard) {
    const it = asked.find((call) => call.method === method && call.url === url);
    // Services are documented individually, each with its own schema.
    if (!it || status >= 300 || it.path.startsWith("/services/")) continue;
    const { path } = endpointsOf([it])[0]!;
    const wrong = [...says.sent(method, path, body), ...says.answered(method, path, answer)];
    if (wrong.length > 0) faults.push({ call: `${method} ${path}`, wrong, body, answer });
    compared.add(`${method} ${path}`);
  }
  return { faults, calls: compared.size };
}

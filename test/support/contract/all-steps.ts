import { expect } from "vitest";
import { changeDataConfig } from "#baas/data";
import { createRole } from "#community/accounts";
import { OPERATOR } from "#community/rules";
import { formatPath } from "../../../src/api/openapi/describe-endpoint.ts";
import { buildOpenApi } from "../../../src/api/openapi/openapi.ts";
import { createTestTables } from "../rest/data-rows.ts";
import type { RecordedRequest } from "./recorded-calls.ts";
import { QUERY_STEPS } from "./query-steps.ts";
import { createOpenApiCheck } from "./openapi-check.ts";
import { ACTION_STEPS, MESSAGING_STEPS } from "./action-steps.ts";
import { FILE_STEPS } from "./file-steps.ts";
import { HIVE_STEPS, SORTED_SET_STEPS } from "./hive-steps.ts";
import { CACHE_STEPS, COUNTER_STEPS } from "./counter-cache-steps.ts";
import { MANAGEMENT_STEPS, RESET_STEP } from "./management-steps.ts";
import { PLAIN_STEPS } from "./plain-steps.ts";
import { AUTOMATION_STEPS, createServiceFixtures, DEVICE_STEPS } from "./service-steps.ts";
import { ROLE_STEPS } from "./role-steps.ts";
import { REMOVE_STEPS, SAVE_STEPS } from "./table-steps.ts";
import { USER_STEPS } from "./user-steps.ts";
import { anyOfType, type ContractSteps, runContractStep, type ContractRun } from "./contract-run.ts";

/** Each step uses data that previous steps have created. */
const ALL_STEPS: ContractSteps = {
  ...USER_STEPS,
  ...ROLE_STEPS,
  ...SAVE_STEPS,
  ...QUERY_STEPS,
  ...PLAIN_STEPS,
  ...REMOVE_STEPS,
  ...COUNTER_STEPS,
  ...CACHE_STEPS,
  ...HIVE_STEPS,
  ...SORTED_SET_STEPS,
  ...FILE_STEPS,
  ...MESSAGING_STEPS,
  ...DEVICE_STEPS,
  ...ACTION_STEPS,
  ...AUTOMATION_STEPS,
  ...MANAGEMENT_STEPS,
  ...RESET_STEP,
};

/** Creates the data with which the contract test starts. */
export async function prepareContractRun({ testApi, store }: ContractRun): Promise<void> {
  const { database, tables } = testApi.app;
  await testApi.set({
    confirmAddress: false,
    registrationTries: 0,
    accountsPerAddress: 0,
    apiCalls: 0,
    apiCallsOfPerson: 0,
  });
  await createTestTables(tables);
  await changeDataConfig(tables, { dynamicSchema: true });
  await database.inTransaction((tx) => createRole(tx, OPERATOR, "Editor"));
  store.knows("products", "gold", "bought", { purchaseState: 0, orderId: "GPA.1" });
  store.knows("subscriptions", "monthly", "held", {
    autoRenewing: true,
    expiryTimeMillis: String(Date.parse("2030-01-01")),
  });
  await createServiceFixtures(testApi.app);
}

/** Runs every step in order, and checks the request, the client's result and the database content. */
export async function runRestSteps(walk: ContractRun): Promise<void> {
  const { recordedCalls } = walk.recorder;
  const at = walk.begin();
  for (const [name, line] of Object.entries(ALL_STEPS)) await runContractStep(walk, at, name, line);
  expect(recordedCalls.find(({ path }) => path.endsWith("/info"))?.answer).toMatchObject({
    rtURL: anyOfType(String),
    loggers: anyOfType(Array),
  });
}

/** Returns the unique endpoints of a list, named as in the documentation. */
export const uniqueEndpoints = (calls: readonly Pick<RecordedRequest, "method" | "path">[]) =>
  [...new Set(calls.map(({ method, path }) => `${method} ${formatPath(path)}`))].toSorted();

/**
 * Compares recorded requests and answers with the OpenAPI document. Returns the mismatches and the number of
 * calls compared.
 */
export function compareWithOpenApi(
  { testApi, recorder }: ContractRun,
  requests: RecordedRequest[],
): { faults: unknown[]; calls: number } {
  const { services } = testApi.app;
  const openApiCheck = createOpenApiCheck(
    buildOpenApi({ base: "http://kith.test/app/key", services: services.all() }),
  );
  const [faults, compared] = [[] as unknown[], new Set<string>()];
  for (const { method, path: url, status, body, answer } of recorder.recordedCalls) {
    const it = requests.find((call) => call.method === method && call.url === url);
    // Services are skipped: each has a schema of its own in the documentation.
    if (!it || status >= 300 || it.path.startsWith("/services/")) continue;
    const path = formatPath(it.path);
    const wrong = [...openApiCheck.sent(method, path, body), ...openApiCheck.answered(method, path, answer)];
    if (wrong.length > 0) faults.push({ call: `${method} ${path}`, wrong, body, answer });
    compared.add(`${method} ${path}`);
  }
  return { faults, calls: compared.size };
}

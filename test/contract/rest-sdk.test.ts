import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../support/setup/test-database.ts";
import { captureLog } from "../support/log/captured-log.ts";
import { findSecrets } from "../support/log/secrets-in-log.ts";
import { ENDPOINTS } from "../../src/api/rest/index.ts";
import { CLIENT, PASSWORD, SERVER } from "../support/rest/rest-server.ts";
import { type RecordedRequest, recordRequests } from "../support/contract/recorded-calls.ts";
import { NOW, startContractSession, type ContractRun } from "../support/contract/contract-run.ts";
import {
  compareWithOpenApi,
  prepareContractRun,
  uniqueEndpoints,
  runRestSteps,
} from "../support/contract/all-steps.ts";

const database = await testDatabase();
const { log, text } = captureLog();
const requests: RecordedRequest[] = [];
const stop = recordRequests((it) => requests.push(it));
let walk: ContractRun;
beforeAll(async () => {
  walk = await startContractSession(database, undefined, log);
});
afterAll(async () => {
  stop();
  await walk.close();
});

test("published SDK sends the expected requests, parses the responses and stores the expected data", async () => {
  database.clock.at = NOW;
  await prepareContractRun(walk);
  await runRestSteps(walk);
  expect(walk.recorder.recordedCalls.filter(({ status }) => status >= 500)).toEqual([]);
}, 300_000);

test("log contains no key, token, password or address from the calls", () => {
  const allCalls = JSON.stringify(walk.recorder.recordedCalls);
  const tokens = [...allCalls.matchAll(/"(?:user-token|userToken|token)":"([^"]{16,})"/g)].map(
    ([, token]) => token!,
  );
  expect(tokens.length).toBeGreaterThan(2);
  expect(findSecrets(text(), [CLIENT, SERVER, PASSWORD, ...tokens])).toEqual([]);
  expect(text()).not.toContain("already sent");
});

test("contract test covers every documented endpoint and calls no other", () => {
  expect(uniqueEndpoints(requests)).toEqual(uniqueEndpoints(ENDPOINTS));
});

test("requests and responses match the OpenAPI document", () => {
  const { faults, calls } = compareWithOpenApi(walk, requests);
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(200);
});

import { afterAll, beforeAll, beforeEach } from "vitest";
import { changeAutomation, listRuns, createAutomation } from "#baas/automations";
import { testDatabase } from "../setup/test-database.ts";
import { createEventDeliverer, createStepRunner } from "./automation-steps.ts";
import { startTestApi, PASSWORD, type TestRestApi, SERVER } from "./rest-server.ts";
import { signIn } from "#community/accounts";

/** Setup for tests of automations with the published client: an API, callers and automations. */
export const database = await testDatabase();
export let testApi: TestRestApi;
export let stepRunner: ReturnType<typeof createStepRunner>;
export let deliverEvents: ReturnType<typeof createEventDeliverer>;
beforeAll(async () => {
  testApi = await startTestApi(database);
  stepRunner = createStepRunner(testApi.app);
  deliverEvents = createEventDeliverer(testApi.app);
});
afterAll(() => testApi.close());
beforeEach(() => testApi.forget());

export const catchFault = (work: Promise<unknown>) =>
  work.then(
    (it) => ({ answered: it }),
    ({ code, message, status }: { code: number; message: string; status: number }) => ({
      code,
      message,
      status,
    }),
  );

export async function createTestAutomation(name: string, definition: object) {
  const id = await createAutomation(testApi.app.flows, {
    name,
    definition: { triggers: [{ kind: "call", name: "call" }], ...definition },
  });
  await changeAutomation(testApi.app.flows, id, { enabled: true });
  testApi.app.flows.watched.forget();
  return id;
}

/** Creates a person with an app session, and the published client that acts as this person. */
export async function signInPerson(username: string, more: object = {}) {
  const id = await testApi.member(username, more);
  const from = { address: "203.0.113.7", userAgent: "a test", acceptLanguage: "en" };
  const signedIn = await signIn(testApi.app, { login: username, password: PASSWORD }, from, "api");
  if (signedIn.kind !== "signed-in") throw new Error(`${username} could not sign in`);
  const sdk = testApi.sdk();
  sdk.LocalCache.set("user-token", signedIn.session.token);
  return { id, sdk };
}

export type Sdk = ReturnType<TestRestApi["sdk"]>;
/** Methods for answers and execution contexts that are missing in the client's types. */
type SdkAutomations = {
  activateFlow: (name: string, data?: object) => Promise<{ executionId: string }>;
  activateFlowById: (id: string, data?: object) => Promise<{ executionId: string }>;
  activateFlowTrigger: (
    flow: string,
    trigger: string,
    data?: object,
  ) => Promise<{ executionId: string; executionIds: string[] }>;
  activateFlowTriggerById: (
    flow: string,
    trigger: string,
    data?: object,
    execution?: string,
  ) => Promise<{ executionIds: string[] }>;
  loadFlowExecutionContext: (id: string) => Promise<Record<string, unknown>>;
};
export const automationsClient = (sdk: Sdk) => sdk.Automations as unknown as SdkAutomations;

export const listRunRows = async (id: string) => (await listRuns(testApi.app.flows, id)).rows;
export const listTableRows = (table: string) =>
  testApi.sdk(SERVER).Data.of(table).find<Record<string, unknown>>();

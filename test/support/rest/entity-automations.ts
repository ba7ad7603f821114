import { afterAll, beforeAll, beforeEach } from "vitest";
import { changeAutomation, listRuns, createAutomation, getRun } from "#baas/automations";
import { type TestUsers, createTestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import { createEventDeliverer, createStepRunner } from "./automation-steps.ts";
import { startTestApi, type TestRestApi } from "./rest-server.ts";

/**
 * Setup for an app whose automations receive community events. Events are delivered and steps run only when
 * a test asks for it.
 */
export const database = await testDatabase();
export let testApi: TestRestApi;
export let people: TestUsers;
export let runSteps: ReturnType<typeof createStepRunner>;
export let deliverEvents: ReturnType<typeof createEventDeliverer>;
export const mails: { to: string; subject: string }[] = [];
beforeAll(async () => {
  testApi = await startTestApi(database);
  runSteps = createStepRunner(
    testApi.app,
    async (_tx, _by, { to, subject }) => void mails.push({ to, subject }),
  );
  deliverEvents = createEventDeliverer(testApi.app);
});
afterAll(() => testApi.close());
beforeEach(async () => {
  testApi.forget();
  people = await createTestUsers(database);
  mails.length = 0;
});

let automationCount = 0;
/** Creates an enabled automation and returns its id. */
export async function createTestAutomation(definition: object): Promise<string> {
  const id = await createAutomation(testApi.app.flows, { name: `flow ${++automationCount}`, definition });
  await changeAutomation(testApi.app.flows, id, { enabled: true });
  testApi.app.flows.watched.forget();
  return id;
}

type TriggerOptions = { events?: string[]; where?: string; starts?: boolean };
export const tableTrigger = (table: string, more: TriggerOptions = {}) => ({
  kind: "table",
  name: "it",
  table,
  ...more,
});
export const listenToTable = (table: string, more: TriggerOptions = {}, definition: object = {}) =>
  createTestAutomation({ triggers: [tableTrigger(table, more)], ...definition });

type RunTrigger = { event: string; table: string; record: Record<string, unknown> };
/** Returns the triggers of an automation's runs, oldest run first. */
export async function listRunTriggers(id: string): Promise<RunTrigger[]> {
  const { rows } = await listRuns(testApi.app.flows, id);
  const runs = await Promise.all(rows.map((row) => getRun(testApi.app.flows, row.id)));
  return runs.toReversed().map(({ context }) => (context["trigger"] as { data: RunTrigger }).data);
}
export const listTriggerEvents = async (id: string) =>
  (await listRunTriggers(id)).map(({ event, record }) => [event, record["objectId"]]);

import { createMessagingContext } from "#baas/messaging";
import { createLogStore } from "#baas/logging";
import { createDataTableStore } from "#baas/data";
import type { Database } from "#platform/database";
import { createLog } from "#platform/log";
import type { TestDatabase } from "./setup/test-database.ts";
import {
  activateAutomation,
  changeAutomation,
  type AutomationFunctions,
  type EntityTriggers,
  createAutomation,
  createAutomationContext,
  getRun,
  listRunSteps,
} from "../../src/baas/automations/index.ts";
import { runNextStep } from "../../src/baas/automations/runs/run-executor.ts";

const NO_ENTITIES: EntityTriggers = { events: {}, changesIn: () => [], read: async () => null };

export const TRUSTED_STARTER = { personId: null, roles: [], server: true, trusted: true };

/** Creates host functions that record their calls and return the result of `answer`. */
export function createRecordingFunctions(answer: (name: string, asked: unknown) => unknown = () => null) {
  const calls: { name: string; by: unknown; what: unknown }[] = [];
  const hand = (name: string) => async (by: unknown, what: unknown) => {
    calls.push({ name, by, what });
    return answer(name, what);
  };
  const hands: AutomationFunctions = {
    call: hand("call"),
    publish: hand("publish"),
    record: hand("record"),
    mail: async (_tx, by, letter) => void (await hand("mail")(by, letter)),
  };
  return { hands, calls };
}

/**
 * Automations and data tables without host functions, for tests that define and read automations but run no
 * steps.
 */
export function createTestAutomations(database: Database) {
  const tables = createDataTableStore({ database, dynamicSchema: true });
  const [channels, logs] = [createMessagingContext(database, null), createLogStore(database)];
  return {
    tables,
    flows: createAutomationContext({
      database,
      tables,
      entities: NO_ENTITIES,
      channels,
      logs,
      log: createLog("silent"),
    }),
  };
}

/** Automations on a test database whose steps run only when the test calls `work`. */
export function createAutomationTest(database: TestDatabase) {
  const { flows } = createTestAutomations(database);
  /** Creates an enabled automation and returns its id. */
  async function create(name: string, definition: object): Promise<string> {
    const id = await createAutomation(flows, {
      name,
      definition: { triggers: [{ kind: "call", name: "call" }], ...definition },
    });
    await changeAutomation(flows, id, { enabled: true });
    flows.watched.forget();
    return id;
  }
  /** Runs due steps until none is left; returns the number of steps. */
  async function work(hands: AutomationFunctions): Promise<number> {
    let n = 0;
    while (await runNextStep(flows, database.inTransaction, hands)) n++;
    return n;
  }
  const started = (id: string, data: object = {}) => activateAutomation(flows, TRUSTED_STARTER, { id }, data);
  /** Runs an automation with these steps until it ends or has to wait. */
  async function runSteps(steps: object[], data: object = {}, { hands } = createRecordingFunctions()) {
    const id = await create(`flow ${database.runtime.newId()}`, { steps });
    const runId = await started(id, data);
    await work(hands);
    const it = await getRun(flows, runId);
    return { ...it, timeline: (await listRunSteps(flows, runId)).rows };
  }
  return { flows, create, work, started, runSteps };
}

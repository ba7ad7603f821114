import { openChannels } from "#backend/channels";
import { openLogs } from "#backend/logs";
import { openTables } from "#backend/tables";
import type { Database } from "#platform/database";
import { openLog } from "#platform/log";
import type { TestDatabase } from "../../../test/setup/database.ts";
import { activateFlow, changeFlow, type Hands, type HeardNouns, makeFlow, openFlows, runBy, timelineOf } from "./index.ts";
import { doNext } from "./running.ts";

const NO_NOUNS: HeardNouns = { events: {}, changesIn: () => [], read: async () => null };

export const TRUSTED = { personId: null, roles: [], server: true, trusted: true };

/** Host functions that record their calls, and answer as the test says. */
export function recordingHands(answer: (name: string, asked: unknown) => unknown = () => null) {
  const asked: { name: string; by: unknown; what: unknown }[] = [];
  const hand = (name: string) => async (by: unknown, what: unknown) => {
    asked.push({ name, by, what });
    return answer(name, what);
  };
  const hands: Hands = {
    call: hand("call"),
    publish: hand("publish"),
    record: hand("record"),
    mail: async (_tx, by, letter) => void (await hand("mail")(by, letter)),
  };
  return { hands, asked };
}

/**
 * Automations and data tables without host functions: for tests that define and read automations but run no
 * steps.
 */
export function flowsAlone(database: Database) {
  const tables = openTables({ database, dynamicSchema: true });
  const [channels, logs] = [openChannels(database, null), openLogs(database)];
  return { tables, flows: openFlows({ database, tables, nouns: NO_NOUNS, channels, logs, log: openLog("silent") }) };
}

/** Automations on a test database, whose steps run when the test says so. */
export function flowsOn(database: TestDatabase) {
  const { flows } = flowsAlone(database);
  /** Creates an enabled automation and returns its id. */
  async function made(name: string, definition: object): Promise<string> {
    const id = await makeFlow(flows, { name, definition: { triggers: [{ kind: "call", name: "call" }], ...definition } });
    await changeFlow(flows, id, { enabled: true });
    flows.watched.forget();
    return id;
  }
  /** Runs due steps until none is left; returns how many. */
  async function work(hands: Hands): Promise<number> {
    let n = 0;
    while (await doNext(flows, database.inTransaction, hands)) n++;
    return n;
  }
  const started = (id: string, data: object = {}) => activateFlow(flows, TRUSTED, { id }, data);
  /** Runs an automation of these steps as far as it gets without waiting. */
  async function ran(steps: object[], data: object = {}, { hands } = recordingHands()) {
    const id = await made(`flow ${database.world.newId()}`, { steps });
    const runId = await started(id, data);
    await work(hands);
    const it = await runBy(flows, runId);
    return { ...it, timeline: (await timelineOf(flows, runId)).rows };
  }
  return { flows, made, work, started, ran };
}

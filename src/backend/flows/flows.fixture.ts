import { openChannels } from "#backend/channels";
import { openLogs } from "#backend/logs";
import { openTables } from "#backend/tables";
import type { Database } from "#platform/database";
import { openLog } from "#platform/log";
import type { TestDatabase } from "../../../test/setup/database.ts";
import { activateFlow, changeFlow, type Hands, type HeardNouns, makeFlow, openFlows, runBy, timelineOf } from "./index.ts";
import { doNext } from "./running.ts";

/** Nobody publishes tables. */
const NO_NOUNS: HeardNouns = { events: {}, changesIn: () => [], read: async () => null };

/** Who is trusted with everything. */
export const TRUSTED = { personId: null, roles: [], server: true, trusted: true };

/** Hands that write down what they are asked for, and answer with what a test says. */
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

/** Flows and tables without doors: whoever has them makes flows and looks at them, and does no steps. */
export function flowsAlone(database: Database) {
  const tables = openTables({ database, dynamicSchema: true });
  const [channels, logs] = [openChannels(database, null), openLogs(database)];
  return { tables, flows: openFlows({ database, tables, nouns: NO_NOUNS, channels, logs, log: openLog("silent") }) };
}

/** Flows on a test's database, whose steps are done when a test says so. */
export function flowsOn(database: TestDatabase) {
  const { flows } = flowsAlone(database);
  /** A flow that is switched on; its id. */
  async function made(name: string, definition: object): Promise<string> {
    const id = await makeFlow(flows, { name, definition: { triggers: [{ kind: "call", name: "call" }], ...definition } });
    await changeFlow(flows, id, { enabled: true });
    flows.watched.forget();
    return id;
  }
  /** Does what is due until nothing is; how many steps that took. */
  async function work(hands: Hands): Promise<number> {
    let n = 0;
    while (await doNext(flows, database.inTransaction, hands)) n++;
    return n;
  }
  const started = (id: string, data: object = {}) => activateFlow(flows, TRUSTED, { id }, data);
  /** Runs a flow of these steps to where it comes by itself. */
  async function ran(steps: object[], data: object = {}, { hands } = recordingHands()) {
    const id = await made(`flow ${database.world.newId()}`, { steps });
    const runId = await started(id, data);
    await work(hands);
    const it = await runBy(flows, runId);
    return { ...it, timeline: (await timelineOf(flows, runId)).rows };
  }
  return { flows, made, work, started, ran };
}

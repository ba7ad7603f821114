import { maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Definition } from "./automation-definition.ts";
import type { Trigger } from "./trigger-schemas.ts";
import type { Automations } from "./automations.ts";
import { type Automation, getAutomation } from "./manage-automations.ts";
import { startRun } from "./runs/start-run.ts";
import { type Execution, wakeRuns } from "./runs/wake-runs.ts";

/**
 * The caller who starts a run: a person or null, and their roles. `trusted` (the server key or an admin)
 * allows everything.
 */
export type RunStarter = {
  personId: string | null;
  roles: readonly string[];
  server: boolean;
  trusted: boolean;
};

const canStart = ({ who, roles }: Definition, by: RunStarter): boolean =>
  by.trusted ||
  who === "everyone" ||
  (who === "members" && by.roles.includes("AuthenticatedUser")) ||
  (who === "roles" && by.roles.some((role) => roles.includes(role)));

/**
 * Returns an automation that the caller may start.
 * @throws `not-found` if it is missing, or the caller may not start it
 */
async function getStartableAutomation(
  flows: Automations,
  by: RunStarter,
  wanted: { id: string } | { name: string },
): Promise<Automation> {
  const flow = await getAutomation(flows, wanted);
  if (canStart(flow.definition, by)) return flow;
  throw new Refusal(
    "not-found",
    msg("There is no automation ''{name}''.", {
      name: ("id" in wanted ? wanted.id : wanted.name).slice(0, 100),
    }),
    {
      kind: "flow-not-found",
    },
  );
}

const startByTrigger = (
  flows: Automations,
  by: RunStarter,
  flow: Automation,
  trigger: Trigger,
  data: unknown,
  cause: string | null,
): Promise<string> =>
  flows.inTransaction(async (tx) => {
    const { personId, server } = by;
    return (await startRun(flows, tx, { flowId: flow.id, trigger, data, personId, server, cause }))!;
  });

/**
 * Starts an automation by its first call trigger and returns the run id.
 * @throws `not-found`, `conflict` if it is disabled or has no call trigger, `too-large`, `too-many`
 */
export async function activateAutomation(
  flows: Automations,
  by: RunStarter,
  wanted: { id: string } | { name: string },
  data: unknown,
  cause: string | null = null,
): Promise<string> {
  const flow = await getStartableAutomation(flows, by, wanted);
  const trigger = flow.definition.triggers.find(({ kind, starts }) => kind === "call" && starts);
  if (!trigger)
    throw new Refusal(
      "conflict",
      msg("The automation ''{flow}'' has no trigger that a call can start.", { flow: flow.name }),
      {
        kind: "flow-not-called",
      },
    );
  return startByTrigger(flows, by, flow, trigger, data, cause);
}

type Activation = {
  flow: { id: string } | { name: string };
  trigger: { id: string } | { name: string };
  data: unknown;
  execution?: string;
};

/**
 * Calls a trigger, which starts a run. If the trigger starts none, or `execution` is given, waiting runs are
 * woken instead: `any` (the longest waiting), `all`, or one id. Returns the ids of the runs.
 * @throws as `activateAutomation` does; `not-found` for an unknown or uncallable trigger, `conflict` if no
 * run waits for it
 */
export async function activateTrigger(
  flows: Automations,
  by: RunStarter,
  activation: Activation,
  cause: string | null = null,
): Promise<string[]> {
  const flow = await getStartableAutomation(flows, by, activation.flow);
  const trigger = await getTrigger(flows, by, flow, activation.trigger);
  if (activation.execution === undefined && trigger.starts)
    return [await startByTrigger(flows, by, flow, trigger, activation.data, cause)];
  if (!flow.enabled)
    throw new Refusal("conflict", msg("The automation ''{name}'' is off.", { name: flow.name }), {
      kind: "flow-off",
    });
  const execution = parseExecution(activation.execution ?? "any");
  const woken = await flows.inTransaction((tx) =>
    wakeRuns(flows, tx, { flowId: flow.id, trigger: trigger.name, data: activation.data, execution }),
  );
  if (woken.length > 0 || execution === "all") return woken;
  throw new Refusal(
    "conflict",
    msg("No run of the automation ''{name}'' is waiting for the trigger ''{trigger}''.", {
      name: flow.name,
      trigger: trigger.name,
    }),
    {
      kind: "nothing-waits",
    },
  );
}

const parseExecution = (text: string): Execution => (text === "any" || text === "all" ? text : { id: text });

/**
 * Finds a trigger by name or id. Only trusted callers can call table, channel and schedule triggers, to test
 * them.
 */
async function getTrigger(
  { db }: Automations,
  by: RunStarter,
  flow: Automation,
  wanted: Activation["trigger"],
): Promise<Trigger> {
  const named = "name" in wanted ? wanted.name : await getTriggerName(db, flow.id, wanted.id);
  const trigger = flow.definition.triggers.find(({ name }) => name === named);
  if (trigger && (trigger.kind === "call" || by.trusted)) return trigger;
  throw new Refusal(
    "not-found",
    msg("The automation ''{flow}'' has no trigger ''{name}''.", {
      flow: flow.name,
      name: ("name" in wanted ? wanted.name : wanted.id).slice(0, 100),
    }),
    {
      kind: "trigger-not-found",
    },
  );
}

const getTriggerName = async (db: Automations["db"], flowId: string, id: string): Promise<string> =>
  (isId(id)
    ? (
        await maybeOne(
          db,
          sql<{
            name: string;
          }>`select name from automation_triggers where flow_id = ${flowId} and id = ${id}`,
        )
      )?.name
    : undefined) ?? id;

import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { Definition } from "./automation-definition.ts";
import type { Automations } from "./automations.ts";
import { startRun } from "./runs/start-run.ts";
import type { Trigger } from "./trigger-schemas.ts";
import { wakeRuns } from "./runs/wake-runs.ts";
import type { ActiveTrigger } from "./trigger-registry.ts";

/**
 * Input for automations: the data, the run that caused it, and a key by which repetitions are recognized.
 * With `rights`, only runs that have the rights with which the data was read may receive the data.
 */
export type TriggerInput = {
  data: unknown;
  cause: string | null;
  sourceEvent: string | null;
  rights?: Definition["rights"];
};

/**
 * Delivers a trigger to one automation. If the automation refuses to start, the refusal is logged, and other
 * automations are not affected.
 */
export async function deliverToAutomation(
  flows: Automations,
  { flowId, trigger }: Pick<ActiveTrigger, "flowId" | "trigger">,
  input: TriggerInput,
): Promise<void> {
  try {
    await flows.inTransaction((tx) => startOrWakeRun(flows, tx, flowId, trigger, input));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    flows.log.warn(
      { flowId, trigger: trigger.name, reason: error.reason, kind: error.kind },
      "an automation could not start",
    );
  }
}

export const startOrWakeRun = (
  flows: Automations,
  tx: Tx,
  flowId: string,
  trigger: Trigger,
  { data, rights, ...source }: TriggerInput,
): Promise<unknown> =>
  trigger.starts
    ? startRun(flows, tx, { flowId, trigger, data, personId: null, server: false, rights, ...source })
    : wakeRuns(flows, tx, { flowId, trigger: trigger.name, data, execution: "all", rights });

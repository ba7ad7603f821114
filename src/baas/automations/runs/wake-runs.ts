import { limit, many, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { parseTrustedJson } from "#platform/json";
import { Refusal } from "#platform/refusal";
import { AUTOMATION_LIMITS } from "../automation-limits.ts";
import { meetsCondition } from "./run-conditions.ts";
import { loopVariables, findNextStep, type RunPosition } from "./run-cursor.ts";
import type { Definition } from "../automation-definition.ts";
import type { Automations } from "../automations.ts";
import { assertJsonSize } from "../json-limits.ts";

/** Which waiting runs to wake: the longest waiting one, all, or one by id. */
export type Execution = "any" | "all" | { id: string };

/** `rights`: the rights with which the data was read; if given, only runs with the same rights receive it. */
type WakeInput = {
  flowId: string;
  trigger: string;
  data: unknown;
  execution: Execution;
  rights?: Definition["rights"] | undefined;
};
type WaitingRun = { id: string; position: string; context: string; definition: string };

/**
 * Wakes runs that wait for a trigger and whose condition its data meets; returns their ids. Runs that begin
 * to wait later do not get the data.
 */
export async function wakeRuns(
  flows: Pick<Automations, "planners">,
  tx: Tx,
  { flowId, trigger, data, execution, rights }: WakeInput,
): Promise<string[]> {
  const brought = assertJsonSize(data ?? {}, AUTOMATION_LIMITS.data, "The input of a trigger");
  if (typeof execution === "object" && !isId(execution.id)) return [];
  const waiting = await many(
    tx,
    sql<WaitingRun>`
      select r.id, r.position, r.context, v.definition
      from automation_runs r join automation_versions v on v.flow_id = r.flow_id and v.version = r.version
      where r.flow_id = ${flowId} and r.waiting_for = ${trigger} and r.brought is null
        and ${rights === undefined ? sql`true` : sql`v.definition::json ->> 'rights' = ${rights}`}
        and ${typeof execution === "object" ? sql`r.id = ${execution.id}` : sql`true`}
      order by r.id ${limit(AUTOMATION_LIMITS.woken)} for no key update of r skip locked`,
  );
  const waitingRuns = waiting.filter((it) => meetsWaitCondition(it, JSON.parse(brought)));
  const ids = (execution === "any" ? waitingRuns.slice(0, 1) : waitingRuns).map(({ id }) => id);
  if (ids.length === 0) return [];
  await run(
    tx,
    sql`update automation_runs set brought = ${brought}, due_at = ${tx.now} where id = any(${ids})`,
  );
  tx.afterCommit(() => flows.planners.forEach((plan) => plan(tx.now)));
  return ids;
}

/**
 * Whether an event meets the condition of the waiting step. A condition that cannot be evaluated is not met.
 */
function meetsWaitCondition({ position, context, definition }: WaitingRun, event: unknown): boolean {
  const at = parseTrustedJson<RunPosition>(position);
  const next = findNextStep(parseTrustedJson(definition), at);
  if (next?.step.kind !== "wait" || next.step.if === undefined) return true;
  try {
    return meetsCondition(next.step.if, {
      ...parseTrustedJson<object>(context),
      ...loopVariables(next.position),
      event,
    });
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

import { parseTrustedJson } from "#platform/json";
import { msg, toStoredMessage } from "#platform/messages";
import { addMilliseconds } from "#platform/clock";
import { isUnavailable, maybeOne, run, sql, type Tx } from "#platform/database";
import { AUTOMATION_LIMITS } from "../automation-limits.ts";
import { loopVariables, findNextStep, type RunPosition } from "./run-cursor.ts";
import type { Definition, Step } from "../automation-definition.ts";
import {
  runInnerStep,
  runActionStep,
  isInnerStep,
  isRepeatable,
  type StepOutcome,
} from "./step-execution.ts";
import type { RunIdentity, Automations, AutomationFunctions } from "../automations.ts";
import { assertJsonSize } from "../json-limits.ts";
import type { RunScope } from "./run-templates.ts";
import {
  recordStepStart,
  completeStep,
  isFinalError,
  describeFailure,
  failStep,
  endRun,
  UNEXPECTED_ERROR_MESSAGE,
} from "./step-results.ts";

type ClaimedRun = {
  id: string;
  flowId: string;
  flowName: string;
  definition: string;
  personId: string | null;
  server: boolean;
  state: "running" | "waiting";
  position: string;
  context: string;
  steps: number;
  attempts: number;
  brought: string | null;
  createdAt: Date;
};
export type ActiveRun = Omit<ClaimedRun, "definition" | "position" | "context"> & {
  definition: Definition;
  context: Record<string, unknown>;
};
export type StepPosition = { run: ActiveRun; step: Step; path: string; position: RunPosition };

/** Idle timeout of the transaction that locks a run; longer than any step may take. */
const STEP_LOCK_TIMEOUT = AUTOMATION_LIMITS.stepTime + 10_000;

/**
 * Runs the next step of the run that has been due longest; false if none is due. A row lock prevents other
 * processes from running the same step. If the process crashes, the lock ends and the run is still at this
 * step.
 */
export async function runNextStep(
  flows: Automations,
  inTransaction: Automations["inTransaction"],
  functions: AutomationFunctions,
): Promise<boolean> {
  let held: string | null = null;
  try {
    return await inTransaction(async (tx) => {
      const claimed = await claimDueRun(tx);
      held = claimed?.id ?? null;
      if (claimed) await continueRun(flows, tx, functions, claimed);
      return claimed !== undefined;
    });
  } catch (error) {
    if (isUnavailable(error) || held === null) throw error;
    // The run has been marked as failed, so that no process tries it again.
    flows.log.error({ err: error, runId: held }, "an automation run failed unexpectedly");
    await inTransaction((tx) => markRunBroken(tx, held!));
    return true;
  }
}

async function continueRun(
  flows: Automations,
  tx: Tx,
  functions: AutomationFunctions,
  claimed: ClaimedRun,
): Promise<void> {
  const it: ActiveRun = {
    ...claimed,
    definition: parseTrustedJson(claimed.definition),
    context: parseTrustedJson(claimed.context),
  };
  const next = findNextStep(it.definition, parseTrustedJson(claimed.position));
  if (!next) return endRun(flows, tx, it, "done", null);
  if (it.createdAt <= addMilliseconds(tx.now, -AUTOMATION_LIMITS.runTime))
    return endRun(flows, tx, it, "failed", "The run did not end within 30 days.");
  if (it.steps >= AUTOMATION_LIMITS.stepsOfRun)
    return endRun(
      flows,
      tx,
      it,
      "failed",
      msg("The run has taken {count} steps, the maximum.", { count: AUTOMATION_LIMITS.stepsOfRun }),
    );
  await runStep(flows, tx, functions, { run: it, ...next });
}

const markRunBroken = (tx: Tx, id: string) =>
  run(
    tx,
    sql`
      update automation_runs set state = 'failed',
        fault = ${toStoredMessage(UNEXPECTED_ERROR_MESSAGE.text)},
        due_at = null, waiting_for = null, brought = null, ended_at = ${tx.now}
      where id = ${id}`,
  );

async function claimDueRun(tx: Tx): Promise<ClaimedRun | undefined> {
  const claimed = await maybeOne(
    tx,
    sql<ClaimedRun>`
      select r.id, r.flow_id as "flowId", f.name as "flowName", v.definition, r.person_id as "personId",
        r.server, r.state, r.position, r.context,
        r.steps, r.attempts, r.brought, r.created_at as "createdAt"
      from automation_runs r join automation_versions v on v.flow_id = r.flow_id and v.version = r.version
      join automations f on f.id = r.flow_id
      where r.due_at <= ${tx.now} order by r.due_at, r.id limit 1 for no key update of r skip locked`,
  );
  if (claimed)
    await run(
      tx,
      sql`select set_config('idle_in_transaction_session_timeout', ${String(STEP_LOCK_TIMEOUT)}, true)`,
    );
  return claimed;
}

async function runStep(
  flows: Automations,
  tx: Tx,
  functions: AutomationFunctions,
  at: StepPosition,
): Promise<void> {
  const { run: it, step } = at;
  if (step.kind === "wait" && it.state === "waiting") return completeWait(flows, tx, at, step);
  const begun = isInnerStep(step) ? null : await recordStepStart(flows, at);
  if (begun?.brokeOff && !isInnerStep(step) && !isRepeatable(step))
    return failStep(
      flows,
      tx,
      at,
      "The server stopped during this step; it is not known whether it completed.",
      true,
    );
  let outcome: StepOutcome;
  try {
    const scope = createScope(at, tx.now);
    outcome = isInnerStep(step)
      ? runInnerStep(step, at.path, scope, tx.now)
      : await runActionStep(flows, functions, step, {
          by: identifyRun(it),
          scope,
          stepId: begun!.id,
          again: begun!.again,
        });
    assertJsonSize(
      { ...it.context, ...outcome.set, ...outcome.into?.loop },
      AUTOMATION_LIMITS.context,
      "The data of a run",
    );
  } catch (error) {
    // Without the database nothing can be recorded, so the run stays at its step.
    if (isUnavailable(error)) throw error;
    return failStep(flows, tx, at, describeFailure(flows, error), isFinalError(error));
  }
  await completeStep(flows, tx, at, outcome);
}

/**
 * Creates the scope for templates and conditions: the run's data, its loop variables and facts about the
 * run.
 */
const createScope = ({ run: it, position }: StepPosition, now: Date): RunScope => ({
  ...it.context,
  ...loopVariables(position),
  flow: { id: it.flowId, name: it.flowName },
  execution: { id: it.id, startedAt: it.createdAt.getTime() },
  now: now.getTime(),
});

/** Identity of a run: the server, or the person who started it; anonymous if an event started it. */
const identifyRun = ({ id, personId, server, definition }: ActiveRun): RunIdentity =>
  definition.rights === "system"
    ? { personId: null, server: true, cause: id }
    : { personId, server, cause: id };

/** Ends the wait of a run. The data of the trigger becomes the result of the step; null after a timeout. */
async function completeWait(
  flows: Automations,
  tx: Tx,
  at: StepPosition,
  step: Extract<Step, { kind: "wait" }>,
): Promise<void> {
  const { run: it } = at;
  const brought = it.brought === null ? null : (JSON.parse(it.brought) as unknown);
  const set = step.as === undefined ? {} : { [step.as]: brought };
  try {
    assertJsonSize({ ...it.context, ...set }, AUTOMATION_LIMITS.context, "The data of a run");
  } catch (error) {
    return failStep(flows, tx, at, describeFailure(flows, error), true);
  }
  await completeStep(flows, tx, at, { set, words: it.brought === null ? "" : (step.for ?? "") });
}

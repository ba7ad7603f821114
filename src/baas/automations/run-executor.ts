import { addMilliseconds } from "#platform/clock";
import { isUnavailable, maybeOne, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { LIMITS, RETRY_DELAYS } from "./automation-limits.ts";
import { loopVariables, findNextStep, advancePosition, type RunPosition } from "./run-cursor.ts";
import type { Definition, Step } from "./automation-definition.ts";
import {
  runInnerStep,
  runActionStep,
  isInnerStep,
  isRepeatable,
  type StepOutcome,
  type ActionStep,
} from "./step-execution.ts";
import type { RunIdentity, Automations, AutomationFunctions } from "./automations.ts";
import { logRun } from "./run-log.ts";
import { assertJsonSize } from "./json-limits.ts";
import type { RunScope } from "./run-templates.ts";

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
type ActiveRun = Omit<ClaimedRun, "definition" | "position" | "context"> & {
  definition: Definition;
  context: Record<string, unknown>;
};
type StepPosition = { run: ActiveRun; step: Step; place: string; position: RunPosition };

/** Idle timeout of the transaction that locks a run, longer than any step. */
const STEP_LOCK_TIMEOUT = LIMITS.stepTime + 10_000;

/**
 * Runs the next step of the longest due run; false if none is due. The row lock keeps other processes away
 * for the duration of the step, and disappears with a crashed process, leaving the run where it was.
 */
export async function runNextStep(
  flows: Automations,
  inTransaction: Automations["inTransaction"],
  hands: AutomationFunctions,
): Promise<boolean> {
  let held: string | null = null;
  try {
    return await inTransaction(async (tx) => {
      const claimed = await claimDueRun(tx);
      held = claimed?.id ?? null;
      if (claimed) await continueRun(flows, tx, hands, claimed);
      return claimed !== undefined;
    });
  } catch (error) {
    if (isUnavailable(error) || held === null) throw error;
    // The run is marked as failed, so that no process picks it up again.
    flows.log.error({ err: error, runId: held }, "a run of a flow broke");
    await inTransaction((tx) => markRunBroken(tx, held!));
    return true;
  }
}

async function continueRun(
  flows: Automations,
  tx: Tx,
  hands: AutomationFunctions,
  claimed: ClaimedRun,
): Promise<void> {
  const it: ActiveRun = {
    ...claimed,
    definition: JSON.parse(claimed.definition) as Definition,
    context: JSON.parse(claimed.context) as Record<string, unknown>,
  };
  const next = findNextStep(it.definition, JSON.parse(claimed.position) as RunPosition);
  if (!next) return endRun(flows, tx, it, "done", null);
  if (it.createdAt <= addMilliseconds(tx.now, -LIMITS.runTime))
    return endRun(flows, tx, it, "failed", "It was not done within thirty days.");
  if (it.steps >= LIMITS.stepsOfRun)
    return endRun(flows, tx, it, "failed", `It has taken ${LIMITS.stepsOfRun} steps, as many as a run may.`);
  await runStep(flows, tx, hands, { run: it, ...next });
}

const markRunBroken = (tx: Tx, id: string) =>
  run(
    tx,
    sql`
      update automation_runs set state = 'failed', fault = 'Something broke on our side. The log of the server has more.',
        due_at = null, waiting_for = null, brought = null, ended_at = ${tx.now}
      where id = ${id}`,
  );

async function claimDueRun(tx: Tx): Promise<ClaimedRun | undefined> {
  const claimed = await maybeOne(
    tx,
    sql<ClaimedRun>`
      select r.id, r.flow_id as "flowId", f.name as "flowName", v.definition, r.person_id as "personId", r.server, r.state, r.position, r.context,
        r.steps, r.attempts, r.brought, r.created_at as "createdAt"
      from automation_runs r join automation_versions v on v.flow_id = r.flow_id and v.version = r.version join automations f on f.id = r.flow_id
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
  hands: AutomationFunctions,
  at: StepPosition,
): Promise<void> {
  const { run: it, step } = at;
  if (step.kind === "wait" && it.state === "waiting") return completeWait(flows, tx, at);
  const begun = isInnerStep(step) ? null : await recordStepStart(flows, at);
  if (begun?.brokeOff && !isRepeatable(step as ActionStep))
    return failStep(
      flows,
      tx,
      at,
      "It broke off while this was being done; whether it was done is not known.",
      true,
    );
  let outcome: StepOutcome;
  try {
    const scope = createScope(at, tx.now);
    outcome = isInnerStep(step)
      ? runInnerStep(step, at.place, scope, tx.now)
      : await runActionStep(flows, hands, step, {
          by: identifyRun(it),
          scope,
          stepId: begun!.id,
          again: begun!.again,
        });
    assertJsonSize(
      { ...it.context, ...outcome.set, ...outcome.into?.loop },
      LIMITS.context,
      "The data of a run",
    );
  } catch (error) {
    // Without the database nothing can be recorded: the run stays where it was.
    if (isUnavailable(error)) throw error;
    return failStep(flows, tx, at, describeFailure(flows, error), isFinal(error));
  }
  await completeStep(flows, tx, at, outcome);
}

/**
 * Names that templates and conditions can use: the run's data, its loop variables and facts about the run.
 */
const createScope = ({ run: it, position }: StepPosition, now: Date): RunScope => ({
  ...it.context,
  ...loopVariables(position),
  flow: { id: it.flowId, name: it.flowName },
  execution: { id: it.id, startedAt: it.createdAt.getTime() },
  now: now.getTime(),
});

/** The site's rights, or those of the person who started the run; anonymous if an event did. */
const identifyRun = ({ id, personId, server, definition }: ActiveRun): RunIdentity =>
  definition.rights === "house"
    ? { personId: null, server: true, cause: id }
    : { personId, server, cause: id };

/**
 * Records the start of a step in a transaction of its own, so that a crash is noticed. `again`: it may have
 * run before.
 */
async function recordStepStart(
  flows: Automations,
  { run: it, step, place }: StepPosition,
): Promise<{ id: string; brokeOff: boolean; again: boolean }> {
  const id = flows.world.newId();
  const attempt = it.attempts + 1;
  return flows.inTransaction(async (tx) => {
    const known = await maybeOne(
      tx,
      sql<{
        id: string;
        outcome: string | null;
      }>`select id, outcome from automation_steps where run_id = ${it.id} and n = ${it.steps}`,
    );
    await run(
      tx,
      sql`
        insert into automation_steps (run_id, n, id, place, kind, name, attempt, started_at)
        values (${it.id}, ${it.steps}, ${id}, ${place}, ${step.kind}, ${step.name ?? ""}, ${attempt}, ${tx.now})
        on conflict (run_id, n) do update set attempt = excluded.attempt, outcome = null, words = null, ended_at = null`,
    );
    return {
      id: known?.id ?? id,
      brokeOff: known !== undefined && known.outcome === null,
      again: known !== undefined,
    };
  });
}

/** Records the end of a step in the timeline, whether it was recorded at its start or not. */
async function recordStep(
  { world }: Automations,
  tx: Tx,
  { run: it, step, place }: StepPosition,
  outcome: string,
  words: string | null,
  over = true,
) {
  // A long step ends later than the transaction began.
  const end = over ? world.now() : null;
  await run(
    tx,
    sql`
      insert into automation_steps (run_id, n, id, place, kind, name, attempt, started_at, ended_at, outcome, words)
      values (${it.id}, ${it.steps}, ${tx.newId()}, ${place}, ${step.kind}, ${step.name ?? ""}, 1, ${tx.now}, ${end}, ${outcome}, ${words})
      on conflict (run_id, n) do update set outcome = excluded.outcome, words = excluded.words, ended_at = excluded.ended_at`,
  );
}

async function completeStep(
  flows: Automations,
  tx: Tx,
  at: StepPosition,
  { set, into, wait, words }: StepOutcome,
): Promise<void> {
  const { run: it } = at;
  await recordStep(flows, tx, at, wait ? "waiting" : "done", words ?? null, !wait);
  // A waiting run stays at its step until the wait is over.
  const position = wait ? at.position : advancePosition(at.position, ...(into ? [into] : []));
  const due = wait ? wait.until : tx.now;
  await run(
    tx,
    sql`
      update automation_runs set position = ${JSON.stringify(position)}, context = ${JSON.stringify({ ...it.context, ...set })},
        state = ${wait ? "waiting" : "running"}, due_at = ${due}, waiting_for = ${wait?.for ?? null}, brought = null,
        steps = steps + ${wait ? 0 : 1}, attempts = 0
      where id = ${it.id}`,
  );
  if (wait) tx.afterCommit(() => flows.planners.forEach((plan) => plan(due)));
}

/** Ends a wait: the data of its trigger becomes the result of the step, null after a timeout. */
async function completeWait(flows: Automations, tx: Tx, at: StepPosition): Promise<void> {
  const { run: it, step } = at as StepPosition & { step: Extract<Step, { kind: "wait" }> };
  const brought = it.brought === null ? null : (JSON.parse(it.brought) as unknown);
  const set = step.as === undefined ? {} : { [step.as]: brought };
  try {
    assertJsonSize({ ...it.context, ...set }, LIMITS.context, "The data of a run");
  } catch (error) {
    return failStep(flows, tx, at, describeFailure(flows, error), true);
  }
  await completeStep(flows, tx, at, { set, words: it.brought === null ? "" : (step.for ?? "") });
}

/** Refusals are final, except those that may pass, such as an unavailable service. */
const isFinal = (error: unknown) =>
  error instanceof Refusal && !["unavailable", "too-many", "conflict"].includes(error.reason);

function describeFailure({ log }: Automations, error: unknown): string {
  if (error instanceof Refusal) return error.message.slice(0, 500).replaceAll("\0", "");
  log.error({ err: error }, "a step of a flow failed");
  return "Something broke on our side. The log of the server has more.";
}

/** Schedules a retry if the step allows one; otherwise fails the run. */
async function failStep(
  flows: Automations,
  tx: Tx,
  at: StepPosition,
  sentence: string,
  final: boolean,
): Promise<void> {
  const { run: it, step, place } = at;
  const tries = "retries" in step ? (step.retries ?? 0) : 0;
  if (!final && it.attempts < tries) {
    const due = addMilliseconds(tx.now, RETRY_DELAYS[it.attempts]!);
    await recordStep(flows, tx, at, "again", sentence);
    await run(
      tx,
      sql`update automation_runs set attempts = attempts + 1, due_at = ${due} where id = ${it.id}`,
    );
    tx.afterCommit(() => flows.planners.forEach((plan) => plan(due)));
    return;
  }
  await recordStep(flows, tx, at, "failed", sentence);
  await run(tx, sql`update automation_runs set steps = steps + 1 where id = ${it.id}`);
  await endRun(flows, tx, it, "failed", `${step.name ?? place}: ${sentence}`);
}

async function endRun(
  flows: Automations,
  tx: Tx,
  it: ActiveRun,
  state: "done" | "failed",
  fault: string | null,
): Promise<void> {
  await run(
    tx,
    sql`
      update automation_runs set state = ${state}, fault = ${fault}, due_at = null, waiting_for = null, brought = null, ended_at = ${tx.now}
      where id = ${it.id}`,
  );
  const sentence = state === "done" ? "done" : `failed at ${fault}`;
  tx.afterCommit(() =>
    logRun(flows, { flow: it.flowName, runId: it.id, level: state === "done" ? "INFO" : "ERROR", sentence }),
  );
}

import { addMilliseconds } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { type Message, msg, toDescriptor, toEnglish, toStoredMessage } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { RETRY_DELAYS } from "../automation-limits.ts";
import { advancePosition } from "./run-cursor.ts";
import type { StepOutcome } from "./step-execution.ts";
import type { Automations } from "../automations.ts";
import { logRun } from "./run-log.ts";
import type { ActiveRun, StepPosition } from "./run-executor.ts";

/**
 * Records the start of a step in a transaction of its own, so that a crash during the step is noticed.
 * `again`: the step may have run before.
 */
export async function recordStepStart(
  flows: Automations,
  { run: it, step, path }: StepPosition,
): Promise<{ id: string; brokeOff: boolean; again: boolean }> {
  const id = flows.runtime.newId();
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
        values (${it.id}, ${it.steps}, ${id}, ${path}, ${step.kind}, ${step.name ?? ""}, ${attempt},
          ${tx.now})
        on conflict (run_id, n) do update set attempt = excluded.attempt, outcome = null, words = null,
          ended_at = null`,
    );
    return {
      id: known?.id ?? id,
      brokeOff: known !== undefined && known.outcome === null,
      again: known !== undefined,
    };
  });
}

/** Records the end of a step in the timeline, even if its start was not recorded. */
async function recordStep(
  { runtime }: Automations,
  tx: Tx,
  { run: it, step, path }: StepPosition,
  outcome: string,
  words: Message | null,
  over = true,
) {
  // The current time, because a long step ends after the start of the transaction, whose time would be too
  // early.
  const end = over ? runtime.now() : null;
  await run(
    tx,
    sql`
      insert into automation_steps (run_id, n, id, place, kind, name, attempt, started_at, ended_at, outcome,
        words)
      values (${it.id}, ${it.steps}, ${tx.newId()}, ${path}, ${step.kind}, ${step.name ?? ""}, 1, ${tx.now},
        ${end}, ${outcome},
        ${words === null ? null : toStoredMessage(words)})
      on conflict (run_id, n) do update set outcome = excluded.outcome, words = excluded.words,
        ended_at = excluded.ended_at`,
  );
}

/** Records a step that has ended or waits, and stores the position at which the run continues. */
export async function completeStep(
  flows: Automations,
  tx: Tx,
  at: StepPosition,
  { set, into, wait, words }: StepOutcome,
): Promise<void> {
  const { run: it } = at;
  await recordStep(flows, tx, at, wait ? "waiting" : "done", words ?? null, !wait);
  // A waiting run keeps its position until the wait ends.
  const position = wait ? at.position : advancePosition(at.position, ...(into ? [into] : []));
  const due = wait ? wait.until : tx.now;
  await run(
    tx,
    sql`
      update automation_runs set position = ${JSON.stringify(position)},
        context = ${JSON.stringify({ ...it.context, ...set })},
        state = ${wait ? "waiting" : "running"}, due_at = ${due}, waiting_for = ${wait?.for ?? null},
        brought = null,
        steps = steps + ${wait ? 0 : 1}, attempts = 0
      where id = ${it.id}`,
  );
  if (wait) tx.afterCommit(() => flows.planners.forEach((plan) => plan(due)));
}

/** Whether an error is final. Refusals are, except temporary ones such as an unavailable service. */
export const isFinalError = (error: unknown) =>
  error instanceof Refusal && !["unavailable", "too-many", "conflict"].includes(error.reason);

/** Message shown for an unexpected error, whose details are only in the log. */
export const UNEXPECTED_ERROR_MESSAGE = {
  text: "Something went wrong on the server. Its log has the details.",
};

export function describeFailure({ log }: Automations, error: unknown): Message {
  if (error instanceof Refusal) return error.descriptor;
  log.error({ err: error }, "an automation step failed");
  return UNEXPECTED_ERROR_MESSAGE.text;
}

/** Schedules a retry of a failed step if it allows one; otherwise fails the run. */
export async function failStep(
  flows: Automations,
  tx: Tx,
  at: StepPosition,
  fault: Message,
  final: boolean,
): Promise<void> {
  const { run: it, step, path } = at;
  const tries = "retries" in step ? (step.retries ?? 0) : 0;
  if (!final && it.attempts < tries) {
    const due = addMilliseconds(tx.now, RETRY_DELAYS[it.attempts]!);
    await recordStep(flows, tx, at, "again", fault);
    await run(
      tx,
      sql`update automation_runs set attempts = attempts + 1, due_at = ${due} where id = ${it.id}`,
    );
    tx.afterCommit(() => flows.planners.forEach((plan) => plan(due)));
    return;
  }
  await recordStep(flows, tx, at, "failed", fault);
  await run(tx, sql`update automation_runs set steps = steps + 1 where id = ${it.id}`);
  await endRun(
    flows,
    tx,
    it,
    "failed",
    msg("{place}: {what}", { place: step.name ?? path, what: toDescriptor(fault) }),
  );
}

/** Ends a run and logs it after the commit. */
export async function endRun(
  flows: Automations,
  tx: Tx,
  activeRun: ActiveRun,
  state: "done" | "failed",
  fault: Message | null,
): Promise<void> {
  await run(
    tx,
    sql`
      update automation_runs set state = ${state}, fault = ${fault && toStoredMessage(fault)},
        due_at = null, waiting_for = null,
        brought = null, ended_at = ${tx.now}
      where id = ${activeRun.id}`,
  );
  const sentence = state === "done" ? "done" : `failed: ${toEnglish(fault ?? "")}`;
  tx.afterCommit(() =>
    logRun(flows, {
      flow: activeRun.flowName,
      runId: activeRun.id,
      level: state === "done" ? "INFO" : "ERROR",
      sentence,
    }),
  );
}

import { later } from "#platform/clock";
import { isUnavailable, maybeOne, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { BOUNDS, PAUSES } from "./bounds.ts";
import { boundBy, nextStep, passed, type Position } from "./cursor.ts";
import type { Definition, Step } from "./definition.ts";
import { doInner, doOuter, isInner, isRepeatable, type Outcome, type OuterStep } from "./doing.ts";
import type { By, Flows, Hands } from "./flows.ts";
import { say } from "./saying.ts";
import { assertWithin } from "./sizes.ts";
import type { Scope } from "./templates.ts";

type Claimed = {
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
type Running = Omit<Claimed, "definition" | "position" | "context"> & { definition: Definition; context: Record<string, unknown> };
type At = { run: Running; step: Step; place: string; position: Position };

/** Idle timeout of the transaction that locks a run, longer than any step. */
const HELD = BOUNDS.stepTime + 10_000;

/**
 * Runs the next step of the longest due run; false if none is due. The row lock keeps other processes away
 * for the duration of the step, and disappears with a crashed process, leaving the run where it was.
 */
export async function doNext(flows: Flows, inTransaction: Flows["inTransaction"], hands: Hands): Promise<boolean> {
  let held: string | null = null;
  try {
    return await inTransaction(async (tx) => {
      const claimed = await claim(tx);
      held = claimed?.id ?? null;
      if (claimed) await goOn(flows, tx, hands, claimed);
      return claimed !== undefined;
    });
  } catch (error) {
    if (isUnavailable(error) || held === null) throw error;
    // The run is marked as failed, so that no process picks it up again.
    flows.log.error({ err: error, runId: held }, "a run of a flow broke");
    await inTransaction((tx) => brokeDown(tx, held!));
    return true;
  }
}

async function goOn(flows: Flows, tx: Tx, hands: Hands, claimed: Claimed): Promise<void> {
  const it: Running = {
    ...claimed,
    definition: JSON.parse(claimed.definition) as Definition,
    context: JSON.parse(claimed.context) as Record<string, unknown>,
  };
  const next = nextStep(it.definition, JSON.parse(claimed.position) as Position);
  if (!next) return ended(flows, tx, it, "done", null);
  if (it.createdAt <= later(tx.now, -BOUNDS.runTime)) return ended(flows, tx, it, "failed", "It was not done within thirty days.");
  if (it.steps >= BOUNDS.stepsOfRun)
    return ended(flows, tx, it, "failed", `It has taken ${BOUNDS.stepsOfRun} steps, as many as a run may.`);
  await take(flows, tx, hands, { run: it, ...next });
}

const brokeDown = (tx: Tx, id: string) =>
  run(
    tx,
    sql`
      update flow_runs set state = 'failed', fault = 'Something broke on our side. The log of the server has more.',
        due_at = null, waiting_for = null, brought = null, ended_at = ${tx.now}
      where id = ${id}`,
  );

async function claim(tx: Tx): Promise<Claimed | undefined> {
  const claimed = await maybeOne(
    tx,
    sql<Claimed>`
      select r.id, r.flow_id as "flowId", f.name as "flowName", v.definition, r.person_id as "personId", r.server, r.state, r.position, r.context,
        r.steps, r.attempts, r.brought, r.created_at as "createdAt"
      from flow_runs r join flow_versions v on v.flow_id = r.flow_id and v.version = r.version join flows f on f.id = r.flow_id
      where r.due_at <= ${tx.now} order by r.due_at, r.id limit 1 for no key update of r skip locked`,
  );
  if (claimed) await run(tx, sql`select set_config('idle_in_transaction_session_timeout', ${String(HELD)}, true)`);
  return claimed;
}

async function take(flows: Flows, tx: Tx, hands: Hands, at: At): Promise<void> {
  const { run: it, step } = at;
  if (step.kind === "wait" && it.state === "waiting") return waited(flows, tx, at);
  const begun = isInner(step) ? null : await begin(flows, at);
  if (begun?.brokeOff && !isRepeatable(step as OuterStep))
    return failed(flows, tx, at, "It broke off while this was being done; whether it was done is not known.", true);
  let outcome: Outcome;
  try {
    const scope = scopeOf(at, tx.now);
    outcome = isInner(step)
      ? doInner(step, at.place, scope, tx.now)
      : await doOuter(flows, hands, step, { by: byOf(it), scope, stepId: begun!.id, again: begun!.again });
    assertWithin({ ...it.context, ...outcome.set, ...outcome.into?.loop }, BOUNDS.context, "What a run knows");
  } catch (error) {
    // Without the database nothing can be recorded: the run stays where it was.
    if (isUnavailable(error)) throw error;
    return failed(flows, tx, at, sentenceOf(flows, error), isFinal(error));
  }
  await done(flows, tx, at, outcome);
}

/**
 * Names that templates and conditions can use: the run's data, its loop variables and facts about the run.
 */
const scopeOf = ({ run: it, position }: At, now: Date): Scope => ({
  ...it.context,
  ...boundBy(position),
  flow: { id: it.flowId, name: it.flowName },
  execution: { id: it.id, startedAt: it.createdAt.getTime() },
  now: now.getTime(),
});

/** The site's rights, or those of the person who started the run; anonymous if an event did. */
const byOf = ({ id, personId, server, definition }: Running): By =>
  definition.rights === "house" ? { personId: null, server: true, cause: id } : { personId, server, cause: id };

/**
 * Records the start of a step in a transaction of its own, so that a crash is noticed. `again`: it may have
 * run before.
 */
async function begin(flows: Flows, { run: it, step, place }: At): Promise<{ id: string; brokeOff: boolean; again: boolean }> {
  const id = flows.world.newId();
  const attempt = it.attempts + 1;
  return flows.inTransaction(async (tx) => {
    const known = await maybeOne(
      tx,
      sql<{ id: string; outcome: string | null }>`select id, outcome from flow_steps where run_id = ${it.id} and n = ${it.steps}`,
    );
    await run(
      tx,
      sql`
        insert into flow_steps (run_id, n, id, place, kind, name, attempt, started_at)
        values (${it.id}, ${it.steps}, ${id}, ${place}, ${step.kind}, ${step.name ?? ""}, ${attempt}, ${tx.now})
        on conflict (run_id, n) do update set attempt = excluded.attempt, outcome = null, words = null, ended_at = null`,
    );
    return { id: known?.id ?? id, brokeOff: known !== undefined && known.outcome === null, again: known !== undefined };
  });
}

/** Records the end of a step in the timeline, whether it was recorded at its start or not. */
async function line({ world }: Flows, tx: Tx, { run: it, step, place }: At, outcome: string, words: string | null, over = true) {
  // A long step ends later than the transaction began.
  const end = over ? world.now() : null;
  await run(
    tx,
    sql`
      insert into flow_steps (run_id, n, id, place, kind, name, attempt, started_at, ended_at, outcome, words)
      values (${it.id}, ${it.steps}, ${tx.newId()}, ${place}, ${step.kind}, ${step.name ?? ""}, 1, ${tx.now}, ${end}, ${outcome}, ${words})
      on conflict (run_id, n) do update set outcome = excluded.outcome, words = excluded.words, ended_at = excluded.ended_at`,
  );
}

async function done(flows: Flows, tx: Tx, at: At, { set, into, wait, words }: Outcome): Promise<void> {
  const { run: it } = at;
  await line(flows, tx, at, wait ? "waiting" : "done", words ?? null, !wait);
  // A waiting run stays at its step until the wait is over.
  const position = wait ? at.position : passed(at.position, ...(into ? [into] : []));
  const due = wait ? wait.until : tx.now;
  await run(
    tx,
    sql`
      update flow_runs set position = ${JSON.stringify(position)}, context = ${JSON.stringify({ ...it.context, ...set })},
        state = ${wait ? "waiting" : "running"}, due_at = ${due}, waiting_for = ${wait?.for ?? null}, brought = null,
        steps = steps + ${wait ? 0 : 1}, attempts = 0
      where id = ${it.id}`,
  );
  if (wait) tx.afterCommit(() => flows.planners.forEach((plan) => plan(due)));
}

/** Ends a wait: the data of its trigger becomes the result of the step, null after a timeout. */
async function waited(flows: Flows, tx: Tx, at: At): Promise<void> {
  const { run: it, step } = at as At & { step: Extract<Step, { kind: "wait" }> };
  const brought = it.brought === null ? null : (JSON.parse(it.brought) as unknown);
  const set = step.as === undefined ? {} : { [step.as]: brought };
  try {
    assertWithin({ ...it.context, ...set }, BOUNDS.context, "What a run knows");
  } catch (error) {
    return failed(flows, tx, at, sentenceOf(flows, error), true);
  }
  await done(flows, tx, at, { set, words: it.brought === null ? "" : (step.for ?? "") });
}

/** Refusals are final, except those that may pass, such as an unavailable service. */
const isFinal = (error: unknown) => error instanceof Refusal && !["unavailable", "too-many", "conflict"].includes(error.reason);

function sentenceOf({ log }: Flows, error: unknown): string {
  if (error instanceof Refusal) return error.message.slice(0, 500).replaceAll("\0", "");
  log.error({ err: error }, "a step of a flow failed");
  return "Something broke on our side. The log of the server has more.";
}

/** Schedules a retry if the step allows one; otherwise fails the run. */
async function failed(flows: Flows, tx: Tx, at: At, sentence: string, final: boolean): Promise<void> {
  const { run: it, step, place } = at;
  const tries = "retries" in step ? (step.retries ?? 0) : 0;
  if (!final && it.attempts < tries) {
    const due = later(tx.now, PAUSES[it.attempts]!);
    await line(flows, tx, at, "again", sentence);
    await run(tx, sql`update flow_runs set attempts = attempts + 1, due_at = ${due} where id = ${it.id}`);
    tx.afterCommit(() => flows.planners.forEach((plan) => plan(due)));
    return;
  }
  await line(flows, tx, at, "failed", sentence);
  await run(tx, sql`update flow_runs set steps = steps + 1 where id = ${it.id}`);
  await ended(flows, tx, it, "failed", `${step.name ?? place}: ${sentence}`);
}

async function ended(flows: Flows, tx: Tx, it: Running, state: "done" | "failed", fault: string | null): Promise<void> {
  await run(
    tx,
    sql`
      update flow_runs set state = ${state}, fault = ${fault}, due_at = null, waiting_for = null, brought = null, ended_at = ${tx.now}
      where id = ${it.id}`,
  );
  const sentence = state === "done" ? "done" : `failed at ${fault}`;
  tx.afterCommit(() => say(flows, { flow: it.flowName, runId: it.id, level: state === "done" ? "INFO" : "ERROR", sentence }));
}

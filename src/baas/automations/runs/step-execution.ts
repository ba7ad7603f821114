import { addMilliseconds, SECOND } from "#platform/clock";
import { withEventCause } from "#platform/outbox";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { AUTOMATION_LIMITS } from "../automation-limits.ts";
import { meetsCondition } from "./run-conditions.ts";
import { type PositionFrame } from "./run-cursor.ts";
import type { Step, StepOf } from "../automation-definition.ts";
import type { RunIdentity, Automations, AutomationFunctions, RecordAction } from "../automations.ts";
import { fillObject, fillTemplates, fillClause, fillText, type RunScope } from "./run-templates.ts";

/** The outcome of a step: variables to set, a list of steps to enter, a wait, and text for the timeline. */
export type StepOutcome = {
  set?: Record<string, unknown>;
  into?: PositionFrame;
  wait?: { until: Date; for: string | null };
  words?: string;
};

/** A step that changes only the run; it runs within the transaction that stores the run's position. */
export type InnerStep = StepOf<"set" | "condition" | "loop" | "wait">;
/** A step with effects outside the run. */
export type ActionStep = Exclude<Step, InnerStep>;

const INNER_KINDS = new Set<Step["kind"]>(["set", "condition", "loop", "wait"]);
export const isInnerStep = (step: Step): step is InnerStep => INNER_KINDS.has(step.kind);

/**
 * Whether a step can safely be repeated after a crash. Records are created under an id assigned before,
 * emails are unique by name, and repeating an update or delete changes nothing. Other steps are repeatable
 * only if their author allows retries.
 */
export const isRepeatable = (step: ActionStep): boolean =>
  step.kind === "record" || step.kind === "mail" || (step.retries ?? 0) > 0;

const setVariable = (as: string | undefined, value: unknown): Record<string, unknown> =>
  as === undefined ? {} : { [as]: value ?? null };

/**
 * Runs a step that changes only the run.
 * @throws `invalid` if the data has the wrong form
 */
export function runInnerStep(step: InnerStep, path: string, scope: RunScope, now: Date): StepOutcome {
  switch (step.kind) {
    case "set":
      return { set: setVariable(step.as, fillTemplates(step.value, scope)) };
    case "condition": {
      const isMet = meetsCondition(step.if, scope);
      return {
        into: { list: `${path}.${isMet ? "do" : "otherwise"}`, next: 0 },
        words: isMet ? "true" : "false",
      };
    }
    case "loop":
      return startLoop(step, path, scope);
    case "wait": {
      const ms = step.seconds === undefined ? AUTOMATION_LIMITS.runTime : step.seconds * SECOND;
      return { wait: { until: addMilliseconds(now, ms), for: step.for ?? null } };
    }
  }
}

function startLoop(step: StepOf<"loop">, path: string, scope: RunScope): StepOutcome {
  const items = fillTemplates(step.over, scope);
  if (!Array.isArray(items)) throw new Refusal("invalid", "“over” must be a list.");
  if (items.length > AUTOMATION_LIMITS.rounds)
    throw new Refusal(
      "too-large",
      msg("The list “over” has {length} items; a loop can have at most {count}.", {
        count: AUTOMATION_LIMITS.rounds,
        length: items.length,
      }),
    );
  const words = String(items.length);
  if (items.length === 0 || step.do.length === 0) return { words };
  return { into: { list: `${path}.do`, next: 0, loop: { as: step.as, items, round: 0 } }, words };
}

type StepContext = { by: RunIdentity; scope: RunScope; stepId: string; again: boolean };

/**
 * Runs a step with effects outside the run.
 * @throws the refusals of the step, and `unavailable` after the step timeout
 */
export async function runActionStep(
  flows: Pick<Automations, "inTransaction">,
  functions: AutomationFunctions,
  step: ActionStep,
  doing: StepContext,
): Promise<StepOutcome> {
  const answer = await withTimeout(
    withEventCause(doing.by.cause, () => callHostFunction(flows, functions, step, doing)),
  );
  return { set: "as" in step ? setVariable(step.as, answer) : {} };
}

/** An async function, so that template errors become rejections like the errors of the host function. */
async function callHostFunction(
  flows: Pick<Automations, "inTransaction">,
  functions: AutomationFunctions,
  step: ActionStep,
  { by, scope, stepId, again }: StepContext,
): Promise<unknown> {
  switch (step.kind) {
    case "call":
      return functions.call(by, {
        service: step.service,
        method: step.method,
        input: fillTemplates(step.input ?? {}, scope),
      });
    case "message":
      return functions.publish(by, {
        channel: fillText(step.channel, scope, "channel", 100),
        message: fillTemplates(step.message, scope),
        headers: fillObject(step.headers ?? {}, scope),
      });
    case "record":
      return functions.record(by, createRecordAction(step, scope, stepId, again));
    case "mail": {
      const { mail } = functions;
      if (!mail) throw new Refusal("unavailable", "Automations cannot send mail on this server.");
      const letter = {
        to: fillText(step.to, scope, "to", 320),
        subject: fillText(step.subject, scope, "subject", 200),
        text: fillText(step.text, scope, "text", 50_000),
        name: stepId,
      };
      return flows.inTransaction((tx) => mail(tx, by, letter));
    }
  }
}

function createRecordAction(
  step: StepOf<"record">,
  scope: RunScope,
  stepId: string,
  again: boolean,
): RecordAction {
  const { act, table } = step;
  if (act === "find")
    return { act, table, where: step.where === undefined ? null : fillClause(step.where, scope) };
  if (act === "create")
    return {
      act,
      table,
      objectId: stepId,
      values: fillObject(step.values!, scope),
      again,
    };
  const objectId = fillText(step.id!, scope, "id", 250);
  if (act === "delete") return { act, table, objectId };
  return { act, table, objectId, values: fillObject(step.values!, scope) };
}

/** Rejects after the step timeout; the work itself is not cancelled. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      late.reject(
        new Refusal(
          "unavailable",
          msg("This took longer than {count} seconds.", { count: AUTOMATION_LIMITS.stepTime / SECOND }),
        ),
      ),
    AUTOMATION_LIMITS.stepTime,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

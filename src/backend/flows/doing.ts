import { later, SECOND } from "#platform/clock";
import { asDoingOf } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { BOUNDS } from "./bounds.ts";
import { holds } from "./conditions.ts";
import { type Frame } from "./cursor.ts";
import type { Step, StepOf } from "./definition.ts";
import type { By, Flows, Hands, RecordAct } from "./flows.ts";
import { filled, filledClause, filledLine, type Scope } from "./templates.ts";

/** The outcome of a step: variables to set, a list to enter, a wait, and text for the timeline. */
export type Outcome = {
  set?: Record<string, unknown>;
  into?: Frame;
  wait?: { until: Date; for: string | null };
  words?: string;
};

/** A step that changes only the run, within the transaction that stores its position. */
export type InnerStep = StepOf<"set" | "condition" | "loop" | "wait">;
/** A step with effects outside the run. */
export type OuterStep = Exclude<Step, InnerStep>;

const INNER = new Set<Step["kind"]>(["set", "condition", "loop", "wait"]);
export const isInner = (step: Step): step is InnerStep => INNER.has(step.kind);

/**
 * Whether a step interrupted by a crash can be repeated safely: records are created under a known id, emails
 * are unique by name, updates and deletes are idempotent. For other steps only the author can tell, by
 * allowing retries.
 */
export const isRepeatable = (step: OuterStep): boolean => step.kind === "record" || step.kind === "mail" || (step.retries ?? 0) > 0;

const setting = (as: string | undefined, value: unknown): Record<string, unknown> => (as === undefined ? {} : { [as]: value ?? null });

/**
 * Runs a step that changes only the run.
 * @throws `invalid` if the data does not fit
 */
export function doInner(step: InnerStep, place: string, scope: Scope, now: Date): Outcome {
  switch (step.kind) {
    case "set":
      return { set: setting(step.as, filled(step.value, scope)) };
    case "condition": {
      const held = holds(step.if, scope);
      return { into: { list: `${place}.${held ? "do" : "otherwise"}`, next: 0 }, words: held ? "true" : "false" };
    }
    case "loop":
      return looped(step, place, scope);
    case "wait": {
      const ms = step.seconds === undefined ? BOUNDS.runTime : step.seconds * SECOND;
      return { wait: { until: later(now, ms), for: step.for ?? null } };
    }
  }
}

function looped(step: StepOf<"loop">, place: string, scope: Scope): Outcome {
  const items = filled(step.over, scope);
  if (!Array.isArray(items)) throw new Refusal("invalid", "over: what the loop goes over is no list.");
  if (items.length > BOUNDS.rounds)
    throw new Refusal("too-large", `over: a loop goes over ${BOUNDS.rounds} items at the most, not ${items.length}.`);
  const words = String(items.length);
  if (items.length === 0 || step.do.length === 0) return { words };
  return { into: { list: `${place}.do`, next: 0, loop: { as: step.as, items, round: 0 } }, words };
}

type Doing = { by: By; scope: Scope; stepId: string; again: boolean };

/**
 * Runs a step with outside effects.
 * @throws its refusals, and `unavailable` after the step timeout
 */
export async function doOuter(flows: Pick<Flows, "inTransaction">, hands: Hands, step: OuterStep, doing: Doing): Promise<Outcome> {
  const answer = await inTime(asDoingOf(doing.by.cause, () => handling(flows, hands, step, doing)));
  return { set: "as" in step ? setting(step.as, answer) : {} };
}

/** Async, so that template errors are rejected like those of the host function. */
async function handling(
  flows: Pick<Flows, "inTransaction">,
  hands: Hands,
  step: OuterStep,
  { by, scope, stepId, again }: Doing,
): Promise<unknown> {
  switch (step.kind) {
    case "call":
      return hands.call(by, { service: step.service, method: step.method, input: filled(step.input ?? {}, scope) });
    case "message":
      return hands.publish(by, {
        channel: filledLine(step.channel, scope, "channel", 100),
        message: filled(step.message, scope),
        headers: filled(step.headers ?? {}, scope) as Record<string, unknown>,
      });
    case "record":
      return hands.record(by, recordAct(step, scope, stepId, again));
    case "mail": {
      const { mail } = hands;
      if (!mail) throw new Refusal("unavailable", "This house sends no mail for flows.");
      const letter = {
        to: filledLine(step.to, scope, "to", 320),
        subject: filledLine(step.subject, scope, "subject", 200),
        text: filledLine(step.text, scope, "text", 50_000),
        name: stepId,
      };
      return flows.inTransaction((tx) => mail(tx, by, letter));
    }
  }
}

function recordAct(step: StepOf<"record">, scope: Scope, stepId: string, again: boolean): RecordAct {
  const { act, table } = step;
  if (act === "find") return { act, table, where: step.where === undefined ? null : filledClause(step.where, scope) };
  if (act === "create") return { act, table, objectId: stepId, values: filled(step.values!, scope) as Record<string, unknown>, again };
  const objectId = filledLine(step.id!, scope, "id", 250);
  if (act === "delete") return { act, table, objectId };
  return { act, table, objectId, values: filled(step.values!, scope) as Record<string, unknown> };
}

/** The work itself is not cancelled by the timeout. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Refusal("unavailable", `This took longer than ${BOUNDS.stepTime / SECOND} seconds.`)),
    BOUNDS.stepTime,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

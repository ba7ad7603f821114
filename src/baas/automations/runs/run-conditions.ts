import { bindCondition, evaluateCondition, type ValueKind, parseClause } from "#baas/data";
import type { Message } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { lookUpPath, type RunScope } from "./run-templates.ts";

/** Returns the error in a condition; null if it is valid. */
export function findConditionFault(clause: string): Message | null {
  try {
    parseClause(clause);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.descriptor;
    throw error;
  }
}

/**
 * Whether a condition is true for the data of a run. It is written like table queries: `trigger.data.total >
 * 100 and order.state = 'new'`. Types are those of the values; an unknown name is NULL, and an unknown
 * result counts as false.
 * @throws `invalid` for values that cannot be compared
 */
export function meetsCondition(clause: string, scope: RunScope): boolean {
  const values: Record<string, unknown> = {};
  const condition = bindCondition(parseClause(clause), {
    aggregates: false,
    find({ names, inverse }) {
      if (inverse)
        throw new Refusal(
          "invalid",
          "Conditions of an automation can only use data of the run and cannot follow relations.",
        );
      const name = names.join(".");
      values[name] = lookUpPath(scope, name);
      return { ref: { name }, kind: valueKind(values[name]) };
    },
  });
  return evaluateCondition(condition, values) === true;
}

function valueKind(value: unknown): ValueKind {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "object" && value !== null ? "json" : "text";
}

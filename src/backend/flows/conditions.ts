import { bindCondition, evaluate, type Kind, parseClause } from "#backend/tables";
import { Refusal } from "#platform/refusal";
import { lookUp, type Scope } from "./templates.ts";

/** What is wrong with a condition as it is written, in a sentence; null where nothing is. */
export function conditionFault(clause: string): string | null {
  try {
    parseClause(clause);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/**
 * Whether a clause holds of what a run knows, in the language in which tables are asked: `trigger.data.total > 100 and order.state = 'new'`.
 * What a name leads to settles its kind; a name that leads nowhere is NULL, and what is unknown does not hold. Throws `invalid` for what
 * cannot be compared.
 */
export function holds(clause: string, scope: Scope): boolean {
  const values: Record<string, unknown> = {};
  const condition = bindCondition(parseClause(clause), {
    aggregates: false,
    find({ names, inverse }) {
      if (inverse) throw new Refusal("invalid", "A condition of a flow asks about what the run knows, and that has no relations.");
      const name = names.join(".");
      values[name] = lookUp(scope, name);
      return { ref: { name }, kind: kindOf(values[name]) };
    },
  });
  return evaluate(condition, values) === true;
}

function kindOf(value: unknown): Kind {
  if (typeof value === "number" || typeof value === "boolean") return typeof value as Kind;
  return typeof value === "object" && value !== null ? "json" : "text";
}

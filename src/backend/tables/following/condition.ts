import type { Caller, Table, WireRecord } from "../catalogue/types.ts";
import { bindCondition } from "../clause/bind.ts";
import { evaluate } from "../clause/evaluate.ts";
import { clauseFault, noColumn, quoted } from "../clause/fault.ts";
import { parseClause } from "../clause/parse.ts";
import type { Comparison } from "../clause/syntax.ts";
import type { Kind, Term } from "../clause/tree.ts";
import { kindOf } from "../query/sources.ts";

/** A condition on one changed record. */
export type Condition = Term<{ name: string }>;
/** A column, and the values one of which it must have. */
export type Settled = { column: string; values: string[] };
/** A column, and the inclusive bounds of its number or time; one may be infinite. */
export type Ranged = { column: string; from: number; to: number };

/** Values indexed per condition; beyond this, evaluating every change is cheaper. */
const MOST_VALUES = 100;

/**
 * Parses a condition on records of a table; null if empty.
 * @throws `invalid` for an invalid clause, and for one that needs other records
 */
export function conditionOn(table: Table, caller: Caller, clause: string): Condition | null {
  if (clause.trim() === "") return null;
  return bindCondition(parseClause(clause), {
    aggregates: false,
    find({ inverse, names }) {
      const [name = ""] = names;
      if (inverse || names.length > 1 || table.relations.has(name))
        throw clauseFault(`What changes is asked about by its own columns, and ${quoted(inverse?.relation ?? name)} leads to others.`);
      const column = table.columns.get(name);
      if (!column || column.hidden?.(caller)) throw noColumn(name, table.name);
      return { ref: { name }, kind: kindOf(column) };
    },
  });
}

/** Whether a record matches; unknown counts as no. */
export const meets = (condition: Condition | null, record: WireRecord): boolean =>
  condition === null || evaluate(condition, record) === true;

/**
 * The narrowest requirement on one column that every match fulfils; null if there is none. A range is
 * preferred to more than one value.
 */
export function narrowedBy(condition: Condition | null): Settled | Ranged | null {
  const byValue = settledBy(condition);
  if (byValue && !byValue.values.every((value) => value === "true" || value === "false")) return byValue;
  return rangedBy(condition) ?? byValue;
}

/** The column that narrows a condition most; null if none does. */
function settledBy(condition: Condition | null): Settled | null {
  if (condition === null) return null;
  if (condition.is === "and") return narrowest(condition.parts.map(settledBy));
  if (condition.is === "or") return joined(condition.parts.map(settledBy));
  if (condition.is === "in") return settled(condition.of, condition.values);
  if (condition.is !== "compare" || condition.sign !== "=") return null;
  if (condition.right.is === "value") return settled(condition.left, [condition.right.value]);
  return condition.left.is === "value" ? settled(condition.right, [condition.left.value]) : null;
}

const narrowest = (parts: (Settled | null)[]): Settled | null =>
  parts.filter((it) => it !== null).toSorted((a, b) => a.values.length - b.values.length)[0] ?? null;

/** One of several: only if all use the same column. */
function joined(parts: (Settled | null)[]): Settled | null {
  const [first] = parts;
  if (!first || parts.some((it) => it?.column !== first.column)) return null;
  const values = [...new Set(parts.flatMap((it) => it!.values))];
  return values.length > MOST_VALUES ? null : { column: first.column, values };
}

/** Kinds in which equal values have equal text. */
const WRITTEN_ALIKE: readonly Kind[] = ["text", "number", "boolean", "date"];

function settled(term: Condition, values: unknown[]): Settled | null {
  if (term.is !== "column" || !WRITTEN_ALIKE.includes(term.kind) || values.length > MOST_VALUES) return null;
  return { column: term.ref.name, values: [...new Set(values.map(String))] };
}

function rangedBy(condition: Condition | null): Ranged | null {
  const bounds = new Map<string, Ranged>();
  for (const { column, from, to } of condition === null ? [] : boundsIn(condition)) {
    const known = bounds.get(column) ?? { column, from, to };
    bounds.set(column, { column, from: Math.max(known.from, from), to: Math.min(known.to, to) });
  }
  const all = [...bounds.values()];
  return all.find(({ from, to }) => Number.isFinite(from) && Number.isFinite(to)) ?? all[0] ?? null;
}

/** Bounds that every match fulfils. */
function boundsIn(condition: Condition): Ranged[] {
  if (condition.is === "and") return condition.parts.flatMap(boundsIn);
  if (condition.is !== "compare") return [];
  const { sign, left, right } = condition;
  return right.is === "value" ? bound(left, sign, right.value) : left.is === "value" ? bound(right, TURNED[sign], left.value) : [];
}

/** The operator with its operands swapped. */
const TURNED: Record<Comparison, Comparison> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!=" };

function bound(term: Condition, sign: Comparison, value: unknown): Ranged[] {
  if (term.is !== "column" || (term.kind !== "number" && term.kind !== "date") || typeof value !== "number") return [];
  if (sign === "<" || sign === "<=") return [{ column: term.ref.name, from: -Infinity, to: value }];
  return sign === ">" || sign === ">=" ? [{ column: term.ref.name, from: value, to: Infinity }] : [];
}

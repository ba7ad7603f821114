import { msg } from "#platform/messages";
import type { Caller, Table, ApiRecord } from "../catalogue/types.ts";
import { bindCondition } from "../clause/bind.ts";
import { evaluateCondition } from "../clause/evaluate.ts";
import { clauseFault, columnNotFound, truncateQuote } from "../clause/clause-errors.ts";
import { parseClause } from "../clause/clause-parser.ts";
import type { Comparison } from "../clause/clause-syntax.ts";
import type { ValueKind, Term } from "../clause/clause-terms.ts";
import { columnKind } from "../query/query-sources.ts";

/** A condition on one changed record. */
export type ChangeCondition = Term<{ name: string }>;
/** A column and a list of values; the column must have one of them. */
export type ValueFilter = { column: string; values: string[] };
/** A column, and inclusive bounds of its number or time. Either bound may be infinite. */
export type RangeFilter = { column: string; from: number; to: number };

/**
 * Maximum values indexed per condition. With more it is cheaper to evaluate the condition for every change.
 */
const MAX_VALUES = 100;

/**
 * Parses a condition on records of a table; null if empty.
 * @throws `invalid` for an invalid clause, and for one that needs other records
 */
export function parseChangeCondition(table: Table, caller: Caller, clause: string): ChangeCondition | null {
  if (clause.trim() === "") return null;
  return bindCondition(parseClause(clause), {
    aggregates: false,
    find({ inverse, names }) {
      const [name = ""] = names;
      if (inverse || names.length > 1 || table.relations.has(name))
        throw clauseFault(
          msg("Conditions on changes can use only columns of the table itself; {name} is a relation.", {
            name: truncateQuote(inverse?.relation ?? name),
          }),
        );
      const column = table.columns.get(name);
      if (!column || column.hidden?.(caller)) throw columnNotFound(name, table.name);
      return { ref: { name }, kind: columnKind(column) };
    },
  });
}

/** Whether a record matches; an unknown result counts as no. */
export const matchesCondition = (condition: ChangeCondition | null, record: ApiRecord): boolean =>
  condition === null || evaluateCondition(condition, record) === true;

/**
 * Returns a requirement on one column that every matching record meets, as selective as possible; null if
 * there is none. A range is preferred to a list of boolean values.
 */
export function narrowCondition(condition: ChangeCondition | null): ValueFilter | RangeFilter | null {
  const byValue = findValueFilter(condition);
  if (byValue && !byValue.values.every((value) => value === "true" || value === "false")) return byValue;
  return findRangeFilter(condition) ?? byValue;
}

/** Finds the column with the fewest possible values; null if no column is limited to certain values. */
function findValueFilter(condition: ChangeCondition | null): ValueFilter | null {
  if (condition === null) return null;
  if (condition.is === "and") return selectNarrowest(condition.parts.map(findValueFilter));
  if (condition.is === "or") return mergeValueFilters(condition.parts.map(findValueFilter));
  if (condition.is === "in") return createValueFilter(condition.of, condition.values);
  if (condition.is !== "compare" || condition.sign !== "=") return null;
  if (condition.right.is === "value") return createValueFilter(condition.left, [condition.right.value]);
  return condition.left.is === "value" ? createValueFilter(condition.right, [condition.left.value]) : null;
}

const selectNarrowest = (parts: (ValueFilter | null)[]): ValueFilter | null =>
  parts.filter((it) => it !== null).toSorted((a, b) => a.values.length - b.values.length)[0] ?? null;

/** Combines alternatives: possible only if all of them limit the same column. */
function mergeValueFilters(parts: (ValueFilter | null)[]): ValueFilter | null {
  const [first] = parts;
  if (!first || parts.some((it) => it?.column !== first.column)) return null;
  const values = [...new Set(parts.flatMap((it) => it!.values))];
  return values.length > MAX_VALUES ? null : { column: first.column, values };
}

/** Kinds of values that are equal exactly if their texts are. */
const COMPARABLE_KINDS: readonly ValueKind[] = ["text", "number", "boolean", "date"];

function createValueFilter(term: ChangeCondition, values: unknown[]): ValueFilter | null {
  if (term.is !== "column" || !COMPARABLE_KINDS.includes(term.kind) || values.length > MAX_VALUES)
    return null;
  return { column: term.ref.name, values: [...new Set(values.map(String))] };
}

function findRangeFilter(condition: ChangeCondition | null): RangeFilter | null {
  const bounds = new Map<string, RangeFilter>();
  for (const { column, from, to } of condition === null ? [] : listBounds(condition)) {
    const known = bounds.get(column) ?? { column, from, to };
    bounds.set(column, { column, from: Math.max(known.from, from), to: Math.min(known.to, to) });
  }
  const all = [...bounds.values()];
  return all.find(({ from, to }) => Number.isFinite(from) && Number.isFinite(to)) ?? all[0] ?? null;
}

/** Lists bounds that every matching record meets. */
function listBounds(condition: ChangeCondition): RangeFilter[] {
  if (condition.is === "and") return condition.parts.flatMap(listBounds);
  if (condition.is !== "compare") return [];
  const { sign, left, right } = condition;
  return right.is === "value"
    ? createBound(left, sign, right.value)
    : left.is === "value"
      ? createBound(right, REVERSED[sign], left.value)
      : [];
}

/** The operator to use when the operands are swapped: `a < b` becomes `b > a`. */
const REVERSED: Record<Comparison, Comparison> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
  "=": "=",
  "!=": "!=",
};

function createBound(term: ChangeCondition, sign: Comparison, value: unknown): RangeFilter[] {
  if (term.is !== "column" || (term.kind !== "number" && term.kind !== "date") || typeof value !== "number")
    return [];
  if (sign === "<" || sign === "<=") return [{ column: term.ref.name, from: -Infinity, to: value }];
  return sign === ">" || sign === ">=" ? [{ column: term.ref.name, from: value, to: Infinity }] : [];
}

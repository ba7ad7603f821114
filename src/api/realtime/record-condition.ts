import {
  bindCondition,
  evaluateCondition,
  type ValueKind,
  columnNotFound,
  parseClause,
  type Term,
} from "#baas/data";
import { getOwnProperty } from "#platform/objects";

/** A condition on one record. */
export type RecordCondition = Term<{ name: string }>;

/** Types of non-text columns. */
const COLUMN_KINDS: Record<string, ValueKind> = {
  created: "date",
  updated: "date",
  lastPostAt: "date",
  number: "number",
  replies: "number",
  lastNumber: "number",
  seq: "number",
  membersCount: "number",
  locked: "boolean",
  pinned: "boolean",
  resolved: "boolean",
  tags: "json",
};

/**
 * Parses a condition on records with these columns.
 * @throws `invalid` with position and reason for syntax errors, and for related records, which are not
 * loaded when a record changes
 */
export function parseRecordCondition(
  text: string,
  table: string,
  columns: readonly string[],
): RecordCondition {
  return bindCondition(parseClause(text), {
    aggregates: false,
    find({ inverse, names }) {
      const name = inverse ? `${inverse.table}[${inverse.relation}]` : names.join(".");
      if (!columns.includes(name)) throw columnNotFound(name, table);
      return { ref: { name }, kind: getOwnProperty(COLUMN_KINDS, name) ?? "text" };
    },
  });
}

/** Whether a record meets the condition. An unknown result counts as no; a null condition is always met. */
export const meetsCondition = (
  clause: RecordCondition | null,
  record: Readonly<Record<string, unknown>>,
): boolean => clause === null || evaluateCondition(clause, record) === true;

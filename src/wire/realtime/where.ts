import { bindCondition, evaluate, type Kind, noColumn, parseClause, type Term } from "#backend/tables";
import { getOwn } from "#platform/own-property";

/** A condition on one record. */
export type Clause = Term<{ name: string }>;

/** What stands in columns that hold no texts. */
const KINDS: Record<string, Kind> = {
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
 * Reads a condition on the records of a table that has these columns. Throws `invalid` with the place and the reason for what cannot
 * be read, and for whatever leads beyond the record: other records are not at hand when this one has changed.
 */
export function parseWhere(text: string, table: string, columns: readonly string[]): Clause {
  return bindCondition(parseClause(text), {
    aggregates: false,
    find({ inverse, names }) {
      const name = inverse ? `${inverse.table}[${inverse.relation}]` : names.join(".");
      if (!columns.includes(name)) throw noColumn(name, table);
      return { ref: { name }, kind: getOwn(KINDS, name) ?? "text" };
    },
  });
}

/** Whether a record meets the condition; what is unknown of it does not. No condition is met by every record. */
export const meets = (clause: Clause | null, record: Readonly<Record<string, unknown>>): boolean =>
  clause === null || evaluate(clause, record) === true;

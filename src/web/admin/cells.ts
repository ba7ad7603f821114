import { createHash } from "node:crypto";
import type { ColumnOut } from "#backend/tables";
import { invalid } from "#platform/refusal";
import { clean } from "../forms.ts";

/** The input for a cell, by the type of its column. */
export type CellKind = "line" | "text" | "number" | "choice" | "time" | "json";

type Cell = Pick<ColumnOut, "name" | "dataType" | "dataSize" | "required">;

/** Columns that the database sets or computes are shown but not editable. */
export const isEditable = ({ system, expression }: Pick<ColumnOut, "system" | "expression">) => !system && expression === null;

const KINDS: Record<string, CellKind> = {
  STRING: "line",
  FILE_REF: "line",
  STRING_ID: "line",
  TEXT: "text",
  INT: "number",
  DOUBLE: "number",
  BOOLEAN: "choice",
  DATETIME: "time",
};
/** JSON, and geometries, which are JSON too. */
export const kindOf = ({ dataType }: Pick<Cell, "dataType">): CellKind => KINDS[dataType] ?? "json";

/** Maximum characters of a cell in a form; longer values are edited through the API. */
const LONGEST = 100_000;

/** A value as the form shows it: a time in UTC with milliseconds, JSON indented, null as an empty text. */
export function textOf(kind: CellKind, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (kind === "time") return new Date(value as number).toISOString().slice(0, -1);
  if (kind !== "json") return clean(String(value));
  const { ___class: _told, ...shape } = value as Record<string, unknown>;
  return JSON.stringify(typeof value === "object" && "___class" in value ? shape : value, null, 2);
}

/** Hash of a cell's value, to detect a change without repeating the value. */
export const markOf = (kind: CellKind, value: unknown): string =>
  value === null || value === undefined ? "none" : createHash("sha256").update(textOf(kind, value)).digest("base64url").slice(0, 22);

export const isTooLong = (text: string) => text.length > LONGEST;

/** If a cell can hold an empty text, the form distinguishes it from null. */
export const knowsEmpty = (kind: CellKind): boolean => kind === "line" || kind === "text";

const NOT = {
  number: { say: "That is not a number." },
  time: { say: "That is not a date with a time." },
  json: { say: "That is not JSON." },
};

/**
 * Parses an input as a value of the column.
 * @throws `invalid` on the field
 */
export function valueOf(column: Cell, text: string, none: boolean, field: string): unknown {
  const kind = kindOf(column);
  if (knowsEmpty(kind)) return text === "" && none ? null : text;
  const said = text.trim();
  if (said === "") return null;
  if (kind === "number") return orFault(Number(said.replace(",", ".")), Number.isFinite, field, NOT.number);
  if (kind === "choice") return said === "true";
  if (kind === "time") return orFault(Date.parse(`${said}Z`), Number.isFinite, field, NOT.time);
  // Geometries may be given as WKT.
  return /^[a-z]+ *\(/i.test(said) ? said : jsonIn(said, field);
}

function orFault<T>(value: T, fits: (value: T) => boolean, field: string, { say }: { say: string }): T {
  if (!fits(value)) throw invalid(field, say);
  return value;
}

function jsonIn(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(field, NOT.json.say);
  }
}

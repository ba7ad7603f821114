import { createHash } from "node:crypto";
import type { ColumnInfo } from "#baas/data";
import { invalid } from "#platform/refusal";
import { isObject } from "#platform/objects";
import { cleanText } from "../../form-parsing.ts";

/** The input for a cell, by the type of its column. */
export type CellKind = "line" | "text" | "number" | "choice" | "time" | "json";

type Cell = Pick<ColumnInfo, "name" | "dataType" | "dataSize" | "required">;

/** Whether a column can be edited; those that the database sets or computes are read-only. */
export const isColumnEditable = ({ system, expression }: Pick<ColumnInfo, "system" | "expression">) =>
  !system && expression === null;

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
/** The input for a column's data type; geometries are edited as JSON. */
export const cellKind = ({ dataType }: Pick<Cell, "dataType">): CellKind => KINDS[dataType] ?? "json";

/** Maximum characters of a cell in a form; longer values are edited through the API. */
const MAX_CELL_LENGTH = 100_000;

/** Formats a value for its input: a time in UTC with milliseconds, JSON indented, null as an empty text. */
export function formatCell(kind: CellKind, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (kind === "time") return new Date(Number(value)).toISOString().slice(0, -1);
  if (kind !== "json") return cleanText(String(value));
  if (!isObject(value)) return JSON.stringify(value, null, 2);
  const { ___class: _told, ...shape } = value;
  return JSON.stringify(shape, null, 2);
}

/** Hash of a cell's value, to detect a change without repeating the value. */
export const cellHash = (kind: CellKind, value: unknown): string =>
  value === null || value === undefined
    ? "none"
    : createHash("sha256").update(formatCell(kind, value)).digest("base64url").slice(0, 22);

export const isCellTooLong = (text: string) => text.length > MAX_CELL_LENGTH;

/** Whether the column can hold an empty text: the form then distinguishes it from null. */
export const allowsEmptyText = (kind: CellKind): boolean => kind === "line" || kind === "text";

const INVALID_CELL = {
  number: { text: "That is not a number." },
  time: { text: "That is not a date and time." },
  json: { text: "That is not valid JSON." },
};

/**
 * Parses an input as a value of the column.
 * @throws `invalid` on the field
 */
export function parseCell(column: Cell, text: string, none: boolean, field: string): unknown {
  const kind = cellKind(column);
  if (allowsEmptyText(kind)) return text === "" && none ? null : text;
  const said = text.trim();
  if (said === "") return null;
  if (kind === "number")
    return assertValid(Number(said.replace(",", ".")), Number.isFinite, field, INVALID_CELL.number);
  if (kind === "choice") return said === "true";
  if (kind === "time") return assertValid(Date.parse(`${said}Z`), Number.isFinite, field, INVALID_CELL.time);
  // Geometries may be given as WKT.
  return /^[a-z]+ *\(/i.test(said) ? said : parseJsonCell(said, field);
}

function assertValid<T>(value: T, fits: (value: T) => boolean, field: string, { text }: { text: string }): T {
  if (!fits(value)) throw invalid(field, text);
  return value;
}

function parseJsonCell(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(field, INVALID_CELL.json.text);
  }
}

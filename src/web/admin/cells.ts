import { createHash } from "node:crypto";
import type { ColumnOut } from "#backend/tables";
import { invalid } from "#platform/refusal";
import { clean } from "../forms.ts";

/** How a cell is filled in: by what its column holds. */
export type CellKind = "line" | "text" | "number" | "choice" | "time" | "json";

type Cell = Pick<ColumnOut, "name" | "dataType" | "dataSize" | "required">;

/** What the tables set by themselves, or work out, is shown and not filled in. */
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
/** JSON, and shapes, which are JSON too. */
export const kindOf = ({ dataType }: Pick<Cell, "dataType">): CellKind => KINDS[dataType] ?? "json";

/** Characters of a cell that a form can bring; what is longer is for programs to change. */
const LONGEST = 100_000;

/** A value as the form shows it: a moment in UTC, to the millisecond; JSON on lines of its own. Nothing is an empty text. */
export function textOf(kind: CellKind, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (kind === "time") return new Date(value as number).toISOString().slice(0, -1);
  if (kind !== "json") return clean(String(value));
  const { ___class: _told, ...shape } = value as Record<string, unknown>;
  return JSON.stringify(typeof value === "object" && "___class" in value ? shape : value, null, 2);
}

/** Says whether a cell is still what it was, without saying it twice. */
export const markOf = (kind: CellKind, value: unknown): string =>
  value === null || value === undefined ? "none" : createHash("sha256").update(textOf(kind, value)).digest("base64url").slice(0, 22);

export const isTooLong = (text: string) => text.length > LONGEST;

/** Where a cell can hold a text with nothing in it, the form says which of the two is meant. */
export const knowsEmpty = (kind: CellKind): boolean => kind === "line" || kind === "text";

const NOT = {
  number: { say: "That is not a number." },
  time: { say: "That is not a date with a time." },
  json: { say: "That is not JSON." },
};

/** What was typed, as a value of the column. Throws `invalid` beside the field. */
export function valueOf(column: Cell, text: string, none: boolean, field: string): unknown {
  const kind = kindOf(column);
  if (knowsEmpty(kind)) return text === "" && none ? null : text;
  const said = text.trim();
  if (said === "") return null;
  if (kind === "number") return orFault(Number(said.replace(",", ".")), Number.isFinite, field, NOT.number);
  if (kind === "choice") return said === "true";
  if (kind === "time") return orFault(Date.parse(`${said}Z`), Number.isFinite, field, NOT.time);
  // Shapes may be written as WKT.
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

import { msg } from "#platform/messages";
import { isSystemColumn } from "../catalogue/table-names.ts";
import type { Caller, Column, Table, ApiRecord } from "../catalogue/types.ts";
import { columnNotFound } from "../clause/clause-errors.ts";
import { badRequest, missingValues, dataTooLarge, invalidTypes } from "../data-errors.ts";
import { parseColumnValue } from "../values/column-values.ts";
import { isJsonUpdate, type JsonUpdate } from "../values/json-update.ts";
import { isMarkerKey, expandRepeated } from "../values/repeated-objects.ts";

/** Maximum properties of one record. Tables have fewer columns, but unknown properties are ignored. */
const MAX_PROPERTIES = 1_000;
const MAX_ID_LENGTH = 250;

/** A record parsed for its table: values by column, and changes that depend on existing values. */
export type RecordInput = {
  /** The record as the client sent it. */
  record: ApiRecord;
  objectId: string | null;
  ownerId: string | null | undefined;
  values: Map<Column, unknown>;
  expressions: Map<Column, string>;
  updates: Map<Column, JsonUpdate>;
  /** Values of properties that are relations, which are written separately. */
  relations: Map<string, unknown>;
};

export const isRecord = (value: unknown): value is ApiRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function requireRecord(body: unknown): ApiRecord {
  if (!isRecord(body)) throw badRequest("An object must be a JSON object.");
  if (Object.keys(body).length > MAX_PROPERTIES)
    throw dataTooLarge(msg("An object can have at most {count} properties.", { count: MAX_PROPERTIES }));
  return body;
}

/** Parses an id, which may be a text or a number; null if missing. */
export function parseId(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "string") throw invalidTypes(["objectId"]);
  if (value.length > MAX_ID_LENGTH)
    throw dataTooLarge(msg("An objectId can have at most {count} characters.", { count: MAX_ID_LENGTH }));
  return value === "" ? null : value;
}

const isExpression = (value: unknown): value is { value: string } =>
  isRecord(value) && value["___class"] === "BackendlessExpression" && typeof value["value"] === "string";

/**
 * Parses a record for its table. Unknown properties are ignored, or refused if `strict`.
 * @throws for invalid values, naming all properties of a wrong type
 */
export function parseRecordInput(
  table: Table,
  caller: Caller,
  record: ApiRecord,
  strict = false,
): RecordInput {
  const input: RecordInput = {
    record,
    objectId: null,
    ownerId: undefined,
    values: new Map(),
    expressions: new Map(),
    updates: new Map(),
    relations: new Map(),
  };
  for (const [name, value] of Object.entries(record)) {
    if (isMarkerKey(name) || value === undefined) continue;
    if (isSystemColumn(name)) setSystemValue(input, caller, name, value);
    else if (table.relations.has(name)) input.relations.set(name, value);
    else setColumnValue(input, table, name, value, strict);
  }
  return input;
}

function setSystemValue(input: RecordInput, caller: Caller, name: string, value: unknown) {
  if (name === "objectId") input.objectId = parseId(value);
  // Only the server key can set the owner.
  if (name === "ownerId" && caller.server) input.ownerId = parseId(value);
}

function setColumnValue(input: RecordInput, table: Table, name: string, value: unknown, strict: boolean) {
  const column = table.columns.get(name);
  if (!column) {
    if (strict) throw columnNotFound(name, table.name);
  } else if (column.expression !== null) {
    // Values for generated columns are ignored.
  } else if (isExpression(value)) input.expressions.set(column, value.value);
  else if (column.type === "JSON" && isJsonUpdate(value)) input.updates.set(column, value);
  else input.values.set(column, parseColumnValue(expandRepeated(value), column));
}

/** Adds defaults to a new row and checks required columns. */
export function completeValues(
  table: Table,
  { values, updates, expressions }: RecordInput,
): Map<Column, unknown> {
  const whole = new Map(values);
  const missing: string[] = [];
  for (const column of table.columns.values()) {
    if (
      isSystemColumn(column.name) ||
      column.expression !== null ||
      updates.has(column) ||
      expressions.has(column)
    )
      continue;
    if (!whole.has(column) && column.defaultValue !== null)
      whole.set(column, parseColumnValue(column.defaultValue, column));
    if (column.required && (whole.get(column) ?? null) === null) missing.push(column.name);
  }
  if (missing.length > 0) throw missingValues(missing);
  return whole;
}

/** An update may omit required columns, but not set them to null. */
export function assertRequiredNotNull({ values }: RecordInput): void {
  const missing = [...values]
    .filter(([column, value]) => column.required && value === null)
    .map(([{ name }]) => name);
  if (missing.length > 0) throw missingValues(missing);
}

import { isSystem } from "../catalogue/names.ts";
import type { Caller, Column, Table, WireRecord } from "../catalogue/types.ts";
import { noColumn } from "../clause/fault.ts";
import { badRequest, missingValues, tooMuch, wrongType } from "../faults.ts";
import { valueIn } from "../values/in.ts";
import { isJsonUpdate, type JsonUpdate } from "../values/json-update.ts";
import { isMark, writtenOut } from "../values/markers.ts";

/** Properties of one record. A table has fewer columns, and what it does not know is passed over. */
const MOST_PROPERTIES = 1_000;
const LONGEST_ID = 250;

/** A record as it came, read for its table: what each column is set to, and what is to be done to what stands there. */
export type Given = {
  /** As it came. */
  record: WireRecord;
  objectId: string | null;
  ownerId: string | null | undefined;
  values: Map<Column, unknown>;
  expressions: Map<Column, string>;
  updates: Map<Column, JsonUpdate>;
  /** Properties that are relations, for those who write them. */
  relations: Map<string, unknown>;
};

export const isRecord = (value: unknown): value is WireRecord => typeof value === "object" && value !== null && !Array.isArray(value);

/** The record that a body is. */
export function recordIn(body: unknown): WireRecord {
  if (!isRecord(body)) throw badRequest("An object has to be a JSON object.");
  if (Object.keys(body).length > MOST_PROPERTIES) throw tooMuch(`An object can have ${MOST_PROPERTIES} properties.`);
  return body;
}

/** An id as it came: a text, or a number, which is its text. Null when there is none. */
export function idIn(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "string") throw wrongType(["objectId"]);
  if (value.length > LONGEST_ID) throw tooMuch(`An objectId has ${LONGEST_ID} characters at the most.`);
  return value === "" ? null : value;
}

const isExpression = (value: unknown): value is { value: string } =>
  isRecord(value) && value["___class"] === "BackendlessExpression" && typeof value["value"] === "string";

/**
 * Reads a record for its table. Properties that the table does not have are passed over, or refused where `strict`. Throws for
 * values that are none of their column's, all of those of a wrong type by name.
 */
export function givenFor(table: Table, caller: Caller, record: WireRecord, strict = false): Given {
  const given: Given = {
    record,
    objectId: null,
    ownerId: undefined,
    values: new Map(),
    expressions: new Map(),
    updates: new Map(),
    relations: new Map(),
  };
  for (const [name, value] of Object.entries(record)) {
    if (isMark(name) || value === undefined) continue;
    if (isSystem(name)) takeSystem(given, caller, name, value);
    else if (table.relations.has(name)) given.relations.set(name, value);
    else takeValue(given, table, name, value, strict);
  }
  return given;
}

function takeSystem(given: Given, caller: Caller, name: string, value: unknown) {
  if (name === "objectId") given.objectId = idIn(value);
  // Whose a row is, is not for its writer to say; an operator's program may.
  if (name === "ownerId" && caller.server) given.ownerId = idIn(value);
}

function takeValue(given: Given, table: Table, name: string, value: unknown, strict: boolean) {
  const column = table.columns.get(name);
  if (!column) {
    if (strict) throw noColumn(name, table.name);
  } else if (column.expression !== null) {
    // What the database works out is not to be set.
  } else if (isExpression(value)) given.expressions.set(column, value.value);
  else if (column.type === "JSON" && isJsonUpdate(value)) given.updates.set(column, value);
  else given.values.set(column, valueIn(writtenOut(value), column));
}

/** For a new row: what was not given is its default, and what is required has to be there. */
export function completed(table: Table, { values, updates, expressions }: Given): Map<Column, unknown> {
  const whole = new Map(values);
  const missing: string[] = [];
  for (const column of table.columns.values()) {
    if (isSystem(column.name) || column.expression !== null || updates.has(column) || expressions.has(column)) continue;
    if (!whole.has(column) && column.defaultValue !== null) whole.set(column, valueIn(column.defaultValue, column));
    if (column.required && (whole.get(column) ?? null) === null) missing.push(column.name);
  }
  if (missing.length > 0) throw missingValues(missing);
  return whole;
}

/** A change may leave out what is required, and may not empty it. */
export function assertNotEmptied({ values }: Given): void {
  const missing = [...values].filter(([column, value]) => column.required && value === null).map(([{ name }]) => name);
  if (missing.length > 0) throw missingValues(missing);
}

import { isSystem } from "../catalogue/names.ts";
import type { Caller, Column, Table, WireRecord } from "../catalogue/types.ts";
import { noColumn } from "../clause/fault.ts";
import { badRequest, missingValues, tooMuch, wrongType } from "../faults.ts";
import { valueIn } from "../values/in.ts";
import { isJsonUpdate, type JsonUpdate } from "../values/json-update.ts";
import { isMark, writtenOut } from "../values/markers.ts";

/** Properties of one record; tables have fewer columns, and unknown ones are ignored. */
const MOST_PROPERTIES = 1_000;
const LONGEST_ID = 250;

/** A record parsed for its table: values by column, and changes of existing values. */
export type Given = {
  /** As sent. */
  record: WireRecord;
  objectId: string | null;
  ownerId: string | null | undefined;
  values: Map<Column, unknown>;
  expressions: Map<Column, string>;
  updates: Map<Column, JsonUpdate>;
  /** Properties that are relations, written separately. */
  relations: Map<string, unknown>;
};

export const isRecord = (value: unknown): value is WireRecord => typeof value === "object" && value !== null && !Array.isArray(value);

export function recordIn(body: unknown): WireRecord {
  if (!isRecord(body)) throw badRequest("An object has to be a JSON object.");
  if (Object.keys(body).length > MOST_PROPERTIES) throw tooMuch(`An object can have ${MOST_PROPERTIES} properties.`);
  return body;
}

/** An id from a text or a number; null if missing. */
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
 * Parses a record for its table. Unknown properties are ignored, or refused if `strict`.
 * @throws for invalid values, naming all properties of a wrong type
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
  // The owner cannot be set by clients, except with the server key.
  if (name === "ownerId" && caller.server) given.ownerId = idIn(value);
}

function takeValue(given: Given, table: Table, name: string, value: unknown, strict: boolean) {
  const column = table.columns.get(name);
  if (!column) {
    if (strict) throw noColumn(name, table.name);
  } else if (column.expression !== null) {
    // Generated columns cannot be set.
  } else if (isExpression(value)) given.expressions.set(column, value.value);
  else if (column.type === "JSON" && isJsonUpdate(value)) given.updates.set(column, value);
  else given.values.set(column, valueIn(writtenOut(value), column));
}

/** Adds defaults to a new row and checks required columns. */
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

/** An update may omit required columns, but not set them to null. */
export function assertNotEmptied({ values }: Given): void {
  const missing = [...values].filter(([column, value]) => column.required && value === null).map(([{ name }]) => name);
  if (missing.length > 0) throw missingValues(missing);
}

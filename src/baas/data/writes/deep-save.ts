import { msg } from "#platform/messages";
import { isDeepStrictEqual } from "node:util";
import { isSystemColumn } from "../catalogue/table-names.ts";
import type { Caller, Column, Relation, Table, ApiRecord } from "../catalogue/types.ts";
import { parseDate } from "../clause/clause-dates.ts";
import { badRequest, dataTooLarge } from "../data-errors.ts";
import { setRelation } from "../relations/relations.ts";
import {
  isMarkerKey,
  getReferenceableId,
  getRepeatedId,
  expandRepeated,
} from "../values/repeated-objects.ts";
import { findOne } from "../query/index.ts";
import { createByteBudget, type ByteBudget, MAX_ANSWER_BYTES, answerTooLarge } from "../query/answer-size.ts";
import { estimateJsonLength } from "../values/json-length.ts";
import { createRow, updateRow } from "./row-writes.ts";
import { type RecordInput, parseRecordInput, parseId, isRecord } from "./record-input.ts";
import type { WriteContext } from "./write-context.ts";

/** Maximum nesting of records. */
const MAX_DEPTH = 10;
/** Maximum records of one call, nested ones included. */
const MAX_RECORDS = 1_000;

type DeepSaveContext = {
  writing: WriteContext;
  caller: Caller;
  /** Ids of saved records, by the marker id under which the client repeats them. */
  named: Map<string, string>;
  count: number;
  /** Remaining bytes of the answer, which contains each record whole. */
  left: ByteBudget;
};

/**
 * Saves a record with its nested records. Each relation that is given is replaced. The answer has these
 * relations, newest children first, without empty relations. A repeated record is answered with its marker
 * only.
 */
export const saveDeep = (
  writing: WriteContext,
  caller: Caller,
  table: Table,
  record: ApiRecord,
): Promise<ApiRecord> =>
  saveNested({ writing, caller, named: new Map(), count: 0, left: createByteBudget() }, table, record, 0);

async function saveNested(
  deep: DeepSaveContext,
  table: Table,
  record: ApiRecord,
  depth: number,
): Promise<ApiRecord> {
  if (depth > MAX_DEPTH)
    throw dataTooLarge(
      msg("{what} can be nested at most {count} levels.", { what: msg("Objects"), count: MAX_DEPTH }),
    );
  if (++deep.count > MAX_RECORDS)
    throw dataTooLarge(msg("One call can save at most {count} objects.", { count: MAX_RECORDS }));
  const { writing, caller } = deep;
  if (table.entity && depth > 0) return assertAnswerSize(deep, await linkEntity(deep, table, record));
  if (table.entity) throw linkedOnly(table);
  const input = parseRecordInput(table, caller, record);
  const saved = assertAnswerSize(deep, await saveOwnColumns(writing, caller, table, input));
  const objectId = String(saved["objectId"]);
  const name = getReferenceableId(record);
  if (name !== null) deep.named.set(name, objectId);
  if (name !== null) saved["__subID"] = name;
  for (const [relation, value] of input.relations) {
    const related = await saveRelation(deep, table, objectId, table.relations.get(relation)!, value, depth);
    if (related !== undefined) saved[relation] = related;
  }
  return saved;
}

/**
 * Links an API entity and returns it as the caller reads it. Clients also send the properties that they have
 * loaded.
 * @throws 1023 if one of them differs from the stored value
 */
async function linkEntity(
  { writing, caller }: DeepSaveContext,
  table: Table,
  record: ApiRecord,
): Promise<ApiRecord> {
  const objectId = parseId(record["objectId"]);
  if (objectId === null) throw linkedOnly(table);
  const existing = await findOne(writing, caller, table, objectId);
  for (const [name, value] of Object.entries(record))
    if (
      table.columns.has(name) &&
      Object.hasOwn(existing, name) &&
      !isSameValue(table.columns.get(name)!, value, existing[name])
    )
      throw linkedOnly(table);
  return { ...existing, ...(getReferenceableId(record) !== null && { __subID: getReferenceableId(record) }) };
}

const linkedOnly = ({ name }: Table) =>
  badRequest(msg("Objects of ''{name}'' can be linked, but not saved within other objects.", { name }));

const isSameValue = ({ type }: Column, given: unknown, current: unknown): boolean =>
  type === "DATETIME" && typeof given === "string"
    ? parseDate(given) === current
    : isDeepStrictEqual(expandRepeated(given), current);

/**
 * Updates a record that has an id, or creates a record without one. A record with nothing but an id is not
 * changed.
 */
async function saveOwnColumns(
  writing: WriteContext,
  caller: Caller,
  table: Table,
  input: RecordInput,
): Promise<ApiRecord> {
  const act = { table, caller };
  if (input.objectId === null) return createRow(writing, { ...act, event: "record.created" }, input);
  const changes = input.values.size + input.expressions.size + input.updates.size > 0;
  if (changes) return updateRow(writing, { ...act, event: "record.updated" }, input.objectId, input);
  return findOne(writing, caller, table, input.objectId);
}

async function saveRelation(
  deep: DeepSaveContext,
  table: Table,
  parentId: string,
  relation: Relation,
  value: unknown,
  depth: number,
) {
  const children = parseChildren(table, relation, value);
  const child = await deep.writing.catalogue.table(relation.toTable);
  const saved: ApiRecord[] = [];
  for (const it of children) saved.push(await saveChild(deep, child, it, depth));
  const ids = saved.map((it) => getSavedId(deep, it));
  await setRelation(deep.writing, {
    table,
    caller: deep.caller,
    parentId,
    relation: relation.name,
    children: { ids },
  });
  if (saved.length === 0) return undefined;
  return relation.kind === "ONE_TO_ONE" ? saved.at(-1) : sortNewestFirst(saved);
}

function parseChildren(table: Table, { name, kind }: Relation, value: unknown): ApiRecord[] {
  const list: unknown[] = value === null ? [] : Array.isArray(value) ? value : [value];
  if (list.length > (kind === "ONE_TO_ONE" ? 1 : MAX_RECORDS))
    throw dataTooLarge(
      msg("Too many objects for the relation ''{name}'' of ''{table}''.", { name, table: table.name }),
    );
  if (!list.every(isRecord))
    throw badRequest(
      msg("The relation ''{name}'' of ''{table}'' accepts objects only.", { name, table: table.name }),
    );
  return list;
}

/** Links an existing child; properties other than its id are saved first. */
async function saveChild(
  deep: DeepSaveContext,
  child: Table,
  record: ApiRecord,
  depth: number,
): Promise<ApiRecord> {
  const repeated = getRepeatedId(record);
  if (repeated !== null) {
    if (!deep.named.has(repeated))
      throw badRequest("An object refers to another object that is not in this call.");
    return { __originSubID: repeated };
  }
  const objectId = parseId(record["objectId"]);
  const bare = Object.keys(record).every((key) => isMarkerKey(key) || isSystemColumn(key));
  if (objectId === null || !bare) return saveNested(deep, child, record, depth + 1);
  if (getReferenceableId(record) !== null) deep.named.set(getReferenceableId(record)!, objectId);
  return assertAnswerSize(deep, await findOne(deep.writing, deep.caller, child, objectId));
}

function assertAnswerSize({ left }: DeepSaveContext, record: ApiRecord): ApiRecord {
  if ((left.bytes -= estimateJsonLength(record, MAX_ANSWER_BYTES)) < 0) throw answerTooLarge();
  return record;
}

const getSavedId = (deep: DeepSaveContext, saved: ApiRecord): string =>
  typeof saved["__originSubID"] === "string"
    ? deep.named.get(saved["__originSubID"])!
    : String(saved["objectId"]);

/**
 * Sorts records newest first. Records created in one call have the same time and are sorted in reverse order
 * of creation.
 */
const sortNewestFirst = (saved: ApiRecord[]): ApiRecord[] =>
  saved
    .map((record, at) => ({ record, at }))
    .sort((a, b) => Number(b.record["created"] ?? 0) - Number(a.record["created"] ?? 0) || b.at - a.at)
    .map(({ record }) => record);

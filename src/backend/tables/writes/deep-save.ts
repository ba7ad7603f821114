import { isDeepStrictEqual } from "node:util";
import { isSystem } from "../catalogue/names.ts";
import type { Caller, Column, Relation, Table, WireRecord } from "../catalogue/types.ts";
import { readDate } from "../clause/dates.ts";
import { badRequest, tooMuch } from "../faults.ts";
import { setRelation } from "../relations/relations.ts";
import { isMark, nameOf, repeatedBy, writtenOut } from "../values/markers.ts";
import { findOne } from "../query/index.ts";
import { allLeft, type Left, MOST_BYTES, tooLarge } from "../query/measured.ts";
import { sizeOf } from "../values/size.ts";
import { createRow, updateRow } from "./one.ts";
import { type Given, givenFor, idIn, isRecord } from "./record.ts";
import type { Writing } from "./writing.ts";

/** Nesting depth of records, and records in total. */
const DEEPEST = 10;
const MOST_RECORDS = 1_000;

type Deep = {
  writing: Writing;
  caller: Caller;
  /** Ids of records by the id under which the client repeats them. */
  named: Map<string, string>;
  count: number;
  /** The remaining size of the answer, which holds each record whole. */
  left: Left;
};

/**
 * Saves a record with nested records: each given relation is replaced. The answer has the given relations,
 * newest first, without empty ones. Repeated records are answered with their marker.
 */
export const deepSave = (writing: Writing, caller: Caller, table: Table, record: WireRecord): Promise<WireRecord> =>
  saveDeep({ writing, caller, named: new Map(), count: 0, left: allLeft() }, table, record, 0);

async function saveDeep(deep: Deep, table: Table, record: WireRecord, depth: number): Promise<WireRecord> {
  if (depth > DEEPEST) throw tooMuch(`Objects can stand ${DEEPEST} deep in one another.`);
  if (++deep.count > MOST_RECORDS) throw tooMuch(`One call can save ${MOST_RECORDS} objects.`);
  const { writing, caller } = deep;
  if (table.noun && depth > 0) return held(deep, await linkedNoun(deep, table, record));
  if (table.noun) throw onlyLinked(table);
  const given = givenFor(table, caller, record);
  const saved = held(deep, await saveItself(writing, caller, table, given));
  const objectId = String(saved["objectId"]);
  const name = nameOf(record);
  if (name !== null) deep.named.set(name, objectId);
  if (name !== null) saved["__subID"] = name;
  for (const [relation, value] of given.relations) {
    const related = await saveRelation(deep, table, objectId, table.relations.get(relation)!, value, depth);
    if (related !== undefined) saved[relation] = related;
  }
  return saved;
}

/**
 * An API entity as the caller reads it. Clients send along the properties they loaded.
 * @throws 1023 if one of them would change it
 */
async function linkedNoun({ writing, caller }: Deep, table: Table, record: WireRecord): Promise<WireRecord> {
  const objectId = idIn(record["objectId"]);
  if (objectId === null) throw onlyLinked(table);
  const stands = await findOne(writing, caller, table, objectId);
  for (const [name, value] of Object.entries(record))
    if (table.columns.has(name) && Object.hasOwn(stands, name) && !isSame(table.columns.get(name)!, value, stands[name]))
      throw onlyLinked(table);
  return { ...stands, ...(nameOf(record) !== null && { __subID: nameOf(record) }) };
}

const onlyLinked = ({ name }: Table) => badRequest(`Objects of '${name}' are linked, and are not saved within others.`);

const isSame = ({ type }: Column, given: unknown, stands: unknown): boolean =>
  type === "DATETIME" && typeof given === "string" ? readDate(given) === stands : isDeepStrictEqual(writtenOut(given), stands);

/** Updates a record with an id, creates one without. An id alone only selects the record. */
async function saveItself(writing: Writing, caller: Caller, table: Table, given: Given): Promise<WireRecord> {
  const act = { table, caller };
  if (given.objectId === null) return createRow(writing, { ...act, event: "record.created" }, given);
  const changes = given.values.size + given.expressions.size + given.updates.size > 0;
  if (changes) return updateRow(writing, { ...act, event: "record.updated" }, given.objectId, given);
  return findOne(writing, caller, table, given.objectId);
}

async function saveRelation(deep: Deep, table: Table, parentId: string, relation: Relation, value: unknown, depth: number) {
  const children = readChildren(table, relation, value);
  const child = await deep.writing.catalogue.table(relation.toTable);
  const saved: WireRecord[] = [];
  for (const it of children) saved.push(await saveChild(deep, child, it, depth));
  const ids = saved.map((it) => idOfSaved(deep, it));
  await setRelation(deep.writing, { table, caller: deep.caller, parentId, relation: relation.name, children: { ids } });
  if (saved.length === 0) return undefined;
  return relation.kind === "ONE_TO_ONE" ? saved.at(-1) : newestFirst(saved);
}

function readChildren(table: Table, { name, kind }: Relation, value: unknown): WireRecord[] {
  const list = value === null ? [] : Array.isArray(value) ? value : [value];
  if (list.length > (kind === "ONE_TO_ONE" ? 1 : MOST_RECORDS))
    throw tooMuch(`The relation '${name}' of '${table.name}' is given too many objects.`);
  for (const it of list) if (!isRecord(it)) throw badRequest(`The relation '${name}' of '${table.name}' is given what is no object.`);
  return list as WireRecord[];
}

/** An existing child is linked; it is saved first if there is anything to save. */
async function saveChild(deep: Deep, child: Table, record: WireRecord, depth: number): Promise<WireRecord> {
  const repeated = repeatedBy(record);
  if (repeated !== null) {
    if (!deep.named.has(repeated)) throw badRequest("An object stands for one that is not in this call.");
    return { __originSubID: repeated };
  }
  const objectId = idIn(record["objectId"]);
  const bare = Object.keys(record).every((key) => isMark(key) || isSystem(key));
  if (objectId === null || !bare) return saveDeep(deep, child, record, depth + 1);
  if (nameOf(record) !== null) deep.named.set(nameOf(record)!, objectId);
  return held(deep, await findOne(deep.writing, deep.caller, child, objectId));
}

function held({ left }: Deep, record: WireRecord): WireRecord {
  if ((left.bytes -= sizeOf(record, MOST_BYTES)) < 0) throw tooLarge();
  return record;
}

const idOfSaved = (deep: Deep, saved: WireRecord): string =>
  typeof saved["__originSubID"] === "string" ? deep.named.get(saved["__originSubID"])! : String(saved["objectId"]);

/** Records created in one call have the same time; the later one counts as newer. */
const newestFirst = (saved: WireRecord[]): WireRecord[] =>
  saved
    .map((record, at) => ({ record, at }))
    .sort((a, b) => Number(b.record["created"] ?? 0) - Number(a.record["created"] ?? 0) || b.at - a.at)
    .map(({ record }) => record);

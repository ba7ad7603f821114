import type { Tx } from "#platform/database";
import { isSystem } from "../catalogue/names.ts";
import type { Caller, Table } from "../catalogue/types.ts";
import { badRequest, CODES, TableFault } from "../faults.ts";
import { findRecords } from "../hooked-reads.ts";
import type { Which } from "../query/index.ts";
import { addRelation, type Children, deleteRelation, setRelation } from "../relations/relations.ts";
import { parseRelationName } from "../relations/relation-name.ts";
import { isMark } from "../values/markers.ts";
import { changeRows, createRows, removeRows, upsertRows } from "../writes/many.ts";
import type { Left } from "../writes/nouns.ts";
import { createRow, removeRow, updateRow, upsertRow } from "../writes/one.ts";
import { type Given, givenFor, idIn, isRecord, recordIn } from "../writes/record.ts";
import type { Writing } from "../writes/writing.ts";
import type { OperationType } from "./forms.ts";
import { queryOf } from "./query-of.ts";

const MOST_IN_BULK = 100;

export type Scene = { tx: Tx; writing: Writing; caller: Caller; table: Table; left: Left };
export type Run = (scene: Scene, payload: unknown) => Promise<unknown>;

/** A record for a transaction, which creates no columns: unknown ones are refused. */
function given({ table, caller }: Scene, record: unknown): Given {
  const read = recordIn(record);
  for (const name of Object.keys(read))
    if (!isMark(name) && !isSystem(name) && !table.columns.has(name) && !table.relations.has(name))
      throw new TableFault(
        CODES.columnNotFound,
        // Clients expect this wording.
        `Column '${name}' in table '${table.name}' does not exists. All tables and columns must be present in the database before a transaction is executed.`,
      );
  return givenFor(table, caller, read);
}

export function listIn(payload: unknown, what: string): unknown[] {
  if (!Array.isArray(payload)) throw badRequest(`The payload of a bulk ${what} is a list of objects.`);
  if (payload.length > MOST_IN_BULK)
    throw new TableFault(CODES.tooMuch, `Bulk ${what} operation supports no more than ${MOST_IN_BULK} objects`);
  return payload;
}

/** An id, given directly or as an object that has it. */
export function idOf(value: unknown): string {
  const id = idIn(isRecord(value) ? value["objectId"] : value);
  if (id === null) throw badRequest("An operation needs the objectId of what it is about.");
  return id;
}

const idsOf = (value: unknown): string[] => {
  if (value === undefined || value === null) throw badRequest("An operation on many needs either a condition or a list of them.");
  return (Array.isArray(value) ? value.flat() : [value]).map(idOf);
};

export const whichOf = (payload: unknown): Which & Children => {
  if (!isRecord(payload)) throw badRequest("The payload of this operation is an object.");
  const { conditional, unconditional } = payload;
  if (typeof conditional === "string") return { where: conditional };
  return { ids: idsOf(unconditional) };
};

const onRelation =
  (change: typeof setRelation): Run =>
  ({ writing, caller, table }, payload) => {
    if (!isRecord(payload) || typeof payload["relationColumn"] !== "string") throw badRequest("The payload names no relation.");
    const children = whichOf(payload);
    const { name: relation } = parseRelationName(payload["relationColumn"]);
    return change(writing, { table, caller, parentId: idOf(payload["parentObject"]), relation, children });
  };

/** Handlers by operation type. */
export const RUNS: Record<OperationType, Run> = {
  CREATE: async (scene, payload) => createRow(scene.writing, { ...scene, event: "record.created" }, given(scene, payload)),
  async UPDATE(scene, payload) {
    const read = given(scene, payload);
    return updateRow(scene.writing, { ...scene, event: "record.updated" }, idOf(read.objectId), read);
  },
  UPSERT: async (scene, payload) => upsertRow(scene.writing, scene, given(scene, payload)),
  DELETE: async (scene, payload) => removeRow(scene.writing, scene, idOf(payload)),
  CREATE_BULK: async (scene, payload) =>
    createRows(
      scene.writing,
      scene,
      listIn(payload, "create").map((it) => given(scene, it)),
    ),
  UPSERT_BULK: async (scene, payload) =>
    upsertRows(
      scene.writing,
      scene,
      listIn(payload, "upsert").map((it) => given(scene, it)),
    ),
  async UPDATE_BULK(scene, payload) {
    const which = whichOf(payload);
    return changeRows(scene.writing, scene, which, given(scene, (payload as Record<string, unknown>)["changes"]));
  },
  DELETE_BULK: async (scene, payload) => removeRows(scene.writing, scene, whichOf(payload)),
  FIND: async ({ writing, caller, table }, payload) => findRecords({ ...writing, keepsIds: true }, caller, table, queryOf(payload)),
  ADD_RELATION: onRelation(addRelation),
  SET_RELATION: onRelation(setRelation),
  DELETE_RELATION: onRelation(deleteRelation),
};

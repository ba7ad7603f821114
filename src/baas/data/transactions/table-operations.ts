import { msg } from "#platform/messages";
import type { Tx } from "#platform/database";
import { isSystemColumn } from "../catalogue/table-names.ts";
import type { Caller, Table } from "../catalogue/types.ts";
import { badRequest, CODES, TableFault } from "../data-errors.ts";
import { findRecords } from "../hooked-reads.ts";
import type { RecordSelection } from "../query/index.ts";
import { addRelation, type ChildSelection, deleteRelation, setRelation } from "../relations/relations.ts";
import { parseRelationName } from "../relations/relation-name.ts";
import { isMarkerKey } from "../values/repeated-objects.ts";
import { changeRows, removeRows } from "../writes/selection-writes.ts";
import { createRows, upsertRows } from "../writes/bulk-writes.ts";
import type { EntityBudget } from "../writes/entity-writes.ts";
import { createRow, removeRow, updateRow, upsertRow } from "../writes/row-writes.ts";
import {
  type RecordInput,
  parseRecordInput,
  parseId,
  isRecord,
  requireRecord,
} from "../writes/record-input.ts";
import type { WriteContext } from "../writes/write-context.ts";
import type { OperationType } from "./transaction-schemas.ts";
import { parseFindPayload } from "./find-operation.ts";

const MAX_IN_BULK = 100;

export type OperationContext = {
  tx: Tx;
  writing: WriteContext;
  caller: Caller;
  table: Table;
  left: EntityBudget;
};
export type RunOperation = (scene: OperationContext, payload: unknown) => Promise<unknown>;

/** Parses a record in a transaction. Transactions create no columns, so unknown properties are refused. */
function parseRecord({ table, caller }: OperationContext, record: unknown): RecordInput {
  const read = requireRecord(record);
  for (const name of Object.keys(read))
    if (!isMarkerKey(name) && !isSystemColumn(name) && !table.columns.has(name) && !table.relations.has(name))
      throw new TableFault(
        CODES.columnNotFound,
        // Clients expect this wording.
        msg(
          "Column ''{name}'' in table ''{table}'' does not exists. " +
            "All tables and columns must be present in the database before a transaction is executed.",
          { name, table: table.name },
        ),
      );
  return parseRecordInput(table, caller, read);
}

export function parseList(payload: unknown, what: string): unknown[] {
  if (!Array.isArray(payload))
    throw badRequest(msg("The payload of a bulk {what} must be a list of objects.", { what }));
  if (payload.length > MAX_IN_BULK)
    throw new TableFault(
      CODES.tooMuch,
      msg("Bulk {what} operation supports no more than {count} objects", { what, count: MAX_IN_BULK }),
    );
  return payload;
}

/** Parses an id, given as text or as an object that contains it. */
export function parseOperationId(value: unknown): string {
  const id = parseId(isRecord(value) ? value["objectId"] : value);
  if (id === null) throw badRequest("The operation needs the objectId of its object.");
  return id;
}

const parseIds = (value: unknown): string[] => {
  if (value === undefined || value === null)
    throw badRequest("A bulk operation needs either a condition or a list of objects.");
  return (Array.isArray(value) ? value.flat() : [value]).map(parseOperationId);
};

export const parseSelection = (payload: unknown): RecordSelection & ChildSelection => {
  if (!isRecord(payload)) throw badRequest("The payload of this operation must be an object.");
  const { conditional, unconditional } = payload;
  if (typeof conditional === "string") return { where: conditional };
  return { ids: parseIds(unconditional) };
};

const createRelationOperation =
  (change: typeof setRelation): RunOperation =>
  ({ writing, caller, table }, payload) => {
    if (!isRecord(payload) || typeof payload["relationColumn"] !== "string")
      throw badRequest("The payload must name a relation.");
    const children = parseSelection(payload);
    const { name: relation } = parseRelationName(payload["relationColumn"]);
    return change(writing, {
      table,
      caller,
      parentId: parseOperationId(payload["parentObject"]),
      relation,
      children,
    });
  };

/** Handlers by operation type. */
export const TABLE_OPERATIONS: Record<OperationType, RunOperation> = {
  CREATE: async (scene, payload) =>
    createRow(scene.writing, { ...scene, event: "record.created" }, parseRecord(scene, payload)),
  async UPDATE(scene, payload) {
    const record = parseRecord(scene, payload);
    return updateRow(
      scene.writing,
      { ...scene, event: "record.updated" },
      parseOperationId(record.objectId),
      record,
    );
  },
  UPSERT: async (scene, payload) => upsertRow(scene.writing, scene, parseRecord(scene, payload)),
  DELETE: async (scene, payload) => removeRow(scene.writing, scene, parseOperationId(payload)),
  CREATE_BULK: async (scene, payload) =>
    createRows(
      scene.writing,
      scene,
      parseList(payload, "create").map((it) => parseRecord(scene, it)),
    ),
  UPSERT_BULK: async (scene, payload) =>
    upsertRows(
      scene.writing,
      scene,
      parseList(payload, "upsert").map((it) => parseRecord(scene, it)),
    ),
  async UPDATE_BULK(scene, payload) {
    const which = parseSelection(payload);
    return changeRows(scene.writing, scene, which, parseRecord(scene, requireRecord(payload)["changes"]));
  },
  DELETE_BULK: async (scene, payload) => removeRows(scene.writing, scene, parseSelection(payload)),
  FIND: async ({ writing, caller, table }, payload) =>
    findRecords({ ...writing, keepsIds: true }, caller, table, parseFindPayload(payload)),
  ADD_RELATION: createRelationOperation(addRelation),
  SET_RELATION: createRelationOperation(setRelation),
  DELETE_RELATION: createRelationOperation(deleteRelation),
};

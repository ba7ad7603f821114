import { ensureColumns } from "./catalogue/ensure-columns.ts";
import type { Caller, ApiRecord } from "./catalogue/types.ts";
import { parseLongIdList } from "./clause/long-id-list.ts";
import { badRequest } from "./data-errors.ts";
import { writeInTransaction, withTable, type DataTables, reserveRows } from "./data-tables.ts";
import { assertBulkSize, createRows, upsertRows } from "./writes/bulk-writes.ts";
import { changeRows, removeRows } from "./writes/selection-writes.ts";
import {
  changeEntities,
  removeEntities,
  assertEntityBulkSize,
  prepareEntities,
  saveEntities,
} from "./writes/entity-writes.ts";
import { parseRecordInput, requireRecord } from "./writes/record-input.ts";
import { withoutObjectId, runEntityCommands, countNewRecords } from "./object-commands.ts";

function parseRecords(body: unknown): ApiRecord[] {
  if (!Array.isArray(body)) throw badRequest("The body must be a list of objects.");
  assertBulkSize(body);
  return body.map(requireRecord);
}

/** Creates many objects in one transaction. Returns their ids in order. */
export async function bulkCreateObjects(
  tables: DataTables,
  caller: Caller,
  name: string,
  body: unknown,
): Promise<string[]> {
  const records = parseRecords(body);
  await reserveRows(tables, name, records.length);
  await ensureColumns(tables, caller, name, records);
  return withTable(tables, name, async (table) => {
    if (table.entity) {
      const prepared = await prepareEntities(
        table,
        caller,
        assertEntityBulkSize(table, records.map(withoutObjectId)),
      );
      return runEntityCommands(tables, caller, table, (command) => saveEntities(command, prepared));
    }
    const inputs = records.map((record) => parseRecordInput(table, caller, record));
    return writeInTransaction(tables, (writing) => createRows(writing, { table, caller }, inputs));
  });
}

/** Creates or changes many objects by id in one transaction. Returns the ids in order. */
export async function bulkUpsertObjects(
  tables: DataTables,
  caller: Caller,
  name: string,
  body: unknown,
): Promise<string[]> {
  const records = parseRecords(body);
  await reserveRows(tables, name, await countNewRecords(tables, name, records));
  await ensureColumns(tables, caller, name, records);
  return withTable(tables, name, async (table) => {
    if (table.entity) {
      const prepared = await prepareEntities(table, caller, assertEntityBulkSize(table, records));
      return runEntityCommands(tables, caller, table, (command) => saveEntities(command, prepared));
    }
    const inputs = records.map((record) => parseRecordInput(table, caller, record));
    return writeInTransaction(tables, (writing) => upsertRows(writing, { table, caller }, inputs));
  });
}

/** Changes all objects that match a clause and that the caller may change; returns how many. */
export async function bulkUpdateObjects(
  tables: DataTables,
  caller: Caller,
  name: string,
  where: string,
  body: unknown,
): Promise<number> {
  const changes = requireRecord(body);
  await reserveRows(tables, name, 0);
  await ensureColumns(tables, caller, name, [changes]);
  return withTable(tables, name, (table) => {
    if (table.entity)
      return runEntityCommands(tables, caller, table, (command) =>
        changeEntities(command, { where }, changes),
      );
    return writeInTransaction(tables, (writing) =>
      changeRows(writing, { table, caller }, { where }, parseRecordInput(table, caller, changes)),
    );
  });
}

/**
 * Removes all objects that match a clause and that the caller may remove; returns how many. A clause that
 * only lists ids may list ten thousand.
 */
export function bulkDeleteObjects(
  tables: DataTables,
  caller: Caller,
  name: string,
  where: string,
): Promise<number> {
  const ids = parseLongIdList(where);
  const which = ids === null ? { where } : { ids };
  return withTable(tables, name, (table) => {
    if (table.entity)
      return runEntityCommands(tables, caller, table, (command) => removeEntities(command, which));
    return writeInTransaction(tables, (writing) => removeRows(writing, { table, caller }, which));
  });
}

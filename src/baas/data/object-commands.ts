import { listChildRecords, MAX_DEPTH, ensureColumns } from "./catalogue/ensure-columns.ts";
import type { Caller, Table, ApiRecord } from "./catalogue/types.ts";
import { findOne } from "./query/index.ts";
import {
  writeInTransaction,
  createStatementContext,
  runTransaction,
  withTable,
  type DataTables,
  reserveRows,
} from "./data-tables.ts";
import { saveDeep } from "./writes/deep-save.ts";
import { countExisting } from "./writes/bulk-writes.ts";
import {
  type EntityCommand,
  removeEntity,
  prepareEntities,
  createEntityBudget,
  saveEntity,
  getSavedEntity,
} from "./writes/entity-writes.ts";
import { createRow, lockRow, removeRow, updateRow, upsertRow } from "./writes/row-writes.ts";
import { type RecordInput, parseRecordInput, parseId, requireRecord } from "./writes/record-input.ts";
import type { WriteContext } from "./writes/write-context.ts";

/** Saves an object: changes it if it has an id, otherwise creates it. Returns the whole object. */
export async function saveObject(
  tables: DataTables,
  caller: Caller,
  name: string,
  body: unknown,
): Promise<ApiRecord> {
  const record = requireRecord(body);
  await reserveRows(tables, name, record["objectId"] ? 0 : 1);
  await ensureColumns(tables, caller, name, [record]);
  return withTable(tables, name, async (table) => {
    if (table.entity) return saveEntityRecord(tables, caller, table, record);
    const input = parseRecordInput(table, caller, record);
    const { objectId } = input;
    return storeChange(tables, input, (writing) =>
      objectId === null
        ? createRow(writing, { table, caller, event: "record.created" }, input)
        : updateRow(writing, { table, caller, event: "record.updated" }, objectId, input),
    );
  });
}

/**
 * Creates an object. A given id is used if no object has it.
 * @throws 1155 for an id in use
 */
export async function createObject(
  tables: DataTables,
  caller: Caller,
  name: string,
  body: unknown,
): Promise<ApiRecord> {
  const record = requireRecord(body);
  await reserveRows(tables, name, 1);
  await ensureColumns(tables, caller, name, [record]);
  return withTable(tables, name, async (table) => {
    if (table.entity) return saveEntityRecord(tables, caller, table, withoutObjectId(record));
    const input = parseRecordInput(table, caller, record);
    return storeChange(tables, input, (writing) =>
      createRow(writing, { table, caller, event: "record.created" }, input),
    );
  });
}

/**
 * Stores a change. Changing a JSON value needs a transaction, because the value is read and locked first;
 * any other change is one statement.
 */
const storeChange = <T>(
  tables: DataTables,
  { updates }: RecordInput,
  work: (writing: WriteContext) => Promise<T>,
): Promise<T> => (updates.size > 0 ? writeInTransaction(tables, work) : work(createStatementContext(tables)));

/**
 * Changes an object of a data table after locking it and passing its current state to `look`. If `look`
 * throws, the object is not changed.
 */
export async function saveAfterCheck(
  tables: DataTables,
  caller: Caller,
  name: string,
  body: unknown,
  look: (now: ApiRecord) => void,
) {
  const record = requireRecord(body);
  await reserveRows(tables, name, 0);
  return withTable(tables, name, (table) =>
    writeInTransaction(tables, async (writing) => {
      const input = parseRecordInput(table, caller, record, true);
      const objectId = input.objectId ?? "";
      await lockRow(writing, table, caller, objectId);
      look(await findOne(writing, caller, table, objectId));
      return updateRow(writing, { table, caller, event: "record.updated" }, objectId, input);
    }),
  );
}

/** Like `saveObject`, but an unknown id creates an object with that id. */
export async function upsertObject(
  tables: DataTables,
  caller: Caller,
  name: string,
  body: unknown,
): Promise<ApiRecord> {
  const record = requireRecord(body);
  await reserveRows(tables, name, await countNewRecords(tables, name, [record]));
  await ensureColumns(tables, caller, name, [record]);
  return withTable(tables, name, async (table) => {
    if (table.entity) return saveEntityRecord(tables, caller, table, record);
    return writeInTransaction(tables, (writing) =>
      upsertRow(writing, { table, caller }, parseRecordInput(table, caller, record)),
    );
  });
}

/**
 * Saves an object with its nested objects in one transaction. The answer includes the relations that were
 * given.
 */
export async function saveObjectDeep(
  tables: DataTables,
  caller: Caller,
  name: string,
  body: unknown,
): Promise<ApiRecord> {
  const record = requireRecord(body);
  await tables.catalogue.config();
  await reserveRows(tables, name, countNewNested(tables, name, record));
  await ensureColumns(tables, caller, name, [record], true);
  return withTable(tables, name, (table) =>
    writeInTransaction(tables, (writing) => saveDeep(writing, caller, table, record)),
  );
}

/** Counts the objects that a deep save creates: those without an id, including the outermost. */
function countNewNested(tables: DataTables, name: string, record: ApiRecord, depth = 0): number {
  const relations = depth < MAX_DEPTH ? [...(tables.catalogue.known(name)?.relations.values() ?? [])] : [];
  return relations.reduce(
    (sum, { name: relation, toTable }) =>
      listChildRecords(record[relation]).reduce(
        (within, child) => within + countNewNested(tables, toTable, child, depth + 1),
        sum,
      ),
    parseId(record["objectId"]) === null ? 1 : 0,
  );
}

/** Removes an object. Returns the time of the removal in milliseconds. */
export const removeObject = (
  tables: DataTables,
  caller: Caller,
  name: string,
  objectId: string,
): Promise<number> =>
  withTable(tables, name, async (table) => {
    if (table.entity)
      return runEntityCommands(tables, caller, table, (command) => removeEntity(command, objectId));
    const work = (writing: WriteContext) => removeRow(writing, { table, caller }, objectId);
    return table.hasGrants ? writeInTransaction(tables, work) : work(createStatementContext(tables));
  });

/** Runs commands of an API entity in one transaction. */
export const runEntityCommands = <T>(
  tables: DataTables,
  caller: Caller,
  table: Table,
  work: (command: EntityCommand) => Promise<T>,
): Promise<T> =>
  runTransaction(tables, (tx) =>
    work({ tx, catalogue: tables.catalogue.within(tx), caller, table, left: createEntityBudget() }),
  );

async function saveEntityRecord(
  tables: DataTables,
  caller: Caller,
  table: Table,
  record: ApiRecord,
): Promise<ApiRecord> {
  const [prepared] = await prepareEntities(table, caller, [record]);
  const id = await runEntityCommands(tables, caller, table, (command) => saveEntity(command, prepared!));
  return getSavedEntity(tables, caller, table, id, record);
}

/** Removes the id from a record of an API entity, since clients cannot choose its id. */
export const withoutObjectId = ({ objectId: _given, ...record }: ApiRecord): ApiRecord => record;

/** Counts the records that an upsert creates: those without an id or with an unused one. */
export async function countNewRecords(
  { db, catalogue }: DataTables,
  name: string,
  records: ApiRecord[],
): Promise<number> {
  const ids = [...new Set(records.flatMap(({ objectId }) => parseId(objectId) ?? []))];
  await catalogue.config();
  const table = catalogue.known(name);
  if (ids.length === 0 || !table || table.entity) return records.length;
  return records.length - (await countExisting(db, table, ids));
}

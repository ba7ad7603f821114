import { msg } from "#platform/messages";
import { listChildRecords, createRelation, MAX_DEPTH, ensureColumns } from "./catalogue/ensure-columns.ts";
import { describeColumns, type ColumnDescription } from "./catalogue/describe-table.ts";
import type { Caller, Table, ApiRecord } from "./catalogue/types.ts";
import { parseLongIdList } from "./clause/long-id-list.ts";
import { badRequest, tableNotFound, dataTooLarge } from "./data-errors.ts";
import { setObjectGrant } from "./permissions/object-grants.ts";
import { assertAllowed, isAllowed } from "./permissions/row-permissions.ts";
import { findOne } from "./query/index.ts";
import { addRelation, type ChildSelection, deleteRelation, setRelation } from "./relations/relations.ts";
import { parseRelationName } from "./relations/relation-name.ts";
import {
  writeInTransaction,
  createStatementContext,
  runTransaction,
  withTable,
  type DataTables,
  reserveRows,
} from "./data-tables.ts";
import { saveDeep } from "./writes/deep-save.ts";
import {
  assertBulkSize,
  changeRows,
  countExisting,
  createRows,
  removeRows,
  upsertRows,
} from "./writes/bulk-writes.ts";
import {
  changeEntities,
  type EntityCommand,
  removeEntity,
  removeEntities,
  assertEntityBulkSize,
  entityActionMissing,
  prepareEntities,
  createEntityBudget,
  saveEntity,
  saveEntities,
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
const runEntityCommands = <T>(
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

/** Removes the id from a record of an API entity, since clients cannot choose its id. */
const withoutObjectId = ({ objectId: _given, ...record }: ApiRecord): ApiRecord => record;

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

/** Counts the records that an upsert creates: those without an id or with an unused one. */
async function countNewRecords(
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
 * only lists ids may have ten thousand.
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

const RELATION_CHANGES = { set: setRelation, add: addRelation, delete: deleteRelation };

/**
 * Sets, adds or removes children of an object; returns how many. If the relation names its target
 * (`kids:Kid:n`), is missing and the schema is dynamic, it is created.
 */
export async function relateObjects(
  tables: DataTables,
  caller: Caller,
  how: keyof typeof RELATION_CHANGES,
  {
    table: name,
    parentId,
    relation: text,
    children,
  }: { table: string; parentId: string; relation: string; children: ChildSelection },
): Promise<number> {
  const { name: relation, wanted } = parseRelationName(text);
  if (how !== "delete") await reserveRows(tables, name, 0);
  if (how !== "delete" && wanted) await createRelation(tables, caller, name, { ...wanted, name: relation });
  return withTable(tables, name, (table) =>
    writeInTransaction(tables, (writing) =>
      RELATION_CHANGES[how](writing, { table, caller, parentId, relation, children }),
    ),
  );
}

/** Grants or denies one action on one object. */
export async function setObjectPermission(
  tables: DataTables,
  caller: Caller,
  {
    table: name,
    objectId,
    allowed,
    body,
  }: { table: string; objectId: string; allowed: boolean; body: unknown },
): Promise<void> {
  const isFirst = await withTable(tables, name, (table) =>
    tables.inTransaction((tx) => setObjectGrant(tx, { table, caller, objectId, allowed, body })),
  );
  if (isFirst) tables.catalogue.forget();
}

const MAX_PERMISSIONS = 100;

/** Sets several permissions of one object in one transaction, each like `setObjectPermission`. */
export async function setObjectPermissions(
  tables: DataTables,
  caller: Caller,
  {
    table: name,
    objectId,
    allowed,
    body,
  }: { table: string; objectId: string; allowed: boolean; body: unknown },
): Promise<void> {
  const permissions = Array.isArray(body) ? (body as unknown[]) : [];
  if (permissions.length === 0)
    throw badRequest("Permissions must be a list of { permission, user } or { permission, role }.");
  if (permissions.length > MAX_PERMISSIONS)
    throw dataTooLarge(msg("One call can set at most {count} permissions.", { count: MAX_PERMISSIONS }));
  const changed = await withTable(tables, name, (table) =>
    tables.inTransaction(async (tx) => {
      let isFirst = false;
      for (const permission of permissions)
        isFirst =
          (await setObjectGrant(tx, { table, caller, objectId, allowed, body: permission })) || isFirst;
      return isFirst;
    }),
  );
  if (changed) tables.catalogue.forget();
}

/**
 * The current columns and relations of a table.
 * @throws 1009 for an unknown table, 1011 without access
 */
export async function describeTable(
  tables: DataTables,
  caller: Caller,
  name: string,
): Promise<ColumnDescription[]> {
  await tables.catalogue.isBehind();
  return withTable(tables, name, async (table) => {
    assertAllowed(table, caller, "find");
    return describeColumns(table, caller);
  });
}

/**
 * Checks that the caller may create objects in a table, whatever their content. With `changes`, being
 * allowed to change objects suffices.
 * @throws 1011, 1009 for an unknown table that would not be created, and the refusal of a read-only API
 * entity
 */
export async function assertCanCreate(
  { catalogue }: DataTables,
  caller: Caller,
  name: string,
  changes: boolean,
): Promise<void> {
  const { dynamicSchema, defaultAccess } = await catalogue.config();
  const grows = dynamicSchema && (caller.server || caller.userId !== null || defaultAccess === "open");
  const table = catalogue.known(name) ?? (grows ? null : await catalogue.table(name));
  if (!table || (changes && isAllowed(table, caller, "update"))) return;
  if (table.entity && !table.entity.create) throw entityActionMissing(table.entity, "create");
  assertAllowed(table, caller, "create");
}

/**
 * Returns the name of the table with this id.
 * @throws 1009
 */
export async function getTableName({ catalogue }: DataTables, id: string): Promise<string> {
  const named = async () => (await catalogue.all()).find((it) => it.id === id);
  const table = (await named()) ?? ((await catalogue.isBehind()) ? await named() : undefined);
  if (!table) throw tableNotFound(id);
  return table.name;
}

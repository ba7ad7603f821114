import { msg } from "#platform/messages";
import { maybeOne, sql, type Tx } from "#platform/database";
import type { Caller, Catalogue, DataContext, EntityTable, Table, ApiRecord } from "../catalogue/types.ts";
import { CODES, TableFault, dataTooLarge } from "../data-errors.ts";
import { findIds, findOne, type RecordSelection } from "../query/index.ts";
import { notPermitted, allowedRowsSql } from "../permissions/row-permissions.ts";
import { idInSql } from "../query/query-sources.ts";
import { parseId } from "./record-input.ts";
import { tableSql } from "./write-context.ts";

/** Maximum API entities that one call or transaction can change. Each is changed by a command of its own. */
export const MAX_ENTITIES = 100;

/** The number of API entities that may still be changed. */
export type EntityBudget = { entities: number };
export const createEntityBudget = (): EntityBudget => ({ entities: MAX_ENTITIES });

/**
 * Context for commands of API entities: transaction, caller, table, and how many entities may still be
 * changed.
 */
export type EntityCommand = {
  tx: Tx;
  catalogue: Catalogue;
  caller: Caller;
  table: Table;
  left: EntityBudget;
};

/**
 * Returns the entity's own command.
 * @throws the reason if there is none, and 1021 beyond the limit
 */
function getEntityCommand<A extends "create" | "update" | "remove">(
  { table, left }: EntityCommand,
  act: A,
  count = 1,
): NonNullable<EntityTable[A]> {
  const entity = table.entity!;
  const found = entity[act];
  if (!found) throw entityActionMissing(entity, act);
  if ((left.entities -= count) < 0)
    throw dataTooLarge(
      msg("One call can change at most {count} objects of the community.", { count: MAX_ENTITIES }),
    );
  return found;
}

/** Creates the refusal for a missing command, with the reason. */
export const entityActionMissing = (entity: EntityTable, act: "create" | "update" | "remove") =>
  new TableFault(
    CODES.notPermitted,
    entity.refusals?.[act] ??
      msg("Objects of ''{table}'' cannot be {done} here.", { table: entity.name, done: `${act}d` }),
    "not-allowed",
  );

/** Creates an entity, or changes it if the record has an id. Returns the id. */
export async function saveEntity(command: EntityCommand, { objectId, ...rest }: ApiRecord): Promise<string> {
  const id = parseId(objectId);
  if (id === null) return getEntityCommand(command, "create")(command.tx, command.caller, rest);
  await assertNotDenied(command, [id], "UPDATE");
  await getEntityCommand(command, "update")(command.tx, command.caller, id, rest);
  return id;
}

/**
 * Refuses too many records of an API entity in one call.
 * @throws 1021
 */
export function assertEntityBulkSize<T>({ name }: Table, records: T[]): T[] {
  if (records.length > MAX_ENTITIES)
    throw dataTooLarge(
      msg("One call can write at most {count} objects of ''{name}''.", { count: MAX_ENTITIES, name }),
    );
  return records;
}

/** Saves several entities; returns the ids in order. */
export async function saveEntities(command: EntityCommand, records: ApiRecord[]): Promise<string[]> {
  assertEntityBulkSize(command.table, records);
  const ids: string[] = [];
  for (const record of records) ids.push(await saveEntity(command, record));
  return ids;
}

/** Prepares records for `create` and `update`. Slow work is done here, before the transaction begins. */
export const prepareEntities = (table: Table, caller: Caller, records: ApiRecord[]): Promise<ApiRecord[]> =>
  table.entity?.prepare?.(caller, records) ?? Promise.resolve(records);

/**
 * Reads an entity as the caller sees it after a change. Returns only its id if the change has made it
 * unreadable for them.
 */
export async function getSavedEntity(
  engine: DataContext,
  caller: Caller,
  table: Table,
  objectId: string,
  record: ApiRecord = {},
): Promise<ApiRecord> {
  const isNew = parseId(record["objectId"]) === null;
  const answer = (found: ApiRecord) =>
    isNew && table.entity?.answer ? table.entity.answer(record, found) : found;
  try {
    return answer(await findOne(engine, caller, table, objectId));
  } catch (error) {
    if (!(error instanceof TableFault) || error.code !== CODES.objectNotFound) throw error;
    return answer({ ___class: table.name, objectId });
  }
}

/** Removes an entity. Returns the time of the removal in milliseconds. */
export async function removeEntity(command: EntityCommand, objectId: string): Promise<number> {
  await assertNotDenied(command, [objectId], "REMOVE");
  await getEntityCommand(command, "remove")(command.tx, command.caller, objectId);
  return command.tx.now.getTime();
}

/**
 * Changes all selected entities that the caller can find; returns how many. If one is refused, none is
 * changed.
 */
export async function changeEntities(
  command: EntityCommand,
  which: RecordSelection,
  changes: ApiRecord,
): Promise<number> {
  const { objectId: _whichever, ...rest } = changes;
  const ids = await selectEntityIds(command, which);
  await assertNotDenied(command, ids, "UPDATE");
  const update = getEntityCommand(command, "update", ids.length);
  for (const id of ids) await update(command.tx, command.caller, id, rest);
  return ids.length;
}

/** Removes all selected entities; returns how many. */
export async function removeEntities(command: EntityCommand, which: RecordSelection): Promise<number> {
  const ids = await selectEntityIds(command, which);
  await assertNotDenied(command, ids, "REMOVE");
  const remove = getEntityCommand(command, "remove", ids.length);
  for (const id of ids) await remove(command.tx, command.caller, id);
  return ids.length;
}

/**
 * Refuses a change if a denial on one of these objects applies to the caller.
 * @throws 1011
 */
async function assertNotDenied(
  { tx, table, caller }: EntityCommand,
  ids: string[],
  act: "UPDATE" | "REMOVE",
): Promise<void> {
  if (!table.hasGrants || caller.server || ids.length === 0) return;
  const denied = await maybeOne(
    tx,
    sql`select from ${tableSql(table)} as t
      where ${idInSql({ table, alias: "t" }, ids)} and not (${allowedRowsSql(table, caller, act, "t")})
      limit 1`,
  );
  if (denied) throw notPermitted(table, act === "UPDATE" ? "update" : "remove");
}

async function selectEntityIds(
  { tx, catalogue, caller, table }: EntityCommand,
  which: RecordSelection,
): Promise<string[]> {
  const ids = await findIds({ db: tx, catalogue }, caller, table, which, MAX_ENTITIES + 1);
  if (ids.length > MAX_ENTITIES)
    throw dataTooLarge(
      msg("One call can change at most {count} objects of ''{name}''.", {
        count: MAX_ENTITIES,
        name: table.name,
      }),
    );
  return ids;
}

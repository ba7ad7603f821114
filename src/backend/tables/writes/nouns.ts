import { maybeOne, sql, type Tx } from "#platform/database";
import type { Caller, Catalogue, Engine, Noun, Table, WireRecord } from "../catalogue/types.ts";
import { CODES, TableFault, tooMuch } from "../faults.ts";
import { findIds, findOne, type Which } from "../query/index.ts";
import { notPermitted, rowsFor } from "../permissions/rows.ts";
import { oneOfSql } from "../query/sources.ts";
import { idIn } from "./record.ts";
import { tableSql } from "./writing.ts";

/** API entities that one call or transaction can change, each by a command of its own. */
export const MOST_NOUNS = 100;

/** The remaining number, counted down. */
export type Left = { nouns: number };
export const someNouns = (): Left => ({ nouns: MOST_NOUNS });

/** Context of a change of API entities: transaction, caller, table, and how many may follow. */
export type NounAct = { tx: Tx; catalogue: Catalogue; caller: Caller; table: Table; left: Left };

/**
 * The entity's own command.
 * @throws the reason why there is none, and 1021 beyond the limit
 */
function actOf<A extends "create" | "update" | "remove">({ table, left }: NounAct, act: A, count = 1): NonNullable<Noun[A]> {
  const noun = table.noun!;
  const found = noun[act];
  if (!found) throw noSuchAct(noun, act);
  if ((left.nouns -= count) < 0) throw tooMuch(`One call can change ${MOST_NOUNS} objects of the community.`);
  return found;
}

/** Gives the reason for a missing command. */
export const noSuchAct = (noun: Noun, act: "create" | "update" | "remove") =>
  new TableFault(CODES.notPermitted, noun.refusals?.[act] ?? `Objects of '${noun.name}' cannot be ${act}d here.`, "not-allowed");

/** Creates an entity, or changes it if the record has an id. Returns the id. */
export async function writeNoun(act: NounAct, { objectId, ...rest }: WireRecord): Promise<string> {
  const id = idIn(objectId);
  if (id === null) return actOf(act, "create")(act.tx, act.caller, rest);
  await assertNotDenied(act, [id], "UPDATE");
  await actOf(act, "update")(act.tx, act.caller, id, rest);
  return id;
}

/** @throws 1021 for too many records in one call */
export function assertFewNouns<T>({ name }: Table, records: T[]): T[] {
  if (records.length > MOST_NOUNS) throw tooMuch(`One call can bring ${MOST_NOUNS} objects of '${name}'.`);
  return records;
}

/** Saves several entities; returns the ids in order. */
export async function writeNouns(act: NounAct, records: WireRecord[]): Promise<string[]> {
  assertFewNouns(act.table, records);
  const ids: string[] = [];
  for (const record of records) ids.push(await writeNoun(act, record));
  return ids;
}

/** Prepares records for `create` and `update`; slow work happens here, outside of their transaction. */
export const preparedNouns = (table: Table, caller: Caller, records: WireRecord[]): Promise<WireRecord[]> =>
  table.noun?.prepare?.(caller, records) ?? Promise.resolve(records);

/** An entity as the caller reads it now; only its id if they can no longer read it after their change. */
export async function writtenNoun(
  engine: Engine,
  caller: Caller,
  table: Table,
  objectId: string,
  given: WireRecord = {},
): Promise<WireRecord> {
  const isNew = idIn(given["objectId"]) === null;
  const answer = (found: WireRecord) => (isNew && table.noun?.answer ? table.noun.answer(given, found) : found);
  try {
    return answer(await findOne(engine, caller, table, objectId));
  } catch (error) {
    if (!(error instanceof TableFault) || error.code !== CODES.objectNotFound) throw error;
    return answer({ ___class: table.name, objectId });
  }
}

/** Removes an entity. Returns the time in milliseconds. */
export async function removeNoun(act: NounAct, objectId: string): Promise<number> {
  await assertNotDenied(act, [objectId], "REMOVE");
  await actOf(act, "remove")(act.tx, act.caller, objectId);
  return act.tx.now.getTime();
}

/** Changes all selected entities that the caller finds; returns how many. One refusal aborts all. */
export async function changeNouns(act: NounAct, which: Which, changes: WireRecord): Promise<number> {
  const { objectId: _whichever, ...rest } = changes;
  const ids = await idsMeant(act, which);
  await assertNotDenied(act, ids, "UPDATE");
  const update = actOf(act, "update", ids.length);
  for (const id of ids) await update(act.tx, act.caller, id, rest);
  return ids.length;
}

/** Removes all selected entities; returns how many. */
export async function removeNouns(act: NounAct, which: Which): Promise<number> {
  const ids = await idsMeant(act, which);
  await assertNotDenied(act, ids, "REMOVE");
  const remove = actOf(act, "remove", ids.length);
  for (const id of ids) await remove(act.tx, act.caller, id);
  return ids.length;
}

/** @throws 1011 if a denial on one of these objects applies to the caller */
async function assertNotDenied({ tx, table, caller }: NounAct, ids: string[], act: "UPDATE" | "REMOVE"): Promise<void> {
  if (!table.hasGrants || caller.server || ids.length === 0) return;
  const denied = await maybeOne(
    tx,
    sql`select from ${tableSql(table)} as t where ${oneOfSql({ table, alias: "t" }, ids)} and not (${rowsFor(table, caller, act, "t")}) limit 1`,
  );
  if (denied) throw notPermitted(table, act === "UPDATE" ? "update" : "remove");
}

async function idsMeant({ tx, catalogue, caller, table }: NounAct, which: Which): Promise<string[]> {
  const ids = await findIds({ db: tx, catalogue }, caller, table, which, MOST_NOUNS + 1);
  if (ids.length > MOST_NOUNS) throw tooMuch(`One call can change ${MOST_NOUNS} objects of '${table.name}', and these are more.`);
  return ids;
}

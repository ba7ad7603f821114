import { maybeOne, sql, type Tx } from "#platform/database";
import type { Caller, Catalogue, Engine, Noun, Table, WireRecord } from "../catalogue/types.ts";
import { CODES, TableFault, tooMuch } from "../faults.ts";
import { findIds, findOne, type Which } from "../query/index.ts";
import { notPermitted, rowsFor } from "../permissions/rows.ts";
import { oneOfSql } from "../query/sources.ts";
import { idIn } from "./record.ts";
import { tableSql } from "./writing.ts";

/** Objects of nouns that one call, or one transaction, can change: each is changed by a verb of its own. */
export const MOST_NOUNS = 100;

/** How many more there may be; counted down. */
export type Left = { nouns: number };
export const someNouns = (): Left => ({ nouns: MOST_NOUNS });

/** A change of a noun: in whose transaction, by whom, of which table, and how many may follow. */
export type NounAct = { tx: Tx; catalogue: Catalogue; caller: Caller; table: Table; left: Left };

/** The noun's own way of doing this; throws the reason where there is none, and for more than there may be. */
function actOf<A extends "create" | "update" | "remove">({ table, left }: NounAct, act: A, count = 1): NonNullable<Noun[A]> {
  const noun = table.noun!;
  const found = noun[act];
  if (!found) throw noSuchAct(noun, act);
  if ((left.nouns -= count) < 0) throw tooMuch(`One call can change ${MOST_NOUNS} objects of the community.`);
  return found;
}

/** Says why there is no such act. */
export const noSuchAct = (noun: Noun, act: "create" | "update" | "remove") =>
  new TableFault(CODES.notPermitted, noun.refusals?.[act] ?? `Objects of '${noun.name}' cannot be ${act}d here.`, "not-allowed");

/** Makes a noun, or changes it where the record has an id. Gives the id. */
export async function writeNoun(act: NounAct, { objectId, ...rest }: WireRecord): Promise<string> {
  const id = idIn(objectId);
  if (id === null) return actOf(act, "create")(act.tx, act.caller, rest);
  await assertNotDenied(act, [id], "UPDATE");
  await actOf(act, "update")(act.tx, act.caller, id, rest);
  return id;
}

/** Throws 1021 for more records than one call may bring. */
export function assertFewNouns<T>({ name }: Table, records: T[]): T[] {
  if (records.length > MOST_NOUNS) throw tooMuch(`One call can bring ${MOST_NOUNS} objects of '${name}'.`);
  return records;
}

/** The same for many; the ids in their order. */
export async function writeNouns(act: NounAct, records: WireRecord[]): Promise<string[]> {
  assertFewNouns(act.table, records);
  const ids: string[] = [];
  for (const record of records) ids.push(await writeNoun(act, record));
  return ids;
}

/** Records as `create` and `update` want them: whatever takes long has been done, outside of their transaction. */
export const preparedNouns = (table: Table, caller: Caller, records: WireRecord[]): Promise<WireRecord[]> =>
  table.noun?.prepare?.(caller, records) ?? Promise.resolve(records);

/** A noun as its writer reads it now. What they have changed so that they read it no longer is its id. */
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

/** Removes a noun. Gives the moment, in milliseconds. */
export async function removeNoun(act: NounAct, objectId: string): Promise<number> {
  await assertNotDenied(act, [objectId], "REMOVE");
  await actOf(act, "remove")(act.tx, act.caller, objectId);
  return act.tx.now.getTime();
}

/** Changes all that are meant and that the caller finds; how many. What one of them is refused for ends it for all. */
export async function changeNouns(act: NounAct, which: Which, changes: WireRecord): Promise<number> {
  const { objectId: _whichever, ...rest } = changes;
  const ids = await idsMeant(act, which);
  await assertNotDenied(act, ids, "UPDATE");
  const update = actOf(act, "update", ids.length);
  for (const id of ids) await update(act.tx, act.caller, id, rest);
  return ids.length;
}

/** The same for removing them. */
export async function removeNouns(act: NounAct, which: Which): Promise<number> {
  const ids = await idsMeant(act, which);
  await assertNotDenied(act, ids, "REMOVE");
  const remove = actOf(act, "remove", ids.length);
  for (const id of ids) await remove(act.tx, act.caller, id);
  return ids.length;
}

/** Throws 1011 where a permission of one of these objects denies this to the caller. */
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

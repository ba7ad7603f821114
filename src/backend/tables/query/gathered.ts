import type { Caller, Engine, Table, WireRecord } from "../catalogue/types.ts";
import { type Gathering, gathering } from "../gathering.ts";
import { seesAll } from "../permissions/rows.ts";
import { type Asked, askedOf } from "./asked.ts";
import { isTooLarge } from "./measured.ts";
import { findOne, notThere, recordsByIds } from "./find.ts";
import { loadRelated } from "./related.ts";

/** By what is known of a table: where that changes, it begins anew. */
const gatherings = new WeakMap<Table, Gathering<string, WireRecord | null>>();

/**
 * `findOne`, outside of a transaction: those who ask for records of one table while its last answer is under way are answered together,
 * by one statement. It is for those who find every row of a table and ask for records as they are, since these are told the same.
 */
export async function findGathered(engine: Engine, caller: Caller, table: Table, objectId: string, query?: unknown): Promise<WireRecord> {
  const asked = askedOf(query);
  if (!isPlain(asked) || !seesAll(table, caller)) return findOne(engine, caller, table, objectId, query);
  const record = await gatheringOf(engine, table).load(objectId);
  if (!record) throw notThere(objectId);
  await loadRelated(engine, caller, table, asked, new Map([[objectId, [record]]]));
  return record;
}

/** Whether every column is asked for, as it stands there; what is related to it may be asked for beside. */
const isPlain = (asked: Asked): boolean =>
  ![asked.where, asked.having, asked.props, asked.excludeProps, asked.groupBy, asked.fileReferencePrefix].some(Boolean) && !asked.distinct;

/** What is too large for one answer together is asked for one by one: each is the answer of somebody else. */
async function each(engine: Engine, table: Table, ids: readonly string[]): Promise<(WireRecord | null | Error)[]> {
  try {
    return await recordsByIds(engine, table, ids);
  } catch (error) {
    if (ids.length === 1 || !isTooLarge(error)) throw error;
    const answers: (WireRecord | null | Error)[] = [];
    for (const id of ids)
      answers.push(
        await each(engine, table, [id]).then(
          ([record]) => record!,
          (fault: unknown) => asError(fault),
        ),
      );
    return answers;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function gatheringOf(engine: Engine, table: Table): Gathering<string, WireRecord | null> {
  const known = gatherings.get(table);
  if (known) return known;
  const { db, catalogue } = engine;
  const made = gathering<string, WireRecord | null>((ids) => each({ db, catalogue }, table, ids));
  gatherings.set(table, made);
  return made;
}

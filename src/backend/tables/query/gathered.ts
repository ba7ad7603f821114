import type { Caller, Engine, Table, WireRecord } from "../catalogue/types.ts";
import { type Gathering, gathering } from "../gathering.ts";
import { seesAll } from "../permissions/rows.ts";
import { type Asked, askedOf } from "./asked.ts";
import { isTooLarge } from "./measured.ts";
import { findOne, notThere, recordsByIds } from "./find.ts";
import { loadRelated } from "./related.ts";

/** Keyed by catalogue entry: a changed table gets a new loader. */
const gatherings = new WeakMap<Table, Gathering<string, WireRecord | null>>();

/**
 * `findOne` outside of a transaction: concurrent requests for records of one table share a statement. Only
 * for callers who find every row and request unmodified records, since these receive the same.
 */
export async function findGathered(engine: Engine, caller: Caller, table: Table, objectId: string, query?: unknown): Promise<WireRecord> {
  const asked = askedOf(query);
  if (!isPlain(asked) || !seesAll(table, caller)) return findOne(engine, caller, table, objectId, query);
  const record = await gatheringOf(engine, table).load(objectId);
  if (!record) throw notThere(objectId);
  await loadRelated(engine, caller, table, asked, new Map([[objectId, [record]]]));
  return record;
}

/** Whether every column is requested unmodified; relations may be loaded. */
const isPlain = (asked: Asked): boolean =>
  ![asked.where, asked.having, asked.props, asked.excludeProps, asked.groupBy, asked.fileReferencePrefix].some(Boolean) && !asked.distinct;

/**
 * If the records are too large for one answer together, they are read one by one, since each is a separate
 * answer.
 */
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

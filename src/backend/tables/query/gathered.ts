import DataLoader from "dataloader";
import type { Caller, Engine, Table, WireRecord } from "../catalogue/types.ts";
import { seesAll } from "../permissions/rows.ts";
import { type Asked, askedOf } from "./asked.ts";
import { findOne, notThere, recordsByIds } from "./find.ts";
import { loadRelated } from "./related.ts";

/** Records that one statement is asked for. */
const MOST = 100;
type Gathering = DataLoader<string, WireRecord | null>;
/** By what is known of a table: where that changes, it begins anew. */
const gatherings = new WeakMap<Table, Gathering>();

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

function gatheringOf(engine: Engine, table: Table): Gathering {
  const known = gatherings.get(table);
  if (known) return known;
  const turn = inTurn();
  const gathering: Gathering = new DataLoader(
    (ids) => turn.take(recordsByIds({ db: engine.db, catalogue: engine.catalogue }, table, ids)),
    {
      cache: false,
      maxBatchSize: MOST,
      batchScheduleFn: turn.wait,
    },
  );
  gatherings.set(table, gathering);
  return gathering;
}

/** One after the other: what comes while one is under way waits for its end, and is as many as have come by then. */
function inTurn() {
  let underWay: Promise<unknown> | null = null;
  return {
    wait: (begin: () => void) => void (underWay ? underWay.then(begin, begin) : setImmediate(begin)),
    take: <T>(working: Promise<T>): Promise<T> => {
      underWay = working;
      const ended = () => {
        if (underWay === working) underWay = null;
      };
      working.then(ended, ended);
      return working;
    },
  };
}

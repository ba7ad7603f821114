import type { Caller, DataContext, Table, ApiRecord } from "../catalogue/types.ts";
import { type BatchLoader, createBatchLoader } from "../batch-loader.ts";
import { canFindAll } from "../permissions/row-permissions.ts";
import { type QueryParams, parseQueryParams } from "./query-params.ts";
import { isTooLargeError } from "./answer-size.ts";
import { findOne, recordNotFound, findRecordsByIds } from "./find-records.ts";
import { loadRelated } from "./related-records.ts";
import { planRelations } from "./relation-plan.ts";

/** Loaders by catalogue entry, so that a changed table gets a new loader. */
const loaders = new WeakMap<Table, BatchLoader<string, ApiRecord | null>>();

/**
 * Finds a record like `findOne`, outside of a transaction. Concurrent requests for records of one table
 * share a statement. Only for callers who can find every row and request unmodified records, since they all
 * get the same result.
 */
export async function findOneBatched(
  engine: DataContext,
  caller: Caller,
  table: Table,
  objectId: string,
  query?: unknown,
): Promise<ApiRecord> {
  const params = parseQueryParams(query);
  if (!isUnmodified(params) || !canFindAll(table, caller))
    return findOne(engine, caller, table, objectId, query);
  const record = await getLoader(engine, table).load(objectId);
  if (!record) throw recordNotFound(objectId);
  await loadRelated(planRelations(engine, caller, table, params), new Map([[objectId, [record]]]));
  return record;
}

/** Whether a query requests every column unmodified; it may also load relations. */
const isUnmodified = (params: QueryParams): boolean =>
  ![
    params.where,
    params.having,
    params.props,
    params.excludeProps,
    params.groupBy,
    params.fileReferencePrefix,
  ].some(Boolean) && !params.distinct;

/**
 * Loads records by id. If together they exceed the answer size, they are read one by one, because each is
 * returned in a separate answer.
 */
async function loadRecords(
  engine: DataContext,
  table: Table,
  ids: readonly string[],
): Promise<(ApiRecord | null | Error)[]> {
  try {
    return await findRecordsByIds(engine, table, ids);
  } catch (error) {
    if (ids.length === 1 || !isTooLargeError(error)) throw error;
    const answers: (ApiRecord | null | Error)[] = [];
    for (const id of ids)
      answers.push(
        await loadRecords(engine, table, [id]).then(
          ([record]) => record!,
          (fault: unknown) => toError(fault),
        ),
      );
    return answers;
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function getLoader(engine: DataContext, table: Table): BatchLoader<string, ApiRecord | null> {
  const known = loaders.get(table);
  if (known) return known;
  const { db, catalogue } = engine;
  const batchLoader = createBatchLoader<string, ApiRecord | null>((ids) =>
    loadRecords({ db, catalogue }, table, ids),
  );
  loaders.set(table, batchLoader);
  return batchLoader;
}

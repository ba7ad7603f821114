import type { Caller, DataContext, Table, ApiRecord } from "./catalogue/types.ts";
import { findOneBatched as one, findRecords as many } from "./query/index.ts";
import { findJsonPage, type SerializedPage } from "./query/json-pages.ts";
import { isRecord } from "./writes/record-input.ts";

/** Finds records like `findRecords`, and applies the hooks of the table to the query and the result. */
export async function findRecords(
  engine: DataContext,
  caller: Caller,
  table: Table,
  query: unknown,
): Promise<ApiRecord[]> {
  const hookedQuery = await runBeforeFind(caller, table, query, null);
  const records = await many(engine, caller, table, hookedQuery);
  return createFindPayload(caller, table, { query: hookedQuery, objectId: null }, records);
}

/**
 * Finds a page like `findJsonPage`. If the table has hooks for finding, records are loaded instead of JSON
 * text, because hooks need them.
 */
export const findPage = (
  engine: DataContext,
  caller: Caller,
  table: Table,
  query: unknown,
): Promise<SerializedPage | ApiRecord[]> =>
  table.hooks?.has("before", table.name, "find") || table.hooks?.has("after", table.name, "find")
    ? findRecords(engine, caller, table, query)
    : findJsonPage(engine, caller, table, query);

/** Finds a record like `findOne` and applies hooks; not for use in a transaction. */
export async function findOne(
  engine: DataContext,
  caller: Caller,
  table: Table,
  objectId: string,
  query?: unknown,
): Promise<ApiRecord> {
  const hookedQuery = await runBeforeFind(caller, table, query, objectId);
  const record = await one(engine, caller, table, objectId, hookedQuery);
  return createFindPayload(caller, table, { query: hookedQuery, objectId }, [record])[0]!;
}

async function runBeforeFind(
  caller: Caller,
  { name, hooks }: Table,
  query: unknown,
  objectId: string | null,
): Promise<unknown> {
  if (!hooks?.has("before", name, "find")) return query;
  return (await hooks.before(caller, name, "find", { query: isRecord(query) ? query : {}, objectId })).query;
}

function createFindPayload(
  caller: Caller,
  { name, hooks }: Table,
  { query, objectId }: { query: unknown; objectId: string | null },
  records: ApiRecord[],
) {
  if (hooks?.has("after", name, "find"))
    hooks.after(caller, name, "find", {
      query: isRecord(query) ? query : {},
      objectId,
      records,
      count: records.length,
    });
  return records;
}

import type { Caller, Engine, Table, WireRecord } from "./catalogue/types.ts";
import { findGathered as one, findPage as page, findRecords as many, type WrittenPage } from "./query/index.ts";
import { isRecord } from "./writes/record.ts";

/** `findRecords` with the hooks of the table applied to the query and the result. */
export async function findRecords(engine: Engine, caller: Caller, table: Table, query: unknown): Promise<WireRecord[]> {
  const asked = await beforeFinding(caller, table, query, null);
  const records = await many(engine, caller, table, asked);
  return found(caller, table, { query: asked, objectId: null }, records);
}

/** `findPage` with hooks. After-hooks need records, so no JSON page is used then. */
export const findPage = (engine: Engine, caller: Caller, table: Table, query: unknown): Promise<WrittenPage | WireRecord[]> =>
  table.hooks?.has("before", table.name, "find") || table.hooks?.has("after", table.name, "find")
    ? findRecords(engine, caller, table, query)
    : page(engine, caller, table, query);

/** `findOne` with hooks, outside of a transaction. */
export async function findOne(engine: Engine, caller: Caller, table: Table, objectId: string, query?: unknown): Promise<WireRecord> {
  const asked = await beforeFinding(caller, table, query, objectId);
  const record = await one(engine, caller, table, objectId, asked);
  return found(caller, table, { query: asked, objectId }, [record])[0]!;
}

async function beforeFinding(caller: Caller, { name, hooks }: Table, query: unknown, objectId: string | null): Promise<unknown> {
  if (!hooks?.has("before", name, "find")) return query;
  return (await hooks.before(caller, name, "find", { query: isRecord(query) ? query : {}, objectId })).query;
}

function found(
  caller: Caller,
  { name, hooks }: Table,
  { query, objectId }: { query: unknown; objectId: string | null },
  records: WireRecord[],
) {
  if (hooks?.has("after", name, "find"))
    hooks.after(caller, name, "find", { query: isRecord(query) ? query : {}, objectId, records, count: records.length });
  return records;
}

import {
  assertMayAdd,
  bulkCreate,
  bulkDelete,
  bulkUpdate,
  bulkUpsert,
  type Caller as TableCaller,
  describeTable,
  permit,
  relate,
  remove,
  save,
  saveDeep,
  tableNameOf,
  upsert,
} from "#backend/tables";
import { z } from "zod";
import { Refusal } from "#platform/refusal";
import type { Call, Route } from "./route.ts";

/** Ten thousand objects in one body. */
const MANY = 20_000_000;

export const asTableCaller = ({ caller }: Pick<Call, "caller">): TableCaller => ({
  userId: caller.session ? caller.viewer.id : null,
  roles: [...caller.roles],
  server: caller.key === "server",
  viewer: caller.viewer,
  from: caller.address,
});

type Given = { house: Call["house"]["tables"]; who: TableCaller; table: string; id: string; body: unknown };

/** Handler for a call on a table. */
export const onTable =
  (work: (given: Given, call: Call) => Promise<unknown>): Route["handle"] =>
  (call) =>
    work(
      {
        house: call.house.tables,
        who: asTableCaller(call),
        table: call.params["table"] ?? "",
        id: call.params["id"] ?? "",
        body: call.body,
      },
      call,
    );

const Ids = z.array(z.union([z.string(), z.number()]).transform(String)).max(10_000);

/**
 * Children are a list of ids, or given by a clause in the URL, which SDKs call `whereClause` or `where`.
 * Without either the call is refused: an empty list would clear the relation.
 */
function childrenOf({ query, body }: Call): { ids: string[] } | { where: string } {
  const clauses = [query["whereClause"], query["where"]].flatMap((it) => it ?? []).filter((it) => it.trim() !== "");
  if (clauses.length > 1) throw new Refusal("invalid", "whereClause: is said once.");
  if (clauses.length === 1) return { where: clauses[0]! };
  const ids = Ids.safeParse(body);
  if (!ids.success) throw new Refusal("invalid", "Children come as a list of their ids, or by whereClause in the address.");
  return { ids: ids.data };
}

const relating = (how: Parameters<typeof relate>[2]) =>
  onTable(({ house, who, table, id }, call) =>
    relate(house, who, how, { table, parentId: id, relation: call.params["relation"]!, children: childrenOf(call) }),
  );

const permitting = (allowed: boolean) =>
  onTable(({ house, who, table, id, body }) => permit(house, who, { table, objectId: id, allowed, body }));

/** A clause is required, even one that matches all rows: nothing is changed everywhere by accident. */
export function clauseOf(where: unknown): string {
  if (typeof where === "string" && where.trim() !== "") return where;
  throw new Refusal("invalid", "A change of many objects needs a condition that says which.");
}

const whereIn = (body: unknown) => (typeof body === "object" && body !== null && "where" in body ? body.where : undefined);

/** Refuses ten thousand objects before reading them when the caller may add none. */
const mayAdd =
  (changes: boolean): NonNullable<Route["before"]> =>
  ({ house, caller, params }) =>
    assertMayAdd(house.tables, asTableCaller({ caller }), params["table"]!, changes);

export const dataRoutes: readonly Route[] = [
  { method: "PUT", path: "/data/:table", handle: onTable(({ house, who, table, body }) => save(house, who, table, body)) },
  { method: "PUT", path: "/data/:table/upsert", handle: onTable(({ house, who, table, body }) => upsert(house, who, table, body)) },
  { method: "PUT", path: "/data/:table/deep-save", handle: onTable(({ house, who, table, body }) => saveDeep(house, who, table, body)) },
  {
    method: "DELETE",
    path: "/data/:table/:id",
    handle: onTable(async ({ house, who, table, id }) => ({ deletionTime: await remove(house, who, table, id) })),
  },
  { method: "GET", path: "/data/:table/properties", handle: onTable(({ house, who, table }) => describeTable(house, who, table)) },
  { method: "GET", path: "/data/:table/table-name", handle: onTable(({ house, table }) => tableNameOf(house, table)) },
  { method: "POST", path: "/data/:table/:id/:relation", handle: relating("set") },
  { method: "PUT", path: "/data/:table/:id/:relation", handle: relating("add") },
  { method: "DELETE", path: "/data/:table/:id/:relation", handle: relating("delete") },
  { method: "PUT", path: "/data/:table/permissions/GRANT/:id", handle: permitting(true) },
  { method: "PUT", path: "/data/:table/permissions/DENY/:id", handle: permitting(false) },
  {
    method: "POST",
    path: "/data/bulk/:table",
    most: MANY,
    before: mayAdd(false),
    handle: onTable(({ house, who, table, body }) => bulkCreate(house, who, table, body)),
  },
  {
    method: "PUT",
    path: "/data/bulkupsert/:table",
    most: MANY,
    before: mayAdd(true),
    handle: onTable(({ house, who, table, body }) => bulkUpsert(house, who, table, body)),
  },
  {
    method: "PUT",
    path: "/data/bulk/:table",
    handle: onTable(({ house, who, table, body }, { query }) => bulkUpdate(house, who, table, clauseOf(query["where"]), body)),
  },
  {
    method: "POST",
    path: "/data/bulk/:table/delete",
    handle: onTable(({ house, who, table, body }) => bulkDelete(house, who, table, clauseOf(whereIn(body)))),
  },
];

import {
  assertCanCreate,
  bulkCreateObjects,
  bulkDeleteObjects,
  bulkUpdateObjects,
  bulkUpsertObjects,
  type Caller as TableCaller,
  describeTable,
  setObjectPermission,
  relateObjects,
  removeObject,
  saveObject,
  saveObjectDeep,
  getTableName,
  upsertObject,
} from "#baas/data";
import { z } from "zod";
import { Refusal } from "#platform/refusal";
import type { Call, Route } from "../rest-route.ts";

/** Ten thousand objects in one body. */
const MAX_BULK_BODY = 20_000_000;

export const toTableCaller = ({ caller }: Pick<Call, "caller">): TableCaller => ({
  userId: caller.session ? caller.viewer.id : null,
  roles: [...caller.roles],
  server: caller.key === "server",
  viewer: caller.viewer,
  from: caller.address,
});

type TableCall = { app: Call["app"]["tables"]; who: TableCaller; table: string; id: string; body: unknown };

/** Handler for a call on a table. */
export const handleTable =
  (work: (given: TableCall, call: Call) => Promise<unknown>): Route["handle"] =>
  (call) =>
    work(
      {
        app: call.app.tables,
        who: toTableCaller(call),
        table: call.params["table"] ?? "",
        id: call.params["id"] ?? "",
        body: call.body,
      },
      call,
    );

const RecordIds = z.array(z.union([z.string(), z.number()]).transform(String)).max(10_000);

/**
 * Children are a list of ids, or given by a clause in the URL, which SDKs call `whereClause` or `where`.
 * Without either the call is refused: an empty list would clear the relation.
 */
function readChildren({ query, body }: Call): { ids: string[] } | { where: string } {
  const clauses = [query["whereClause"], query["where"]]
    .flatMap((it) => it ?? [])
    .filter((it) => it.trim() !== "");
  if (clauses.length > 1) throw new Refusal("invalid", "whereClause: is said once.");
  if (clauses.length === 1) return { where: clauses[0]! };
  const ids = RecordIds.safeParse(body);
  if (!ids.success)
    throw new Refusal(
      "invalid",
      "Children must be given as a list of ids, or by whereClause in the address.",
    );
  return { ids: ids.data };
}

const relateRoute = (how: Parameters<typeof relateObjects>[2]) =>
  handleTable(({ app, who: caller, table, id }, call) =>
    relateObjects(app, caller, how, {
      table,
      parentId: id,
      relation: call.params["relation"]!,
      children: readChildren(call),
    }),
  );

const permissionRoute = (allowed: boolean) =>
  handleTable(({ app, who: caller, table, id, body }) =>
    setObjectPermission(app, caller, { table, objectId: id, allowed, body }),
  );

/** A clause is required, even one that matches all rows: nothing is changed everywhere by accident. */
export function readClause(where: unknown): string {
  if (typeof where === "string" && where.trim() !== "") return where;
  throw new Refusal("invalid", "A bulk change needs a condition.");
}

const readWhere = (body: unknown) =>
  typeof body === "object" && body !== null && "where" in body ? body.where : undefined;

/** Refuses ten thousand objects before reading them when the caller may add none. */
const createAddCheck =
  (changes: boolean): NonNullable<Route["before"]> =>
  ({ app, caller, params }) =>
    assertCanCreate(app.tables, toTableCaller({ caller }), params["table"]!, changes);

export const dataRoutes: readonly Route[] = [
  {
    method: "PUT",
    path: "/data/:table",
    handle: handleTable(({ app, who: caller, table, body }) => saveObject(app, caller, table, body)),
  },
  {
    method: "PUT",
    path: "/data/:table/upsert",
    handle: handleTable(({ app, who: caller, table, body }) => upsertObject(app, caller, table, body)),
  },
  {
    method: "PUT",
    path: "/data/:table/deep-save",
    handle: handleTable(({ app, who: caller, table, body }) => saveObjectDeep(app, caller, table, body)),
  },
  {
    method: "DELETE",
    path: "/data/:table/:id",
    handle: handleTable(async ({ app, who: caller, table, id }) => ({
      deletionTime: await removeObject(app, caller, table, id),
    })),
  },
  {
    method: "GET",
    path: "/data/:table/properties",
    handle: handleTable(({ app, who: caller, table }) => describeTable(app, caller, table)),
  },
  {
    method: "GET",
    path: "/data/:table/table-name",
    handle: handleTable(({ app, table }) => getTableName(app, table)),
  },
  { method: "POST", path: "/data/:table/:id/:relation", handle: relateRoute("set") },
  { method: "PUT", path: "/data/:table/:id/:relation", handle: relateRoute("add") },
  { method: "DELETE", path: "/data/:table/:id/:relation", handle: relateRoute("delete") },
  { method: "PUT", path: "/data/:table/permissions/GRANT/:id", handle: permissionRoute(true) },
  { method: "PUT", path: "/data/:table/permissions/DENY/:id", handle: permissionRoute(false) },
  {
    method: "POST",
    path: "/data/bulk/:table",
    most: MAX_BULK_BODY,
    before: createAddCheck(false),
    handle: handleTable(({ app, who: caller, table, body }) => bulkCreateObjects(app, caller, table, body)),
  },
  {
    method: "PUT",
    path: "/data/bulkupsert/:table",
    most: MAX_BULK_BODY,
    before: createAddCheck(true),
    handle: handleTable(({ app, who: caller, table, body }) => bulkUpsertObjects(app, caller, table, body)),
  },
  {
    method: "PUT",
    path: "/data/bulk/:table",
    handle: handleTable(({ app, who: caller, table, body }, { query }) =>
      bulkUpdateObjects(app, caller, table, readClause(query["where"]), body),
    ),
  },
  {
    method: "POST",
    path: "/data/bulk/:table/delete",
    handle: handleTable(({ app, who: caller, table, body }) =>
      bulkDeleteObjects(app, caller, table, readClause(readWhere(body))),
    ),
  },
];

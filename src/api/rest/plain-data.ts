import {
  badRequest,
  bulkDeleteObjects,
  CODES,
  countRecords,
  createObject,
  findPage,
  findRecords,
  findRelated,
  setObjectPermissions,
  saveObject,
  TableFault,
} from "#baas/data";
import type { ApiRecord } from "#baas/data";
import { type QueryCallInput, handleQuery, urlQuery, bodyQuery } from "./data/data-queries.ts";
import { readClause, handleTable } from "./data/data-routes.ts";
import type { Route } from "./rest-route.ts";

/** The first or last record, by creation unless the query sorts. @throws 1000 where there is none. */
const firstOrLast = (direction: "asc" | "desc") =>
  handleQuery(async ({ tables, caller, table, query }: QueryCallInput): Promise<ApiRecord> => {
    const asked = query as Record<string, unknown>;
    const sortBy = asked["sortBy"] ?? `created ${direction}`;
    const [record] = await findRecords(tables, caller, table, { ...asked, sortBy, pageSize: 1, offset: 0 });
    if (record) return record;
    throw new TableFault(
      CODES.objectNotFound,
      `There is no such object in the table '${table.name}'.`,
      "not-found",
    );
  }, urlQuery);

/** The body as a record with the id of the URL. */
function withUrlId(objectId: string, body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const inside = "objectId" in body ? body.objectId : undefined;
  if (inside !== undefined && String(inside) !== objectId)
    throw badRequest("objectId: the body and the address name different objects.");
  return { ...body, objectId };
}

const permitManyRoute = (allowed: boolean) =>
  handleTable(({ app, who: caller, table, id, body }) =>
    setObjectPermissions(app, caller, { table, objectId: id, allowed, body }),
  );

/** Table calls documented for plain HTTP and made by other SDKs: the same commands under other addresses. */
export const plainDataRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/data/:table",
    handle: handleQuery(
      ({ tables, caller, table, query }) => findPage(tables, caller, table, query),
      urlQuery,
    ),
  },
  { method: "GET", path: "/data/:table/first", handle: firstOrLast("asc") },
  { method: "GET", path: "/data/:table/last", handle: firstOrLast("desc") },
  {
    method: "GET",
    path: "/data/:table/count",
    handle: handleQuery(
      ({ tables, caller, table, query }) => countRecords(tables, caller, table, query),
      urlQuery,
    ),
  },
  {
    method: "POST",
    path: "/data/:table",
    handle: handleTable(({ app, who: caller, table, body }) => createObject(app, caller, table, body)),
  },
  {
    method: "PUT",
    path: "/data/:table/:id",
    handle: handleTable(({ app, who: caller, table, id, body }) =>
      saveObject(app, caller, table, withUrlId(id, body)),
    ),
  },
  {
    method: "DELETE",
    path: "/data/bulk/:table",
    handle: handleTable(({ app, who: caller, table }, { query }) =>
      bulkDeleteObjects(app, caller, table, readClause(query["where"])),
    ),
  },
  {
    method: "POST",
    path: "/data/:table/:id/:relation/load",
    handle: handleQuery(
      ({ tables, caller, table, query }, { id, relation }) =>
        findRelated(tables, caller, table, id!, relation!, query),
      bodyQuery,
    ),
  },
  { method: "PUT", path: "/data/:table/permissions/GRANT/:id/bulk", handle: permitManyRoute(true) },
  { method: "PUT", path: "/data/:table/permissions/DENY/:id/bulk", handle: permitManyRoute(false) },
];

import {
  badRequest,
  bulkDelete,
  CODES,
  countRecords,
  create,
  findPage,
  findRecords,
  findRelated,
  permitMany,
  save,
  TableFault,
} from "#backend/tables";
import type { WireRecord } from "#backend/tables";
import { type Asked, asking, inAddress, inBody } from "./data-queries.ts";
import { clauseOf, onTable } from "./data.ts";
import type { Route } from "./route.ts";

/** The first or last record, by creation unless the query sorts. @throws 1000 where there is none. */
const oneAtEnd = (direction: "asc" | "desc") =>
  asking(async ({ tables, caller, table, query }: Asked): Promise<WireRecord> => {
    const asked = query as Record<string, unknown>;
    const sortBy = asked["sortBy"] ?? `created ${direction}`;
    const [record] = await findRecords(tables, caller, table, { ...asked, sortBy, pageSize: 1, offset: 0 });
    if (record) return record;
    throw new TableFault(CODES.objectNotFound, `There is no such object in the table '${table.name}'.`, "not-found");
  }, inAddress);

/** The body as a record with the id of the URL. */
function recordUnder(objectId: string, body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const inside = "objectId" in body ? body.objectId : undefined;
  if (inside !== undefined && String(inside) !== objectId) throw badRequest("objectId: the body names another object than the address.");
  return { ...body, objectId };
}

const permittingMany = (allowed: boolean) =>
  onTable(({ house, who, table, id, body }) => permitMany(house, who, { table, objectId: id, allowed, body }));

/** Table calls documented for plain HTTP and made by other SDKs: the same commands under other addresses. */
export const plainDataRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/data/:table",
    handle: asking(({ tables, caller, table, query }) => findPage(tables, caller, table, query), inAddress),
  },
  { method: "GET", path: "/data/:table/first", handle: oneAtEnd("asc") },
  { method: "GET", path: "/data/:table/last", handle: oneAtEnd("desc") },
  {
    method: "GET",
    path: "/data/:table/count",
    handle: asking(({ tables, caller, table, query }) => countRecords(tables, caller, table, query), inAddress),
  },
  { method: "POST", path: "/data/:table", handle: onTable(({ house, who, table, body }) => create(house, who, table, body)) },
  {
    method: "PUT",
    path: "/data/:table/:id",
    handle: onTable(({ house, who, table, id, body }) => save(house, who, table, recordUnder(id, body))),
  },
  {
    method: "DELETE",
    path: "/data/bulk/:table",
    handle: onTable(({ house, who, table }, { query }) => bulkDelete(house, who, table, clauseOf(query["where"]))),
  },
  {
    method: "POST",
    path: "/data/:table/:id/:relation/load",
    handle: asking(
      ({ tables, caller, table, query }, { id, relation }) => findRelated(tables, caller, table, id!, relation!, query),
      inBody,
    ),
  },
  { method: "PUT", path: "/data/:table/permissions/GRANT/:id/bulk", handle: permittingMany(true) },
  { method: "PUT", path: "/data/:table/permissions/DENY/:id/bulk", handle: permittingMany(false) },
];

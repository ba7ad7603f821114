import { msg } from "#platform/messages";
import {
  badRequest,
  bulkDeleteObjects,
  CODES,
  countRecords,
  createObject,
  findPage,
  findRecords,
  findRelated,
  ObjectPermission,
  setObjectPermissions,
  saveObject,
  TableFault,
} from "#baas/data";
import { z } from "zod";
import { bodyQuery, runQuery, TableQuery, UrlTableQuery } from "./data/data-queries.ts";
import { readClause, toTableCall } from "./data/data-routes.ts";
import {
  RECORD_GRANT_PERMISSION,
  recordExample,
  relationExample,
  TABLE_PERMISSION,
  tableExample,
  TableRecord,
  TableRecords,
  WhereClause,
} from "./data/data-shapes.ts";
import { defineEndpoint, parsedByHandler } from "./endpoint.ts";
import { WholeNumber } from "./shapes.ts";

/**
 * Declares the endpoint for the first or last record of a query, sorted by creation by default. Answers with
 * error 1000 if there is none.
 */
const firstOrLastEndpoint = (end: "first" | "last") =>
  defineEndpoint({
    method: "GET",
    path: `/data/:table/${end}`,
    summary: `Returns the ${end} record, by creation unless \`sortBy\` is given; 1000 if there is none.`,
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    response: TableRecord,
    example: { params: tableExample, query: { where: "area > 10" } },
    handle: (call) =>
      runQuery(call, call.query, async ({ tables, caller, table }) => {
        const sortBy = call.query["sortBy"] ?? `created ${end === "first" ? "asc" : "desc"}`;
        const query = { ...call.query, sortBy, pageSize: 1, offset: 0 };
        const [record] = await findRecords(tables, caller, table, query);
        if (record) return record;
        throw new TableFault(
          CODES.objectNotFound,
          msg("There is no such object in the table ''{table}''.", { table: table.name }),
          "not-found",
        );
      }),
  });

/** The record in the body, with the id of the URL. */
function withUrlId(objectId: string, body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const inside = "objectId" in body ? body.objectId : undefined;
  if (inside !== undefined && String(inside) !== objectId)
    throw badRequest("objectId: the body and the address name different objects.");
  return { ...body, objectId };
}

const permissionsEndpoint = (type: "GRANT" | "DENY") =>
  defineEndpoint({
    method: "PUT",
    path: `/data/:table/permissions/${type}/:id/bulk`,
    summary: `${type === "GRANT" ? "Grants" : "Denies"} up to 100 permissions for one record, all or none.`,
    permission: RECORD_GRANT_PERMISSION,
    body: parsedByHandler(z.array(ObjectPermission)),
    example: { params: recordExample, body: [{ permission: "FIND", role: "AuthenticatedUser" }] },
    handle: (call) =>
      setObjectPermissions(...toTableCall(call), {
        table: call.params.table,
        objectId: call.params.id,
        allowed: type === "GRANT",
        body: call.body,
      }),
  });

/**
 * Endpoints for tables at the URLs documented for plain HTTP and used by other SDKs. They run the same
 * commands as the endpoints below `/data`.
 */
export const plainHttpDataEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/data/:table",
    summary: "Finds records, with the query in the URL.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    response: TableRecords,
    example: { params: tableExample, query: { where: "area > 10", props: "name" } },
    handle: (call) =>
      runQuery(call, call.query, ({ tables, caller, table, query }) =>
        findPage(tables, caller, table, query),
      ),
  }),
  firstOrLastEndpoint("first"),
  firstOrLastEndpoint("last"),
  defineEndpoint({
    method: "GET",
    path: "/data/:table/count",
    summary: "Returns how many records match the query in the URL.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    response: WholeNumber,
    example: { params: tableExample, query: { where: "area > 10" } },
    handle: (call) =>
      runQuery(call, call.query, ({ tables, caller, table, query }) =>
        countRecords(tables, caller, table, query),
      ),
  }),
  defineEndpoint({
    method: "POST",
    path: "/data/:table",
    summary: "Creates a record, under its `objectId` if it has one; 1155 if that exists.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    body: parsedByHandler(TableRecord),
    response: TableRecord,
    example: { params: tableExample, body: { name: "East", area: 9 } },
    handle: (call) => createObject(...toTableCall(call), call.params.table, call.body),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/data/:table/:id",
    summary: "Changes a record.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    body: parsedByHandler(TableRecord),
    response: TableRecord,
    example: { params: recordExample, body: { area: 10 } },
    handle: (call) =>
      saveObject(...toTableCall(call), call.params.table, withUrlId(call.params.id, call.body)),
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/data/bulk/:table",
    summary: "Deletes all records that match the condition `where`, and returns how many.",
    permission: TABLE_PERMISSION,
    query: parsedByHandler(WhereClause),
    response: WholeNumber,
    example: { params: tableExample, query: { where: "area > 10" } },
    handle: (call) =>
      bulkDeleteObjects(...toTableCall(call), call.params.table, readClause(call.query["where"])),
  }),
  defineEndpoint({
    method: "POST",
    path: "/data/:table/:id/:relation/load",
    summary: "Returns the related records of a record, with the query in the body.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    body: TableQuery,
    response: TableRecords,
    example: { params: relationExample, body: { pageSize: 20 } },
    handle: (call) =>
      runQuery(call, bodyQuery(call), ({ tables, caller, table, query }) =>
        findRelated(tables, caller, table, call.params.id, call.params.relation, query),
      ),
  }),
  permissionsEndpoint("GRANT"),
  permissionsEndpoint("DENY"),
];

import {
  type Caller,
  countInGroup,
  countRecords,
  type DataTables,
  findByKeys,
  findOne,
  findPage,
  findRelated,
  groupRecords,
  QueryParams,
  type Table,
  withTable,
} from "#baas/data";
import { isObject } from "#platform/objects";
import { z } from "zod";
import { defineEndpoint, parsedByHandler } from "../endpoint.ts";
import type { Call } from "../rest-route.ts";
import { WholeNumber } from "../shapes.ts";
import { toTableCaller } from "./data-routes.ts";
import {
  recordExample,
  relationExample,
  TABLE_PERMISSION,
  tableExample,
  TableRecord,
  TableRecords,
} from "./data-shapes.ts";

export type QueryCallInput = { tables: DataTables; caller: Caller; table: Table; query: unknown };

/** Runs a query on the table of a call. */
export function runQuery<A>(
  call: Pick<Call, "app" | "caller"> & { params: { table: string } },
  query: unknown,
  work: (input: QueryCallInput) => Promise<A>,
): Promise<A> {
  const { tables } = call.app;
  return withTable(tables, call.params.table, (table) =>
    work({ tables, caller: toTableCaller(call), table, query }),
  );
}

/**
 * Query of a POST. Parameters in the URL apply too, because ignoring them would return more than requested.
 * The body takes precedence.
 */
export function bodyQuery({ body, query }: Pick<Call, "body" | "query">): unknown {
  const ownQuery = body ?? {};
  return Object.keys(query).length === 0 || !isObject(ownQuery) ? body : { ...query, ...ownQuery };
}

export const TableQuery = parsedByHandler(QueryParams);
export const UrlTableQuery = parsedByHandler(QueryParams);
const GroupTree = z.looseObject({ hasNextPage: z.boolean(), items: z.array(z.looseObject({})) });

export const dataQueryEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/data/:table/find",
    summary: "Finds records.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    body: TableQuery,
    response: TableRecords,
    example: { params: tableExample, body: { where: "area > 10", pageSize: 20 } },
    handle: (call) =>
      runQuery(call, bodyQuery(call), ({ tables, caller, table, query }) =>
        findPage(tables, caller, table, query),
      ),
  }),
  defineEndpoint({
    method: "POST",
    path: "/data/:table/count",
    summary: "Returns how many records match the query.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    body: TableQuery,
    response: WholeNumber,
    example: { params: tableExample, body: { where: "area > 10" } },
    handle: (call) =>
      runQuery(call, bodyQuery(call), ({ tables, caller, table, query }) =>
        countRecords(tables, caller, table, query),
      ),
  }),
  defineEndpoint({
    method: "GET",
    path: "/data/:table/pk",
    summary: "Returns one record by its key.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: parsedByHandler(z.looseObject({ objectId: z.string() })),
    response: TableRecord,
    example: { params: tableExample, query: { objectId: "bed-1" } },
    handle: (call) =>
      runQuery(call, call.query, ({ tables, caller, table }) =>
        findByKeys(tables, caller, table, call.query),
      ),
  }),
  defineEndpoint({
    method: "GET",
    path: "/data/:table/:id",
    summary: "Returns one record.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    response: TableRecord,
    example: { params: recordExample, query: { props: "name" } },
    handle: (call) =>
      runQuery(call, call.query, ({ tables, caller, table, query }) =>
        findOne(tables, caller, table, call.params.id, query),
      ),
  }),
  defineEndpoint({
    method: "GET",
    path: "/data/:table/:id/:relation",
    summary: "Returns the related records of a record.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    response: TableRecords,
    example: { params: relationExample },
    handle: (call) =>
      runQuery(call, call.query, ({ tables, caller, table, query }) =>
        findRelated(tables, caller, table, call.params.id, call.params.relation, query),
      ),
  }),
  defineEndpoint({
    method: "POST",
    path: "/data/data-grouping/:table",
    summary: "Returns records in nested groups.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    body: TableQuery,
    response: GroupTree,
    example: { params: tableExample, body: { groupBy: "name" } },
    handle: (call) =>
      runQuery(call, bodyQuery(call), ({ tables, caller, table, query }) =>
        groupRecords(tables, caller, table, query),
      ),
  }),
  defineEndpoint({
    method: "POST",
    path: "/data/data-grouping/:table/count",
    summary: "Returns how many records a group has.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    query: UrlTableQuery,
    body: TableQuery,
    response: WholeNumber,
    example: { params: tableExample, body: { groupBy: "name" } },
    handle: (call) =>
      runQuery(call, bodyQuery(call), ({ tables, caller, table, query }) =>
        countInGroup(tables, caller, table, query),
      ),
  }),
];

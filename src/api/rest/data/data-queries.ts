import {
  type Caller,
  countInGroup,
  countRecords,
  findByKeys,
  findOne,
  findPage,
  findRelated,
  groupRecords,
  withTable,
  type Table,
  type DataTables,
} from "#baas/data";
import { toTableCaller } from "./data-routes.ts";
import type { Call, Route } from "../rest-route.ts";

export type QueryCallInput = { tables: DataTables; caller: Caller; table: Table; query: unknown };

/** A table query, in the body or the URL. */
export const handleQuery =
  (
    work: (given: QueryCallInput, params: Call["params"]) => Promise<unknown>,
    query: (call: Call) => unknown,
  ): Route["handle"] =>
  (call) => {
    const { tables } = call.app;
    return withTable(tables, call.params["table"]!, (table) =>
      work({ tables, caller: toTableCaller(call), table, query: query(call) }, call.params),
    );
  };

/** The URL may carry part of the query: ignoring it would widen the result. The body takes precedence. */
export const bodyQuery = ({ body, query }: Call): unknown =>
  Object.keys(query).length === 0 || !isObject(body ?? {})
    ? body
    : { ...query, ...(body as object | undefined) };
export const urlQuery = ({ query }: Call): unknown => query;

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

export const dataQueryRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/data/:table/find",
    handle: handleQuery(
      ({ tables, caller, table, query }) => findPage(tables, caller, table, query),
      bodyQuery,
    ),
  },
  {
    method: "POST",
    path: "/data/:table/count",
    handle: handleQuery(
      ({ tables, caller, table, query }) => countRecords(tables, caller, table, query),
      bodyQuery,
    ),
  },
  {
    method: "GET",
    path: "/data/:table/pk",
    handle: handleQuery(
      ({ tables, caller, table, query }) =>
        findByKeys(tables, caller, table, query as Record<string, unknown>),
      urlQuery,
    ),
  },
  {
    method: "GET",
    path: "/data/:table/:id",
    handle: handleQuery(
      ({ tables, caller, table, query }, { id }) => findOne(tables, caller, table, id!, query),
      urlQuery,
    ),
  },
  {
    method: "GET",
    path: "/data/:table/:id/:relation",
    handle: handleQuery(
      ({ tables, caller, table, query }, { id, relation }) =>
        findRelated(tables, caller, table, id!, relation!, query),
      urlQuery,
    ),
  },
  {
    method: "POST",
    path: "/data/data-grouping/:table",
    handle: handleQuery(
      ({ tables, caller, table, query }) => groupRecords(tables, caller, table, query),
      bodyQuery,
    ),
  },
  {
    method: "POST",
    path: "/data/data-grouping/:table/count",
    handle: handleQuery(
      ({ tables, caller, table, query }) => countInGroup(tables, caller, table, query),
      bodyQuery,
    ),
  },
];

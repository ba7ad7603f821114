import {
  type Caller,
  countInGroup,
  countRecords,
  findByKeys,
  findOne,
  findPage,
  findRelated,
  groupRecords,
  onTable,
  type Table,
  type Tables,
} from "#backend/tables";
import { asTableCaller } from "./data.ts";
import type { Call, Route } from "./route.ts";

export type Asked = { tables: Tables; caller: Caller; table: Table; query: unknown };

/** A table query, in the body or the URL. */
export const asking =
  (work: (given: Asked, params: Call["params"]) => Promise<unknown>, query: (call: Call) => unknown): Route["handle"] =>
  (call) => {
    const { tables } = call.house;
    return onTable(tables, call.params["table"]!, (table) =>
      work({ tables, caller: asTableCaller(call), table, query: query(call) }, call.params),
    );
  };

/** The URL may carry part of the query: ignoring it would widen the result. The body takes precedence. */
export const inBody = ({ body, query }: Call): unknown =>
  Object.keys(query).length === 0 || !isObject(body ?? {}) ? body : { ...query, ...(body as object | undefined) };
export const inAddress = ({ query }: Call): unknown => query;

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

export const dataQueryRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/data/:table/find",
    handle: asking(({ tables, caller, table, query }) => findPage(tables, caller, table, query), inBody),
  },
  {
    method: "POST",
    path: "/data/:table/count",
    handle: asking(({ tables, caller, table, query }) => countRecords(tables, caller, table, query), inBody),
  },
  {
    method: "GET",
    path: "/data/:table/pk",
    handle: asking(({ tables, caller, table, query }) => findByKeys(tables, caller, table, query as Record<string, unknown>), inAddress),
  },
  {
    method: "GET",
    path: "/data/:table/:id",
    handle: asking(({ tables, caller, table, query }, { id }) => findOne(tables, caller, table, id!, query), inAddress),
  },
  {
    method: "GET",
    path: "/data/:table/:id/:relation",
    handle: asking(
      ({ tables, caller, table, query }, { id, relation }) => findRelated(tables, caller, table, id!, relation!, query),
      inAddress,
    ),
  },
  {
    method: "POST",
    path: "/data/data-grouping/:table",
    handle: asking(({ tables, caller, table, query }) => groupRecords(tables, caller, table, query), inBody),
  },
  {
    method: "POST",
    path: "/data/data-grouping/:table/count",
    handle: asking(({ tables, caller, table, query }) => countInGroup(tables, caller, table, query), inBody),
  },
];

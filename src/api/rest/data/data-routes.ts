import {
  assertCanCreate,
  bulkCreateObjects,
  bulkDeleteObjects,
  bulkUpdateObjects,
  bulkUpsertObjects,
  type Caller as TableCaller,
  describeTable,
  ObjectPermission,
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
import { defineEndpoint, parsedByHandler, type Permission } from "../endpoint.ts";
import type { Call } from "../rest-route.ts";
import { WholeNumber } from "../shapes.ts";
import {
  ColumnList,
  recordExample,
  RECORD_GRANT_PERMISSION,
  relationExample,
  TABLE_PERMISSION,
  tableExample,
  TableRecord,
  WhereClause,
} from "./data-shapes.ts";

/** Maximum bytes of a body, enough for ten thousand objects. */
const MAX_BULK_BODY = 20_000_000;

export const toTableCaller = ({ caller }: Pick<Call, "caller">): TableCaller => ({
  userId: caller.session ? caller.viewer.id : null,
  roles: [...caller.roles],
  server: caller.key === "server",
  entitiesOnly: caller.viewer.scopes !== undefined,
  viewer: caller.viewer,
  from: caller.address,
});

/** The request's tables and caller, in the form that table commands expect. */
export const toTableCall = (call: Pick<Call, "app" | "caller">) =>
  [call.app.tables, toTableCaller(call)] as const;

const RecordIds = z.array(z.union([z.string(), z.number()]).transform(String)).max(10_000);
const ChildrenQuery = z.object({ whereClause: z.string().optional(), where: z.string().optional() });

/**
 * Reads the children of a relation call: a list of ids in the body, or a clause in the URL, named
 * `whereClause` or `where` depending on the SDK. A call without either is refused, because an empty list
 * would clear the relation.
 */
function readChildren({ query, body }: Pick<Call, "query" | "body">): { ids: string[] } | { where: string } {
  const clauses = [query["whereClause"], query["where"]]
    .flatMap((it) => it ?? [])
    .filter((it) => it.trim() !== "");
  if (clauses.length > 1) throw new Refusal("invalid", "whereClause: must not be repeated.");
  if (clauses.length === 1) return { where: clauses[0]! };
  const ids = RecordIds.safeParse(body);
  if (!ids.success)
    throw new Refusal(
      "invalid",
      "Children must be given as a list of ids, or by whereClause in the address.",
    );
  return { ids: ids.data };
}

const relationEndpoint = (
  method: "POST" | "PUT" | "DELETE",
  how: Parameters<typeof relateObjects>[2],
  summary: string,
) =>
  defineEndpoint({
    method,
    path: "/data/:table/:id/:relation",
    summary,
    permission: TABLE_PERMISSION,
    query: parsedByHandler(ChildrenQuery),
    body: parsedByHandler(RecordIds),
    response: WholeNumber,
    example: { params: relationExample, body: ["plant-1"] },
    handle: (call) =>
      relateObjects(...toTableCall(call), how, {
        table: call.params.table,
        parentId: call.params.id,
        relation: call.params.relation,
        children: readChildren(call),
      }),
  });

const permissionEndpoint = (type: "GRANT" | "DENY") =>
  defineEndpoint({
    method: "PUT",
    path: `/data/:table/permissions/${type}/:id`,
    summary: `${type === "GRANT" ? "Grants" : "Denies"} a permission for one record to a user or a role.`,
    permission: RECORD_GRANT_PERMISSION,
    body: parsedByHandler(ObjectPermission),
    example: { params: recordExample, body: { permission: "FIND", role: "AuthenticatedUser" } },
    handle: (call) =>
      setObjectPermission(...toTableCall(call), {
        table: call.params.table,
        objectId: call.params.id,
        allowed: type === "GRANT",
        body: call.body,
      }),
  });

/**
 * Reads a required clause. Clients must send one even to match all rows, so that no call changes every row
 * by accident.
 */
export function readClause(where: unknown): string {
  if (typeof where === "string" && where.trim() !== "") return where;
  throw new Refusal("invalid", "A bulk change needs a condition.");
}

const readWhere = (body: unknown) =>
  typeof body === "object" && body !== null && "where" in body ? body.where : undefined;

/**
 * Permission to create records, checked before a body of ten thousand objects is read. `allowsUpdate`: the
 * call may also change existing records.
 */
const tableWriter = (allowsUpdate: boolean): Permission => ({
  ...TABLE_PERMISSION,
  check: ({ app, caller, params }) =>
    assertCanCreate(app.tables, toTableCaller({ caller }), params["table"]!, allowsUpdate),
});

const bed = { name: "North", area: 12.5 };

export const dataEndpoints = [
  defineEndpoint({
    method: "PUT",
    path: "/data/:table",
    summary: "Saves a record: creates it, or with an `objectId` changes the given columns.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    body: parsedByHandler(TableRecord),
    response: TableRecord,
    example: { params: tableExample, body: bed },
    handle: (call) => saveObject(...toTableCall(call), call.params.table, call.body),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/data/:table/upsert",
    summary: "Creates or changes the record with the given `objectId`.",
    permission: TABLE_PERMISSION,
    body: parsedByHandler(TableRecord),
    response: TableRecord,
    example: { params: tableExample, body: { objectId: "bed-2", ...bed } },
    handle: (call) => upsertObject(...toTableCall(call), call.params.table, call.body),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/data/:table/deep-save",
    summary: "Saves a record with its related records.",
    permission: TABLE_PERMISSION,
    body: parsedByHandler(TableRecord),
    response: TableRecord,
    example: { params: tableExample, body: { ...bed, plants: [{ name: "Beans" }] } },
    handle: (call) => saveObjectDeep(...toTableCall(call), call.params.table, call.body),
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/data/:table/:id",
    summary: "Deletes a record.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    response: z.object({ deletionTime: WholeNumber }),
    example: { params: recordExample },
    handle: async (call) => ({
      deletionTime: await removeObject(...toTableCall(call), call.params.table, call.params.id),
    }),
  }),
  defineEndpoint({
    method: "GET",
    path: "/data/:table/properties",
    summary: "Lists the columns of a table.",
    permission: TABLE_PERMISSION,
    forTokens: true,
    response: ColumnList,
    example: { params: tableExample },
    handle: (call) => describeTable(...toTableCall(call), call.params.table),
  }),
  defineEndpoint({
    method: "GET",
    path: "/data/:table/table-name",
    summary: "Returns the name of the table with this id.",
    response: z.string(),
    example: { params: { table: "01900000-0000-7000-8000-000000000001" } },
    handle: ({ app, params: { table } }) => getTableName(app.tables, table),
  }),
  relationEndpoint("POST", "set", "Sets the related records of a record and returns how many."),
  relationEndpoint("PUT", "add", "Adds related records to a record and returns how many."),
  relationEndpoint("DELETE", "delete", "Removes related records from a record and returns how many."),
  permissionEndpoint("GRANT"),
  permissionEndpoint("DENY"),
  defineEndpoint({
    method: "POST",
    path: "/data/bulk/:table",
    summary: "Creates several records and returns their ids.",
    permission: tableWriter(false),
    most: MAX_BULK_BODY,
    body: parsedByHandler(z.array(TableRecord)),
    response: z.array(z.string()),
    example: { params: tableExample, body: [bed, { name: "South" }] },
    handle: (call) => bulkCreateObjects(...toTableCall(call), call.params.table, call.body),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/data/bulkupsert/:table",
    summary: "Creates or changes several records with the given ids, and returns the ids.",
    permission: tableWriter(true),
    most: MAX_BULK_BODY,
    body: parsedByHandler(z.array(TableRecord)),
    response: z.array(z.string()),
    example: { params: tableExample, body: [{ objectId: "bed-2", ...bed }] },
    handle: (call) => bulkUpsertObjects(...toTableCall(call), call.params.table, call.body),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/data/bulk/:table",
    summary: "Changes all records that match the condition `where`, and returns how many.",
    permission: TABLE_PERMISSION,
    query: parsedByHandler(WhereClause),
    body: parsedByHandler(TableRecord),
    response: WholeNumber,
    example: { params: tableExample, query: { where: "area > 10" }, body: { name: "Large" } },
    handle: (call) =>
      bulkUpdateObjects(...toTableCall(call), call.params.table, readClause(call.query["where"]), call.body),
  }),
  defineEndpoint({
    method: "POST",
    path: "/data/bulk/:table/delete",
    summary: "Deletes all records that match the condition `where`, and returns how many.",
    permission: TABLE_PERMISSION,
    body: parsedByHandler(WhereClause),
    response: WholeNumber,
    example: { params: tableExample, body: { where: "area > 10" } },
    handle: (call) =>
      bulkDeleteObjects(...toTableCall(call), call.params.table, readClause(readWhere(call.body))),
  }),
];

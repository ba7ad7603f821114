import { z } from "zod";
import {
  AccessGrid,
  ColumnChange,
  ConfigChange,
  NewColumn,
  NewRelation,
  NewTable,
  getTableAccess,
  addColumn,
  addRelation,
  changeColumn,
  getDataConfig,
  createTable,
  dropColumn,
  dropTable,
  setTableAccess,
  changeDataConfig,
  listTables,
} from "#baas/data";
import { Refusal } from "#platform/refusal";
import { defineEndpoint, parsedByHandler } from "../endpoint.ts";
import { parseInput } from "../parse-input.ts";
import { DeletionResult } from "../shapes.ts";
import type { RestContext } from "../rest-route.ts";

const answerDeleted = async (done: Promise<void>) => {
  await done;
  return { deleted: true } as const;
};

const Confirmation = z.object({ iUnderstand: z.boolean().optional() });
const DataConfigBody = Confirmation.extend({ defaultAccess: z.string().optional() });

const Column = z
  .looseObject({
    name: z.string(),
    dataType: z.string(),
    dataSize: z.int().nullable().optional(),
    required: z.boolean().optional(),
    unique: z.boolean().optional(),
    indexed: z.boolean().optional(),
    expression: z.string().nullable().optional(),
  })
  .meta({ id: "Column" });
const Relation = z
  .looseObject({
    name: z.string(),
    toTable: z.string(),
    relationshipType: z.enum(["ONE_TO_ONE", "ONE_TO_MANY"]),
    autoLoad: z.boolean(),
  })
  .meta({ id: "Relation" });
const TableInfo = z
  .looseObject({
    name: z.string(),
    published: z.boolean(),
    columns: z.array(Column),
    relations: z.array(Relation),
  })
  .meta({ id: "Table" });
const DataConfig = z.object({ dynamicSchema: z.boolean(), defaultAccess: z.enum(["open", "members"]) });

const params = { table: "Beds" };
const columnParams = { table: "Beds", column: "area" };
const roles = { AuthenticatedUser: { find: true, create: false } };

/** Management of data tables: columns, relations and permissions. */
export const dataManagementEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/data/table",
    summary: "Creates a table.",
    body: parsedByHandler(NewTable),
    response: TableInfo,
    example: { body: { name: "Tools", columns: [{ name: "weight", dataType: "DOUBLE" }] } },
    handle: ({ app, body }) => createTable(app.tables, body),
  }),
  defineEndpoint({
    method: "GET",
    path: "/data/tables",
    summary: "Lists the tables and the entities of the community.",
    response: z.array(TableInfo),
    handle: ({ app }) => listTables(app.tables),
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/data/table/:table",
    summary: "Deletes a table with its records.",
    response: DeletionResult,
    example: { params },
    handle: ({ app, params: { table } }) => answerDeleted(dropTable(app.tables, table)),
  }),
  defineEndpoint({
    method: "POST",
    path: "/data/table/:table/columns",
    summary: "Adds a column.",
    body: parsedByHandler(NewColumn),
    response: Column,
    example: { params, body: { name: "soil", dataType: "STRING", dataSize: 100 } },
    handle: ({ app, params: { table }, body }) => addColumn(app.tables, table, body),
  }),
  defineEndpoint({
    method: "POST",
    path: "/data/table/:table/columns/relation",
    summary: "Adds a relation.",
    body: parsedByHandler(NewRelation),
    response: Relation,
    example: { params, body: { name: "firstPlant", toTable: "Plants", relationshipType: "ONE_TO_ONE" } },
    handle: ({ app, params: { table }, body }) => addRelation(app.tables, table, body),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/data/table/:table/columns/:column",
    summary: "Changes a column.",
    body: parsedByHandler(ColumnChange),
    response: Column,
    example: { params: columnParams, body: { indexed: true } },
    handle: ({ app, params: { table, column }, body }) => changeColumn(app.tables, table, column, body),
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/data/table/:table/columns/:column",
    summary: "Deletes a column with its values.",
    response: DeletionResult,
    example: { params: columnParams },
    handle: ({ app, params: { table, column } }) => answerDeleted(dropColumn(app.tables, table, column)),
  }),
  defineEndpoint({
    method: "GET",
    path: "/data/config",
    summary: "Returns whether tables are created automatically, and the default permissions.",
    response: DataConfig,
    handle: ({ app }) => getDataConfig(app.tables),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/data/config",
    summary: "Changes these settings. In production `open` needs `iUnderstand`.",
    body: parsedByHandler(ConfigChange.extend(Confirmation.shape)),
    response: DataConfig,
    example: { body: { dynamicSchema: true, defaultAccess: "members" } },
    handle: ({ app, body }) => setDataConfig(app, body),
  }),
  defineEndpoint({
    method: "GET",
    path: "/data/table/:table/access",
    summary: "Returns the permissions of each role for a table.",
    response: AccessGrid,
    example: { params },
    handle: ({ app, params: { table } }) => getTableAccess(app.tables, table),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/data/table/:table/access",
    summary: "Sets the permissions of the named roles for a table.",
    body: parsedByHandler(AccessGrid),
    response: AccessGrid,
    example: { params, body: roles },
    handle: ({ app, params: { table }, body }) => setTableAccess(app.tables, table, body),
  }),
];

/** Opening every table to all callers requires a confirmation in production. */
async function setDataConfig(app: Pick<RestContext, "tables" | "production">, body: unknown) {
  const { defaultAccess, iUnderstand } = parseInput(DataConfigBody, body);
  if (app.production && defaultAccess === "open" && iUnderstand !== true)
    throw new Refusal(
      "invalid",
      'With "defaultAccess": "open", every caller can read and write every table. Add "iUnderstand": true to confirm.',
    );
  return changeDataConfig(app.tables, body);
}

import { z } from "zod";
import {
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
import { parseInput } from "../parse-input.ts";
import type { Call, Route } from "../rest-route.ts";

const answerDeleted = async (done: Promise<void>) => {
  await done;
  return { deleted: true };
};

/** Management of data tables: columns, relations and permissions. */
export const dataManagement: Route[] = [
  { method: "POST", path: "/data/table", handle: ({ app, body }) => createTable(app.tables, body) },
  { method: "GET", path: "/data/tables", handle: ({ app }) => listTables(app.tables) },
  {
    method: "DELETE",
    path: "/data/table/:table",
    handle: ({ app, params }) => answerDeleted(dropTable(app.tables, params["table"]!)),
  },
  {
    method: "POST",
    path: "/data/table/:table/columns",
    handle: ({ app, params, body }) => addColumn(app.tables, params["table"]!, body),
  },
  {
    method: "POST",
    path: "/data/table/:table/columns/relation",
    handle: ({ app, params, body }) => addRelation(app.tables, params["table"]!, body),
  },
  {
    method: "PUT",
    path: "/data/table/:table/columns/:column",
    handle: ({ app, params, body }) => changeColumn(app.tables, params["table"]!, params["column"]!, body),
  },
  {
    method: "DELETE",
    path: "/data/table/:table/columns/:column",
    handle: ({ app, params }) => answerDeleted(dropColumn(app.tables, params["table"]!, params["column"]!)),
  },
  { method: "GET", path: "/data/config", handle: ({ app }) => getDataConfig(app.tables) },
  { method: "PUT", path: "/data/config", handle: setDataConfig },
  {
    method: "GET",
    path: "/data/table/:table/access",
    handle: ({ app, params }) => getTableAccess(app.tables, params["table"]!),
  },
  {
    method: "PUT",
    path: "/data/table/:table/access",
    handle: ({ app, params, body }) => setTableAccess(app.tables, params["table"]!, body),
  },
];

const DataConfigBody = z.object({
  defaultAccess: z.string().optional(),
  iUnderstand: z.boolean().optional(),
});

/** Opening every table to all callers requires a confirmation in production. */
async function setDataConfig({ app, body }: Call) {
  const { defaultAccess, iUnderstand } = parseInput(DataConfigBody, body);
  if (app.production && defaultAccess === "open" && iUnderstand !== true)
    throw new Refusal(
      "invalid",
      'With "defaultAccess": "open", every caller can read and write every table. Add "iUnderstand": true to confirm.',
    );
  return changeDataConfig(app.tables, body);
}

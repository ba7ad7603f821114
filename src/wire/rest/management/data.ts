import { z } from "zod";
import {
  access,
  addColumn,
  addRelation,
  changeColumn,
  config,
  createTable,
  dropColumn,
  dropTable,
  setAccess,
  setConfig,
  tablesOut,
} from "#backend/tables";
import { Refusal } from "#platform/refusal";
import { parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";

const deleted = async (done: Promise<void>) => {
  await done;
  return { deleted: true };
};

/** Management of data tables: columns, relations and permissions. */
export const dataManagement: Route[] = [
  { method: "POST", path: "/data/table", handle: ({ house, body }) => createTable(house.tables, body) },
  { method: "GET", path: "/data/tables", handle: ({ house }) => tablesOut(house.tables) },
  { method: "DELETE", path: "/data/table/:table", handle: ({ house, params }) => deleted(dropTable(house.tables, params["table"]!)) },
  {
    method: "POST",
    path: "/data/table/:table/columns",
    handle: ({ house, params, body }) => addColumn(house.tables, params["table"]!, body),
  },
  {
    method: "POST",
    path: "/data/table/:table/columns/relation",
    handle: ({ house, params, body }) => addRelation(house.tables, params["table"]!, body),
  },
  {
    method: "PUT",
    path: "/data/table/:table/columns/:column",
    handle: ({ house, params, body }) => changeColumn(house.tables, params["table"]!, params["column"]!, body),
  },
  {
    method: "DELETE",
    path: "/data/table/:table/columns/:column",
    handle: ({ house, params }) => deleted(dropColumn(house.tables, params["table"]!, params["column"]!)),
  },
  { method: "GET", path: "/data/config", handle: ({ house }) => config(house.tables) },
  { method: "PUT", path: "/data/config", handle: setDataConfig },
  { method: "GET", path: "/data/table/:table/access", handle: ({ house, params }) => access(house.tables, params["table"]!) },
  {
    method: "PUT",
    path: "/data/table/:table/access",
    handle: ({ house, params, body }) => setAccess(house.tables, params["table"]!, body),
  },
];

const Understood = z.object({ defaultAccess: z.string().optional(), iUnderstand: z.boolean().optional() });

/** Opening every table to all callers requires a confirmation in production. */
async function setDataConfig({ house, body }: Call) {
  const { defaultAccess, iUnderstand } = parsed(Understood, body);
  if (house.production && defaultAccess === "open" && iUnderstand !== true)
    throw new Refusal(
      "invalid",
      'With "defaultAccess": "open" everybody reads and writes every table. Send "iUnderstand": true beside it.',
    );
  return setConfig(house.tables, body);
}

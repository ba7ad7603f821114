import { createHive, deleteHive, listHiveNames, renameHive } from "#baas/hive";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { NameList } from "../shapes.ts";
import { createKeyEndpoints } from "./key-routes.ts";
import { keyValueEndpoints } from "./key-value-routes.ts";
import { listEndpoints } from "./list-routes.ts";
import { mapEndpoints } from "./map-routes.ts";
import { setEndpoints } from "./set-routes.ts";
import { sortedSetEndpoints } from "./sorted-set-routes.ts";

const RenameParams = z.object({ newName: z.string("must be given once") });

/** Endpoints for hive stores, open to every caller. */
export const hiveEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/hive",
    summary: "Lists the names of the hives.",
    response: NameList,
    handle: ({ app }) => listHiveNames(app.hives),
  }),
  defineEndpoint({
    method: "POST",
    path: "/hive/:hive",
    summary: "Creates a hive.",
    example: { params: { hive: "orchard" } },
    handle: ({ app, params }) => createHive(app.hives, params.hive),
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/hive/:hive",
    summary: "Deletes a hive with all its stores.",
    example: { params: { hive: "garden" } },
    handle: ({ app, params }) => deleteHive(app.hives, params.hive),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/hive/:hive",
    summary: "Renames a hive to `newName`.",
    query: RenameParams,
    example: { params: { hive: "garden" }, query: { newName: "orchard" } },
    handle: ({ app, params, query }) => renameHive(app.hives, params.hive, query.newName),
  }),
  ...createKeyEndpoints("key-value", "season"),
  ...createKeyEndpoints("list", "to do"),
  ...createKeyEndpoints("map", "beds"),
  ...createKeyEndpoints("set", "tools"),
  ...createKeyEndpoints("sorted-set", "harvest"),
  ...keyValueEndpoints,
  ...listEndpoints,
  ...mapEndpoints,
  ...setEndpoints,
  ...sortedSetEndpoints,
];

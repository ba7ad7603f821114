import { createHive, deleteHive, listHiveNames, renameHive } from "#baas/hive";
import { parseInput } from "../parse-input.ts";
import type { Route } from "../rest-route.ts";
import { z } from "zod";
import { createKeyRoutes } from "./key-routes.ts";
import { keyValueRoutes } from "./key-value-routes.ts";
import { listRoutes } from "./list-routes.ts";
import { mapRoutes } from "./map-routes.ts";
import { setRoutes } from "./set-routes.ts";
import { sortedSetRoutes } from "./sorted-set-routes.ts";

const RenameBody = z.object({ newName: z.string("must be given once") });

/** Hive stores, open to every caller. */
export const hiveRoutes: Route[] = [
  { method: "GET", path: "/hive", handle: ({ app }) => listHiveNames(app.hives) },
  {
    method: "POST",
    path: "/hive/:hive",
    handle: ({ app, params }) => createHive(app.hives, params["hive"]!),
  },
  {
    method: "DELETE",
    path: "/hive/:hive",
    handle: ({ app, params }) => deleteHive(app.hives, params["hive"]!),
  },
  {
    method: "PUT",
    path: "/hive/:hive",
    handle: ({ app, params, query }) =>
      renameHive(app.hives, params["hive"]!, parseInput(RenameBody, query).newName),
  },
  ...createKeyRoutes("key-value"),
  ...createKeyRoutes("list"),
  ...createKeyRoutes("map"),
  ...createKeyRoutes("set"),
  ...createKeyRoutes("sorted-set"),
  ...keyValueRoutes,
  ...listRoutes,
  ...mapRoutes,
  ...setRoutes,
  ...sortedSetRoutes,
];

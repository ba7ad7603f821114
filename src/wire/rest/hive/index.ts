import { createHive, deleteHive, hiveNames, renameHive } from "#backend/hive";
import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { z } from "zod";
import { keyRoutes } from "./keys.ts";
import { keyValueRoutes } from "./key-value.ts";
import { listRoutes } from "./list.ts";
import { mapRoutes } from "./map.ts";
import { setRoutes } from "./set.ts";
import { sortedSetRoutes } from "./sorted-set.ts";

const NewName = z.object({ newName: z.string("is said once") });

/** Hive stores, open to every caller. */
export const hiveRoutes: Route[] = [
  { method: "GET", path: "/hive", handle: ({ house }) => hiveNames(house.hives) },
  { method: "POST", path: "/hive/:hive", handle: ({ house, params }) => createHive(house.hives, params["hive"]!) },
  { method: "DELETE", path: "/hive/:hive", handle: ({ house, params }) => deleteHive(house.hives, params["hive"]!) },
  {
    method: "PUT",
    path: "/hive/:hive",
    handle: ({ house, params, query }) => renameHive(house.hives, params["hive"]!, parsed(NewName, query).newName),
  },
  ...keyRoutes("key-value"),
  ...keyRoutes("list"),
  ...keyRoutes("map"),
  ...keyRoutes("set"),
  ...keyRoutes("sorted-set"),
  ...keyValueRoutes,
  ...listRoutes,
  ...mapRoutes,
  ...setRoutes,
  ...sortedSetRoutes,
];

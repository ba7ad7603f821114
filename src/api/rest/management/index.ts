import { z } from "zod";
import { clearCache } from "#baas/cache";
import { clearCounters } from "#baas/counters";
import { clearHives } from "#baas/hive";
import { dropAllTables } from "#baas/data";
import { OPERATOR } from "#community/rules";
import { resetCommunity } from "#community/import-export";
import { retryOnConflict } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { defineEndpoint } from "../endpoint.ts";
import type { RestContext } from "../rest-route.ts";
import { apiDefaultsEndpoints } from "./api-defaults.ts";
import { dataManagementEndpoints } from "./data-management.ts";
import { definitionManagementEndpoints } from "./definition-management.ts";
import { restrictToServerKey } from "./server-key-routes.ts";
import { userManagementEndpoints } from "./user-management.ts";

/** Endpoints for an operator's scripts. An admin page exists for each of them. */
export const managementEndpoints = restrictToServerKey([
  defineEndpoint({
    method: "GET",
    path: "/keys",
    summary: "Returns the keys of this installation.",
    response: z.object({
      appId: z.string(),
      clientKey: z.string(),
      serverKey: z.string(),
      searchKey: z.string(),
    }),
    handle: async ({ app: { appId, clientKey, serverKey, searchKey } }) => ({
      appId,
      clientKey,
      serverKey,
      searchKey,
    }),
  }),
  ...apiDefaultsEndpoints,
  ...dataManagementEndpoints,
  ...userManagementEndpoints,
  ...definitionManagementEndpoints,
  defineEndpoint({
    method: "POST",
    path: "/reset",
    summary:
      "Deletes all people and all content, if the server was started with `KITH_ALLOW_RESET=1`; the " +
      "application id confirms it.",
    body: z.object({ confirm: z.string() }),
    response: z.object({ emptied: z.literal(true) }),
    example: { body: { confirm: "0123456789ABCDEF0123456789ABCDEF01234567" } },
    handle: ({ app, body }) => resetSite(app, body.confirm),
  }),
]);

/**
 * Deletes everything on the site, for tests. Works only if the site was started with that option, and with
 * its app id as confirmation.
 */
async function resetSite(
  app: Pick<
    RestContext,
    "database" | "limits" | "tables" | "counters" | "cache" | "hives" | "appId" | "allowReset"
  >,
  confirm: string,
) {
  if (!app.allowReset)
    throw new Refusal("not-allowed", "Reset is not allowed: start the server with KITH_ALLOW_RESET=1.");
  if (confirm !== app.appId) throw new Refusal("invalid", "Set confirm to the id of this application.");
  // Dropping all tables can deadlock with concurrent work, so it is retried.
  await retryOnConflict(() => dropAllTables(app.tables));
  // These stores may be in Redis, where deleting the database rows has no effect.
  await Promise.all([clearCounters(app.counters), clearCache(app.cache), clearHives(app.hives)]);
  await retryOnConflict(() => app.database.inTransaction((tx) => resetCommunity(tx, OPERATOR)));
  app.tables.catalogue.forget();
  await app.limits.clear();
  return { emptied: true } as const;
}

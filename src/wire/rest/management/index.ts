import { z } from "zod";
import { clearCache } from "#backend/cache";
import { clearCounters } from "#backend/counters";
import { clearHives } from "#backend/hive";
import { dropAllTables } from "#backend/tables";
import { OPERATOR } from "#community/rules";
import { resetCommunity } from "#community/transfer";
import { retryOnConflict } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { parseInput } from "../parse.ts";
import type { Call, Route } from "../route.ts";
import { apiDefaultsManagement } from "./api-defaults.ts";
import { dataManagement } from "./data.ts";
import { definitionManagement } from "./definitions.ts";
import { restrictToServerKey } from "./managed.ts";
import { userManagement } from "./users.ts";

/** Endpoints for an operator's scripts. Each has a page that does the same. */
export const managementRoutes: readonly Route[] = restrictToServerKey([
  {
    method: "GET",
    path: "/keys",
    handle: async ({ app: { appId, clientKey, serverKey, searchKey } }) => ({ appId, clientKey, serverKey, searchKey }),
  },
  ...apiDefaultsManagement,
  ...dataManagement,
  ...userManagement,
  ...definitionManagement,
  { method: "POST", path: "/reset", handle: resetSite },
]);

const ResetBody = z.object({ confirm: z.string() });

/** Empties the site, for tests: only if it was started for that, and only with its id as confirmation. */
async function resetSite({ app, body }: Call) {
  if (!app.allowReset) throw new Refusal("not-allowed", "Nothing is emptied here: the server was not started with KITH_ALLOW_RESET=1.");
  if (parseInput(ResetBody, body).confirm !== app.appId) throw new Refusal("invalid", "Say the id of this application: confirm.");
  // Dropping every table deadlocks with concurrent work, so it is retried.
  await retryOnConflict(() => dropAllTables(app.tables));
  // Stored in Redis, these do not go with the database rows.
  await Promise.all([clearCounters(app.counters), clearCache(app.cache), clearHives(app.hives)]);
  await retryOnConflict(() => app.database.inTransaction((tx) => resetCommunity(tx, OPERATOR)));
  app.tables.catalogue.forget();
  await app.limits.clear();
  return { emptied: true };
}

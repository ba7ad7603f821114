import { z } from "zod";
import { emptyCache } from "#backend/cache";
import { emptyCounters } from "#backend/counters";
import { emptyHives } from "#backend/hive";
import { dropAllTables } from "#backend/tables";
import { OPERATOR } from "#community/rules";
import { emptyPlace } from "#community/transfer";
import { begunAgain } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";
import { apiDefaultsManagement } from "./api-defaults.ts";
import { dataManagement } from "./data.ts";
import { definitionManagement } from "./definitions.ts";
import { managed } from "./managed.ts";
import { userManagement } from "./users.ts";

/** Endpoints for an operator's scripts. Each has a page that does the same. */
export const managementRoutes: readonly Route[] = managed([
  {
    method: "GET",
    path: "/keys",
    handle: async ({ house: { appId, clientKey, serverKey, searchKey } }) => ({ appId, clientKey, serverKey, searchKey }),
  },
  ...apiDefaultsManagement,
  ...dataManagement,
  ...userManagement,
  ...definitionManagement,
  { method: "POST", path: "/reset", handle: reset },
]);

const Reset = z.object({ confirm: z.string() });

/** Empties the site, for tests: only if it was started for that, and only with its id as confirmation. */
async function reset({ house, body }: Call) {
  if (!house.allowReset) throw new Refusal("not-allowed", "Nothing is emptied here: the server was not started with KITH_ALLOW_RESET=1.");
  if (parsed(Reset, body).confirm !== house.appId) throw new Refusal("invalid", "Say the id of this application: confirm.");
  // Dropping every table deadlocks with concurrent work, so it is retried.
  await begunAgain(() => dropAllTables(house.tables));
  // Stored in Redis, these do not go with the database rows.
  await Promise.all([emptyCounters(house.counters), emptyCache(house.cache), emptyHives(house.hives)]);
  await begunAgain(() => house.database.inTransaction((tx) => emptyPlace(tx, OPERATOR)));
  house.tables.catalogue.forget();
  await house.limits.clear();
  return { emptied: true };
}

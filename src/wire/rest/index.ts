import type { FastifyInstance } from "fastify";
import type { Happening } from "#platform/outbox";
import { automationRoutes } from "./automations.ts";
import { cacheRoutes } from "./cache.ts";
import { Callers } from "./caller.ts";
import { commerceRoutes } from "./commerce.ts";
import { counterRoutes } from "./counters.ts";
import { dataQueryRoutes } from "./data-queries.ts";
import { dataRoutes } from "./data.ts";
import { fileRoutes } from "./files/index.ts";
import { hiveRoutes } from "./hive/index.ts";
import { infoRoutes } from "./info.ts";
import { loggingRoutes } from "./logging.ts";
import { mailRoutes } from "./mails/index.ts";
import { managementRoutes } from "./management/index.ts";
import { messagingRoutes } from "./messaging/index.ts";
import { plainDataRoutes } from "./plain-data.ts";
import type { RestHouse, Route } from "./route.ts";
import { serviceRoutes } from "./services.ts";
import { socialRoutes } from "./social/index.ts";
import { userRoutes } from "./users/index.ts";
import { serveCalls, serveStrangers } from "./serve.ts";
import { transactionRoutes } from "./transaction.ts";
import { unsupportedRoutes } from "./unsupported.ts";

export { meantBy } from "./address.ts";
export type { RestHouse, Route } from "./route.ts";
export { fileRulesIn } from "./files/index.ts";
export { mailRulesIn } from "./mails/index.ts";
export { communityNouns } from "./nouns.ts";
export { usersTable } from "./users/hosted-users.ts";
export { openServices } from "./services.ts";
export { CALL_TASK, callDeferred, openExtensions, SERVICE_TASK } from "./extensions.ts";
export type { Speaker } from "./extensions.ts";
export { beginExtensions } from "./extension-hands.ts";
export { flowHandsOf } from "./flow-hands.ts";
export { heardNouns } from "./heard-nouns.ts";

/** Every endpoint, one file per group. */
export const ROUTES: readonly Route[] = [
  ...infoRoutes,
  ...loggingRoutes,
  ...userRoutes,
  ...socialRoutes,
  ...dataRoutes,
  ...dataQueryRoutes,
  ...plainDataRoutes,
  ...transactionRoutes,
  ...serviceRoutes,
  ...automationRoutes,
  ...counterRoutes,
  ...cacheRoutes,
  ...hiveRoutes,
  ...commerceRoutes,
  ...messagingRoutes,
  ...mailRoutes,
  ...fileRoutes,
  ...managementRoutes,
  ...unsupportedRoutes,
];

export type Rest = {
  serve: (server: FastifyInstance) => Promise<void>;
  /** A domain event of this or another process: cached callers may be outdated. */
  happened: (happening: Happening) => void;
  /** Events were missed: nothing cached can be trusted. */
  missed: () => void;
};

/** Events after which tables may have other columns or permissions. */
const CHANGES_TABLES = new Set<string>(["tables.changed", "properties.changed", "settings.changed"]);

/**
 * REST API for apps: `/{appId}/{apiKey}/…`, and `/api/…` where the origin alone identifies the app. Pass
 * `normalizeUrl` to the server, so that addresses with doubled slashes are found.
 */
export function openRest(house: RestHouse): Rest {
  const callers = new Callers(house);
  const door = { house, callers, routes: ROUTES };
  return {
    happened(happening) {
      callers.happened(happening);
      if (CHANGES_TABLES.has(happening.type)) house.tables.catalogue.forget();
      if (happening.type === "flows.changed") house.flows.watched.forget();
    },
    missed() {
      callers.forget();
      house.tables.catalogue.forget();
      house.flows.watched.forget();
    },
    async serve(server) {
      await serveCalls(server, `/${house.appId}/:apiKey`, door);
      await serveCalls(server, "/api", door);
      await serveStrangers(server, door);
    },
  };
}

import type { FastifyInstance } from "fastify";
import type { DomainEvent } from "#platform/outbox";
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
import type { RestContext, Route } from "./route.ts";
import { serviceRoutes } from "./services.ts";
import { socialRoutes } from "./social/index.ts";
import { userRoutes } from "./users/index.ts";
import { serveRoutesUnder, serveUnknownApps } from "./serve.ts";
import { transactionRoutes } from "./transaction.ts";
import { unsupportedRoutes } from "./unsupported.ts";

export { normalizeUrl } from "./address.ts";
export type { RestContext, Route } from "./route.ts";
export { readFileRules } from "./files/index.ts";
export { readEmailRules } from "./mails/index.ts";
export { createCommunityEntities } from "./nouns.ts";
export { readUsersTable } from "./users/hosted-users.ts";
export { openServices } from "./services.ts";
export { CALL_TASK, runDeferredCall, openExtensions, SERVICE_TASK } from "./extensions.ts";
export type { CallOrigin } from "./extensions.ts";
export { startExtensions } from "./extension-hands.ts";
export { createStepActions } from "./flow-hands.ts";
export { createEntityEvents } from "./heard-nouns.ts";

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
  happened: (domainEvent: DomainEvent) => void;
  /** Events were missed: nothing cached can be trusted. */
  missed: () => void;
};

/** Events after which tables may have other columns or permissions. */
const SCHEMA_EVENTS = new Set<string>(["tables.changed", "properties.changed", "settings.changed"]);

/**
 * REST API for apps: `/{appId}/{apiKey}/…`, and `/api/…` where the origin alone identifies the app. Pass
 * `normalizeUrl` to the server, so that addresses with doubled slashes are found.
 */
export function openRest(app: RestContext): Rest {
  const callers = new Callers(app);
  const door = { app, callers, routes: ROUTES };
  return {
    happened(domainEvent) {
      callers.happened(domainEvent);
      if (SCHEMA_EVENTS.has(domainEvent.type)) app.tables.catalogue.forget();
      if (domainEvent.type === "flows.changed") app.flows.watched.forget();
    },
    missed() {
      callers.forget();
      app.tables.catalogue.forget();
      app.flows.watched.forget();
    },
    async serve(server) {
      await serveRoutesUnder(server, `/${app.appId}/:apiKey`, door);
      await serveRoutesUnder(server, "/api", door);
      await serveUnknownApps(server, door);
    },
  };
}

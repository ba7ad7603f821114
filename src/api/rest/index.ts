import type { FastifyInstance } from "fastify";
import type { DomainEvent } from "#platform/outbox";
import { automationEndpoints } from "./automations/automation-routes.ts";
import { cacheEndpoints } from "./cache-routes.ts";
import { Callers } from "./rest-caller.ts";
import { commerceEndpoints } from "./commerce-routes.ts";
import { counterEndpoints } from "./counter-routes.ts";
import type { Endpoint } from "./endpoint.ts";
import { dataQueryEndpoints } from "./data/data-queries.ts";
import { dataEndpoints } from "./data/data-routes.ts";
import { fileEndpoints } from "./files/index.ts";
import { hiveEndpoints } from "./hives/index.ts";
import { infoEndpoints } from "./info-routes.ts";
import { loggingEndpoints } from "./logging-routes.ts";
import { mailEndpoints } from "./email/index.ts";
import { managementEndpoints } from "./management/index.ts";
import { messagingEndpoints } from "./messaging/index.ts";
import { plainHttpDataEndpoints } from "./plain-data.ts";
import type { RestContext } from "./rest-route.ts";
import { extensionEndpoints } from "./service-routes.ts";
import { typesEndpoints } from "./typed-client/types-route.ts";
import { socialEndpoints } from "./social/index.ts";
import { userEndpoints } from "./users/index.ts";
import { serveRoutesUnder, serveUnknownApps, type TranslateForRequest } from "./serve-routes.ts";
import { transactionEndpoints } from "./data/transaction-routes.ts";
import { unsupportedEndpoints } from "./unsupported-routes.ts";

export { normalizeUrl } from "./url-normalization.ts";
export type { Endpoint, Example } from "./endpoint.ts";
export type { RestContext } from "./rest-route.ts";
export type { TranslateForRequest } from "./serve-routes.ts";
export { type Caller, Callers } from "./rest-caller.ts";
export { toTableCaller } from "./data/data-routes.ts";
export { countCall, countUnknownTokenCall, rateLimitHeaders } from "./call-limits.ts";
export { readFileRules } from "./files/index.ts";
export { readEmailRules } from "./email/index.ts";
export { createCommunityEntities } from "./data/community-entities.ts";
export { readUsersTable } from "./users/hosted-users.ts";
export { createServiceRegistry } from "./service-routes.ts";
export {
  EXTENSION_CALL_TASK,
  callService,
  runDeferredCall,
  createExtensionHost,
  SERVICE_CALL_TASK,
} from "./extensions/extension-calls.ts";
export type { CallOrigin } from "./extensions/extension-calls.ts";
export { startExtensions } from "./extensions/host-functions.ts";
export { createStepActions } from "./automations/step-actions.ts";
export { createEntityEvents } from "./automations/entity-events.ts";

/** All endpoints of the REST API; each group has a file. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...infoEndpoints,
  ...typesEndpoints,
  ...loggingEndpoints,
  ...userEndpoints,
  ...socialEndpoints,
  ...dataEndpoints,
  ...dataQueryEndpoints,
  ...plainHttpDataEndpoints,
  ...transactionEndpoints,
  ...extensionEndpoints,
  ...automationEndpoints,
  ...counterEndpoints,
  ...cacheEndpoints,
  ...hiveEndpoints,
  ...commerceEndpoints,
  ...messagingEndpoints,
  ...mailEndpoints,
  ...fileEndpoints,
  ...managementEndpoints,
  ...unsupportedEndpoints,
];

export type RestApi = {
  serve: (server: FastifyInstance) => Promise<void>;
  /** Resolves callers by their tokens. */
  callers: Callers;
  /** Drops caches that a domain event of this or another process may have made outdated. */
  happened: (domainEvent: DomainEvent) => void;
  /** Drops everything cached; call when events may have been missed. */
  missed: () => void;
};

/** Events that may change the columns or permissions of tables. */
const SCHEMA_EVENTS = new Set<string>(["tables.changed", "properties.changed", "settings.changed"]);

/**
 * Creates the REST API for apps, at `/{appId}/{apiKey}/…`, and at `/api/…` where the origin identifies the
 * app. Register `normalizeUrl` with the server, so that URLs with doubled slashes are found.
 */
export function createRestApi(app: RestContext, translate: TranslateForRequest): RestApi {
  const callers = new Callers(app);
  const rest = { app, callers, endpoints: ENDPOINTS, translate };
  return {
    callers,
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
      await serveRoutesUnder(server, `/${app.appId}/:apiKey`, rest);
      await serveRoutesUnder(server, "/api", rest);
      await serveUnknownApps(server, rest);
    },
  };
}

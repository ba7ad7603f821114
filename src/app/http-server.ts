import type { Server } from "node:http";
import { findSessionById, findTokenIdentity } from "#community/accounts";
import type { FastifyInstance } from "fastify";
import { ScheduledPublisher } from "#baas/messaging";
import { getDataConfig } from "#baas/data";
import { drainConnections, createHttpServer, traceRequests } from "#platform/http";
import { startTelemetry } from "#platform/telemetry";
import {
  GuestPageCache,
  requestLocale,
  serveCachedPages,
  serveStaticAssets,
  serveFiles,
  serveResumableUploads,
  serveSiteIcons,
  serveWebManifest,
  servePictureUploads,
  servePages,
} from "#web/server";
import { serveDocs } from "#api/openapi";
import { serveHealth } from "#api/health";
import { serveMcp } from "#api/mcp";
import { serveRealtime } from "#api/realtime";
import { serveInboundMail } from "#api/inbound-mail";
import { serveIncomingWebhooks } from "#api/incoming-webhooks";
import { normalizeUrl, createRestApi } from "#api/rest";
import { serveSearch } from "#api/search";
import { createEmailRenderer, createTranslator, type WebBuild } from "./web-build.ts";
import { closePushProviders } from "./push-providers.ts";
import { listenToChannels, startAutomationWorkers } from "./automation-steps.ts";
import { createEventHub } from "./event-hub.ts";
import { startWebhookSending } from "./webhook-sending.ts";
import type { Peers } from "./peer-sockets.ts";
import { startScheduledJobs } from "./scheduled-jobs.ts";
import {
  type AppOptions,
  MIGRATIONS,
  type AppContext,
  createApiContext,
  runExtensionJobs,
  type ApiContext,
  runtime,
} from "./app.ts";

/** The built pages and, during development, their assets. */
type PageBuild = { build: () => Promise<WebBuild>; serve?: (server: FastifyInstance) => Promise<void> };
/** Connects to the other web processes of this machine; absent when there is only one. */
type PeerOptions = { createPeers?: ((server: Server) => Peers) | undefined };

export type App = { server: FastifyInstance; close: () => Promise<void> };

/** Creates the HTTP server and starts what it needs, without listening. `close` waits for requests in progress. */
export async function createHttpApp(
  app: AppContext,
  options: AppOptions & PageBuild & PeerOptions,
): Promise<App> {
  const { environment, databaseServer, secrets, log, build, serve } = options;
  const pages = new GuestPageCache();
  let draining = false;
  const telemetry = environment.telemetry && (await startTelemetry(environment.telemetry));
  const server = createHttpServer({
    log,
    trustProxy: environment.trustProxy,
    https: environment.url?.startsWith("https:") ?? false,
    shortcut: serveCachedPages(pages),
    normalizeUrl: (url) => normalizeUrl(url, secrets.appId),
  });
  if (telemetry) traceRequests(server);
  const api = await createApiContext(app, options);
  const translate = createTranslator(build);
  const rest = createRestApi(api, (request, message) => translate(requestLocale(request), message));
  const peers = options.createPeers?.(server.server) ?? null;
  const realtime = serveRealtime(server, {
    ...api,
    peers,
    trustProxy: environment.trustProxy,
    publishToOthers: (message) => eventHub.publishToOthers(message),
    shareWithOthers: (objectEvent) => eventHub.shareWithOthers(objectEvent),
  });
  app.search.indexer.start();
  const filling = new AbortController();
  const filled = app.search.outside
    ?.fillIfEmpty(filling.signal)
    .catch(
      (error: unknown) =>
        filling.signal.aborted || log.warn({ err: error }, "the external search engine could not be filled"),
    );
  const webhooks = environment.workerInside ? startWebhookSending(app) : null;
  const eventHub = createEventHub({
    app,
    connection: databaseServer.connection,
    redis: app.redis,
    log,
    now: runtime.now,
    pages,
    rest,
    realtime,
    wakeWebhooks: webhooks?.wake,
  });
  const clockwork = new ScheduledPublisher(app.channels, log);
  const worker = environment.workerInside
    ? await startScheduledJobs(app, {
        environment,
        secrets,
        renderer: createEmailRenderer(build),
        translate,
        api,
      })
    : null;
  const tended = environment.workerInside
    ? await runExtensionJobs(api, { ...options, maybe: serve !== undefined })
    : null;
  const deafen = listenToChannels(api);
  const stopFlows = environment.workerInside ? startAutomationWorkers(api, databaseServer.connection) : null;
  // During development, extensions reload when their files change.
  const unwatch = serve ? app.extensions.watch() : null;

  if ((await app.settings.get()).apiDefaults === "hosted")
    log.warn(
      "the API has the defaults of the hosted service: every caller may create users and set " +
        "permissions (KITH_API_DEFAULTS)",
    );
  if ((await getDataConfig(app.tables)).defaultAccess === "open")
    log.warn("every caller may read and write the data tables: their default access is open");

  await serve?.(server);
  const figures = serveHealth(server, {
    pool: app.database.pool,
    migrations: MIGRATIONS,
    draining: () => draining,
    live: realtime.countConnections,
    caches: { guest_pages: pages, shared_posts: app.sharedPosts, markup: app.markup },
    peers,
    metrics: { token: environment.metricsToken, behindProxy: environment.behindProxy },
  });
  telemetry?.observe(figures);
  await rest.serve(server);
  serveMcp(server, { ...api, engine: app.search.engine }, rest.callers);
  await serveRoutes(server, { ...options, app, api, pages });
  await server.ready();
  await peers?.listen();
  return {
    server,
    async close() {
      draining = true;
      if (peers) await drainConnections(server);
      await server.close();
      await peers?.close();
      await clockwork.stop();
      deafen();
      await stopFlows?.();
      await eventHub.stopDispatching();
      await webhooks?.stop();
      unwatch?.();
      await tended?.();
      await worker?.stop();
      closePushProviders(app.devices);
      await app.extensions.close();
      filling.abort();
      await app.search.indexer.stop();
      await filled;
      await eventHub.close();
      await app.database.close();
      await telemetry?.stop();
    },
  };
}

type RouteOptions = AppOptions & PageBuild & { app: AppContext; api: ApiContext; pages: GuestPageCache };

/** Serves search, documentation, inbound mail, incoming webhooks, files and, last, pages. */
async function serveRoutes(
  server: FastifyInstance,
  { app, api, pages, build, environment, secrets }: RouteOptions,
): Promise<void> {
  await serveStaticAssets(server);
  await serveSearch(server, {
    ...app,
    ...app.publicConfig,
    engine: app.search.engine,
    serverKey: secrets.serverKey,
    seal: secrets.seal,
    findSession: (id) => findSessionById(app, id),
    findToken: (token, address) => findTokenIdentity(app, token, address),
  });
  serveDocs(server, api);
  await serveInboundMail(server, {
    app: { ...app, replyBox: environment.replyBox, translate: createTranslator(build) },
    secret: environment.mailInSecret,
  });
  serveIncomingWebhooks(server, app);
  serveWebManifest(server, app, createTranslator(build));
  serveSiteIcons(server, app);
  await serveFiles(server, app);
  await servePictureUploads(server, app, createTranslator(build));
  await serveResumableUploads(server, app, createTranslator(build));
  await servePages(server, { app, pages, build, production: environment.production });
}

import type { FastifyInstance } from "fastify";
import type { ServerBuild } from "react-router";
import { Clockwork } from "#backend/channels";
import { config } from "#backend/tables";
import { openHttp } from "#platform/http";
import {
  GuestPages,
  keptFirst,
  serveBuilt,
  serveFiles,
  serveIncomingFiles,
  serveLogo,
  serveManifest,
  serveUploads,
  serveWeb,
} from "#web/server";
import { serveDocs } from "#wire/docs";
import { serveHealth } from "#wire/health";
import { serveRealtime } from "#wire/realtime";
import { serveMailIn } from "#wire/mail-in";
import { meantBy, openRest } from "#wire/rest";
import { serveSearch } from "#wire/search";
import { letGoAtRest } from "./at-rest.ts";
import { facesIn, sayingIn } from "./build.ts";
import { closeWays } from "./devices.ts";
import { hearChannels, startFlows } from "./flows.ts";
import { openNews } from "./news.ts";
import { startTasks } from "./tasks.ts";
import { type Given, MIGRATIONS, type OpenHouse, openWire, tendExtensions, type Wire, world } from "./app.ts";

/** The built pages and, during development, their assets. */
type Pages = { build: () => Promise<ServerBuild>; serve?: (server: FastifyInstance) => Promise<void> };

export type App = { server: FastifyInstance; close: () => Promise<void> };

/** Opens the HTTP server without listening. `close` drains what is under way. */
export async function openApp(house: OpenHouse, given: Given & Pages): Promise<App> {
  const { environment, memory, secrets, log, build, serve } = given;
  const pages = new GuestPages();
  let draining = false;
  const server = openHttp({
    log,
    trustProxy: environment.trustProxy,
    https: environment.url?.startsWith("https:") ?? false,
    shortcut: keptFirst(pages),
    meant: (url) => meantBy(url, secrets.appId),
  });
  const wire = await openWire(house, given);
  const rest = openRest(wire);
  const realtime = serveRealtime(server, {
    ...wire,
    trustProxy: environment.trustProxy,
    tellOthers: (said) => news.tellOthers(said),
    shareWithOthers: (deed) => news.shareWithOthers(deed),
  });
  house.search.filing.start();
  const filling = new AbortController();
  const filled = house.search.outside
    ?.fillIfEmpty(filling.signal)
    .catch((error: unknown) => filling.signal.aborted || log.warn({ err: error }, "the search engine outside could not be filled"));
  const news = openNews({ house, connection: memory.connection, redis: house.redis, log, now: world.now, pages, rest, realtime });
  const clockwork = new Clockwork(house.channels, log);
  const worker = environment.workerInside
    ? await startTasks(house, { environment, secrets, face: facesIn(build), say: sayingIn(build), wire })
    : null;
  const tended = environment.workerInside ? await tendExtensions(wire, { ...given, maybe: serve !== undefined }) : null;
  const deafen = hearChannels(wire);
  const stopFlows = environment.workerInside ? startFlows(wire, memory.connection) : null;
  // During development, extensions reload when their files change.
  const unwatch = serve ? house.extensions.watch() : null;

  if ((await house.settings.get()).apiDefaults === "hosted")
    log.warn("the API has the defaults of the hosted service: every caller may create users and set permissions (KITH_API_DEFAULTS)");
  if ((await config(house.tables)).defaultAccess === "open")
    log.warn("every caller may read and write the tables of programs: their default access is open");

  const keepHold = letGoAtRest(log);
  await serve?.(server);
  serveHealth(server, {
    pool: house.database.pool,
    migrations: MIGRATIONS,
    draining: () => draining,
    live: realtime.lines,
    metrics: { token: environment.metricsToken, behindProxy: environment.behindProxy },
  });
  await rest.serve(server);
  await serveDoors(server, { ...given, house, wire, pages });
  return {
    server,
    async close() {
      draining = true;
      keepHold();
      await server.close();
      await clockwork.stop();
      deafen();
      await stopFlows?.();
      await news.stopReacting();
      unwatch?.();
      await tended?.();
      await worker?.stop();
      closeWays(house.devices);
      await house.extensions.close();
      filling.abort();
      await house.search.filing.stop();
      await filled;
      await news.close();
      await house.database.close();
    },
  };
}

type Doors = Given & Pages & { house: OpenHouse; wire: Wire; pages: GuestPages };

/** Serves search, documentation, inbound mail, files and, last, pages. */
async function serveDoors(server: FastifyInstance, { house, wire, pages, build, environment, secrets }: Doors): Promise<void> {
  await serveBuilt(server);
  await serveSearch(server, {
    ...house,
    ...house.publicConfig,
    engine: house.search.engine,
    serverKey: secrets.serverKey,
    seal: secrets.seal,
    now: world.now,
  });
  serveDocs(server, wire);
  await serveMailIn(server, {
    house: { ...house, replyBox: environment.replyBox, say: sayingIn(build) },
    secret: environment.mailInSecret,
  });
  serveManifest(server, house);
  serveLogo(server, house);
  await serveFiles(server, house);
  await serveUploads(server, house, sayingIn(build));
  await serveIncomingFiles(server, house, sayingIn(build));
  await serveWeb(server, { house, pages, build, production: environment.production });
}

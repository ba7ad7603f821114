import cluster from "node:cluster";
import type { Server } from "node:http";
import { ensureFirstAdmin } from "#community/accounts";
import { createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import { type Environment, EnvironmentError, readEnvironment } from "#platform/environment";
import { type Log, createLog } from "#platform/log";
import type { WebContext } from "#web/server";
import {
  type AppContext,
  seedDemoIfEmpty,
  MIGRATIONS,
  createAppContext,
  printUnreadVariables,
  connectSharedRedis,
} from "./src/app/app.ts";
import { createHttpApp } from "./src/app/http-server.ts";
import { loadWebBuild, type WebBuild } from "./src/app/web-build.ts";
import { printStartupMessage } from "./src/app/startup-message.ts";
import {
  type DatabaseServer,
  openDatabaseServer,
  prepareDatabase,
  shareDatabaseServer,
} from "./src/app/open-database.ts";
import { createPeers } from "./src/app/peer-sockets.ts";
import { isMisconfigured, PEER_FOLDER, ProcessSupervisor } from "./src/app/process-supervisor.ts";
import { assertEnvironmentUsable } from "./src/preflight.ts";
import { readSecrets, type Secrets } from "./src/app/secrets.ts";
import { exitWithError } from "./src/start-failure.ts";

const print = (sentence: string) => console.log(sentence);
const isDevelopment = process.argv.includes("--dev");

/**
 * The first process of the installation: it prepares the database, and then either serves requests itself or
 * starts the web processes that do.
 */
async function startServer() {
  const environment = readEnvironment(process.env);
  const log = createLog(environment.logLevel);
  await assertPortFree(environment);
  printUnreadVariables(environment, print);
  await assertEnvironmentUsable(environment);
  const secrets = readSecrets(environment);
  const redis = await connectSharedRedis({ environment, secrets, log });
  const databaseServer = await openDatabaseServer(environment, print);
  const several = environment.processes > 1 && !isDevelopment;
  // From here on, open resources must be released when the start fails.
  let running: { close: () => Promise<void>; restart?: () => Promise<void> } | null = null;
  stopOnSignal(
    async () => {
      await running?.close();
      await databaseServer.stop();
    },
    // A restart during the start is ignored, because the processes being started are new.
    several ? async () => running?.restart?.() : null,
  );
  try {
    await prepareDatabase(databaseServer, MIGRATIONS, print, log);
    const app = createAppContext({ environment, databaseServer, secrets, log, redis });
    if (environment.seed === "demo") await seedDemoIfEmpty(app, secrets.demoPassword, print);
    const setUpLink = await createFirstAdmin(app, environment);
    running = several
      ? await startProcesses(environment, log)
      : await serve({ app, environment, databaseServer, secrets, log });
    await printStartupMessage({
      app,
      environment,
      databaseServer,
      demoPassword: secrets.demoPassword,
      setUpLink,
      print,
    });
    if (several) await app.database.close();
  } catch (error) {
    await running?.close().catch(() => {});
    await databaseServer.stop();
    throw error;
  }
}

/** Starts web processes on this port, and a process for jobs unless another installation runs them. */
async function startProcesses({ processes: count, workerInside }: Environment, log: Log) {
  const supervisor = new ProcessSupervisor({ count, jobs: workerInside ? "worker.ts" : null, log });
  try {
    await supervisor.start();
  } catch (error) {
    await supervisor.stop();
    if (isMisconfigured(error)) process.exit(78);
    throw error;
  }
  return { close: () => supervisor.stop(), restart: () => supervisor.restart() };
}

/** Starts one of several web processes; the first process has already prepared everything. */
async function startWebProcess(peerFolder: string) {
  const environment = readEnvironment(process.env);
  const log = createLog(environment.logLevel);
  const secrets = readSecrets(environment);
  const redis = await connectSharedRedis({ environment, secrets, log });
  const databaseServer = await shareDatabaseServer(environment, print);
  const app = createAppContext({ environment, databaseServer, secrets, log, redis });
  const running = await serve({ app, environment, databaseServer, secrets, log, peerFolder });
  stopOnSignal(running.close, async () => {});
}

type ServeOptions = {
  app: AppContext;
  environment: Environment;
  databaseServer: DatabaseServer;
  secrets: Secrets;
  log: Log;
  /** Set only when several processes serve. */
  peerFolder?: string;
};

async function serve({ app, peerFolder, ...given }: ServeOptions) {
  const { port, host } = given.environment;
  const number = cluster.worker?.id ?? 0;
  const open =
    peerFolder === undefined ? undefined : (server: Server) => createPeers(peerFolder, number, server);
  const { server, close } = await createHttpApp(app, { ...given, ...(await loadPages()), createPeers: open });
  await server.listen({ port, host });
  return { close };
}

type PageServer = { build: () => Promise<WebBuild>; serve?: (server: FastifyInstance) => Promise<void> };

/** Loads the built pages; in development Vite builds them when they are requested. */
async function loadPages(): Promise<PageServer> {
  if (isDevelopment) return (await import("./src/app/dev-server.ts")).startDevServer();
  return { build: await loadWebBuild() };
}

/**
 * Creates the first admin of an empty community: the admin named by the environment or, without one, an
 * account without a name. For the latter, returns a link to the set-up page, on which the admin enters name,
 * address and password.
 */
async function createFirstAdmin(app: WebContext, { admin, seed }: Environment): Promise<string | null> {
  if (!admin && seed === "demo") return null;
  const unnamed = { email: `admin@${new URL(app.origin()).hostname}`, password: null };
  return (await ensureFirstAdmin(app, admin ?? unnamed))?.link ?? null;
}

/** Throws at once with a clear message when the port is in use. */
function assertPortFree({ port, host }: Environment): Promise<void> {
  return new Promise((free, taken) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `${port} is already in use: stop the program that uses it, or set PORT to another number.`
          : `${host}:${port} cannot be used (${error.code}).`;
      taken(
        new EnvironmentError(
          error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND" ? "HOST" : "PORT",
          why,
        ),
      );
    });
    probe.listen(port, host, () => probe.close(() => free()));
  });
}

/**
 * Handles signals. SIGTERM and SIGINT stop the server. SIGHUP restarts the web processes if there are
 * several; otherwise, or when a terminal was closed, it stops the server.
 */
function stopOnSignal(stop: () => Promise<void>, restart: (() => Promise<void>) | null) {
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    // If the shutdown hangs, the process exits; the database's supervisor still stops the database.
    setTimeout(() => process.exit(1), 30_000).unref();
    void stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", end).on("SIGINT", end);
  process.on("SIGHUP", () => {
    if (restart && !process.stdin.isTTY) void restart();
    else end();
  });
}

const peerFolder = process.env[PEER_FOLDER];
const start = cluster.isWorker && peerFolder ? () => startWebProcess(peerFolder) : startServer;
start().catch(exitWithError);

import { createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ServerBuild } from "react-router";
import { type Environment, EnvironmentError, readEnvironment } from "#platform/environment";
import { openLog } from "#platform/log";
import type { WebContext } from "#web/server";
import { seedDemoIfEmpty, MIGRATIONS, openAppContext, sayUnread, openSharedRedis } from "./src/app/app.ts";
import { openHttpApp } from "./src/app/http-server.ts";
import { loadWebBuild } from "./src/app/web-build.ts";
import { printStartupMessage } from "./src/app/startup-message.ts";
import { openDatabaseServer, prepareDatabase } from "./src/app/open-database.ts";
import { assertUsable } from "./src/preflight.ts";
import { readSecrets } from "./src/app/secrets.ts";
import { endWith } from "./src/start-failure.ts";

const print = (sentence: string) => console.log(sentence);

async function startServer() {
  const environment = readEnvironment(process.env);
  const log = openLog(environment.logLevel);
  await assertPortFree(environment);
  sayUnread(environment, print);
  await assertUsable(environment);
  const secrets = readSecrets(environment);
  const redis = await openSharedRedis({ environment, secrets, log });
  const memory = await openDatabaseServer(environment, print);
  // From here on, resources must be released on failure.
  let runningApp: Awaited<ReturnType<typeof openHttpApp>> | null = null;
  stopOnSignal(async () => {
    await runningApp?.close();
    await memory.stop();
  });
  try {
    await prepareDatabase(memory, MIGRATIONS, print, log);
    const app = openAppContext({ environment, memory, secrets, log, redis });
    if (environment.seed === "demo") await seedDemoIfEmpty(app, secrets.demoPassword, print);
    const setUpLink = await createFirstAdmin(app, environment);
    runningApp = await openHttpApp(app, { environment, memory, secrets, log, ...(await loadPages()) });
    await runningApp.server.listen({ port: environment.port, host: environment.host });
    await printStartupMessage({
      app,
      environment,
      memory,
      demoPassword: secrets.demoPassword,
      setUpLink,
      say: print,
    });
  } catch (error) {
    await runningApp?.close().catch(() => {});
    await memory.stop();
    throw error;
  }
}

type PageServer = { build: () => Promise<ServerBuild>; serve?: (server: FastifyInstance) => Promise<void> };

/** The built pages; in development Vite builds them on demand. */
async function loadPages(): Promise<PageServer> {
  if (process.argv.includes("--dev")) return (await import("./src/app/dev-server.ts")).development();
  return { build: await loadWebBuild() };
}

/**
 * Creates the first admin of an empty community: the one that the environment names, else one whose link to
 * set a password is printed here, and who enters an address in the settings.
 */
async function createFirstAdmin(app: WebContext, { admin, seed }: Environment): Promise<string | null> {
  if (!admin && seed === "demo") return null;
  const unnamed = { email: `admin@${new URL(app.origin()).hostname}`, password: null };
  return (await app.accounts.ensureFirstAdmin(admin ?? unnamed))?.link ?? null;
}

/** Reports a port in use at once and clearly. */
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

function stopOnSignal(stop: () => Promise<void>) {
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      // If something hangs, at least the database is stopped by its own supervisor's rules.
      setTimeout(() => process.exit(1), 20_000).unref();
      void stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
}

startServer().catch(endWith);

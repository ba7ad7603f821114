import { createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ServerBuild } from "react-router";
import { type Environment, EnvironmentFault, readEnvironment } from "#platform/environment";
import { openLog } from "#platform/log";
import type { House } from "#web/server";
import { fill, MIGRATIONS, openHouse, sayUnread, shared } from "./src/app.ts";
import { openApp } from "./src/doors.ts";
import { builtPages } from "./src/build.ts";
import { greet } from "./src/greeting.ts";
import { openMemory, prepare } from "./src/memory.ts";
import { assertUsable } from "./src/preflight.ts";
import { readSecrets } from "./src/secrets.ts";
import { endWith } from "./src/start-failure.ts";

const say = (sentence: string) => console.log(sentence);

async function start() {
  const environment = readEnvironment(process.env);
  const log = openLog(environment.logLevel);
  await assertFree(environment);
  sayUnread(environment, say);
  await assertUsable(environment);
  const secrets = readSecrets(environment);
  const redis = await shared({ environment, secrets, log });
  const memory = await openMemory(environment, say);
  // From here on, resources must be released on failure.
  let app: Awaited<ReturnType<typeof openApp>> | null = null;
  stopOnSignal(async () => {
    await app?.close();
    await memory.stop();
  });
  try {
    await prepare(memory, MIGRATIONS, say, log);
    const house = openHouse({ environment, memory, secrets, log, redis });
    if (environment.seed === "demo") await fill(house, secrets.demoPassword, say);
    const setUpLink = await firstAdmin(house, environment);
    app = await openApp(house, { environment, memory, secrets, log, ...(await pagesOf()) });
    await app.server.listen({ port: environment.port, host: environment.host });
    await greet({ house, environment, memory, demoPassword: secrets.demoPassword, setUpLink, say });
  } catch (error) {
    await app?.close().catch(() => {});
    await memory.stop();
    throw error;
  }
}

type Pages = { build: () => Promise<ServerBuild>; serve?: (server: FastifyInstance) => Promise<void> };

/** The built pages; in development Vite builds them on demand. */
async function pagesOf(): Promise<Pages> {
  if (process.argv.includes("--dev")) return (await import("./src/dev.ts")).development();
  return { build: await builtPages() };
}

/**
 * Creates the first admin of an empty community: the one that the environment names, else one whose link to
 * set a password is printed here, and who enters an address in the settings.
 */
async function firstAdmin(house: House, { admin, seed }: Environment): Promise<string | null> {
  if (!admin && seed === "demo") return null;
  const unnamed = { email: `admin@${new URL(house.origin()).hostname}`, password: null };
  return (await house.accounts.ensureFirstAdmin(admin ?? unnamed))?.link ?? null;
}

/** Reports a port in use at once and clearly. */
function assertFree({ port, host }: Environment): Promise<void> {
  return new Promise((free, taken) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? `${port} is in use already: stop what listens there, or set PORT to another number.`
          : `${host}:${port} cannot be listened on (${error.code}).`;
      taken(new EnvironmentFault(error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND" ? "HOST" : "PORT", why));
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

start().catch(endWith);

import { join } from "node:path";
import compress from "@fastify/compress";
import statics from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { constants } from "node:zlib";
import type { ServerBuild } from "react-router";
import { assertHeirs } from "#community/groups";
import { hashPassword, openAccounts } from "#community/people";
import { openSettings } from "#community/settings";
import { claimGhost, isEmpty, seedDemo } from "#community/transfer";
import type { World } from "#platform/clock";
import { type Database, openDatabase } from "#platform/database";
import { type Environment, readEnvironment } from "#platform/environment";
import { openHttp } from "#platform/http";
import { uuidv7 } from "#platform/ids";
import { Limits } from "#platform/limits";
import { type Log, openLog } from "#platform/log";
import { openSigner } from "#platform/signing";
import { openFolder } from "#platform/storage";
import { GuestPages, type House, keptFirst, serveFiles, serveUploads, serveWeb } from "#web/server";
import { serveHealth } from "#wire/health";
import { serveRealtime } from "#wire/realtime";
import { serveMailIn } from "#wire/mail-in";
import { serveRest } from "#wire/rest";
import { facesIn, sayingIn } from "./build.ts";
import { type Memory, openMemory, prepare } from "./memory.ts";
import { openNews } from "./news.ts";
import { readSecrets, type Secrets } from "./secrets.ts";
import { startTasks } from "./tasks.ts";

export const MIGRATIONS = "db/migrations";
const DEMO = "db/demo";
const CLIENT = "build/client";

const world: World = { now: () => new Date(), newId: uuidv7 };

type Given = { environment: Environment; memory: Memory; secrets: Secrets; log: Log };

/** The house without its doors: what a command (`npm run seed`) needs, and the server too. */
export function openHouse({ environment, memory, secrets, log }: Given) {
  // While the house is being closed, connections end as they should.
  const onIdleError = (error: Error) => database.pool.ending || log.warn({ err: error }, "a database connection broke");
  const database: Database = openDatabase({ connection: memory.connection, world, size: environment.databasePool, onIdleError });
  const limits = new Limits();
  const settings = openSettings(database);
  const origin = () => environment.url ?? `http://localhost:${environment.port}`;
  const accounts = openAccounts({
    database,
    limits,
    settings,
    origin,
    now: world.now,
    seal: secrets.seal,
    providers: environment.providers,
    beforeLeaving: (personId) => assertHeirs(database.db, personId),
    afterConfirming: claimGhost,
  });
  const house: House = {
    database,
    db: database.db,
    accounts,
    settings,
    limits,
    origin,
    log,
    storage: openFolder(join(environment.dataDir, "files")),
    signer: openSigner(secrets.seal),
    imports: join(environment.dataDir, "imports"),
    mailboxOpen: !environment.smtpUrl && !environment.production,
    providers: accounts.providers(),
    publicConfig: { appId: secrets.appId, clientKey: secrets.clientKey, searchKey: secrets.searchKey },
    pushKey: secrets.push.publicKey,
  };
  return house;
}

/** Fills an empty database with the demo community. True when it did. */
export async function fill(house: House, password: string, say: (sentence: string) => void): Promise<boolean> {
  if (!(await isEmpty(house.db))) return false;
  const started = Date.now();
  say("Filling the empty database with the demo community…");
  const hash = await hashPassword(password);
  await seedDemo(house.database, house.storage, DEMO, { now: world.now(), say, passwordHash: async () => hash });
  house.settings.forget();
  say(`The demo community has moved in (${((Date.now() - started) / 1000).toFixed(1)} s).`);
  return true;
}

type Used = { environment: Environment; password: string; say: (sentence: string) => void };

/** Opens the house for a command, without its doors, and closes it again. Some commands may run beside the server. */
export async function withHouse(work: (house: House, used: Used) => Promise<void>, open = openMemory): Promise<void> {
  const say = (sentence: string) => console.log(sentence);
  const environment = readEnvironment(process.env);
  const log = openLog(environment.logLevel);
  const secrets = readSecrets(environment);
  const memory = await open(environment, say);
  try {
    await prepare(memory, MIGRATIONS, say, log);
    const house = openHouse({ environment, memory, secrets, log });
    await work(house, { environment, password: secrets.demoPassword, say }).finally(house.database.close);
  } finally {
    await memory.stop();
  }
}

/** The pages as built, and, while they are being written, what serves their parts. */
type Pages = { build: () => Promise<ServerBuild>; serve?: (server: FastifyInstance) => Promise<void> };

export type App = { server: FastifyInstance; close: () => Promise<void> };

/** Opens every door of the house. Nothing listens yet; `close` lets what is under way end first. */
export async function openApp(house: House, given: Given & Pages): Promise<App> {
  const { environment, memory, secrets, log, build, serve } = given;
  const pages = new GuestPages();
  let draining = false;
  const server = openHttp({ log, trustProxy: environment.trustProxy, shortcut: keptFirst(pages) });
  const realtime = serveRealtime(server, {
    ...house,
    appId: secrets.appId,
    clientKey: secrets.clientKey,
    serverKey: secrets.serverKey,
    trustProxy: environment.trustProxy,
    tellOthers: (said) => news.tellOthers(said),
  });
  const news = openNews({ house, connection: memory.connection, log, now: world.now, pages, realtime });
  const worker = environment.workerInside
    ? await startTasks(house, { environment, secrets, face: facesIn(build), say: sayingIn(build) })
    : null;

  await serve?.(server);
  // Zstandard at 3 and Brotli at 4: the bytes of gzip 9 for a quarter of its work.
  await server.register(compress, {
    encodings: ["zstd", "br", "gzip"],
    threshold: 1400,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 4 },
  });
  await server.register(statics, {
    root: join(process.cwd(), CLIENT),
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) =>
      void reply.header(
        "cache-control",
        path.includes(`${CLIENT}/assets/`)
          ? "public, max-age=31536000, immutable"
          : path.endsWith("/sw.js")
            ? "no-cache"
            : "public, max-age=3600",
      ),
  });
  serveHealth(server, { pool: house.database.pool, migrations: MIGRATIONS, draining: () => draining, live: realtime.lines });
  serveRest(server, { log, limits: house.limits });
  await serveMailIn(server, {
    house: { ...house, replyBox: environment.replyBox, say: sayingIn(build) },
    secret: environment.mailInSecret,
  });
  await serveFiles(server, house);
  await serveUploads(server, house);
  await serveWeb(server, { house, pages, build, production: environment.production });
  return {
    server,
    async close() {
      draining = true;
      await server.close();
      await news.stopReacting();
      await worker?.stop();
      await news.close();
      await house.database.close();
    },
  };
}

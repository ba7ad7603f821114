import { join } from "node:path";
import { openCache } from "#baas/cache";
import { openMessaging } from "#baas/messaging";
import { openCounters } from "#baas/counters";
import { queueDevicePush } from "#baas/devices";
import { openFiles } from "#baas/files";
import { openAutomations } from "#baas/automations";
import { openHives } from "#baas/hive";
import { openLogs } from "#baas/logging";
import { openEmail } from "#baas/email";
import { openSharedObjects } from "#baas/shared-objects";
import { openDataTables } from "#baas/data";
import { leaveOwnedGroups, registerByInvitation } from "#community/groups";
import { hashPassword, openProviders, openSealer } from "#community/accounts";
import { openSharedPosts } from "#community/discussions";
import { openSearch } from "#community/search";
import { openSettings } from "#community/settings";
import { claimImportedAccount, hasNoPeople, seedDemo } from "#community/import-export";
import type { Runtime } from "#platform/clock";
import { type Database, openDatabase } from "#platform/database";
import { type Environment, readEnvironment } from "#platform/environment";
import { openFetcher } from "#platform/fetcher";
import { uuidv7 } from "#platform/ids";
import { Limits } from "#platform/limits";
import { hideInLogs, type Log, openLog } from "#platform/log";
import { Redis } from "#platform/redis";
import { openScanner } from "#platform/scanner";
import { openSigner } from "#platform/signing";
import { openStorage } from "#platform/storage";
import { type WebContext } from "#web/server";
import {
  startExtensions,
  createCommunityEntities,
  readFileRules,
  createEntityEvents,
  readEmailRules,
  openExtensions,
  openServices,
  type RestContext,
  readUsersTable,
} from "#api/rest";
import { createViewerKeys } from "#api/search";
import { openDevicePush } from "./push-providers.ts";
import { startExtensionJobs } from "./extension-jobs.ts";
import { type DatabaseServer, openDatabaseServer, prepareDatabase } from "./open-database.ts";
import { openConnectionPools } from "./connection-pools.ts";
import { openPurchaseGrants } from "./purchase-grants.ts";
import { assertUsable } from "../preflight.ts";
import { readSecrets, type Secrets } from "./secrets.ts";

export const MIGRATIONS = "db/migrations";
const DEMO = "db/demo";

export const runtime: Runtime = { now: () => new Date(), newId: uuidv7 };

export type AppOptions = {
  environment: Environment;
  databaseServer: DatabaseServer;
  secrets: Secrets;
  log: Log;
  redis?: Redis | null;
};

/**
 * The Redis shared between processes, if one is configured. Keys are prefixed with the app id, since others
 * may use the same server.
 */
export const openSharedRedis = async ({
  environment: { redisUrl },
  secrets,
  log,
}: Omit<AppOptions, "databaseServer" | "redis">): Promise<Redis | null> =>
  redisUrl ? Redis.open({ url: redisUrl, prefix: `kith:{${secrets.appId}}:`, log }) : null;

/** Returns passwords and keys of other systems in the environment, so that logs redact them. */
function passwordsOf({
  databaseUrl,
  databaseReplicaUrl,
  redisUrl,
  smtpUrl,
  searchUrl,
  s3,
  mailInSecret,
}: Environment) {
  const urls = [databaseUrl, databaseReplicaUrl, redisUrl, smtpUrl, searchUrl].filter((url) => url !== null);
  const passwords = urls.flatMap((url) => [new URL(url).password, decodeURIComponent(new URL(url).password)]);
  return [...passwords, s3?.key, s3?.secret, mailInSecret ?? undefined];
}

/** Opens the app context without HTTP, for commands such as `npm run seed` and for the server. */
export function openAppContext({ environment, databaseServer, secrets, log, redis = null }: AppOptions) {
  const { database, questions, following, programs, lookups, close } = openConnectionPools({
    connection: databaseServer.connection,
    runtime,
    size: environment.databasePool,
    log,
  });
  hideInLogs(passwordsOf(environment));
  const limits = new Limits(redis);
  const settings = openSettings(database, { apiDefaults: environment.apiDefaults });
  const origin = () => environment.url ?? `http://localhost:${environment.port}`;
  const accountFields = {
    database: { ...database, close: () => close().finally(() => redis?.close()) },
    limits,
    settings,
    origin,
    now: runtime.now,
    sealer: openSealer(secrets.seal),
    signInProviders: openProviders(environment.providers),
    accountHooks: {
      beforeLeaving: leaveOwnedGroups,
      afterConfirming: claimImportedAccount,
      registerInvited: registerByInvitation,
    },
  };
  const scanner = environment.clamdUrl ? openScanner(environment.clamdUrl) : null;
  const extensions = openExtensions({ ...environment.extensions, log, now: runtime.now });
  const tables = openDataTables({
    database: programs,
    entities: createCommunityEntities(accountFields, () => readUsersTable(tables)),
    dynamicSchema: !environment.production,
    hosted: async () => (await settings.getNow()).apiDefaults === "hosted",
    async quota() {
      const { tableRows, tableMegabytes } = await settings.get();
      return { rows: tableRows, bytes: tableMegabytes * 1_000_000 };
    },
    hooks: extensions.hooks,
  });
  const channels = openMessaging(database, queueDevicePush);
  const logs = openLogs(database);
  const app = {
    ...accountFields,
    redis,
    following,
    lookups: lookups.db,
    search: openSearch({ database: following, reading: questions.db, log, outside: environment.searchUrl }),
    db: database.db,
    sharedPosts: openSharedPosts(),
    tables,
    extensions,
    mails: openEmail({ database, rules: readEmailRules(settings) }),
    devices: openDevicePush({ database, log, origin }, { environment, secrets }),
    channels,
    logs,
    flows: openAutomations({
      database,
      tables,
      entities: createEntityEvents({ database, tables, settings }),
      channels,
      logs,
      log,
    }),
    log,
    storage: openStorage(environment, "files"),
    scanner,
    files: openFiles({
      database,
      // Separate from the community's files, because each of the two stores deletes files that it does not
      // reference.
      storage: openStorage(environment, "program-files"),
      scanner,
      fetcher: openFetcher(),
      rules: readFileRules(settings),
    }),
    signer: openSigner(secrets.seal),
    imports: join(environment.dataDir, "imports"),
    mailboxOpen: !environment.smtpUrl && !environment.production,
    publicConfig: {
      appId: secrets.appId,
      clientKey: secrets.clientKey,
      searchKey: secrets.searchKey,
      search: environment.searchClient,
    },
    searchKeyOf: createViewerKeys(secrets.seal, runtime.now),
    serverKey: secrets.serverKey,
    pushKey: secrets.push.publicKey,
  } satisfies WebContext & { following: Database; lookups: Database["db"]; redis: Redis | null };
  return app;
}

export type AppContext = ReturnType<typeof openAppContext>;

/** Opens the API context on top of the app context: adds the `baas` modules and loads the extensions. */
export async function openApiContext(
  app: AppContext,
  { environment, secrets }: Pick<AppOptions, "environment" | "secrets">,
) {
  const { appId, clientKey, serverKey, searchKey } = secrets;
  const { production, allowReset } = environment;
  const backend = {
    services: openServices(),
    counters: openCounters(app.database, app.redis),
    cache: openCache(app.database, app.redis),
    hives: openHives(app.database, app.redis),
    purchases: openPurchaseGrants(app, environment),
    sharedObjects: openSharedObjects(app.database),
  };
  const wire = {
    ...app,
    ...backend,
    production,
    allowReset,
    appId,
    clientKey,
    serverKey,
    searchKey,
  };
  await startExtensions(wire);
  return wire;
}

export type ApiContext = Awaited<ReturnType<typeof openApiContext>>;

/**
 * Runs timers and deferred calls of extensions. Does nothing without extensions, unless `maybe` is set
 * because some may be added. Returns a function that stops it.
 */
export async function runExtensionJobs(
  api: RestContext,
  { environment, databaseServer, log, maybe = false }: ExtensionJobOptions,
): Promise<() => Promise<void>> {
  if (api.extensions.parts.length === 0 && !maybe) return async () => {};
  const onIdleError = (error: Error) => log.warn({ err: error }, "a database connection was lost");
  const own = openDatabase({
    connection: databaseServer.connection,
    runtime,
    size: 3,
    onIdleError: (error) => own.pool.ending || onIdleError(error),
  });
  const worker = await startExtensionJobs(api, own, environment.extensions.threads);
  return async () => {
    await worker.stop();
    await own.close();
  };
}
type ExtensionJobOptions = Pick<AppOptions, "environment" | "databaseServer" | "log"> & { maybe?: boolean };

/** Seeds an empty database with the demo community. Returns whether it did so. */
export async function seedDemoIfEmpty(
  app: AppContext,
  password: string,
  print: (sentence: string) => void,
): Promise<boolean> {
  if (!(await hasNoPeople(app.db))) return false;
  const started = Date.now();
  print("Filling the empty database with the demo community…");
  const hash = await hashPassword(password);
  await seedDemo(app.database, app.storage, DEMO, {
    now: runtime.now(),
    print,
    passwordHash: async () => hash,
  });
  app.settings.forget();
  print(`The demo community is ready (${((Date.now() - started) / 1000).toFixed(1)} s).`);
  return true;
}

type CommandOptions = {
  environment: Environment;
  databaseServer: DatabaseServer;
  password: string;
  print: (sentence: string) => void;
};

/** Prints a line for each variable that is set and has no effect. */
export function printUnread(
  { unread }: Pick<Environment, "unread">,
  print: (sentence: string) => void,
): void {
  for (const { variable, sentence } of unread) print(`${variable} ${sentence}`);
}

/**
 * Opens the app context for a command and closes it afterwards. Some commands may run while the server runs.
 */
export async function withAppContext(
  work: (app: AppContext, used: CommandOptions) => Promise<void>,
  open = openDatabaseServer,
): Promise<void> {
  const print = (sentence: string) => console.log(sentence);
  const environment = readEnvironment(process.env);
  const log = openLog(environment.logLevel);
  printUnread(environment, print);
  await assertUsable(environment);
  const secrets = readSecrets(environment);
  const databaseServer = await open(environment, print);
  try {
    const redis = await openSharedRedis({ environment, secrets, log });
    await prepareDatabase(databaseServer, MIGRATIONS, print, log);
    const app = openAppContext({ environment, databaseServer, secrets, log, redis });
    await work(app, { environment, databaseServer, password: secrets.demoPassword, print }).finally(
      app.database.close,
    );
  } finally {
    await databaseServer.stop();
  }
}

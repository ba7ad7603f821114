import { join } from "node:path";
import { createCache } from "#baas/cache";
import { createMessagingContext } from "#baas/messaging";
import { createCounterStore } from "#baas/counters";
import { queueDevicePush } from "#baas/devices";
import { createFileStore } from "#baas/files";
import { createAutomationContext } from "#baas/automations";
import { createHiveStore } from "#baas/hive";
import { createLogStore } from "#baas/logging";
import { createEmailContext } from "#baas/email";
import { createSharedObjectStore } from "#baas/shared-objects";
import { createDataTableStore } from "#baas/data";
import { leaveOwnedGroups, registerByInvitation } from "#community/groups";
import { hashPassword, createProviders, createSealer } from "#community/accounts";
import { createSharedPostsCache } from "#community/discussions";
import { createSearch } from "#community/search";
import { openSettings } from "#community/settings";
import { claimImportedAccount, hasNoPeople, seedDemo } from "#community/import-export";
import type { Runtime } from "#platform/clock";
import { type Database, openDatabase } from "#platform/database";
import { type Environment, readEnvironment } from "#platform/environment";
import { createFetcher } from "#platform/fetcher";
import { uuidv7 } from "#platform/ids";
import { Limits } from "#platform/limits";
import { redactInLogs, type Log, createLog } from "#platform/log";
import { Redis } from "#platform/redis";
import { createScanner } from "#platform/scanner";
import { createSigner } from "#platform/signing";
import { createStorage } from "#platform/storage";
import { createMarkupCache, type WebContext } from "#web/server";
import {
  startExtensions,
  createCommunityEntities,
  readFileRules,
  createEntityEvents,
  readEmailRules,
  createExtensionHost,
  createServiceRegistry,
  type RestContext,
  readUsersTable,
} from "#api/rest";
import { createViewerKeys } from "#api/search";
import { createDevicePush } from "./push-providers.ts";
import { startExtensionJobs } from "./extension-jobs.ts";
import { type DatabaseServer, openDatabaseServer, prepareDatabase } from "./open-database.ts";
import { createConnectionPools } from "./connection-pools.ts";
import { createPurchaseContext } from "./purchase-grants.ts";
import { assertEnvironmentUsable } from "../preflight.ts";
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
 * The Redis shared between processes, if one is configured. Keys are prefixed with the app id, since other
 * applications may use the same server.
 */
export const connectSharedRedis = async ({
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

/** Creates the app context without HTTP, for commands such as `npm run seed` and for the server. */
export function createAppContext({ environment, databaseServer, secrets, log, redis = null }: AppOptions) {
  const { database, questions, following, programs, lookups, close } = createConnectionPools({
    connection: databaseServer.connection,
    runtime,
    size: environment.databasePool,
    log,
  });
  redactInLogs(passwordsOf(environment));
  const limits = new Limits(redis);
  const settings = openSettings(database, { apiDefaults: environment.apiDefaults });
  const origin = () => environment.url ?? `http://localhost:${environment.port}`;
  const accountFields = {
    database: { ...database, close: () => close().finally(() => redis?.close()) },
    limits,
    settings,
    origin,
    now: runtime.now,
    sealer: createSealer(secrets.seal),
    signInProviders: createProviders(environment.providers),
    accountHooks: {
      beforeLeaving: leaveOwnedGroups,
      afterConfirming: claimImportedAccount,
      registerInvited: registerByInvitation,
    },
  };
  const scanner = environment.clamdUrl ? createScanner(environment.clamdUrl) : null;
  const extensions = createExtensionHost({ ...environment.extensions, log, now: runtime.now });
  const tables = createDataTableStore({
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
  const channels = createMessagingContext(database, queueDevicePush);
  const logs = createLogStore(database);
  const app = {
    ...accountFields,
    redis,
    following,
    lookups: lookups.db,
    search: createSearch({ database: following, reading: questions.db, log, outside: environment.searchUrl }),
    db: database.db,
    sharedPosts: createSharedPostsCache(),
    markup: createMarkupCache(),
    tables,
    extensions,
    mails: createEmailContext({ database, rules: readEmailRules(settings) }),
    devices: createDevicePush({ database, log, origin }, { environment, secrets }),
    channels,
    logs,
    flows: createAutomationContext({
      database,
      tables,
      entities: createEntityEvents({ database, tables, settings }),
      channels,
      logs,
      log,
    }),
    log,
    storage: createStorage(environment, "files"),
    scanner,
    files: createFileStore({
      database,
      // The files of apps are stored separately from the community's files, because each of the two stores
      // deletes files that it does not reference.
      storage: createStorage(environment, "program-files"),
      scanner,
      fetcher: createFetcher(),
      rules: readFileRules(settings),
    }),
    signer: createSigner(secrets.seal),
    proofEffort: environment.proofEffort,
    imports: join(environment.dataDir, "imports"),
    mailboxOpen: !environment.smtpUrl && !environment.production,
    sendsMail: environment.smtpUrl !== null || !environment.production,
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

export type AppContext = ReturnType<typeof createAppContext>;

/** Creates the API context on top of the app context: adds the `baas` modules and loads the extensions. */
export async function createApiContext(
  app: AppContext,
  { environment, secrets }: Pick<AppOptions, "environment" | "secrets">,
) {
  const { appId, clientKey, serverKey, searchKey } = secrets;
  const { production, allowReset } = environment;
  const backend = {
    services: createServiceRegistry(),
    counters: createCounterStore(app.database, app.redis),
    cache: createCache(app.database, app.redis),
    hives: createHiveStore(app.database, app.redis),
    purchases: createPurchaseContext(app, environment),
    sharedObjects: createSharedObjectStore(app.database),
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

export type ApiContext = Awaited<ReturnType<typeof createApiContext>>;

/**
 * Runs timers and deferred calls of extensions. Without extensions it does nothing, unless `maybe` is set:
 * extensions may then be added later. Returns a function that stops the jobs.
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

/** Seeds an empty database with the demo community. Returns whether the database was empty. */
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
export function printUnreadVariables(
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
  const log = createLog(environment.logLevel);
  printUnreadVariables(environment, print);
  await assertEnvironmentUsable(environment);
  const secrets = readSecrets(environment);
  const databaseServer = await open(environment, print);
  try {
    const redis = await connectSharedRedis({ environment, secrets, log });
    await prepareDatabase(databaseServer, MIGRATIONS, print, log);
    const app = createAppContext({ environment, databaseServer, secrets, log, redis });
    await work(app, { environment, databaseServer, password: secrets.demoPassword, print }).finally(
      app.database.close,
    );
  } finally {
    await databaseServer.stop();
  }
}

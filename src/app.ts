import { join } from "node:path";
import { openCache } from "#backend/cache";
import { openChannels } from "#backend/channels";
import { openCounters } from "#backend/counters";
import { pushToDevices } from "#backend/devices";
import { openFiles } from "#backend/files";
import { openFlows } from "#backend/flows";
import { openHives } from "#backend/hive";
import { openLogs } from "#backend/logs";
import { openMails } from "#backend/mails";
import { openSharedObjects } from "#backend/shared-objects";
import { openTables } from "#backend/tables";
import { leaveGroupsBehind, registerInvited } from "#community/groups";
import { hashPassword, openAccounts } from "#community/people";
import { openSearch } from "#community/search";
import { openSettings } from "#community/settings";
import { claimGhost, isEmpty, seedDemo } from "#community/transfer";
import type { World } from "#platform/clock";
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
import { type House } from "#web/server";
import {
  beginExtensions,
  communityNouns,
  fileRulesIn,
  heardNouns,
  mailRulesIn,
  openExtensions,
  openServices,
  type RestHouse,
  usersTable,
} from "#wire/rest";
import { viewerKeys } from "#wire/search";
import { devicesOf } from "./devices.ts";
import { startExtensionTasks } from "./extensions.ts";
import { type Memory, openMemory, prepare } from "./memory.ts";
import { openPools } from "./pools.ts";
import { purchasesOf } from "./purchases.ts";
import { assertUsable } from "./preflight.ts";
import { readSecrets, type Secrets } from "./secrets.ts";

export const MIGRATIONS = "db/migrations";
const DEMO = "db/demo";

export const world: World = { now: () => new Date(), newId: uuidv7 };

export type Given = { environment: Environment; memory: Memory; secrets: Secrets; log: Log; redis?: Redis | null };

/**
 * The Redis shared between processes, if one is configured. Keys are prefixed with the app id, since others
 * may use the same server.
 */
export const shared = async ({ environment: { redisUrl }, secrets, log }: Omit<Given, "memory" | "redis">): Promise<Redis | null> =>
  redisUrl ? Redis.open({ url: redisUrl, prefix: `kith:{${secrets.appId}}:`, log }) : null;

/** What the environment holds that opens something elsewhere. */
function passwordsOf({ databaseUrl, databaseReplicaUrl, redisUrl, smtpUrl, searchUrl, s3, mailInSecret }: Environment) {
  const urls = [databaseUrl, databaseReplicaUrl, redisUrl, smtpUrl, searchUrl].filter((url) => url !== null);
  const passwords = urls.flatMap((url) => [new URL(url).password, decodeURIComponent(new URL(url).password)]);
  return [...passwords, s3?.key, s3?.secret, mailInSecret ?? undefined];
}

/** App context without HTTP: for commands such as `npm run seed`, and for the server. */
export function openHouse({ environment, memory, secrets, log, redis = null }: Given) {
  const { database, questions, following, programs, lookups, close } = openPools({
    connection: memory.connection,
    world,
    size: environment.databasePool,
    log,
  });
  hideInLogs(passwordsOf(environment));
  const limits = new Limits(redis);
  const settings = openSettings(database, { apiDefaults: environment.apiDefaults });
  const origin = () => environment.url ?? `http://localhost:${environment.port}`;
  const accounts = openAccounts({
    database,
    limits,
    settings,
    origin,
    now: world.now,
    seal: secrets.seal,
    providers: environment.providers,
    beforeLeaving: leaveGroupsBehind,
    afterConfirming: claimGhost,
    registerInvited,
  });
  const scanner = environment.clamdUrl ? openScanner(environment.clamdUrl) : null;
  const extensions = openExtensions({ ...environment.extensions, log, now: world.now });
  const tables = openTables({
    database: programs,
    nouns: communityNouns({ settings, accounts, users: () => usersTable(tables) }),
    dynamicSchema: !environment.production,
    hosted: async () => (await settings.getNow()).apiDefaults === "hosted",
    async quota() {
      const { tableRows, tableMegabytes } = await settings.get();
      return { rows: tableRows, bytes: tableMegabytes * 1_000_000 };
    },
    hooks: extensions.hooks,
  });
  const channels = openChannels(database, pushToDevices);
  const logs = openLogs(database);
  const house = {
    database: { ...database, close: () => close().finally(() => redis?.close()) },
    redis,
    following,
    lookups: lookups.db,
    search: openSearch({ database: following, reading: questions.db, log, outside: environment.searchUrl }),
    db: database.db,
    accounts,
    settings,
    limits,
    tables,
    extensions,
    mails: openMails({ database, rules: mailRulesIn(settings) }),
    devices: devicesOf({ database, log, origin }, { environment, secrets }),
    channels,
    logs,
    flows: openFlows({ database, tables, nouns: heardNouns({ database, tables, settings }), channels, logs, log }),
    origin,
    log,
    storage: openStorage(environment, "files"),
    scanner,
    files: openFiles({
      database,
      // Separate from the community's files: each of the two removes what it no longer references.
      storage: openStorage(environment, "program-files"),
      scanner,
      fetcher: openFetcher(),
      rules: fileRulesIn(settings),
    }),
    signer: openSigner(secrets.seal),
    imports: join(environment.dataDir, "imports"),
    mailboxOpen: !environment.smtpUrl && !environment.production,
    providers: accounts.providers(),
    publicConfig: { appId: secrets.appId, clientKey: secrets.clientKey, searchKey: secrets.searchKey, search: environment.searchClient },
    searchKeyOf: viewerKeys(secrets.seal, world.now),
    serverKey: secrets.serverKey,
    pushKey: secrets.push.publicKey,
  } satisfies House & { following: Database; lookups: Database["db"]; redis: Redis | null };
  return house;
}

export type OpenHouse = ReturnType<typeof openHouse>;

/** API context on top of the app context: the `baas` modules and extensions, which are loaded here. */
export async function openWire(house: OpenHouse, { environment, secrets }: Pick<Given, "environment" | "secrets">) {
  const { appId, clientKey, serverKey, searchKey } = secrets;
  const { production, allowReset } = environment;
  const backend = {
    services: openServices(),
    counters: openCounters(house.database, house.redis),
    cache: openCache(house.database, house.redis),
    hives: openHives(house.database, house.redis),
    purchases: purchasesOf(house, environment),
    sharedObjects: openSharedObjects(house.database),
  };
  const wire = { ...house, ...backend, now: world.now, production, allowReset, appId, clientKey, serverKey, searchKey };
  await beginExtensions(wire);
  return wire;
}

export type Wire = Awaited<ReturnType<typeof openWire>>;

/**
 * Runs timers and deferred calls of extensions, if there are any or may come to be. Returns a function that
 * stops it.
 */
export async function tendExtensions(wire: RestHouse, { environment, memory, log, maybe = false }: Tending): Promise<() => Promise<void>> {
  if (wire.extensions.parts.length === 0 && !maybe) return async () => {};
  const onIdleError = (error: Error) => log.warn({ err: error }, "a database connection broke");
  const own = openDatabase({
    connection: memory.connection,
    world,
    size: 3,
    onIdleError: (error) => own.pool.ending || onIdleError(error),
  });
  const worker = await startExtensionTasks(wire, own, environment.extensions.threads);
  return async () => {
    await worker.stop();
    await own.close();
  };
}
type Tending = Pick<Given, "environment" | "memory" | "log"> & { maybe?: boolean };

/** Seeds an empty database with the demo community. Returns whether it did. */
export async function fill(house: OpenHouse, password: string, say: (sentence: string) => void): Promise<boolean> {
  if (!(await isEmpty(house.db))) return false;
  const started = Date.now();
  say("Filling the empty database with the demo community…");
  const hash = await hashPassword(password);
  await seedDemo(house.database, house.storage, DEMO, { now: world.now(), say, passwordHash: async () => hash });
  house.settings.forget();
  say(`The demo community has moved in (${((Date.now() - started) / 1000).toFixed(1)} s).`);
  return true;
}

type Used = { environment: Environment; memory: Memory; password: string; say: (sentence: string) => void };

/** Names what is set and does nothing, one line each. */
export function sayUnread({ unread }: Pick<Environment, "unread">, say: (sentence: string) => void): void {
  for (const { variable, sentence } of unread) say(`${variable} ${sentence}`);
}

/** Opens the app context for a command and closes it afterwards. Some commands may run beside the server. */
export async function withHouse(work: (house: OpenHouse, used: Used) => Promise<void>, open = openMemory): Promise<void> {
  const say = (sentence: string) => console.log(sentence);
  const environment = readEnvironment(process.env);
  const log = openLog(environment.logLevel);
  sayUnread(environment, say);
  await assertUsable(environment);
  const secrets = readSecrets(environment);
  const memory = await open(environment, say);
  try {
    const redis = await shared({ environment, secrets, log });
    await prepare(memory, MIGRATIONS, say, log);
    const house = openHouse({ environment, memory, secrets, log, redis });
    await work(house, { environment, memory, password: secrets.demoPassword, say }).finally(house.database.close);
  } finally {
    await memory.stop();
  }
}

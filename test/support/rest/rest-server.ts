import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import Backendless from "backendless";
import { createCache } from "#baas/cache";
import { createMessagingContext } from "#baas/messaging";
import { createCounterStore } from "#baas/counters";
import { createDeviceRegistry, queueDevicePush } from "#baas/devices";
import { createAutomationContext } from "#baas/automations";
import { createHiveStore } from "#baas/hive";
import { createEmailContext } from "#baas/email";
import { createLogStore } from "#baas/logging";
import { createDataTableStore } from "#baas/data";
import { addPerson, hashPassword, type NewPerson } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { openSettings, type SiteSettings } from "#community/settings";
import { createHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { createLog } from "#platform/log";
import { toEnglish } from "#platform/messages";
import { onCommitted } from "#platform/outbox";
import { createSigner } from "#platform/signing";
import { createTestAccounts, type TestAccountsOptions } from "../accounts/test-accounts.ts";
import { NO_PUSH_PROVIDERS } from "../push-unconfigured.ts";
import type { TestDatabase } from "../setup/test-database.ts";
import { createTestFileStore } from "./file-store.ts";
import {
  createCommunityEntities,
  createEntityEvents,
  readEmailRules,
  normalizeUrl,
  createExtensionHost,
  createRestApi,
  type RestApi,
  createServiceRegistry,
  type RestContext,
  type TranslateForRequest,
  readUsersTable,
} from "../../../src/api/rest/index.ts";

export const APP = "0123456789ABCDEF0123456789ABCDEF01234567";
export const CLIENT = "C".repeat(40);
export const SERVER = "5".repeat(40);
export const PASSWORD = "seven brown hens";
const testPasswordHash = hashPassword(PASSWORD);
const ADMIN: SignedIn = {
  id: "01900000-0000-7000-8000-00000000ad01",
  role: "admin",
  trust: "established",
  limited: false,
};

/** Translator of servers that have no built catalogues. */
export const translateToEnglish: TranslateForRequest = async (_request, message) => toEnglish(message);
type TestApiOptions = { port?: number; translate?: TranslateForRequest };

/**
 * Starts a server with the REST API, optionally a second one beside it, and the published SDK that calls it.
 */
export async function startTestApi(
  database: TestDatabase,
  more: Partial<RestContext> & Pick<TestAccountsOptions, "providers"> & TestApiOptions = {},
  beside: (server: FastifyInstance, app: RestContext, rest: RestApi) => void = () => {},
) {
  const log = more.log ?? createLog("silent");
  const server = createHttpServer({ log, trustProxy: false, normalizeUrl: (url) => normalizeUrl(url, APP) });
  const settings = openSettings(database);
  const limits = new Limits();
  const origin = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const { providers = [], port = 0, translate = translateToEnglish, ...given } = more;
  const accounts = createTestAccounts(database, {
    settings,
    limits,
    origin,
    seal: Buffer.alloc(32, 7),
    providers,
  });
  const quota = async () => {
    const { tableRows: rows, tableMegabytes } = await settings.get();
    return { rows, bytes: tableMegabytes * 1_000_000 };
  };
  const tables = createDataTableStore({
    database,
    entities: createCommunityEntities(accounts, () => readUsersTable(tables)),
    dynamicSchema: true,
    hosted: async () => (await settings.getNow()).apiDefaults === "hosted",
    quota,
  });
  const channels = createMessagingContext(database, queueDevicePush);
  const logs = createLogStore(database);
  const folder = mkdtempSync(join(tmpdir(), "kith-rest-"));
  const app = {
    ...accounts,
    tables,
    counters: createCounterStore(database),
    cache: createCache(database),
    hives: createHiveStore(database),
    purchases: {
      database,
      log,
      google: null,
      grants: { give: async () => [], take: async () => {} },
    },
    mails: createEmailContext({ database, rules: readEmailRules(settings) }),
    signer: createSigner(Buffer.alloc(32, 7)),
    devices: createDeviceRegistry(database, NO_PUSH_PROVIDERS, log),
    channels,
    logs,
    flows: createAutomationContext({
      database,
      tables: more.tables ?? tables,
      entities: createEntityEvents({ database, tables, settings }),
      channels,
      logs,
      log,
    }),
    files: createTestFileStore(database, settings, folder),
    log,
    appId: APP,
    clientKey: CLIENT,
    serverKey: SERVER,
    searchKey: "F".repeat(40),
    production: false,
    allowReset: false,
    services: createServiceRegistry(),
    extensions: createExtensionHost({ folder: "no-extensions", log, now: () => database.clock.at }),
    ...given,
  };
  const rest = createRestApi(app, translate);
  await rest.serve(server);
  beside(server, app, rest);
  const unlisten = onCommitted((domainEvent) => {
    if (domainEvent.type === "settings.changed") settings.forget();
    rest.happened(domainEvent);
  });
  await server.listen({ port, host: "127.0.0.1" });

  const set = (changes: Partial<SiteSettings>) =>
    database.inTransaction((tx) => settings.set(tx, ADMIN, changes));
  return {
    server,
    app,
    origin,
    set,
    /** Clears caches that earlier tests have filled. */
    forget: () => (settings.forget(), tables.catalogue.forget(), rest.missed()),
    /** Creates a person with the test password. */
    member: async (username: string, person: Partial<NewPerson> = {}) => {
      const passwordHash = await testPasswordHash;
      return database.inTransaction((tx) =>
        addPerson(tx, {
          username,
          name: username,
          email: `${username}@example.org`,
          passwordHash,
          trust: "established",
          ...person,
        }),
      );
    },
    /** Creates a separate SDK instance with one of the keys. */
    sdk: (apiKey = CLIENT) =>
      Backendless.initApp({
        appId: APP,
        apiKey,
        serverURL: origin(),
        standalone: true,
      } as never) as typeof Backendless,
    /** Sends an HTTP call without the SDK. */
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const sent =
        body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
      const answer = await fetch(`${origin()}${path}`, { method, headers, ...sent });
      const text = await answer.text();
      return {
        status: answer.status,
        text,
        body: text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>),
        headers: answer.headers,
      };
    },
    async close() {
      unlisten();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type TestRestApi = Awaited<ReturnType<typeof startTestApi>>;

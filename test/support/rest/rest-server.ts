import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import Backendless from "backendless";
import { openCache } from "#baas/cache";
import { openMessaging } from "#baas/messaging";
import { openCounters } from "#baas/counters";
import { openDevices, queueDevicePush } from "#baas/devices";
import { openAutomations } from "#baas/automations";
import { openHives } from "#baas/hive";
import { openEmail } from "#baas/email";
import { openLogs } from "#baas/logging";
import { openDataTables } from "#baas/data";
import { addPerson, hashPassword, type NewPerson } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { openSettings, type SiteSettings } from "#community/settings";
import { openHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { openLog } from "#platform/log";
import { toEnglish } from "#platform/messages";
import { onCommitted } from "#platform/outbox";
import { openSigner } from "#platform/signing";
import { createTestAccounts, type TestAccountsOptions } from "../accounts/test-accounts.ts";
import { NO_PUSH_PROVIDERS } from "../push-unconfigured.ts";
import type { TestDatabase } from "../setup/test-database.ts";
import { openTestFiles } from "./file-store.ts";
import {
  createCommunityEntities,
  createEntityEvents,
  readEmailRules,
  normalizeUrl,
  openExtensions,
  openRest,
  openServices,
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
export const inEnglish: TranslateForRequest = async (_request, message) => toEnglish(message);
type TestApiOptions = { port?: number; translate?: TranslateForRequest };

/**
 * Opens a server with the REST API, optionally a second one beside it, and the published SDK that calls it.
 */
export async function openTestApi(
  database: TestDatabase,
  more: Partial<RestContext> & Pick<TestAccountsOptions, "providers"> & TestApiOptions = {},
  beside: (server: FastifyInstance, app: RestContext) => void = () => {},
) {
  const log = more.log ?? openLog("silent");
  const server = openHttpServer({ log, trustProxy: false, meant: (url) => normalizeUrl(url, APP) });
  const settings = openSettings(database);
  const limits = new Limits();
  const origin = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const { providers = [], port = 0, translate = inEnglish, ...given } = more;
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
  const tables = openDataTables({
    database,
    entities: createCommunityEntities(accounts, () => readUsersTable(tables)),
    dynamicSchema: true,
    hosted: async () => (await settings.getNow()).apiDefaults === "hosted",
    quota,
  });
  const channels = openMessaging(database, queueDevicePush);
  const logs = openLogs(database);
  const folder = mkdtempSync(join(tmpdir(), "kith-rest-"));
  const app = {
    ...accounts,
    tables,
    counters: openCounters(database),
    cache: openCache(database),
    hives: openHives(database),
    purchases: {
      database,
      log,
      google: null,
      grants: { give: async () => [], take: async () => {} },
    },
    mails: openEmail({ database, rules: readEmailRules(settings) }),
    signer: openSigner(Buffer.alloc(32, 7)),
    devices: openDevices(database, NO_PUSH_PROVIDERS, log),
    channels,
    logs,
    flows: openAutomations({
      database,
      tables: more.tables ?? tables,
      entities: createEntityEvents({ database, tables, settings }),
      channels,
      logs,
      log,
    }),
    files: openTestFiles(database, settings, folder),
    log,
    appId: APP,
    clientKey: CLIENT,
    serverKey: SERVER,
    searchKey: "F".repeat(40),
    production: false,
    allowReset: false,
    services: openServices(),
    extensions: openExtensions({ folder: "no-extensions", log, now: () => database.clock.at }),
    ...given,
  };
  const rest = openRest(app, translate);
  await rest.serve(server);
  beside(server, app);
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
export type TestRestApi = Awaited<ReturnType<typeof openTestApi>>;

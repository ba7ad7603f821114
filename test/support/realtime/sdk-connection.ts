import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Backendless from "backendless";
import { io, type Socket } from "socket.io-client";
import { createCache } from "#baas/cache";
import { createMessagingContext } from "#baas/messaging";
import { createCounterStore } from "#baas/counters";
import { createDeviceRegistry, queueDevicePush } from "#baas/devices";
import { createAutomationContext } from "#baas/automations";
import { createHiveStore } from "#baas/hive";
import { createEmailContext } from "#baas/email";
import { listenToLogs, createLogStore } from "#baas/logging";
import { createSharedObjectStore } from "#baas/shared-objects";
import { createDataTableStore } from "#baas/data";
import type { SignedIn, Viewer } from "#community/rules";
import { openSettings, type SiteSettings } from "#community/settings";
import { type Database, run, sql } from "#platform/database";
import { createHttpServer } from "#platform/http";
import { hashSecret, createSecret } from "#platform/ids";
import { Limits } from "#platform/limits";
import { createLog } from "#platform/log";
import { onCommitted } from "#platform/outbox";
import { createSigner } from "#platform/signing";
import { createTestAccounts } from "../accounts/test-accounts.ts";
import { NO_PUSH_PROVIDERS } from "../push-unconfigured.ts";
import type { TestDatabase } from "../setup/test-database.ts";
import { createTestFileStore } from "../rest/file-store.ts";
import { translateToEnglish } from "../rest/rest-server.ts";
import {
  createCommunityEntities,
  createEntityEvents,
  readEmailRules,
  normalizeUrl,
  createExtensionHost,
  createRestApi,
  createServiceRegistry,
  readUsersTable,
} from "../../../src/api/rest/index.ts";
import { serveRealtime } from "../../../src/api/realtime/index.ts";
import type { RealtimeContext } from "../../../src/api/realtime/subscription-registry.ts";

export const APP = "A".repeat(8) + "-0000-0000-0000-000000000001";
export const KEY = "C".repeat(8) + "-0000-0000-0000-000000000002";
export const SERVER_KEY = "5".repeat(36);

const ADMIN: SignedIn = {
  id: "01900000-0000-7000-8000-00000000ad01",
  role: "admin",
  trust: "established",
  limited: false,
};

/** Received values in order; `next` waits for a value if none is left. */
export class MessageQueue<T = Record<string, unknown>> {
  all: T[] = [];
  #waiting: ((it: T) => void)[] = [];
  #taken = 0;
  take = (it: T) => {
    this.all.push(it);
    this.#waiting.shift()?.(it);
  };
  next(): Promise<T> {
    const known = this.all[this.#taken++];
    return known === undefined
      ? new Promise((resolve) => this.#waiting.push(resolve))
      : Promise.resolve(known);
  }
}

/** Starts a new session for a person; returns null for a guest. */
export async function createTestSession(
  database: Pick<Database, "inTransaction">,
  { id }: Viewer,
  sessionKind: "web" | "api" = "api",
) {
  if (id === null) return null;
  const token = createSecret();
  const sessionId = await database.inTransaction(async (tx) => {
    const newSessionId = tx.newId();
    await run(
      tx,
      sql`insert into sessions (id, token_hash, person_id, kind, stay, created_at, seen_at, expires_at)
          values (${newSessionId}, ${hashSecret(token)}, ${id}, ${sessionKind}, true, ${tx.now}, ${tx.now},
            ${new Date(tx.now.getTime() + 3_600_000)})`,
    );
    return newSessionId;
  });
  return { token, sessionId };
}
type Session = Awaited<ReturnType<typeof createTestSession>>;

/** Creates the published SDK, signed in with this session. */
export function createSdk(session: Session, serverURL: string, apiKey = KEY, appId = APP) {
  const client = Backendless.initApp({
    appId,
    apiKey,
    serverURL,
    standalone: true,
  } as never) as typeof Backendless;
  // The SDK stores the token of an earlier sign-in here.
  if (session)
    (client as unknown as { LocalCache: { set: (key: string, value: string) => void } }).LocalCache.set(
      "user-token",
      session.token,
    );
  return Object.assign(client, { session });
}

/** Starts a server with only the real-time API, and clients for it. */
export async function startRealtimeServer(database: TestDatabase, given: Partial<RealtimeContext> = {}) {
  const log = given.log ?? createLog("silent");
  const server = createHttpServer({ log, trustProxy: false, normalizeUrl: (url) => normalizeUrl(url, APP) });
  const settings = openSettings(database);
  const limits = new Limits();
  const origin = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const accounts = createTestAccounts(database, {
    settings,
    limits,
    origin,
  });
  const keys = {
    appId: APP,
    clientKey: KEY,
    serverKey: SERVER_KEY,
    searchKey: "",
    production: false,
    allowReset: false,
  };
  const tables = createDataTableStore({
    database,
    entities: createCommunityEntities(accounts, () => readUsersTable(tables)),
    dynamicSchema: true,
  });
  const [channels, logs] = [createMessagingContext(database, queueDevicePush), createLogStore(database)];
  const app = {
    ...accounts,
    db: database.db,
    lookups: database.db,
    tables,
    devices: createDeviceRegistry(database, NO_PUSH_PROVIDERS, log),
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
    sharedObjects: createSharedObjectStore(database),
    log,
    ...keys,
  };
  const realtime = serveRealtime(server, {
    ...app,
    trustProxy: false,
    publishToOthers: () => {},
    shareWithOthers: () => {},
    ...given,
  });
  const rest = createRestApi(
    {
      ...app,
      services: createServiceRegistry(),
      extensions: createExtensionHost({ folder: "no-extensions", log: app.log, now: app.now }),
      counters: createCounterStore(database),
      cache: createCache(database),
      hives: createHiveStore(database),
      mails: createEmailContext({ database, rules: readEmailRules(settings) }),
      signer: createSigner(Buffer.alloc(32, 7)),
      purchases: {
        database,
        log: app.log,
        google: null,
        grants: { give: async () => [], take: async () => {} },
      },
      files: createTestFileStore(database, settings, join(tmpdir(), `kith-line-${randomUUID()}`)),
    },
    translateToEnglish,
  );
  await rest.serve(server);
  const unlisten = onCommitted((domainEvent, id, whole) => {
    if (domainEvent.type === "settings.changed") settings.forget();
    rest.happened(domainEvent);
    realtime.deliver(domainEvent, id, whole);
  });
  const deafen = listenToLogs(app.logs, realtime.log);
  await server.listen({ port: 0, host: "127.0.0.1" });
  const open: { close: () => void }[] = [];

  const tokenOf = (viewer: Viewer, sessionKind: "web" | "api" = "api") =>
    createTestSession(database, viewer, sessionKind);

  return {
    server,
    tables,
    app,
    settings,
    channels: app.channels,
    realtime,
    idle: realtime.idle,
    set: (changes: Partial<SiteSettings>) => database.inTransaction((tx) => settings.set(tx, ADMIN, changes)),
    origin,
    tokenOf,
    /** Creates the published SDK for a person. */
    async sdk(viewer: Viewer, apiKey = KEY) {
      const client = createSdk(await tokenOf(viewer), origin(), apiKey);
      open.push({ close: () => (client.RT as unknown as { disconnect: () => void }).disconnect() });
      return client;
    },
    /** Opens a socket without the SDK, which can send any message. */
    async socket(viewer: Viewer, query: Record<string, string> = {}) {
      const session = await tokenOf(viewer);
      const parameters = { apiKey: KEY, userToken: session?.token ?? "null", ...query };
      const socket = io(`${origin()}/${APP}`, {
        path: `/${APP}`,
        query: parameters,
        transports: ["websocket"],
        forceNew: true,
        reconnection: false,
      });
      open.push(socket);
      return Object.assign(socket, { session });
    },
    async close() {
      for (const it of open) it.close();
      unlisten();
      deafen();
      await server.close();
    },
  };
}
export type TestConnection = Awaited<ReturnType<typeof startRealtimeServer>>;

/** Collects answers to a socket without the SDK, by request id. */
export function collectAnswers(socket: Socket) {
  const queues = new Map<
    string,
    MessageQueue<{
      event: string;
      data?: unknown;
      error?: { code: unknown; message: string };
      result?: unknown;
    }>
  >();
  const of = (id: string) => queues.get(id) ?? queues.set(id, new MessageQueue()).get(id)!;
  for (const event of ["SUB_READY", "SUB_RES", "MET_RES"])
    socket.on(event, (it: { id: string }) => of(it.id).take({ event, ...it }));
  let n = 0;
  const send = (event: string, packet: object) => {
    const id = `id${++n}`;
    socket.emit(event, { id, ...packet });
    return of(id);
  };
  return {
    of,
    subscribe: (name: string, options: object) => send("SUB_ON", { name, options }),
    call: (name: string, options: object) => send("MET_REQ", { name, options }),
    follow: (tableName: string, event: string, whereClause?: string) =>
      send("SUB_ON", { name: "OBJECTS_CHANGES", options: { tableName, event, whereClause } }),
  };
}

export const waitForConnect = (socket: Socket) =>
  new Promise<void>((done, failed) => {
    if (socket.connected) return done();
    socket.once("connect", done);
    socket.once("connect_error", failed);
  });
export const waitForDisconnect = (socket: Socket) =>
  new Promise<string>((done) => socket.once("disconnect", (reason) => done(reason)));

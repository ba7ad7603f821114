import { randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Backendless from "backendless";
import { io, type Socket } from "socket.io-client";
import { openCache } from "#backend/cache";
import { openChannels } from "#backend/channels";
import { openCounters } from "#backend/counters";
import { openDevices, pushToDevices } from "#backend/devices";
import { openFlows } from "#backend/flows";
import { openHives } from "#backend/hive";
import { openMails } from "#backend/mails";
import { onKept, openLogs } from "#backend/logs";
import { openPurchases } from "#backend/purchases";
import { openSharedObjects } from "#backend/shared-objects";
import { openTables } from "#backend/tables";
import { openAccounts } from "#community/people";
import type { SignedIn, Viewer } from "#community/rules";
import { openSettings, type SiteSettings } from "#community/settings";
import { type Database, run, sql } from "#platform/database";
import { openHttp } from "#platform/http";
import { hashOf, newSecret } from "#platform/ids";
import { Limits } from "#platform/limits";
import { openLog } from "#platform/log";
import { onCommitted } from "#platform/outbox";
import { openSigner } from "#platform/signing";
import { NO_WAYS } from "../../../test/no-ways.ts";
import type { TestDatabase } from "../../../test/setup/database.ts";
import { testFiles } from "../rest/files/files.fixture.ts";
import { communityNouns, heardNouns, mailRulesIn, meantBy, openExtensions, openRest, openServices, usersTable } from "../rest/index.ts";
import { serveRealtime } from "./index.ts";
import type { RealtimeHouse } from "./room.ts";

export const APP = "A".repeat(8) + "-0000-0000-0000-000000000001";
export const KEY = "C".repeat(8) + "-0000-0000-0000-000000000002";
export const SERVER_KEY = "5".repeat(36);

const ADMIN: SignedIn = { id: "01900000-0000-7000-8000-00000000ad01", role: "admin", trust: "established", limited: false };

/** Received values in order; `next` waits for values still to come. */
export class Heard<T = Record<string, unknown>> {
  all: T[] = [];
  #waiting: ((it: T) => void)[] = [];
  #taken = 0;
  take = (it: T) => {
    this.all.push(it);
    this.#waiting.shift()?.(it);
  };
  next(): Promise<T> {
    const known = this.all[this.#taken++];
    return known === undefined ? new Promise((heard) => this.#waiting.push(heard)) : Promise.resolve(known);
  }
}

/** A new session for a person; null for a guest. */
export async function newSession(database: Pick<Database, "inTransaction">, { id }: Viewer, door: "web" | "wire" = "wire") {
  if (id === null) return null;
  const token = newSecret();
  const sessionId = await database.inTransaction(async (tx) => {
    const made = tx.newId();
    await run(
      tx,
      sql`insert into sessions (id, token_hash, person_id, door, stay, created_at, seen_at, expires_at)
          values (${made}, ${hashOf(token)}, ${id}, ${door}, true, ${tx.now}, ${tx.now}, ${new Date(tx.now.getTime() + 3_600_000)})`,
    );
    return made;
  });
  return { token, sessionId };
}
type Session = Awaited<ReturnType<typeof newSession>>;

/** The published SDK, signed in with this session. */
export function sdkWith(session: Session, serverURL: string, apiKey = KEY, appId = APP) {
  const app = Backendless.initApp({ appId, apiKey, serverURL, standalone: true } as never) as typeof Backendless;
  // Where the SDK stores the token of an earlier sign-in.
  if (session)
    (app as unknown as { LocalCache: { set: (key: string, value: string) => void } }).LocalCache.set("user-token", session.token);
  return Object.assign(app, { session });
}

/** A server with only the real-time API, and clients for it. */
export async function openLine(database: TestDatabase, given: Partial<RealtimeHouse> = {}) {
  const log = given.log ?? openLog("silent");
  const server = openHttp({ log, trustProxy: false, meant: (url) => meantBy(url, APP) });
  const settings = openSettings(database);
  const limits = new Limits();
  const origin = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const accounts = openAccounts({ database, settings, limits, now: () => database.clock.at, origin, seal: randomBytes(32) });
  const keys = { appId: APP, clientKey: KEY, serverKey: SERVER_KEY, searchKey: "", production: false, allowReset: false };
  const tables = openTables({
    database,
    nouns: communityNouns({ settings, accounts, users: () => usersTable(tables) }),
    dynamicSchema: true,
  });
  const [channels, logs] = [openChannels(database, pushToDevices), openLogs(database)];
  const house = {
    database,
    db: database.db,
    lookups: database.db,
    accounts,
    settings,
    limits,
    tables,
    devices: openDevices(database, NO_WAYS, log),
    channels,
    logs,
    flows: openFlows({ database, tables, nouns: heardNouns({ database, tables, settings }), channels, logs, log }),
    sharedObjects: openSharedObjects(database),
    log,
    origin,
    now: () => database.clock.at,
    ...keys,
  };
  const realtime = serveRealtime(server, { ...house, trustProxy: false, tellOthers: () => {}, shareWithOthers: () => {}, ...given });
  const rest = openRest({
    ...house,
    services: openServices(),
    extensions: openExtensions({ folder: "no-extensions", log: house.log, now: house.now }),
    counters: openCounters(database),
    cache: openCache(database),
    hives: openHives(database),
    mails: openMails({ database, rules: mailRulesIn(settings) }),
    signer: openSigner(Buffer.alloc(32, 7)),
    purchases: openPurchases({ database, log: house.log, google: null, grants: { give: async () => [], take: async () => {} } }),
    files: testFiles(database, settings, join(tmpdir(), `kith-line-${randomUUID()}`)),
  });
  await rest.serve(server);
  const unlisten = onCommitted((happening, id, whole) => {
    if (happening.type === "settings.changed") settings.forget();
    rest.happened(happening);
    realtime.tell(happening, id, whole);
  });
  const deafen = onKept(house.logs, realtime.log);
  await server.listen({ port: 0, host: "127.0.0.1" });
  const open: { close: () => void }[] = [];

  const tokenOf = (viewer: Viewer, door: "web" | "wire" = "wire") => newSession(database, viewer, door);

  return {
    server,
    tables,
    house,
    accounts,
    settings,
    channels: house.channels,
    realtime,
    told: realtime.idle,
    set: (changes: Partial<SiteSettings>) => database.inTransaction((tx) => settings.set(tx, ADMIN, changes)),
    origin,
    tokenOf,
    /** A person with the published SDK. */
    async sdk(viewer: Viewer, apiKey = KEY) {
      const app = sdkWith(await tokenOf(viewer), origin(), apiKey);
      open.push({ close: () => (app.RT as unknown as { disconnect: () => void }).disconnect() });
      return app;
    },
    /** A bare socket that may send anything. */
    async socket(viewer: Viewer, query: Record<string, string> = {}) {
      const session = await tokenOf(viewer);
      const given = { apiKey: KEY, userToken: session?.token ?? "null", ...query };
      const socket = io(`${origin()}/${APP}`, {
        path: `/${APP}`,
        query: given,
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
export type Line = Awaited<ReturnType<typeof openLine>>;

/** Answers to a bare socket, by request id. */
export function answers(socket: Socket) {
  const heard = new Map<string, Heard<{ event: string; data?: unknown; error?: { code: unknown; message: string }; result?: unknown }>>();
  const of = (id: string) => heard.get(id) ?? heard.set(id, new Heard()).get(id)!;
  for (const event of ["SUB_READY", "SUB_RES", "MET_RES"]) socket.on(event, (it: { id: string }) => of(it.id).take({ event, ...it }));
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

export const connected = (socket: Socket) =>
  new Promise<void>((done, failed) => {
    if (socket.connected) return done();
    socket.once("connect", done);
    socket.once("connect_error", failed);
  });
export const ended = (socket: Socket) => new Promise<string>((done) => socket.once("disconnect", (reason) => done(reason)));

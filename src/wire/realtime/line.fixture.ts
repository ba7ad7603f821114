import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import Backendless from "backendless";
import { io, type Socket } from "socket.io-client";
import { openAccounts } from "#community/people";
import type { Viewer } from "#community/rules";
import { openSettings } from "#community/settings";
import { run, sql } from "#platform/database";
import { openHttp } from "#platform/http";
import { hashOf, newSecret } from "#platform/ids";
import { Limits } from "#platform/limits";
import { openLog } from "#platform/log";
import { onCommitted } from "#platform/outbox";
import type { TestDatabase } from "../../../test/setup/database.ts";
import { serveRealtime } from "./index.ts";

export const APP = "A".repeat(8) + "-0000-0000-0000-000000000001";
export const KEY = "C".repeat(8) + "-0000-0000-0000-000000000002";

/** What arrives, one after the other: `next` waits for what has not come yet. */
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

/** A server with nothing but the real-time door on it, and clients that call there. */
export async function openLine(database: TestDatabase) {
  const server = openHttp({ log: openLog("silent"), trustProxy: false });
  const settings = openSettings(database);
  const limits = new Limits();
  const origin = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const accounts = openAccounts({ database, settings, limits, now: () => database.clock.at, origin, seal: randomBytes(32) });
  const house = { db: database.db, accounts, settings, limits, log: openLog("silent"), origin, trustProxy: false };
  const realtime = serveRealtime(server, { ...house, appId: APP, clientKey: KEY, serverKey: "S".repeat(36), tellOthers: () => {} });
  const unlisten = onCommitted((happening) => {
    if (happening.type === "settings.changed") settings.forget();
    realtime.tell(happening);
  });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const open: { close: () => void }[] = [];

  /** The token of a new session of somebody; null for a guest. */
  const tokenOf = async ({ id }: Viewer, door: "web" | "wire" = "wire") => {
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
  };

  return {
    server,
    accounts,
    settings,
    realtime,
    origin,
    tokenOf,
    /** Somebody with the SDK as it is published. */
    async sdk(viewer: Viewer) {
      const session = await tokenOf(viewer);
      const app = Backendless.initApp({ appId: APP, apiKey: KEY, serverURL: origin(), standalone: true } as never) as typeof Backendless;
      // Where the SDK keeps the token of somebody who signed in earlier.
      if (session)
        (app as unknown as { LocalCache: { set: (key: string, value: string) => void } }).LocalCache.set("user-token", session.token);
      open.push({ close: () => (app.RT as unknown as { disconnect: () => void }).disconnect() });
      return Object.assign(app, { session });
    },
    /** A bare socket that says what it likes. */
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
      await server.close();
    },
  };
}
export type Line = Awaited<ReturnType<typeof openLine>>;

/** What a bare socket is answered, by the ids of what it sent. */
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

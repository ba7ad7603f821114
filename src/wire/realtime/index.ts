import type { FastifyInstance } from "fastify";
import type { Socket } from "socket.io";
import type { Batch } from "#backend/logs";
import { clientAddress, networkOf, type TrustedProxies } from "#platform/client-address";
import { MINUTE } from "#platform/clock";
import { isOfTables } from "#backend/tables";
import { FailureDigest } from "#platform/log";
import type { Happening, Whole } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { assertFewRequests, subscribe } from "./asking.ts";
import { Caller } from "./caller.ts";
import { speaksAs, unsubscribe } from "./becoming.ts";
import { command, pass } from "./channels.ts";
import { openEngine } from "./engine.ts";
import { admit, membersOnly } from "./handshake.ts";
import { Lanes } from "./lanes.ts";
import { awaitNamespace, endWithNamespace, isWaiting } from "./legacy-clients.ts";
import { type KeptElsewhere, tellConsole, tellKeptElsewhere } from "./console.ts";
import { Command, MetReq, SubOff, SubOn, UserToken } from "./packets.ts";
import { sharesOf } from "./packet-size.ts";
import { parsed } from "./parsed.ts";
import { endSessions } from "./session-end.ts";
import { startPubSub, type Word } from "./pub-sub/index.ts";
import { type PacketHouse, type RealtimeHouse, Room, type Said } from "./room.ts";
import { type Deed, isSharedMethod, onShared, startSharing } from "./shared/index.ts";
import { askAgain, forgetRoles, tablesChanged } from "./tables/again.ts";
import { codeOf } from "./tables/following.ts";
import { isFollowed, type News, tellTables } from "./tables/telling.ts";
import { isViewed, tellViewed } from "./tables/viewed.ts";
import { tell } from "./telling.ts";

export type { KeptElsewhere } from "./console.ts";
export type { Word } from "./pub-sub/index.ts";
export type { RealtimeHouse, Said } from "./room.ts";
export type { Deed } from "./shared/index.ts";

export type Realtime = {
  /** A domain event of this or another process, for its subscribers. `whole`: data beyond the event's row. */
  tell: (happening: Happening, id: string, whole: Whole | null) => void;
  /** A channel command from another process. */
  pass: (said: Said | Word) => void;
  /** A shared-object event from another process. */
  share: (deed: Deed) => void;
  /** Log lines of this or another process. */
  log: (kept: Batch | KeptElsewhere) => void;
  /** Events were missed: all clients are disconnected and reload. */
  missed: () => void;
  /** Resolves when everything so far is delivered. */
  idle: () => Promise<void>;
  /** Number of open connections. */
  lines: () => number;
  close: () => Promise<void>;
};

/** Serves the real-time API: the protocol of `backendless-rt-client`, for apps and our own pages. */
export function serveRealtime(server: FastifyInstance, house: RealtimeHouse & { trustProxy: TrustedProxies | false }): Realtime {
  const room = new Room();
  const missed = () => {
    room.elsewhere.clear();
    room.callers.forEach((caller) => caller.end());
  };
  const lanes = new Lanes((error) => {
    house.log.warn({ err: error }, "a happening could not be shown on sockets");
    missed();
  });
  const pubSub = startPubSub(house, room, lanes);
  const io = openEngine(server, house);
  const failures = new FailureDigest(house.log, "packets of sockets could not be answered");
  const packets: PacketHouse = { ...house, db: house.lookups, failures };
  for (const name of ["/", `/${house.appId}`]) {
    const space = io.of(name);
    space.use(async (socket, next) => next(await refusalOf(packets, house.trustProxy, room, socket)));
    space.on("connection", (socket) => (isWaiting(socket) ? awaitNamespace(room, socket) : listen(packets, room, socket)));
  }
  const sweep = setInterval(() => void endSessions(house, room, [...room.callers]).catch(() => {}), MINUTE);
  const close = async () => {
    clearInterval(sweep);
    pubSub.stop();
    failures.close();
    await io.close();
    await lanes.idle();
  };
  // Open connections would keep the server from closing: they end first.
  server.addHook("preClose", close);
  return {
    tell(happening, id, whole) {
      if (happening.type === "channel.published") return pubSub.publish(happening);
      if (room.callers.size === 0) return;
      if (isOfTables(happening)) return tellTable(house, room, lanes, { happening, id, whole });
      const concerned = forgetRoles(room, happening);
      if (concerned.length > 0) lanes.run("roles", () => askPeopleAgain(house, room, concerned));
      if (happening.type === "tables.changed") return lanes.run("tables", () => tablesChanged(house, room));
      if (isViewed(room, happening)) lanes.run("viewed", () => tellViewed(house, room, happening));
      lanes.run(String(happening["discussionId"] ?? happening["groupId"] ?? happening["conversationId"] ?? ""), () =>
        tell(house, room, happening),
      );
    },
    pass: (said) => ("free" in said ? pubSub.hear(said) : room.callers.size > 0 && lanes.run(said.channel, () => pass(house, room, said))),
    share: startSharing(house, room),
    log: (kept) =>
      room.callers.size > 0 &&
      lanes.run(`console/${kept.kind}`, () => ("lines" in kept ? tellConsole(house, room, kept) : tellKeptElsewhere(house, room, kept))),
    missed,
    idle: () => lanes.idle(),
    lines: () => room.callers.size,
    close,
  };
}

/** First whether they are still signed in: what ends with their session ends with that reason. */
async function askPeopleAgain(house: RealtimeHouse, room: Room, callers: Caller[]) {
  await endSessions(house, room, callers);
  await askAgain(house, room, callers);
}

/** Events of one table are delivered in order. Most have no subscribers and cost one index lookup. */
function tellTable(house: RealtimeHouse, room: Room, lanes: Lanes, news: News) {
  if (isFollowed(room, news.happening)) lanes.run(`table/${String(news.happening["table"])}`, () => tellTables(house, room, news));
}

/** Authenticates a handshake; undefined when accepted, and the socket then carries its caller. */
async function refusalOf(house: PacketHouse, trustProxy: TrustedProxies | false, room: Room, socket: Socket): Promise<Error | undefined> {
  const address = networkOf(clientAddress(socket.request, trustProxy));
  try {
    socket.data = new Caller(socket, { ...(await admit(house, room, socket, address)), address });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    house.failures.report(error);
    return new Error("That did not work. Please try again in a moment.");
  }
}

function listen(house: PacketHouse, room: Room, socket: Socket) {
  const caller = socket.data as Caller;
  room.callers.add(caller);
  socket.use(([event, raw]: unknown[], next) => heed(caller, String(event), raw, next));
  socket.on("SUB_ON", (raw: unknown) => answering(house, caller, "SUB_RES", raw, () => subscribe(house, room, caller, parsed(SubOn, raw))));
  socket.on("SUB_OFF", (raw: unknown) =>
    answering(house, caller, "SUB_RES", raw, () => unsubscribe(house, room, caller, parsed(SubOff, raw).id)),
  );
  socket.on("MET_REQ", (raw: unknown) =>
    answering(house, caller, "MET_RES", raw, async () => {
      const asked = parsed(MetReq, raw);
      // Earlier subscriptions are open when this is answered.
      await Promise.allSettled(caller.beginning.values());
      const result = await call(house, room, caller, asked);
      caller.send("MET_RES", { id: asked.id, result: result ?? null });
    }),
  );
  socket.on("disconnect", () => {
    room.callers.delete(caller);
    for (const id of caller.subscriptions.keys()) void unsubscribe(house, room, caller, id).catch(() => {});
    endWithNamespace(socket);
  });
}

async function call(house: RealtimeHouse, room: Room, caller: Caller, { name, options }: MetReq): Promise<unknown> {
  if (caller.isShut && name !== "SET_USER_TOKEN") throw membersOnly();
  if (isSharedMethod(name)) return onShared(house, room, caller, name, options);
  // Requires a token lookup, and checks every subscription again as the new user.
  if (name === "SET_USER_TOKEN") assertFewRequests(room, caller);
  if (name === "SET_USER_TOKEN") return speaksAs(house, room, caller, parsed(UserToken, options).userToken ?? null);
  if (name === "PUB_SUB_COMMAND") return command(house, room, caller, parsed(Command, options));
  throw new Refusal("invalid", `There is no method ${name} here.`);
}

/** Runs a packet's request; errors are answered under its id. */
function answering(house: PacketHouse, caller: Caller, event: "SUB_RES" | "MET_RES", raw: unknown, work: () => Promise<void>) {
  // Async, so that synchronous throws are caught as well: nothing here may end the process.
  const done = async () => work();
  done().catch((error: unknown) => {
    const id = idOf(raw);
    if (!(error instanceof Refusal)) house.failures.report(error);
    if (id === null) return;
    const refusal = error instanceof Refusal ? error : new Refusal("unavailable", "That did not work. Please try again in a moment.");
    caller.refuse(event, id, refusal, codeOf(error));
  });
}

/**
 * Passes a packet on. An oversized one is answered with an error and dropped; a flooding client is
 * disconnected.
 */
function heed(caller: Caller, event: string, raw: unknown, next: () => void) {
  let shares = 1;
  try {
    shares = sharesOf(raw);
  } catch (error) {
    const id = idOf(raw);
    if (!caller.maySpeak(1)) caller.cut();
    else if (id !== null) caller.refuse(event === "MET_REQ" ? "MET_RES" : "SUB_RES", id, error as Refusal);
    return;
  }
  if (caller.maySpeak(shares)) next();
  else caller.cut();
}

function idOf(raw: unknown): string | null {
  const id = typeof raw === "object" && raw !== null && "id" in raw ? raw.id : null;
  return typeof id === "string" && id.length <= 64 ? id : null;
}

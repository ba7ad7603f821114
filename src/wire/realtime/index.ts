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
  /** Something happened, here or in another process: whoever follows it hears of it. `whole`: what is known of it beyond its row. */
  tell: (happening: Happening, id: string, whole: Whole | null) => void;
  /** Somebody in another process said something on a channel. */
  pass: (said: Said | Word) => void;
  /** Something was done with a shared object in another process. */
  share: (deed: Deed) => void;
  /** Something was said in the logs, here or in another process. */
  log: (kept: Batch | KeptElsewhere) => void;
  /** What happened meanwhile is not known here: everybody comes back, and reads anew. */
  missed: () => void;
  /** When all that has happened so far has been told. */
  idle: () => Promise<void>;
  /** How many lines are open. */
  lines: () => number;
  close: () => Promise<void>;
};

/** The real-time door: the protocol of `backendless-rt-client`, for programs and for our own pages. */
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
  // Open lines would keep the server from closing: they end first.
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

/** What happens to one table is told in its order. Most of it concerns nobody, and costs a look into the files. */
function tellTable(house: RealtimeHouse, room: Room, lanes: Lanes, news: News) {
  if (isFollowed(room, news.happening)) lanes.run(`table/${String(news.happening["table"])}`, () => tellTables(house, room, news));
}

/** Whether somebody may have a line: nothing when they may, and then the socket knows who they are. */
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
      // What was asked for before has begun when this is answered.
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
  // A token is looked up, and what they follow is looked at again as somebody else.
  if (name === "SET_USER_TOKEN") assertFewRequests(room, caller);
  if (name === "SET_USER_TOKEN") return speaksAs(house, room, caller, parsed(UserToken, options).userToken ?? null);
  if (name === "PUB_SUB_COMMAND") return command(house, room, caller, parsed(Command, options));
  throw new Refusal("invalid", `There is no method ${name} here.`);
}

/** Runs what a packet asks for; what goes wrong is told to whoever sent it, under the id it came with. */
function answering(house: PacketHouse, caller: Caller, event: "SUB_RES" | "MET_RES", raw: unknown, work: () => Promise<void>) {
  // Within an async function, so that what is thrown at once is caught like what is thrown later: nothing here may end the process.
  const done = async () => work();
  done().catch((error: unknown) => {
    const id = idOf(raw);
    if (!(error instanceof Refusal)) house.failures.report(error);
    if (id === null) return;
    const refusal = error instanceof Refusal ? error : new Refusal("unavailable", "That did not work. Please try again in a moment.");
    caller.refuse(event, id, refusal, codeOf(error));
  });
}

/** Hands a packet on. One that says too much is told so, and has not been heard; who sends too much is cut off. */
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

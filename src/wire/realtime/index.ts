import type { FastifyInstance } from "fastify";
import type { Socket } from "socket.io";
import { MINUTE } from "#platform/clock";
import type { Happening } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { NoSuchTable, parsed, subscribe } from "./asking.ts";
import { Caller } from "./caller.ts";
import { command, depart, pass } from "./channels.ts";
import { addressOf, openEngine } from "./engine.ts";
import { admit, type Who, whoIs } from "./handshake.ts";
import { serveInfo } from "./info.ts";
import { Lanes } from "./lanes.ts";
import { Command, MetReq, SubOff, SubOn, UserToken } from "./packets.ts";
import { type RealtimeHouse, Room, type Said } from "./room.ts";
import { closeWhereShut, endSessions, tell } from "./telling.ts";

export type { RealtimeHouse, Said } from "./room.ts";

export type Realtime = {
  /** Something happened, here or in another process: whoever follows it hears of it. */
  tell: (happening: Happening) => void;
  /** Somebody in another process said something on a channel. */
  pass: (said: Said) => void;
  /** What happened meanwhile is not known here: everybody comes back, and reads anew. */
  missed: () => void;
  /** How many lines are open. */
  lines: () => number;
  close: () => Promise<void>;
};

/** The real-time door: the protocol of `backendless-rt-client`, for programs and for our own pages. */
export function serveRealtime(server: FastifyInstance, house: RealtimeHouse & { trustProxy: boolean }): Realtime {
  const room = new Room();
  const missed = () => room.callers.forEach((caller) => caller.end());
  const lanes = new Lanes((error) => {
    house.log.warn({ err: error }, "a happening could not be shown on sockets");
    missed();
  });
  const io = openEngine(server, house);
  for (const name of ["/", `/${house.appId}`]) {
    const space = io.of(name);
    space.use(async (socket, next) => next(await refusalOf(house, room, socket)));
    space.on("connection", (socket) => listen(house, room, socket));
  }
  serveInfo(server, house);
  const sweep = setInterval(() => void endSessions(house, [...room.callers]).catch(() => {}), MINUTE);
  const close = async () => {
    clearInterval(sweep);
    await io.close();
    await lanes.idle();
  };
  // Open lines would keep the server from closing: they end first.
  server.addHook("preClose", close);
  return {
    tell: (happening) =>
      room.callers.size > 0 &&
      lanes.run(String(happening["discussionId"] ?? happening["groupId"] ?? happening["conversationId"] ?? ""), () =>
        tell(house, room, happening),
      ),
    pass: (said) => room.callers.size > 0 && lanes.run(said.channel, () => pass(house, room, said)),
    missed,
    lines: () => room.callers.size,
    close,
  };
}

/** Whether somebody may have a line: nothing when they may, and then the socket knows who they are. */
async function refusalOf(house: RealtimeHouse & { trustProxy: boolean }, room: Room, socket: Socket): Promise<Error | undefined> {
  const address = addressOf(socket.request, house.trustProxy);
  try {
    socket.data = new Caller(socket, { ...(await admit(house, room, socket, address)), address });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    house.log.error({ err: error }, "a socket could not be let in");
    return new Error("That did not work. Please try again in a moment.");
  }
}

function listen(house: RealtimeHouse, room: Room, socket: Socket) {
  const caller = socket.data as Caller;
  room.callers.add(caller);
  socket.use((_packet, next) => (caller.maySpeak() ? next() : caller.cut()));
  socket.on("SUB_ON", (raw: unknown) => answering(house, caller, "SUB_RES", raw, () => subscribe(house, room, caller, parsed(SubOn, raw))));
  socket.on("SUB_OFF", (raw: unknown) =>
    answering(house, caller, "SUB_RES", raw, () => unsubscribe(house, room, caller, parsed(SubOff, raw).id)),
  );
  socket.on("MET_REQ", (raw: unknown) =>
    answering(house, caller, "MET_RES", raw, async () => {
      const { id, name, options } = parsed(MetReq, raw);
      await call(house, room, caller, name, options);
      caller.send("MET_RES", { id, result: null });
    }),
  );
  socket.on("disconnect", () => {
    room.callers.delete(caller);
    for (const id of caller.subscriptions.keys()) void unsubscribe(house, room, caller, id).catch(() => {});
  });
}

async function unsubscribe(house: RealtimeHouse, room: Room, caller: Caller, id: string) {
  const closed = room.close(caller, id);
  if (closed?.kind !== "channel" || closed.side !== "connect" || room.on(closed.channel, "connect").has(caller)) return;
  await depart(house, room, caller, closed.channel);
}

async function call(house: RealtimeHouse, room: Room, caller: Caller, name: string, options: unknown) {
  if (name === "SET_USER_TOKEN") {
    return becomes(house, room, caller, await whoIs(house, parsed(UserToken, options).userToken ?? null));
  }
  if (name === "PUB_SUB_COMMAND") return command(house, room, caller, parsed(Command, options));
  throw new Refusal("invalid", `There is no method ${name} here.`);
}

/** Somebody else speaks from now on: channels were those of the one before, and places are asked about again. */
async function becomes(house: RealtimeHouse, room: Room, caller: Caller, who: Who) {
  if (who.viewer.id !== caller.viewer.id)
    for (const { id, kind } of caller.subscriptions.values())
      if (kind === "channel") {
        await unsubscribe(house, room, caller, id);
        caller.refuse("SUB_RES", id, new Refusal("not-signed-in", "Somebody else is signed in here now. Connect again."));
      }
  Object.assign(caller, who);
  await closeWhereShut(house, room, (it) => it === caller);
}

/** Runs what a packet asks for; what goes wrong is told to whoever sent it, under the id it came with. */
function answering(house: RealtimeHouse, caller: Caller, event: "SUB_RES" | "MET_RES", raw: unknown, work: () => Promise<void>) {
  // Within an async function, so that what is thrown at once is caught like what is thrown later: nothing here may end the process.
  const done = async () => work();
  done().catch((error: unknown) => {
    const id = idOf(raw);
    if (!(error instanceof Refusal)) house.log.error({ err: error }, "a packet of a socket could not be answered");
    if (id === null) return;
    const refusal = error instanceof Refusal ? error : new Refusal("unavailable", "That did not work. Please try again in a moment.");
    caller.refuse(event, id, refusal, error instanceof NoSuchTable ? error.code : undefined);
  });
}

function idOf(raw: unknown): string | null {
  const id = typeof raw === "object" && raw !== null && "id" in raw ? raw.id : null;
  return typeof id === "string" && id.length <= 64 ? id : null;
}

import type { Socket } from "socket.io";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { sendChannelCommand } from "./community-channels.ts";
import { errorCode } from "./data/table-subscription.ts";
import { membersOnlyRefusal } from "./handshake.ts";
import { closeAfterLeavingNamespace } from "./legacy-clients.ts";
import {
  CommandPacket,
  MethodPacket,
  SubscribePacket,
  UnsubscribePacket,
  UserTokenPacket,
} from "./packet-schemas.ts";
import { countPacketCost } from "./packet-size.ts";
import { parsePacket } from "./parse-packet.ts";
import type { Caller } from "./realtime-caller.ts";
import { callSharedObjectMethod, isSharedObjectMethod } from "./shared-objects/index.ts";
import { assertRequestLimit, subscribe } from "./subscribe.ts";
import type { PacketContext, RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import { changeUserByToken, unsubscribe } from "./user-change.ts";

/** Handles the packets of a connected socket. */
export function acceptSocket(app: PacketContext, subscriptions: SubscriptionRegistry, socket: Socket) {
  const caller: Caller = socket.data;
  subscriptions.callers.add(caller);
  socket.use(([event, raw]: unknown[], next) => limitPackets(caller, String(event), raw, next));
  socket.on("SUB_ON", (raw: unknown) =>
    answerPacket(app, caller, "SUB_RES", raw, () =>
      subscribe(app, subscriptions, caller, parsePacket(SubscribePacket, raw)),
    ),
  );
  socket.on("SUB_OFF", (raw: unknown) =>
    answerPacket(app, caller, "SUB_RES", raw, () =>
      unsubscribe(app, subscriptions, caller, parsePacket(UnsubscribePacket, raw).id),
    ),
  );
  socket.on("MET_REQ", (raw: unknown) =>
    answerPacket(app, caller, "MET_RES", raw, async () => {
      const options = parsePacket(MethodPacket, raw);
      // Waits until earlier subscriptions are open or refused, so that the result is sent after their
      // answers.
      await Promise.allSettled(caller.opening.values());
      const result = await callMethod(app, subscriptions, caller, options);
      caller.send("MET_RES", { id: options.id, result: result ?? null });
    }),
  );
  socket.on("disconnect", () => {
    subscriptions.callers.delete(caller);
    for (const id of caller.subscriptions.keys())
      void unsubscribe(app, subscriptions, caller, id).catch(() => {});
    closeAfterLeavingNamespace(socket);
  });
}

async function callMethod(
  app: Pick<
    RealtimeContext,
    | "db"
    | "database"
    | "now"
    | "sealer"
    | "settings"
    | "tables"
    | "sharedObjects"
    | "limits"
    | "publishToOthers"
    | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  { name, options }: MethodPacket,
): Promise<unknown> {
  if (caller.isLockedOut && name !== "SET_USER_TOKEN") throw membersOnlyRefusal();
  if (isSharedObjectMethod(name)) return callSharedObjectMethod(app, subscriptions, caller, name, options);
  // A new token costs a lookup and a check of every subscription as the new user, so it counts as a request.
  if (name === "SET_USER_TOKEN") assertRequestLimit(subscriptions, caller);
  if (name === "SET_USER_TOKEN")
    return changeUserByToken(
      app,
      subscriptions,
      caller,
      parsePacket(UserTokenPacket, options).userToken ?? null,
    );
  if (name === "PUB_SUB_COMMAND")
    return sendChannelCommand(app, subscriptions, caller, parsePacket(CommandPacket, options));
  throw new Refusal("invalid", msg("There is no method {name}.", { name }));
}

/** Handles the request of a packet. Errors are sent to the client under the request's id. */
function answerPacket(
  app: PacketContext,
  caller: Caller,
  event: "SUB_RES" | "MET_RES",
  raw: unknown,
  work: () => Promise<void>,
) {
  // The async function turns a synchronous error into a rejection, which is caught: no error here may end the
  // process.
  const done = async () => work();
  done().catch((error: unknown) => {
    const id = packetId(raw);
    if (!(error instanceof Refusal)) app.failures.report(error);
    if (id === null) return;
    caller.refuse(event, id, toRefusal(error), errorCode(error));
  });
}

const toRefusal = (error: unknown): Refusal =>
  error instanceof Refusal
    ? error
    : new Refusal("unavailable", "Something went wrong. Try again in a moment.");

/**
 * Applies the limits to a packet before handling it. An oversized packet is dropped and answered with an
 * error; a client that floods is disconnected.
 */
function limitPackets(caller: Caller, event: string, raw: unknown, next: () => void) {
  let shares = 1;
  try {
    shares = countPacketCost(raw);
  } catch (error) {
    const id = packetId(raw);
    if (!caller.canSpeak(1)) caller.cut();
    else if (id !== null) caller.refuse(event === "MET_REQ" ? "MET_RES" : "SUB_RES", id, toRefusal(error));
    return;
  }
  if (caller.canSpeak(shares)) next();
  else caller.cut();
}

function packetId(raw: unknown): string | null {
  const id = typeof raw === "object" && raw !== null && "id" in raw ? raw.id : null;
  return typeof id === "string" && id.length <= 64 ? id : null;
}

import { getPresenceOutsideCommunity } from "#community/api-entities";
import { apiClientRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { Caller } from "../realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import { listPersonIds } from "../person-ids.ts";
import type { PresenceChange } from "./remote-presence.ts";
import type { PresentClient, PresenceStatus } from "./process-messages.ts";

/** Maximum people in one list. */
const MAX_LISTED = 1_000;
/**
 * Maximum commands per person, or per address for guests, in twenty seconds. An app that shares the pointer
 * position sends thirty a second.
 */
const COMMAND_LIMIT = { points: 600, seconds: 20 };

const toPresentClient = (channel: string, { connectionId, viewer }: Caller): PresentClient => ({
  channel,
  connectionId,
  userId: viewer.id,
});

/** Announces that a caller has joined a pub/sub channel. */
export async function joinPubSubChannel(
  app: Pick<RealtimeContext, "db" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
): Promise<void> {
  if (caller.present.has(channel)) return;
  caller.present.add(channel);
  await announcePresence(app, subscriptions, caller, channel, "CONNECTED");
}

/** Announces that a caller has left a pub/sub channel or disconnected. */
export async function leavePubSubChannel(
  app: Pick<RealtimeContext, "db" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
): Promise<void> {
  if (caller.present.delete(channel))
    await announcePresence(app, subscriptions, caller, channel, "DISCONNECTED");
}

/** Announces that a connection has changed its user. */
export async function announceUserChange(
  app: Pick<RealtimeContext, "db" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
): Promise<void> {
  for (const channel of caller.present)
    await announcePresence(app, subscriptions, caller, channel, "USERUPDATE");
}

async function announcePresence(
  app: Pick<RealtimeContext, "db" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
  status: PresenceStatus,
) {
  const change = { ...toPresentClient(channel, caller), status };
  app.publishToOthers({ free: "status", from: subscriptions.id, ...change });
  await caller.queue.run("presence", () => deliverPresenceChange(app, subscriptions, change, caller));
}

/**
 * Delivers a presence change to listeners. The person's id is included only for listeners who may see them;
 * for others the connection is anonymous.
 */
export async function deliverPresenceChange(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  { channel, connectionId, userId, status }: PresenceChange,
  self?: Caller,
) {
  const listeners = subscriptions.on(channel, "users");
  const nameFor = await visibleIdsFor(app, userId, listeners.keys());
  for (const [caller, ids] of listeners)
    // A new client gets no event for its own arrival, because it is in the list that the client requests. A
    // client that has changed its user gets the event.
    if (caller !== self || status === "USERUPDATE")
      for (const id of ids)
        caller.send("SUB_RES", { id, data: { status, data: [{ connectionId, userId: nameFor(caller) }] } });
}

/** Sends a listener the list of everyone present on a channel, in all processes. */
export async function listPubSubPresent(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
  id: string,
): Promise<void> {
  const here = [...subscriptions.on(channel, "connect").keys()].map((other) =>
    toPresentClient(channel, other),
  );
  const present = [...here, ...subscriptions.elsewhere.on(channel)].slice(0, MAX_LISTED);
  const mine = caller.viewer.id;
  const others = [...new Set(present.map(({ userId }) => userId))].filter(
    (it): it is string => it !== null && it !== mine,
  );
  const company =
    mine === null || others.length === 0 ? null : await getPresenceOutsideCommunity(app.db, mine, others);
  const known = (userId: string | null) =>
    userId !== null && (caller.withServerKey || userId === mine || company?.sees(userId)) ? userId : null;
  const data = present.map(({ connectionId, userId }) => ({ connectionId, userId: known(userId) }));
  caller.send("SUB_RES", { id, data: { status: "LISTING", data } });
}

type PubSubCommandInput = { channel: string; type: string; data?: unknown };

/**
 * Sends a command to all connected clients, including the sender.
 * @throws `not-found` without a connection to the channel, `not-allowed`
 */
export async function sendPubSubCommand(
  app: Pick<RealtimeContext, "db" | "settings" | "limits" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  { channel, type, data = null }: PubSubCommandInput,
): Promise<void> {
  if (!caller.present.has(channel)) throw new Refusal("not-found", "Connect to the channel first.");
  const { whoPublishes } = await app.settings.get();
  if (!apiClientRules.publish(caller.viewer, whoPublishes, caller.withServerKey))
    throw new Refusal("not-allowed", "You may listen to this community's channels, but not publish to them.");
  if (!caller.withServerKey)
    await app.limits.take("commands", COMMAND_LIMIT, caller.viewer.id ?? caller.address);
  const message = { type, data, ...toPresentClient(channel, caller) };
  app.publishToOthers({ free: "command", ...message });
  await deliverPubSubCommand(app, subscriptions, message);
}

/** Delivers a command to the connected clients that listen for commands. */
export async function deliverPubSubCommand(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  message: PresentClient & { type: string; data: unknown },
): Promise<void> {
  const { channel, type, data, connectionId } = message;
  const connected = subscriptions.on(channel, "connect");
  const listeners = [...subscriptions.on(channel, "commands")].filter(([caller]) => connected.has(caller));
  const nameFor = await visibleIdsFor(
    app,
    message.userId,
    listeners.map(([caller]) => caller),
  );
  for (const [caller, ids] of listeners) {
    const userId = nameFor(caller);
    // The sender is sent both flat and nested, because clients differ in which they read.
    for (const id of ids)
      caller.send("SUB_RES", {
        id,
        data: { type, data, connectionId, userId, userInfo: { connectionId, userId } },
      });
  }
}

/**
 * Returns a function for the person's id as a listener sees it: null for listeners who may not see the
 * person.
 */
async function visibleIdsFor(
  app: Pick<RealtimeContext, "db">,
  userId: string | null,
  listeners: Iterable<Caller>,
): Promise<(caller: Caller) => string | null> {
  if (userId === null) return () => null;
  const others = listPersonIds(listeners).filter((it) => it !== userId);
  const company = others.length === 0 ? null : await getPresenceOutsideCommunity(app.db, userId, others);
  return ({ viewer, withServerKey }) =>
    withServerKey || viewer.id === userId || (viewer.id !== null && company?.shownTo(viewer.id))
      ? userId
      : null;
}

export { createPlainMessage as messageOf } from "#baas/messaging";
import { getPresenceVisibility } from "#community/api-entities";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Caller } from "./realtime-caller.ts";
import * as free from "./pub-sub/index.ts";
import type { RealtimeContext, SubscriptionRegistry, ChannelCommand } from "./subscription-registry.ts";
import { listPersonIds } from "./person-ids.ts";

/**
 * Commands allowed on discussion and conversation channels. They have no content, because content sent this
 * way would bypass moderation.
 */
const ALLOWED_COMMANDS = ["typing"];
/** The discussion or conversation that a channel belongs to; null for a person's own channel. */
function channelSubject(channel: string): { kind: "discussion" | "conversation"; id: string } | null {
  const [kind, id = ""] = channel.split(":");
  return kind === "discussion" || kind === "conversation" ? { kind, id } : null;
}
const toPresentPerson = ({ viewer, connectionId }: Caller) => ({ connectionId, userId: viewer.id });

/** Announces that a caller has joined a channel, to listeners who may see the person. */
export const joinChannel = (
  app: Pick<RealtimeContext, "db" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
) =>
  free.isPubSubChannel(channel)
    ? free.joinPubSubChannel(app, subscriptions, caller, channel)
    : showArrival(app, subscriptions, caller, channel);
/** Announces that a caller has left a channel or disconnected. */
export const leaveChannel = (
  app: Pick<RealtimeContext, "db" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
) =>
  free.isPubSubChannel(channel)
    ? free.leavePubSubChannel(app, subscriptions, caller, channel)
    : announceDeparture(subscriptions, caller, channel);

async function showArrival(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
) {
  const subject = channelSubject(channel);
  const listeners = subscriptions.on(channel, "users");
  const me = caller.viewer.id;
  if (subject === null || me === null || listeners.size === 0) return;
  const { shownTo } = await getPresenceVisibility(app.db, subject, me, listPersonIds(listeners.keys()));
  for (const [other, ids] of listeners)
    if (
      other !== caller &&
      other.viewer.id !== null &&
      shownTo(other.viewer.id) &&
      subscriptions.presenceVisibility.show(other, channel, caller)
    )
      for (const id of ids)
        other.send("SUB_RES", { id, data: { status: "CONNECTED", data: [toPresentPerson(caller)] } });
}

/** Announces a departure to the listeners who were shown the person and for whom `whom` returns true. */
export function announceDeparture(
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
  whom: (other: Caller) => boolean = () => true,
): void {
  for (const [other, ids] of subscriptions.on(channel, "users"))
    if (other !== caller && whom(other) && subscriptions.presenceVisibility.part(other, channel, caller))
      for (const id of ids)
        other.send("SUB_RES", { id, data: { status: "DISCONNECTED", data: [toPresentPerson(caller)] } });
}

/** After a privacy change, announces a departure to listeners who may no longer see the person. */
export async function updatePresenceVisibility(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
): Promise<void> {
  const subject = channelSubject(channel);
  const listeners = subscriptions.on(channel, "users");
  if (subject === null || caller.viewer.id === null || listeners.size === 0) return;
  const { shownTo } = await getPresenceVisibility(
    app.db,
    subject,
    caller.viewer.id,
    listPersonIds(listeners.keys()),
  );
  announceDeparture(
    subscriptions,
    caller,
    channel,
    ({ viewer }) => viewer.id === null || !shownTo(viewer.id),
  );
}

/** Sends a listener the people already present. */
export async function sendPresentPeople(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  channel: string,
  id: string,
): Promise<void> {
  if (free.isPubSubChannel(channel)) return free.listPubSubPresent(app, subscriptions, caller, channel, id);
  const subject = channelSubject(channel);
  if (subject === null || caller.viewer.id === null) return;
  // A person who joins during this lookup is announced separately and may also be in the list.
  subscriptions.presenceVisibility.list(caller, channel, []);
  const { sees } = await getPresenceVisibility(
    app.db,
    subject,
    caller.viewer.id,
    listPersonIds(subscriptions.on(channel, "connect").keys()),
  );
  const seen = [...subscriptions.on(channel, "connect").keys()].filter(
    (other) =>
      other === caller ||
      subscriptions.presenceVisibility.knows(caller, channel, other) ||
      (other.viewer.id !== null && sees(other.viewer.id)),
  );
  caller.send("SUB_RES", {
    id,
    data: {
      status: "LISTING",
      data: subscriptions.presenceVisibility.list(caller, channel, seen).map(toPresentPerson),
    },
  });
}

type CommandInput = { channel: string; type: string; data?: unknown };

/**
 * Sends a command to a channel.
 * @throws `not-found` without a connection to it, `invalid` for unknown commands
 */
export async function sendChannelCommand(
  app: Pick<RealtimeContext, "db" | "settings" | "limits" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  input: CommandInput,
) {
  const { channel, type } = input;
  if (free.isPubSubChannel(channel)) return free.sendPubSubCommand(app, subscriptions, caller, input);
  if (!subscriptions.on(channel, "connect").has(caller) || channelSubject(channel) === null)
    throw new Refusal("not-found", "Connect to the channel first.");
  if (!ALLOWED_COMMANDS.includes(type))
    throw new Refusal(
      "invalid",
      msg("Allowed commands: {allowedCommands}.", { allowedCommands: ALLOWED_COMMANDS.join(", ") }),
    );
  const word: ChannelCommand = {
    channel,
    type,
    connectionId: caller.connectionId,
    userId: caller.viewer.id!,
  };
  app.publishToOthers(word);
  await deliverChannelCommand(app, subscriptions, word);
}

/** Delivers a command from this or another process to people who may see its sender. */
export async function deliverChannelCommand(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  { channel, type, connectionId, userId }: ChannelCommand,
): Promise<void> {
  const subject = channelSubject(channel);
  const listeners = subscriptions.on(channel, "commands");
  if (subject === null || listeners.size === 0) return;
  const { shownTo } = await getPresenceVisibility(app.db, subject, userId, listPersonIds(listeners.keys()));
  for (const [other, ids] of listeners)
    if (other.connectionId !== connectionId && other.viewer.id !== null && shownTo(other.viewer.id))
      for (const id of ids) other.send("SUB_RES", { id, data: { type, data: null, connectionId, userId } });
}

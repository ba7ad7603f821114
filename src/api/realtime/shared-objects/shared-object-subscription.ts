import { Refusal } from "#platform/refusal";
import { sharedObjectRules } from "#community/rules";
import type { Caller, SharedObjectSubscription } from "../realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import { parsePacket } from "../parse-packet.ts";
import { SharedObjectOptions } from "./shared-object-packets.ts";

const OBJECT_SIDES: Record<string, SharedObjectSubscription["side"]> = {
  RSO_CONNECT: "connect",
  RSO_CHANGES: "changes",
  RSO_CLEARED: "cleared",
  RSO_COMMANDS: "commands",
  RSO_INVOKE: "invoke",
  RSO_USERS: "users",
};

export const isSharedObjectSubscription = (name: string): boolean => Object.hasOwn(OBJECT_SIDES, name);

/**
 * Reads a subscription to one kind of event on a shared object.
 * @throws `invalid`
 */
export function readSharedObjectSubscription({
  id,
  name,
  options,
}: {
  id: string;
  name: string;
  options?: unknown;
}): SharedObjectSubscription {
  return {
    kind: "shared",
    id,
    name: parsePacket(SharedObjectOptions, options).name,
    side: OBJECT_SIDES[name]!,
    scopes: [],
  };
}

const sideName = (name: string, side: SharedObjectSubscription["side"]) => `shared/${side}/${name}`;
/** Listener name of a shared-object subscription. */
export const sharedObjectListenerName = ({ name, side }: SharedObjectSubscription): string =>
  sideName(name, side);

/** Listeners of one kind of event on a shared object. */
export const sharedObjectListeners = (
  subscriptions: SubscriptionRegistry,
  name: string,
  side: SharedObjectSubscription["side"],
) => subscriptions.listeners.under(sideName(name, side));

/** Whether a caller may use shared objects at all. */
export async function canUseSharedObjects(
  { settings }: Pick<RealtimeContext, "settings">,
  { viewer, withServerKey }: Caller,
): Promise<boolean> {
  return sharedObjectRules.use(viewer, (await settings.get()).whoShares, withServerKey);
}

/**
 * Refuses callers who may not use shared objects.
 * @throws `not-signed-in`
 */
export async function assertMayUseSharedObjects(
  app: Pick<RealtimeContext, "settings">,
  caller: Caller,
): Promise<void> {
  if (!(await canUseSharedObjects(app, caller)))
    throw new Refusal("not-signed-in", "Shared objects need a signed-in user.");
}

/**
 * Listeners of one kind of event on an object, if they are connected to it and permitted to use shared
 * objects.
 */
export async function permittedListeners(
  app: Pick<RealtimeContext, "settings">,
  subscriptions: SubscriptionRegistry,
  name: string,
  side: SharedObjectSubscription["side"],
) {
  const connected = sharedObjectListeners(subscriptions, name, "connect");
  const listeners = [...sharedObjectListeners(subscriptions, name, side)].filter(([caller]) =>
    connected.has(caller),
  );
  const may = await Promise.all(listeners.map(([caller]) => canUseSharedObjects(app, caller)));
  return listeners.filter((_, i) => may[i]);
}

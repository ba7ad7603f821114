import { Refusal } from "#platform/refusal";
import type { Caller, SharedObjectSubscription } from "../realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import { announceObjectPresence, listObjectPresent } from "./object-presence.ts";
import type { SharedObjectEvent } from "./shared-object-events.ts";
import { sharedObjectListeners, canUseSharedObjects } from "./shared-object-subscription.ts";
import { deliverSharedObjectEvent } from "./shared-object-delivery.ts";

export type { SharedObjectEvent } from "./shared-object-events.ts";
import { queueObjectChange } from "./object-queue.ts";

export { isSharedObjectMethod, callSharedObjectMethod } from "./shared-object-methods.ts";
export { DeliveryOrder } from "./delivery-order.ts";
export {
  assertMayUseSharedObjects,
  isSharedObjectSubscription,
  sharedObjectListenerName,
  readSharedObjectSubscription,
} from "./shared-object-subscription.ts";

/**
 * Delivers shared-object events of other processes to local listeners. If delivery fails, the listeners are
 * disconnected and reload.
 */
export const createSharedObjectReceiver =
  (
    app: Pick<RealtimeContext, "db" | "settings" | "sharedObjects" | "log" | "shareWithOthers">,
    subscriptions: SubscriptionRegistry,
  ) =>
  (objectEvent: SharedObjectEvent): void => {
    if (sharedObjectListeners(subscriptions, objectEvent.name, "connect").size === 0) return;
    queueObjectChange(subscriptions.objectQueue, objectEvent.name, () =>
      deliverSharedObjectEvent(app, subscriptions, objectEvent),
    ).catch((error: unknown) => {
      app.log.warn({ err: error }, "a change of a shared object could not be delivered to sockets");
      for (const caller of sharedObjectListeners(subscriptions, objectEvent.name, "connect").keys())
        caller.end();
    });
  };

/** Opens a subscription to one kind of event on a shared object. */
export async function joinSharedObject(
  app: Pick<RealtimeContext, "db" | "settings" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  { id, name, side }: SharedObjectSubscription,
): Promise<void> {
  if (side === "users") return listObjectPresent(app, subscriptions, caller, name, id);
  if (side === "connect" && sharedObjectListeners(subscriptions, name, side).get(caller)?.size === 1)
    await announceObjectPresence(app, subscriptions, caller, name, "CONNECTED");
}

/** Closes a subscription to one kind of event on a shared object. */
export async function leaveSharedObject(
  app: Pick<RealtimeContext, "db" | "settings" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  { name, side }: SharedObjectSubscription,
): Promise<void> {
  if (side !== "connect" || sharedObjectListeners(subscriptions, name, side).has(caller)) return;
  if (sharedObjectListeners(subscriptions, name, side).size === 0) subscriptions.order.forget(name);
  await announceObjectPresence(app, subscriptions, caller, name, "DISCONNECTED");
}

/**
 * Announces that a connection has changed its user, and closes subscriptions that the new user may not have.
 */
export async function updateSharedObjectUser(
  app: Pick<RealtimeContext, "db" | "settings" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
): Promise<void> {
  const may = await canUseSharedObjects(app, caller);
  for (const it of caller.subscriptions.values()) {
    if (it.kind !== "shared") continue;
    if (may && it.side === "connect")
      await announceObjectPresence(app, subscriptions, caller, it.name, "USERUPDATE");
    if (may || !subscriptions.close(caller, it.id)) continue;
    caller.refuse("SUB_RES", it.id, new Refusal("not-signed-in", "Shared objects need a signed-in user."));
    await leaveSharedObject(app, subscriptions, caller, it);
  }
}

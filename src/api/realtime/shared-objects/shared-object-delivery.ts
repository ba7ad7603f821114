import { readChangesSince } from "#baas/shared-objects";
import type { Caller } from "../realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import { answerPresenceRequest, deliverRemotePresence, deliverObjectPresence } from "./object-presence.ts";
import type { Author, SharedObjectEvent, SharedObjectEventOf } from "./shared-object-events.ts";
import { type AuthorView, createAuthorView } from "./author-view.ts";
import { sharedObjectListeners, permittedListeners } from "./shared-object-subscription.ts";

/** Delivers a shared-object event of this or another process to listeners. Must run in the object's queue. */
export async function deliverSharedObjectEvent(
  app: Pick<RealtimeContext, "db" | "settings" | "sharedObjects" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  objectEvent: SharedObjectEvent,
): Promise<void> {
  if (objectEvent.what === "set") return deliverSet(app, subscriptions, objectEvent);
  if (objectEvent.what === "clear") return deliverClear(app, subscriptions, objectEvent);
  if (objectEvent.what === "command") return deliverCommand(app, subscriptions, objectEvent);
  if (objectEvent.what === "invoke") return deliverInvoke(app, subscriptions, objectEvent);
  if (objectEvent.what === "status") return deliverObjectPresence(app, subscriptions, objectEvent);
  if (objectEvent.what === "who") return answerPresenceRequest(app, subscriptions, objectEvent);
  return deliverRemotePresence(app, subscriptions, objectEvent);
}

type PermittedListeners = Awaited<ReturnType<typeof permittedListeners>>;
const createListenerView = (
  app: Pick<RealtimeContext, "db">,
  by: Author,
  listeners: PermittedListeners,
): Promise<AuthorView> =>
  createAuthorView(
    app,
    by,
    listeners.map(([caller]) => caller),
  );
const sendToListeners = (listeners: PermittedListeners, data: (caller: Caller) => object) => {
  for (const [caller, ids] of listeners)
    for (const id of ids) caller.send("SUB_RES", { id, data: data(caller) });
};

/** Forgets the delivery order of an object without connected clients. */
function forgetIfDeserted(subscriptions: SubscriptionRegistry, name: string): boolean {
  if (sharedObjectListeners(subscriptions, name, "connect").size > 0) return false;
  subscriptions.order.forget(name);
  return true;
}

async function deliverSet(
  app: Pick<RealtimeContext, "db" | "settings">,
  subscriptions: SubscriptionRegistry,
  { name, key, data, version, by }: SharedObjectEventOf<"set">,
) {
  if (forgetIfDeserted(subscriptions, name) || !subscriptions.order.set(name, key, version, by)) return;
  const listeners = await permittedListeners(app, subscriptions, name, "changes");
  const viewFor = await createListenerView(app, by, listeners);
  sendToListeners(listeners, (caller) => ({ key, data, ...viewFor(caller) }));
}

async function deliverClear(
  app: Pick<RealtimeContext, "db" | "settings" | "sharedObjects">,
  subscriptions: SubscriptionRegistry,
  { name, version, by }: SharedObjectEventOf<"clear">,
) {
  if (forgetIfDeserted(subscriptions, name)) return;
  const setAfter = subscriptions.order.clear(name, version);
  if (setAfter === null) return;
  const listeners = await permittedListeners(app, subscriptions, name, "cleared");
  const viewFor = await createListenerView(app, by, listeners);
  sendToListeners(listeners, viewFor);
  if (setAfter.size === 0) return;
  // Keys set after the clearing may have been delivered before it. They are delivered again, since clients
  // have just removed them.
  const changes = await permittedListeners(app, subscriptions, name, "changes");
  for (const { key, data } of await readChangesSince(app.sharedObjects, name, version)) {
    const author = setAfter.get(key)?.by;
    const authorView = author && (await createListenerView(app, author, changes));
    if (authorView) sendToListeners(changes, (caller) => ({ key, data, ...authorView(caller) }));
  }
}

async function deliverCommand(
  app: Pick<RealtimeContext, "db" | "settings">,
  subscriptions: SubscriptionRegistry,
  { name, type, data, by }: SharedObjectEventOf<"command">,
) {
  const listeners = await permittedListeners(app, subscriptions, name, "commands");
  const viewFor = await createListenerView(app, by, listeners);
  // The author is sent both flat and nested, because clients differ in which they read.
  sendToListeners(listeners, (caller) => ({ type, data, ...viewFor(caller), userInfo: viewFor(caller) }));
}

/**
 * Invokes a method on connected clients: on all, or on `targets`, which are connection ids, person ids, or
 * null for guests.
 */
async function deliverInvoke(
  app: Pick<RealtimeContext, "db" | "settings">,
  subscriptions: SubscriptionRegistry,
  { name, method, args, targets, by }: SharedObjectEventOf<"invoke">,
) {
  const isTarget = ({ connectionId, viewer }: Caller) =>
    targets === null || targets.includes(connectionId) || targets.includes(viewer.id);
  const listeners = (await permittedListeners(app, subscriptions, name, "invoke")).filter(([caller]) =>
    isTarget(caller),
  );
  const viewFor = await createListenerView(app, by, listeners);
  const connected = sharedObjectListeners(subscriptions, name, "connect");
  for (const [caller, ids] of listeners) {
    // A reconnected client sends its subscriptions twice. It gets one call per object that it has open, not
    // one per subscription.
    const once = [...ids].slice(0, connected.get(caller)?.size ?? 0);
    for (const id of once) caller.send("SUB_RES", { id, data: { method, args, ...viewFor(caller) } });
  }
}

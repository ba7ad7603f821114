import type { Caller } from "../realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import type { Author, SharedObjectEventOf, ObjectPresenceStatus } from "./shared-object-events.ts";
import { visibleAuthors, createAuthorView } from "./author-view.ts";
import { sharedObjectListeners, permittedListeners } from "./shared-object-subscription.ts";

/** Maximum people in one list. */
const MAX_LISTED = 1_000;

export const callerAsAuthor = ({ connectionId, viewer }: Caller): Author => ({
  connectionId,
  userId: viewer.id,
});

/** Announces an arrival, departure or change of user on an object. */
export async function announceObjectPresence(
  app: Pick<RealtimeContext, "db" | "settings" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  name: string,
  status: ObjectPresenceStatus,
): Promise<void> {
  const objectEvent: SharedObjectEventOf<"status"> = {
    what: "status",
    name,
    status,
    by: callerAsAuthor(caller),
  };
  app.shareWithOthers(objectEvent);
  await subscriptions.objectQueue.run(name, () =>
    deliverObjectPresence(app, subscriptions, objectEvent, caller),
  );
}

/**
 * Delivers a presence change to listeners. A new client (`self`) gets no event for its own arrival, because
 * it is in the list that the client requests.
 */
export async function deliverObjectPresence(
  app: Pick<RealtimeContext, "db" | "settings">,
  subscriptions: SubscriptionRegistry,
  { name, status, by }: SharedObjectEventOf<"status">,
  self?: Caller,
): Promise<void> {
  const listeners = (await permittedListeners(app, subscriptions, name, "users")).filter(
    ([caller]) => caller !== self || status === "USERUPDATE",
  );
  const viewFor = await createAuthorView(
    app,
    by,
    listeners.map(([caller]) => caller),
  );
  for (const [caller, ids] of listeners)
    for (const id of ids) caller.send("SUB_RES", { id, data: { status, data: [viewFor(caller)] } });
}

const localAuthors = (subscriptions: SubscriptionRegistry, name: string) =>
  [...sharedObjectListeners(subscriptions, name, "connect").keys()].slice(0, MAX_LISTED).map(callerAsAuthor);

/**
 * Sends a listener the list of everyone present: clients of this process at once, clients of other processes
 * when these answer.
 */
export async function listObjectPresent(
  app: Pick<RealtimeContext, "db" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  name: string,
  id: string,
): Promise<void> {
  caller.send("SUB_RES", {
    id,
    data: { status: "LISTING", data: await visibleAuthors(app, caller, localAuthors(subscriptions, name)) },
  });
  app.shareWithOthers({ what: "who", name, asker: caller.connectionId, id });
}

/** Answers another process's request for local clients. */
export function answerPresenceRequest(
  app: Pick<RealtimeContext, "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  { name, asker, id }: SharedObjectEventOf<"who">,
): void {
  const people = localAuthors(subscriptions, name);
  if (people.length > 0) app.shareWithOthers({ what: "here", name, asker, id, people });
}

/** Delivers the answer of another process. */
export async function deliverRemotePresence(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  { name, asker, id, people }: SharedObjectEventOf<"here">,
): Promise<void> {
  for (const [caller, ids] of sharedObjectListeners(subscriptions, name, "users"))
    if (caller.connectionId === asker && ids.has(id))
      caller.send("SUB_RES", {
        id,
        data: { status: "CONNECTED", data: await visibleAuthors(app, caller, people) },
      });
}

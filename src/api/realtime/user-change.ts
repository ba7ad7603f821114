import { PER_VIEWER_ENTITIES } from "#community/api-entities";
import { Refusal } from "#platform/refusal";
import type { Caller, Subscription, ConnectionUser } from "./realtime-caller.ts";
import { leaveChannel } from "./community-channels.ts";
import { membersOnlyRefusal, unknownTokenRefusal, resolveToken } from "./handshake.ts";
import { isPubSubChannel, announceUserChange } from "./pub-sub/index.ts";
import { closeRevokedSubscriptions } from "./revoke-subscriptions.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import { updateSharedObjectUser, leaveSharedObject } from "./shared-objects/index.ts";
import { recheckTableSubscriptions } from "./data/recheck-subscriptions.ts";

/**
 * Changes the user of a connection to that of a token. Without a token, or with an unknown one, the
 * connection becomes a guest's, because the client no longer acts for its earlier user.
 * @throws `not-signed-in` for an unknown token, and for guests of a private community; the connection is a
 * guest's in both cases
 */
export function changeUserByToken(
  app: Pick<
    RealtimeContext,
    "db" | "database" | "now" | "sealer" | "settings" | "tables" | "publishToOthers" | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  token: string | null,
): Promise<void> {
  return queueUserChange(caller, async () => {
    const who = await resolveToken(app, token, caller.withServerKey);
    await changeConnectionUser(app, subscriptions, caller, who);
    if (who.sessionEnded) throw unknownTokenRefusal();
    if (who.isLockedOut) throw membersOnlyRefusal();
  });
}

/**
 * Applies user changes of one connection in order of arrival: a slow token lookup could otherwise undo a
 * later sign-out. If a change fails unexpectedly, the user is uncertain and the connection is closed.
 */
export function queueUserChange(caller: Caller, work: () => Promise<void>): Promise<void> {
  return caller.queue.run("user", () =>
    work().catch((error: unknown) => {
      if (!(error instanceof Refusal)) caller.end();
      throw error;
    }),
  );
}

/**
 * Changes the user of a connection: closes subscriptions that only the earlier user may have, then checks
 * the others again. Departures are announced with the earlier user, later events with the new one.
 */
export async function changeConnectionUser(
  app: Pick<
    RealtimeContext,
    "db" | "database" | "now" | "settings" | "tables" | "publishToOthers" | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  who: ConnectionUser,
): Promise<void> {
  const before = caller.viewer.id;
  const { sessionEnded, isLockedOut } = who;
  Object.assign(caller, { sessionEnded, isLockedOut });
  const over = [...caller.subscriptions.values()].filter(
    (it) => isLockedOut || (before !== who.viewer.id && endsWithPerson(it, sessionEnded)),
  );
  const ending = over.map(({ id }) => unsubscribe(app, subscriptions, caller, id));
  for (const { id } of over) caller.refuse("SUB_RES", id, isLockedOut ? membersOnlyRefusal() : otherPerson());
  Object.assign(caller, who);
  caller.forgetRoles();
  await Promise.all(ending);
  if (before !== who.viewer.id) {
    await announceUserChange(app, subscriptions, caller);
    await updateSharedObjectUser(app, subscriptions, caller);
  }
  await closeRevokedSubscriptions(app, subscriptions, (it) => it === caller);
  await recheckTableSubscriptions(app, subscriptions, [caller]);
}

const otherPerson = () => new Refusal("not-signed-in", "Another user is signed in now. Reconnect.");

/**
 * Whether a subscription ends when the user of its connection changes. Community channels and logs belong to
 * one person. When a session expires, subscriptions without a scope and those to per-viewer entities end
 * too: as a guest's they would silently receive less.
 */
function endsWithPerson(subscription: Subscription, sessionEnded: boolean): boolean {
  if (subscription.kind === "channel") return !isPubSubChannel(subscription.channel);
  if (subscription.kind === "records") return sessionEnded && subscription.scopes.length === 0;
  return (
    subscription.kind === "console" ||
    (subscription.kind === "table" &&
      sessionEnded &&
      (PER_VIEWER_ENTITIES as readonly string[]).includes(subscription.table))
  );
}

/** Closes the subscription with this id. */
export async function unsubscribe(
  app: Pick<RealtimeContext, "db" | "settings" | "publishToOthers" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  id: string,
): Promise<void> {
  caller.opening.delete(id);
  const closed = subscriptions.close(caller, id);
  if (closed?.kind === "shared") return leaveSharedObject(app, subscriptions, caller, closed);
  if (
    closed?.kind !== "channel" ||
    closed.side !== "connect" ||
    subscriptions.on(closed.channel, "connect").has(caller)
  )
    return;
  await leaveChannel(app, subscriptions, caller, closed.channel);
}

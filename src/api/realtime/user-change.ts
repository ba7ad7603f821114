import { PER_VIEWER_ENTITIES } from "#community/api-entities";
import { Refusal } from "#platform/refusal";
import type { Caller, Subscription, Who } from "./realtime-caller.ts";
import { leaveChannel } from "./community-channels.ts";
import { membersOnly, tokenUnknown, resolveToken } from "./handshake.ts";
import { isPubSubChannel, announceUserChange } from "./pub-sub/index.ts";
import { closeRevokedSubscriptions } from "./revoke-subscriptions.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import { updateSharedObjectUser, leaveSharedObject } from "./shared-objects/index.ts";
import { recheckTableSubscriptions } from "./data/recheck-subscriptions.ts";

/**
 * Switches the connection to the user of a token; an unknown token makes it a guest's, since the client has
 * given up its previous user.
 * @throws `not-signed-in` for an unknown token, and for guests of a private community; the caller is a guest
 * then
 */
export function switchUser(app: RealtimeContext, room: SubscriptionRegistry, caller: Caller, token: string | null): Promise<void> {
  return queueUserChange(caller, async () => {
    const who = await resolveToken(app, token, caller.withServerKey);
    await applyUser(app, room, caller, who);
    if (who.sessionEnded) throw tokenUnknown();
    if (who.isLockedOut) throw membersOnly();
  });
}

/**
 * Applies user changes in the order of their packets: the lookup of a known token takes longer than that of
 * none, so a sign-out could be overtaken by the sign-in before it. If one fails, the user is uncertain, and the
 * client is disconnected.
 */
export function queueUserChange(caller: Caller, work: () => Promise<void>): Promise<void> {
  const turn = caller.userChange.then(work).catch((error: unknown) => {
    if (!(error instanceof Refusal)) caller.end();
    throw error;
  });
  caller.userChange = turn.catch(() => {});
  return turn;
}

/**
 * Applies a user change: closes the personal subscriptions of the previous user, and checks all others again.
 * Departures are announced for the previous user, everything later for the new one.
 */
export async function applyUser(app: RealtimeContext, room: SubscriptionRegistry, caller: Caller, who: Who): Promise<void> {
  const before = caller.viewer.id;
  const { sessionEnded, isLockedOut } = who;
  Object.assign(caller, { sessionEnded, isLockedOut });
  const over = [...caller.subscriptions.values()].filter(
    (it) => isLockedOut || (before !== who.viewer.id && endsWithPerson(it, sessionEnded)),
  );
  const ending = over.map(({ id }) => unsubscribe(app, room, caller, id));
  for (const { id } of over) caller.refuse("SUB_RES", id, isLockedOut ? membersOnly() : otherPerson());
  Object.assign(caller, who);
  caller.forgetRoles();
  await Promise.all(ending);
  if (before !== who.viewer.id) {
    await announceUserChange(app, room, caller);
    await updateSharedObjectUser(app, room, caller);
  }
  await closeRevokedSubscriptions(app, room, (it) => it === caller);
  await recheckTableSubscriptions(app, room, [caller]);
}

const otherPerson = () => new Refusal("not-signed-in", "Somebody else is signed in here now. Connect again.");

/**
 * Whether a subscription belongs to its user: community channels and logs do. After the end of a session, so
 * do record subscriptions without a scope: as a guest they would silently receive less.
 */
function endsWithPerson(it: Subscription, sessionEnded: boolean): boolean {
  if (it.kind === "channel") return !isPubSubChannel(it.channel);
  if (it.kind === "records") return sessionEnded && it.scopes.length === 0;
  return it.kind === "console" || (it.kind === "table" && sessionEnded && (PER_VIEWER_ENTITIES as readonly string[]).includes(it.table));
}

/** Closes the subscription with this id. */
export async function unsubscribe(app: RealtimeContext, room: SubscriptionRegistry, caller: Caller, id: string): Promise<void> {
  caller.opening.delete(id);
  const closed = room.close(caller, id);
  if (closed?.kind === "shared") return leaveSharedObject(app, room, caller, closed);
  if (closed?.kind !== "channel" || closed.side !== "connect" || room.on(closed.channel, "connect").has(caller)) return;
  await leaveChannel(app, room, caller, closed.channel);
}

import { PER_VIEWER_ENTITIES } from "#community/api-entities";
import { Refusal } from "#platform/refusal";
import type { Caller, Subscription, Who } from "./realtime-caller.ts";
import { leaveChannel } from "./community-channels.ts";
import { membersOnly, tokenUnknown, resolveToken } from "./handshake.ts";
import { isPubSubChannel, announceUserChange } from "./pub-sub/index.ts";
import { closeWhereShut } from "./revoke-subscriptions.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import { updateSharedObjectUser, leaveSharedObject } from "./shared-objects/index.ts";
import { recheckTableSubscriptions } from "./data/recheck-subscriptions.ts";

/**
 * Whoever this token stands for speaks from now on; nobody's makes a guest, since whoever spoke before has said that they do no more.
 * Throws `not-signed-in` for a token that stands for nobody, and where guests are not let in, once the caller is that guest.
 */
export function switchUser(app: RealtimeContext, room: SubscriptionRegistry, caller: Caller, token: string | null): Promise<void> {
  return inTurn(caller, async () => {
    const who = await resolveToken(app, token, caller.withServerKey);
    await applyUser(app, room, caller, who);
    if (who.sessionEnded) throw tokenUnknown();
    if (who.isShut) throw membersOnly();
  });
}

/**
 * Tokens are looked at in the order in which they came: to find somebody takes longer than to find nobody, and who has signed out would be
 * signed in again. Where that fails, nobody knows any more who speaks, and the connection ends.
 */
export function inTurn(caller: Caller, work: () => Promise<void>): Promise<void> {
  const turn = caller.becoming.then(work).catch((error: unknown) => {
    if (!(error instanceof Refusal)) caller.end();
    throw error;
  });
  caller.becoming = turn.catch(() => {});
  return turn;
}

/**
 * Somebody else speaks from now on: what was theirs alone who spoke before ends, and places are asked about again. Whoever goes is told
 * about as they were, and what is told from then on is told as they are.
 */
export async function applyUser(app: RealtimeContext, room: SubscriptionRegistry, caller: Caller, who: Who): Promise<void> {
  const before = caller.viewer.id;
  const { sessionEnded, isShut } = who;
  Object.assign(caller, { sessionEnded, isShut });
  const over = [...caller.subscriptions.values()].filter((it) => isShut || (before !== who.viewer.id && endsWithPerson(it, sessionEnded)));
  const ending = over.map(({ id }) => unsubscribe(app, room, caller, id));
  for (const { id } of over) caller.refuse("SUB_RES", id, isShut ? membersOnly() : otherPerson());
  Object.assign(caller, who);
  caller.forgetRoles();
  await Promise.all(ending);
  if (before !== who.viewer.id) {
    await announceUserChange(app, room, caller);
    await updateSharedObjectUser(app, room, caller);
  }
  await closeWhereShut(app, room, (it) => it === caller);
  await recheckTableSubscriptions(app, room, [caller]);
}

const otherPerson = () => new Refusal("not-signed-in", "Somebody else is signed in here now. Connect again.");

/**
 * Channels of the community and logs are followed as a person. Whose session has ended without their doing would not notice that what they
 * follow everywhere, and not in one place, has become less: that ends too.
 */
function endsWithPerson(it: Subscription, sessionEnded: boolean): boolean {
  if (it.kind === "channel") return !isPubSubChannel(it.channel);
  if (it.kind === "records") return sessionEnded && it.scopes.length === 0;
  return it.kind === "console" || (it.kind === "table" && sessionEnded && (PER_VIEWER_ENTITIES as readonly string[]).includes(it.table));
}

/** Closes the subscription with this id. */
export async function unsubscribe(app: RealtimeContext, room: SubscriptionRegistry, caller: Caller, id: string): Promise<void> {
  caller.beginning.delete(id);
  const closed = room.close(caller, id);
  if (closed?.kind === "shared") return leaveSharedObject(app, room, caller, closed);
  if (closed?.kind !== "channel" || closed.side !== "connect" || room.on(closed.channel, "connect").has(caller)) return;
  await leaveChannel(app, room, caller, closed.channel);
}

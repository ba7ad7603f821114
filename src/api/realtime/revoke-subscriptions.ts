import { listScopeFollowers } from "#community/api-entities";
import { notFound } from "#platform/refusal";
import type { Caller, SubscriptionScope, Subscription } from "./realtime-caller.ts";
import { announceDeparture } from "./community-channels.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import { listPersonIds } from "./person-ids.ts";

/**
 * Checks access to scopes again. Subscriptions whose caller has lost access are closed with the error that a
 * new one would get.
 */
export async function closeRevokedSubscriptions(
  app: Pick<RealtimeContext, "db">,
  subscriptions: SubscriptionRegistry,
  whose: (caller: Caller) => boolean,
  which: (scope: SubscriptionScope) => boolean = () => true,
): Promise<void> {
  const lookups = new Map<
    string,
    { scope: SubscriptionScope; entries: { caller: Caller; subscription: Subscription }[] }
  >();
  for (const caller of subscriptions.callers)
    if (whose(caller))
      for (const subscription of caller.subscriptions.values())
        for (const scope of subscription.scopes.filter(which)) {
          const question = lookups.get(`${scope.kind}/${scope.id}`) ?? { scope, entries: [] };
          question.entries.push({ caller, subscription });
          lookups.set(`${scope.kind}/${scope.id}`, question);
        }
  for (const { scope, entries } of lookups.values()) {
    const { groupId, isAllowed } = await listScopeFollowers(
      app.db,
      scope,
      listPersonIds(entries.map(({ caller }) => caller)),
    );
    for (const { subscription } of entries)
      for (const it of subscription.scopes) if (it.id === scope.id) it.groupId = groupId;
    for (const { caller, subscription } of entries)
      if (!isAllowed(caller.viewer.id) && subscriptions.close(caller, subscription.id)) {
        caller.refuse("SUB_RES", subscription.id, notFound());
        if (subscription.kind === "channel" && subscription.side === "connect")
          announceDeparture(subscriptions, caller, subscription.channel);
      }
  }
}

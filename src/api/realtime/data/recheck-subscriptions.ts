import type { DomainEvent } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { Caller } from "../realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import type { TableSubscriber } from "./table-subscription-index.ts";
import {
  errorCode,
  tableFingerprint,
  createTableSubscription,
  getTableCaller,
} from "./table-subscription.ts";

/**
 * Drops cached roles that an event may have changed. Returns the affected callers that have table
 * subscriptions.
 */
export function forgetChangedRoles(
  subscriptions: SubscriptionRegistry,
  { type, personId }: DomainEvent,
): Caller[] {
  if (!/^(role|person)\./.test(type)) return [];
  const concerned = [...subscriptions.callers].filter(
    ({ viewer }) => type === "role.deleted" || (viewer.id !== null && viewer.id === personId),
  );
  for (const caller of concerned) caller.forgetRoles();
  return concerned.filter((caller) =>
    [...caller.subscriptions.values()].some(({ kind }) => kind === "table"),
  );
}

/** Checks the table subscriptions of these callers again. */
export async function recheckTableSubscriptions(
  app: Pick<RealtimeContext, "database" | "now" | "settings" | "tables">,
  subscriptions: SubscriptionRegistry,
  callers: Caller[],
): Promise<void> {
  for (const caller of callers) {
    const followings = [...caller.subscriptions.values()].filter((it) => it.kind === "table");
    for (const following of followings) await refreshSubscription(app, subscriptions, { caller, following });
  }
}

/** After a schema change, renews the subscriptions to the changed tables. */
export async function refreshChangedTables(
  app: Pick<RealtimeContext, "database" | "now" | "settings" | "tables">,
  subscriptions: SubscriptionRegistry,
): Promise<void> {
  for (const name of subscriptions.tables.tables()) {
    const table = await app.tables.catalogue.table(name).catch(() => null);
    const fingerprint = table && tableFingerprint(table);
    const followers = subscriptions.tables
      .followersOf(name)
      .filter(({ following }) => following.fingerprint !== fingerprint);
    for (const followed of followers) await refreshSubscription(app, subscriptions, followed);
  }
}

/**
 * Replaces a subscription by a new one with the same options. If the new one is refused, closes the
 * subscription with that error.
 */
async function refreshSubscription(
  app: Pick<RealtimeContext, "database" | "now" | "settings" | "tables">,
  subscriptions: SubscriptionRegistry,
  { caller, following }: TableSubscriber,
) {
  try {
    const table = await app.tables.catalogue.table(following.table);
    const fresh = createTableSubscription(
      table,
      await getTableCaller(app, caller),
      following.id,
      following.options,
    );
    if (caller.subscriptions.get(following.id) === following) subscriptions.open(caller, fresh);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (caller.subscriptions.get(following.id) !== following) return;
    subscriptions.close(caller, following.id);
    caller.refuse("SUB_RES", following.id, error, errorCode(error));
  }
}

import {
  type Caller as TableCaller,
  CODES,
  findOne,
  matchesCondition,
  type Table,
  TableFault,
  type ApiRecord,
} from "#baas/data";
import { type PerViewerChange, listPerViewerChanges, perViewerEntityFor } from "#community/api-entities";
import type { Viewer } from "#community/rules";
import type { DomainEvent } from "#platform/outbox";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import { listPersonIds } from "../person-ids.ts";
import type { TableSubscriber } from "./table-subscription-index.ts";
import { getTableCaller } from "./table-subscription.ts";
import { sendToSubscriber } from "./table-change-delivery.ts";

const EVENTS = ["created", "updated", "deleted"];

/** Whether an event may have changed an entity with subscribers. */
export const hasEntitySubscribers = (
  subscriptions: SubscriptionRegistry,
  domainEvent: DomainEvent,
): boolean =>
  perViewerEntityFor(domainEvent).some((table) =>
    EVENTS.some((event) => subscriptions.tables.has(table, event)),
  );

/**
 * Delivers an entity change, to each subscriber with the record as they see it; the condition is checked on
 * that.
 */
export async function deliverEntityChange(
  app: Pick<RealtimeContext, "db" | "database" | "now" | "settings" | "tables">,
  subscriptions: SubscriptionRegistry,
  domainEvent: DomainEvent,
): Promise<void> {
  for (const change of await listPerViewerChanges(app.db, domainEvent, listPersonIds(subscriptions.callers)))
    await deliverOneEntityChange(app, subscriptions, change);
}

async function deliverOneEntityChange(
  app: Pick<RealtimeContext, "database" | "now" | "settings" | "tables">,
  subscriptions: SubscriptionRegistry,
  change: PerViewerChange,
) {
  const { table: name, event, objectId, only } = change;
  const followers = subscriptions.tables
    .matching(name, event, { objectId })
    .filter(({ caller }) => !only || only.includes(caller.viewer.id ?? ""));
  if (followers.length === 0) return;
  const table = await app.tables.catalogue.table(name);
  const read = new Map<string, Promise<ApiRecord | null>>();
  for (const followed of followers) {
    const caller = await getTableCaller(app, followed.caller);
    const key = `${caller.server}/${caller.userId}`;
    const reading =
      read.get(key) ??
      (event === "deleted" ? readRemovedRecord(caller, change) : loadRecordFor(app, table, caller, objectId));
    read.set(key, reading);
    deliverRecordIfMatching(followed, event, await reading);
  }
}

/** Subscribers get only the id of a deleted record; the condition is checked on all that is known of it. */
function deliverRecordIfMatching(followed: TableSubscriber, event: string, record: ApiRecord | null) {
  if (!record || !matchesCondition(followed.following.viewerCondition, record)) return;
  sendToSubscriber(
    followed,
    event === "deleted" ? { ___class: record["___class"], objectId: record["objectId"] } : record,
  );
}

/**
 * The deleted record; null for callers who could not read it. Records of one person are limited by `only`.
 */
async function readRemovedRecord(
  { viewer }: TableCaller,
  { table, objectId, ids, couldRead }: PerViewerChange,
): Promise<ApiRecord | null> {
  // This viewer is the one that the real-time API has passed to the tables.
  return !couldRead || (await couldRead(viewer as Viewer)) ? { ___class: table, ...ids, objectId } : null;
}

/** Null when they cannot see it. */
async function loadRecordFor(
  app: Pick<RealtimeContext, "tables">,
  table: Table,
  caller: TableCaller,
  objectId: string,
): Promise<ApiRecord | null> {
  try {
    return await findOne(app.tables, caller, table, objectId);
  } catch (error) {
    if (error instanceof TableFault && error.code === CODES.objectNotFound) return null;
    throw error;
  }
}

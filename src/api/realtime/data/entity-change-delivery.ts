import { CODES, findOne, matchesCondition, type Table, TableFault, type ApiRecord } from "#baas/data";
import { type PerViewerChange, listPerViewerChanges, perViewerEntityFor } from "#community/api-entities";
import type { DomainEvent } from "#platform/outbox";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import { listPersonIds } from "../person-ids.ts";
import type { ViewerTableCaller } from "../realtime-caller.ts";
import type { TableSubscriber } from "./table-subscription-index.ts";
import { getTableCaller } from "./table-subscription.ts";
import { sendToSubscriber } from "./table-change-delivery.ts";

const EVENTS = ["created", "updated", "deleted"];

/** Whether an event may have changed a record of an entity that has subscribers. */
export const hasEntitySubscribers = (
  subscriptions: SubscriptionRegistry,
  domainEvent: DomainEvent,
): boolean =>
  perViewerEntityFor(domainEvent).some((table) =>
    EVENTS.some((event) => subscriptions.tables.has(table, event)),
  );

/**
 * Delivers an entity change. Each subscriber gets the record as they see it, and their condition is checked
 * on that version.
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
  const { table: name, event, objectId, only, except } = change;
  const followers = subscriptions.tables
    .matching(name, event, { objectId })
    .filter(({ caller }) => !only || only.includes(caller.viewer.id ?? ""))
    .filter(({ caller }) => !except?.includes(caller.viewer.id ?? ""));
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

/**
 * Sends a record to a subscriber if it meets their condition. Of a deleted record only the id is sent, and
 * the condition is checked on the ids that are still known.
 */
function deliverRecordIfMatching(followed: TableSubscriber, event: string, record: ApiRecord | null) {
  if (!record || !matchesCondition(followed.following.viewerCondition, record)) return;
  sendToSubscriber(
    followed,
    event === "deleted" ? { ___class: record["___class"], objectId: record["objectId"] } : record,
  );
}

/**
 * Facts about a deleted record; null for callers who could not read it. Changes of personal records are
 * delivered only to the people in `only`.
 */
async function readRemovedRecord(
  { viewer }: ViewerTableCaller,
  { table, objectId, ids, couldRead }: PerViewerChange,
): Promise<ApiRecord | null> {
  return !couldRead || (await couldRead(viewer)) ? { ___class: table, ...ids, objectId } : null;
}

/** Loads a record as a caller sees it; null when they cannot see it. */
async function loadRecordFor(
  app: Pick<RealtimeContext, "tables">,
  table: Table,
  caller: ViewerTableCaller,
  objectId: string,
): Promise<ApiRecord | null> {
  try {
    return await findOne(app.tables, caller, table, objectId);
  } catch (error) {
    if (error instanceof TableFault && error.code === CODES.objectNotFound) return null;
    throw error;
  }
}

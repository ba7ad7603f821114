import {
  type Caller as TableCaller,
  loadChangedRecord,
  listTableEvents,
  createRecordFilter,
  createTableAccessCheck,
  canFindChanged,
  canFindRow,
  type Table,
  findFullEvent,
  toDataEventRecords,
} from "#baas/data";
import { parseTrustedJson } from "#platform/json";
import type { DomainEvent, EventRecords } from "#platform/outbox";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import type { TableSubscriber } from "./table-subscription-index.ts";
import { getTableCaller } from "./table-subscription.ts";

/**
 * A table change. `whole`: details beyond the event's row, known only in the process where the change was
 * made.
 */
export type TableChange = { domainEvent: DomainEvent; id: string; whole: EventRecords | null };
type ChangeContext = {
  app: Pick<RealtimeContext, "db" | "database" | "now" | "settings" | "tables">;
  subscriptions: SubscriptionRegistry;
  table: Table;
  tableChange: TableChange;
};

const indexedEvent = (kind: string, event: string) => (kind === "relation" ? `relation-${event}` : event);
const tableNameOf = ({ table }: DomainEvent) => String(table);

/** Whether the changed table has subscribers. */
export function hasTableSubscribers(subscriptions: SubscriptionRegistry, domainEvent: DomainEvent): boolean {
  const { kind, events } = listTableEvents(domainEvent);
  return events.some((event) =>
    subscriptions.tables.has(tableNameOf(domainEvent), indexedEvent(kind, event)),
  );
}

/** Delivers a data-table change to subscribers who may read the records. */
export async function deliverTableChange(
  app: ChangeContext["app"],
  subscriptions: SubscriptionRegistry,
  change: TableChange,
): Promise<void> {
  const table = await loadCurrentTable(app, tableNameOf(change.domainEvent));
  if (!table) return;
  const scene = { app, subscriptions, table, tableChange: change };
  const { kind, events } = listTableEvents(change.domainEvent);
  if (kind === "record") return deliverRecordChange(scene, events);
  return kind === "records" ? deliverBulkChange(scene, events[0]!) : deliverRelationChange(scene, events[0]!);
}

const loadCurrentTable = (app: Pick<RealtimeContext, "tables">, name: string): Promise<Table | null> =>
  app.tables.catalogue.table(name).catch(() => null);

async function deliverRecordChange(
  { app, subscriptions, table, tableChange: change }: ChangeContext,
  events: string[],
) {
  const changed = await loadChangedRecord(app.tables, table, change.domainEvent, change.id, change.whole);
  if (!changed) return;
  const { record } = changed;
  for (const event of events) {
    const data = event === "deleted" ? { ___class: table.name, objectId: record["objectId"] } : record;
    for (const followed of subscriptions.tables.matching(table.name, event, record)) {
      const caller = followed.caller.tableCaller ?? (await getTableCaller(app, followed.caller));
      if (canFindChanged(table, caller, changed)) sendToSubscriber(followed, data);
    }
  }
}

/** Sends an event to a subscriber whose subscription is still open. */
export function sendToSubscriber({ caller, following }: TableSubscriber, data: unknown) {
  // The subscription may have been closed during a query. If it was renewed with the same options, it is
  // still valid.
  const now = caller.subscriptions.get(following.id);
  if (now?.kind === "table" && now.options === following.options)
    caller.send("SUB_RES", { id: following.id, data });
}

/**
 * Delivers a bulk change as the ids that a subscriber may see, or as a count. Only subscribers who see the
 * whole table get a count.
 */
async function deliverBulkChange(
  { app, subscriptions, table, tableChange: change }: ChangeContext,
  event: string,
) {
  const { domainEvent, id } = change;
  const ofIds = event === "bulk-created" || event === "bulk-upserted";
  const whole =
    change.whole ??
    (domainEvent[ofIds ? "ids" : "whereClause"] === null ? await findFullEvent(app.db, id) : null);
  const followers = subscriptions.tables.matching(table.name, event, {});
  if (!ofIds) {
    const all = await createTableAccessCheck(app.tables, table, whole);
    const data = {
      whereClause: whole?.["whereClause"] ?? domainEvent["whereClause"],
      count: domainEvent["count"],
    };
    for (const followed of followers)
      if (all(await getTableCaller(app, followed.caller))) sendToSubscriber(followed, data);
    return;
  }
  const found = await createRecordFilter(
    app.tables,
    table,
    toDataEventRecords(whole).ids ?? parseIds(domainEvent["ids"]),
  );
  for (const followed of followers) {
    const ids = await found(await getTableCaller(app, followed.caller));
    if (ids.length > 0) sendToSubscriber(followed, ids);
  }
}

const parseIds = (text: unknown): string[] => (typeof text === "string" ? parseTrustedJson(text) : []);

/** Delivers a relation change to subscribers who see the parent, with the ids of the children they see. */
async function deliverRelationChange(
  { app, subscriptions, table, tableChange: change }: ChangeContext,
  event: string,
) {
  const { domainEvent, id } = change;
  const [relation, parentId] = [String(domainEvent["relation"]), String(domainEvent["parentId"])];
  const followers = subscriptions.tables.matching(table.name, `relation-${event}`, {
    relation,
    parent: `${relation}/${parentId}`,
  });
  const child = app.tables.catalogue.known(table.relations.get(relation)?.toTable ?? "");
  if (followers.length === 0 || !child) return;
  const conditional = domainEvent["conditional"] === true;
  const isLong = domainEvent[conditional ? "whereClause" : "children"] === null;
  const whole = change.whole ?? (isLong ? await findFullEvent(app.db, id) : null);
  const children = conditional
    ? []
    : (toDataEventRecords(whole).children ?? parseIds(domainEvent["children"]));
  const parents = await findParentReaders(app, table, domainEvent);
  const related = await createRecordFilter(app.tables, child, children);
  for (const followed of followers) {
    const caller = await getTableCaller(app, followed.caller);
    const seen = await related(caller);
    if (!(await parents(caller)) || (seen.length === 0 && children.length > 0)) continue;
    const whereClause = conditional ? (whole?.["whereClause"] ?? domainEvent["whereClause"]) : null;
    sendToSubscriber(followed, {
      parentObjectId: parentId,
      conditional,
      whereClause,
      children: conditional ? null : seen,
    });
  }
}

/**
 * Returns a function that checks whether a caller can find the parent. The owner is taken from the event,
 * since the parent may be deleted; grants are queried only if the table has any.
 */
async function findParentReaders(
  { tables }: Pick<RealtimeContext, "tables">,
  table: Table,
  { parentId, parentOwner }: DomainEvent,
) {
  if (!table.hasGrants) return async (caller: TableCaller) => canFindRow(table, caller, parentOwner, []);
  const found = await createRecordFilter(tables, table, [String(parentId)]);
  return async (caller: TableCaller) => (await found(caller)).length > 0;
}

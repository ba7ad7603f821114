import { getDueMessage, type PublishedMessage } from "#baas/messaging";
import {
  loadChangedRecord,
  listTableEvents,
  isTableEvent,
  withTable,
  parseSelector,
  matchesSelector,
  TableFault,
  findFullEvent,
  type Table,
} from "#baas/data";
import { limit, many, run, sql, type Tx } from "#platform/database";
import { parseTrustedJson } from "#platform/json";
import { currentEventCause, type DomainEvent } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { Trigger } from "./trigger-schemas.ts";
import type { Automations } from "./automations.ts";
import { triggerByEntity, matchesTrigger } from "./entity-triggers.ts";
import { nextTriggerTime } from "./trigger-schedule.ts";
import { type TriggerInput, deliverToAutomation, startOrWakeRun } from "./trigger-delivery.ts";
import type { ActiveTrigger } from "./trigger-registry.ts";

/**
 * Types of table and channel events for which the dispatcher calls `triggerAutomations`.
 * `AUTOMATION_EVENT_TYPES` adds the events of API entities.
 */
export const TRIGGER_EVENTS = [
  "record.created",
  "record.updated",
  "record.upserted",
  "record.deleted",
  "records.created",
  "records.updated",
  "records.upserted",
  "records.deleted",
  "channel.published",
] as const;

/** Starts automations and wakes runs for a domain event. An event that is delivered again starts nothing. */
export async function triggerAutomations(
  flows: Automations,
  domainEvent: DomainEvent,
  id: string,
): Promise<void> {
  if (domainEvent.type === "channel.published") return triggerByDueMessage(flows, domainEvent, id);
  if (isTableEvent(domainEvent)) return triggerByTable(flows, domainEvent, id);
  for (const change of flows.entities.changesIn(domainEvent))
    await triggerByEntity(flows, change, describeSource(domainEvent, id));
}

const describeSource = (domainEvent: DomainEvent, id: string) => ({
  cause: getCause(domainEvent),
  sourceEvent: `outbox ${id}`,
});

async function triggerByTable(flows: Automations, domainEvent: DomainEvent, id: string): Promise<void> {
  const watching = await flows.watched.onTable(String(domainEvent["table"]));
  if (watching.length === 0) return;
  const { kind, events } = listTableEvents(domainEvent);
  const activeTriggers = watching.filter(
    ({ trigger }) => trigger.kind === "table" && trigger.events.some((event) => events.includes(event)),
  );
  if (activeTriggers.length === 0) return;
  const source = describeSource(domainEvent, id);
  if (kind === "records")
    return triggerByBulkChange(flows, activeTriggers, domainEvent, id, { ...source, event: events[0]! });
  await triggerByRecord(flows, activeTriggers, domainEvent, id, { ...source, events });
}

const getCause = ({ cause }: DomainEvent): string | null => (typeof cause === "string" ? cause : null);

async function triggerByRecord(
  flows: Automations,
  activeTriggers: ActiveTrigger[],
  domainEvent: DomainEvent,
  id: string,
  { events, ...source }: Omit<TriggerInput, "data"> & { events: string[] },
): Promise<void> {
  const found = await findEventRecord(flows, domainEvent, id);
  if (!found) return;
  for (const { flowId, trigger } of activeTriggers) {
    if (trigger.kind !== "table" || !matchesTrigger(trigger, found.table, found.record)) continue;
    const event = trigger.events.find((one) => events.includes(one))!;
    await deliverToAutomation(
      flows,
      { flowId, trigger },
      { ...source, data: { event, table: trigger.table, record: found.record } },
    );
  }
}

type FoundRecord = { table: Table; record: Record<string, unknown> };

/**
 * Finds the current record, or its last state if it was deleted; null if the table or record no longer
 * exists.
 */
async function findEventRecord(
  flows: Automations,
  domainEvent: DomainEvent,
  id: string,
): Promise<FoundRecord | null> {
  try {
    return await withTable(flows.tables, String(domainEvent["table"]), async (table) => {
      const changed = await loadChangedRecord(flows.tables, table, domainEvent, id, null);
      return changed && { table, record: changed.record };
    });
  } catch (error) {
    if (error instanceof TableFault) return null;
    throw error;
  }
}

/**
 * Handles a bulk change; the data is the list of ids, or the clause and the count. Conditions are not
 * checked, since they apply to single records.
 */
async function triggerByBulkChange(
  flows: Automations,
  activeTriggers: ActiveTrigger[],
  domainEvent: DomainEvent,
  id: string,
  { event, ...source }: Omit<TriggerInput, "data"> & { event: string },
) {
  const { type: _type, table: _table, by: _by, cause: _cause, ...about } = domainEvent;
  const whole = (await findFullEvent(flows.db, id)) ?? {};
  for (const { flowId, trigger } of activeTriggers)
    await deliverToAutomation(
      flows,
      { flowId, trigger },
      { ...source, data: { event, table: domainEvent["table"], ...about, ...whole } },
    );
}

/** Handles a scheduled message that has been published. */
async function triggerByDueMessage(
  flows: Automations,
  { messageId, at, channel }: DomainEvent,
  id: string,
): Promise<void> {
  if ((await flows.watched.onChannel(String(channel))).length === 0) return;
  const published = await getDueMessage(flows.channels, String(messageId), new Date(Number(at)));
  if (published) await triggerByMessage(flows, published, { cause: null, sourceEvent: `outbox ${id}` });
}

/** Starts automations for messages published in this process. Returns the unsubscribe function. */
export function listenToMessages(flows: Automations): () => void {
  const onPublish = (published: PublishedMessage) => {
    const cause = currentEventCause();
    triggerByMessage(flows, published, { cause, sourceEvent: null }).catch((error: unknown) =>
      flows.log.warn({ err: error }, "a message could not be delivered to automations"),
    );
  };
  flows.channels.listeners.add(onPublish);
  return () => void flows.channels.listeners.delete(onPublish);
}

async function triggerByMessage(
  flows: Automations,
  { channel, message }: PublishedMessage,
  source: Omit<TriggerInput, "data">,
): Promise<void> {
  for (const { flowId, trigger } of await flows.watched.onChannel(channel)) {
    if (trigger.kind !== "channel") continue;
    if (trigger.selector !== undefined && !matchesSelector(parseSelector(trigger.selector), message.headers))
      continue;
    const { messageId, headers, publisherId } = message;
    await deliverToAutomation(
      flows,
      { flowId, trigger },
      { ...source, data: { channel, message: message.message, messageId, headers, publisherId } },
    );
  }
}

/** Maximum due schedules handled in one transaction. */
const SCHEDULE_BATCH = 50;
type DueSchedule = { id: string; flowId: string; definition: string; nextAt: Date };

/**
 * Starts automations whose schedule is due; returns how many. The next time is set in the same transaction:
 * only one of several processes handles a schedule, and after a crash the schedule is still due.
 */
export async function runDueSchedules(flows: Automations): Promise<number> {
  return flows.inTransaction(async (tx) => {
    const due = await many(
      tx,
      sql<DueSchedule>`
        select id, flow_id as "flowId", definition, next_at as "nextAt" from automation_triggers
        where next_at <= ${tx.now}
        order by next_at, id ${limit(SCHEDULE_BATCH)} for update skip locked`,
    );
    for (const { id, flowId, definition, nextAt } of due) {
      const trigger = parseTrustedJson<Trigger>(definition);
      await run(
        tx,
        sql`update automation_triggers set next_at = ${nextTriggerTime(trigger, tx.now, nextAt)}
          where id = ${id}`,
      );
      await runSchedule(flows, tx, { flowId, trigger }, nextAt);
    }
    return due.length;
  });
}

async function runSchedule(
  flows: Automations,
  tx: Tx,
  { flowId, trigger }: Pick<ActiveTrigger, "flowId" | "trigger">,
  at: Date,
) {
  try {
    await startOrWakeRun(flows, tx, flowId, trigger, {
      data: { at: at.getTime() },
      cause: null,
      sourceEvent: `clock ${at.toISOString()}`,
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    flows.log.warn(
      { flowId, trigger: trigger.name, reason: error.reason, kind: error.kind },
      "a scheduled automation could not start",
    );
  }
}

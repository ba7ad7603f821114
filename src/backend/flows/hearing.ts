import { dueMessage, type Published } from "#backend/channels";
import { changedRecord, eventsOf, isOfTables, onTable, readSelector, selects, TableFault, wholeOf, type Table } from "#backend/tables";
import { limit, many, run, sql, type Tx } from "#platform/database";
import { doingNow, type Happening } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { Trigger } from "./triggers.ts";
import type { Flows } from "./flows.ts";
import { hearNoun, isMeant } from "./nouns.ts";
import { nextMoment } from "./schedule.ts";
import { type Heard, tell, told } from "./telling.ts";
import type { Watching } from "./watched.ts";

/**
 * Domain events that trigger automations, besides those of API entities. The dispatcher calls
 * `triggerAutomations` for each.
 */
export const HEARD = [
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

/** Starts automations and wakes runs for a domain event. Repeating an event starts nothing twice. */
export async function hearOf(flows: Flows, happening: Happening, id: string): Promise<void> {
  if (happening.type === "channel.published") return hearDue(flows, happening, id);
  if (isOfTables(happening)) return hearTable(flows, happening, id);
  for (const change of flows.nouns.changesIn(happening)) await hearNoun(flows, change, heardOf(happening, id));
}

const heardOf = (happening: Happening, id: string) => ({ cause: causeOf(happening), told: `outbox ${id}` });

async function hearTable(flows: Flows, happening: Happening, id: string): Promise<void> {
  const watching = await flows.watched.onTable(String(happening["table"]));
  if (watching.length === 0) return;
  const { kind, events } = eventsOf(happening);
  const wanted = watching.filter(({ trigger }) => trigger.kind === "table" && trigger.events.some((event) => events.includes(event)));
  if (wanted.length === 0) return;
  const heard = heardOf(happening, id);
  if (kind === "records") return hearMany(flows, wanted, happening, id, { ...heard, event: events[0]! });
  await hearRecord(flows, wanted, happening, id, { ...heard, events });
}

const causeOf = ({ cause }: Happening): string | null => (typeof cause === "string" ? cause : null);

async function hearRecord(
  flows: Flows,
  wanted: Watching[],
  happening: Happening,
  id: string,
  { events, ...heard }: Omit<Heard, "data"> & { events: string[] },
): Promise<void> {
  const found = await recordOf(flows, happening, id);
  if (!found) return;
  for (const { flowId, trigger } of wanted) {
    if (trigger.kind !== "table" || !isMeant(trigger, found.table, found.record)) continue;
    const event = trigger.events.find((one) => events.includes(one))!;
    await tell(flows, { flowId, trigger }, { ...heard, data: { event, table: trigger.table, record: found.record } });
  }
}

type Found = { table: Table; record: Record<string, unknown> };

/** The current record, or its last state if it was deleted; null if the table or record is gone. */
async function recordOf(flows: Flows, happening: Happening, id: string): Promise<Found | null> {
  try {
    return await onTable(flows.tables, String(happening["table"]), async (table) => {
      const changed = await changedRecord(flows.tables, table, happening, id, null);
      return changed && { table, record: changed.record };
    });
  } catch (error) {
    if (error instanceof TableFault) return null;
    throw error;
  }
}

/**
 * A bulk change: the ids, or the clause and the count. Conditions apply to single records and are not checked
 * here.
 */
async function hearMany(
  flows: Flows,
  wanted: Watching[],
  happening: Happening,
  id: string,
  { event, ...heard }: Omit<Heard, "data"> & { event: string },
) {
  const { type: _type, table: _table, by: _by, cause: _cause, ...about } = happening;
  const whole = (await wholeOf(flows.db, id)) ?? {};
  for (const { flowId, trigger } of wanted)
    await tell(flows, { flowId, trigger }, { ...heard, data: { event, table: happening["table"], ...about, ...whole } });
}

/** A scheduled message that was published. */
async function hearDue(flows: Flows, { messageId, at, channel }: Happening, id: string): Promise<void> {
  if ((await flows.watched.onChannel(String(channel))).length === 0) return;
  const published = await dueMessage(flows.channels, String(messageId), new Date(Number(at)));
  if (published) await hearMessage(flows, published, { cause: null, told: `outbox ${id}` });
}

/** Listens to messages published in this process. Returns a function that stops it. */
export function listen(flows: Flows): () => void {
  const hear = (published: Published) => {
    const cause = doingNow();
    hearMessage(flows, published, { cause, told: null }).catch((error: unknown) =>
      flows.log.warn({ err: error }, "flows could not hear of a message"),
    );
  };
  flows.channels.listeners.add(hear);
  return () => void flows.channels.listeners.delete(hear);
}

async function hearMessage(flows: Flows, { channel, message }: Published, heard: Omit<Heard, "data">): Promise<void> {
  for (const { flowId, trigger } of await flows.watched.onChannel(channel)) {
    if (trigger.kind !== "channel") continue;
    if (trigger.selector !== undefined && !selects(readSelector(trigger.selector), message.headers)) continue;
    const { messageId, headers, publisherId } = message;
    await tell(flows, { flowId, trigger }, { ...heard, data: { channel, message: message.message, messageId, headers, publisherId } });
  }
}

/** Schedules handled in one transaction. */
const ROUND = 50;
type Due = { id: string; flowId: string; definition: string; nextAt: Date };

/**
 * Starts automations whose schedule is due; returns how many. The next time is set in the same transaction,
 * so that only one of several processes takes each, and a crash leaves it due.
 */
export async function takeSchedules(flows: Flows): Promise<number> {
  return flows.inTransaction(async (tx) => {
    const due = await many(
      tx,
      sql<Due>`
        select id, flow_id as "flowId", definition, next_at as "nextAt" from flow_triggers where next_at <= ${tx.now}
        order by next_at, id ${limit(ROUND)} for update skip locked`,
    );
    for (const { id, flowId, definition, nextAt } of due) {
      const trigger = JSON.parse(definition) as Trigger;
      await run(tx, sql`update flow_triggers set next_at = ${nextMoment(trigger, tx.now, nextAt)} where id = ${id}`);
      await takeOne(flows, tx, { flowId, trigger }, nextAt);
    }
    return due.length;
  });
}

async function takeOne(flows: Flows, tx: Tx, { flowId, trigger }: Pick<Watching, "flowId" | "trigger">, at: Date) {
  try {
    await told(flows, tx, flowId, trigger, { data: { at: at.getTime() }, cause: null, told: `clock ${at.toISOString()}` });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    flows.log.warn({ flowId, trigger: trigger.name, reason: error.reason, kind: error.kind }, "a flow did not begin by the clock");
  }
}

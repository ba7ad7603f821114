import {
  parseChangeCondition,
  matchesCondition,
  TableFault,
  SERVER_CALLER,
  type Table,
  type ApiRecord,
} from "#baas/data";
import type { DomainEvent } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { type Definition, STEP_RIGHTS } from "./automation-definition.ts";
import type { Automations } from "./automations.ts";
import { type TriggerInput, deliverToAutomation } from "./trigger-delivery.ts";
import type { TableEvent, Trigger } from "./trigger-schemas.ts";

/** A change of an API entity, with the ids of the record and of what it belongs to. */
export type EntityChange = {
  table: string;
  event: TableEvent;
  ids: { objectId: string } & Record<string, string | null>;
};
/**
 * Two versions of a record, limited to what certain rights can read: one for conditions, one for a run's
 * data.
 */
export type TriggerRecord = { forConditions: ApiRecord; forRun: ApiRecord };

/** Facts about API entities for automations. */
export type EntityTriggers = {
  /** Supported events by entity. Entities without events are left out. */
  events: Readonly<Record<string, readonly TableEvent[]>>;
  /** The entity changes of a domain event, at most one per entity. */
  changesIn: (domainEvent: DomainEvent) => EntityChange[];
  /**
   * Reads the current record, or the known fields of a deleted record; null if these rights cannot read the
   * record.
   */
  read: (change: EntityChange, rights: Definition["rights"]) => Promise<TriggerRecord | null>;
};

/**
 * Starts automations and wakes runs for a change of an API entity. A change has no caller, so automations
 * that run with the rights of their starter receive what an anonymous caller can read.
 */
export async function triggerByEntity(
  flows: Automations,
  change: EntityChange,
  source: Omit<TriggerInput, "data">,
): Promise<void> {
  const { table: name, event } = change;
  const watching = (await flows.watched.onTable(name)).filter(
    ({ trigger }) => trigger.kind === "table" && trigger.events.includes(event),
  );
  if (watching.length === 0) return;
  const table = await flows.tables.catalogue.table(name);
  for (const rights of STEP_RIGHTS) {
    // Waiting runs use the definition with which they were started, even if the automation has been changed
    // since.
    const activeTriggers = watching.filter((it) => !it.trigger.starts || it.rights === rights);
    const found = activeTriggers.length > 0 ? await flows.entities.read(change, rights) : null;
    if (!found) continue;
    for (const it of activeTriggers)
      if (matchesTrigger(it.trigger, table, found.forConditions))
        await deliverToAutomation(flows, it, {
          ...source,
          data: { event, table: name, record: found.forRun },
          rights,
        });
  }
}

/**
 * Whether a record matches a trigger. A condition that cannot be evaluated, for instance on a dropped column,
 * does not match.
 */
export function matchesTrigger(trigger: Trigger, table: Table, record: ApiRecord): boolean {
  if (trigger.kind !== "table" || trigger.where === undefined) return trigger.kind === "table";
  try {
    return matchesCondition(parseChangeCondition(table, SERVER_CALLER, trigger.where), record);
  } catch (error) {
    if (error instanceof Refusal || error instanceof TableFault) return false;
    throw error;
  }
}

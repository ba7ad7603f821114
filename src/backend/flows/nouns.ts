import { conditionOn, meets, TableFault, type Caller, type Table, type WireRecord } from "#backend/tables";
import type { Happening } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { Definition } from "./definition.ts";
import type { Flows } from "./flows.ts";
import { type Heard, tell } from "./telling.ts";
import type { Event, Trigger } from "./triggers.ts";

/** A change of an API entity: the record, and the ids it belongs to. */
export type NounChange = { table: string; event: Event; ids: { objectId: string } & Record<string, string | null> };
/** A record as certain rights can read it: to check conditions, and as passed to a run. */
export type NounRead = { asked: WireRecord; given: WireRecord };

/** API entities as far as they trigger automations. */
export type HeardNouns = {
  /** Supported events by entity; entities without any are missing. */
  events: Readonly<Record<string, readonly Event[]>>;
  /** The entity changes of a domain event, at most one per entity. */
  changesIn: (happening: Happening) => NounChange[];
  /** The current record, or what is left of a deleted one; null if these rights cannot read it. */
  read: (change: NounChange, rights: Definition["rights"]) => Promise<NounRead | null>;
};

const RIGHTS = ["house", "starter"] as const;

/**
 * Starts automations and wakes runs for a change of an API entity. The change has no caller, so runs with the
 * rights of their starter receive what an anonymous caller can read.
 */
export async function hearNoun(flows: Flows, change: NounChange, heard: Omit<Heard, "data">): Promise<void> {
  const { table: name, event } = change;
  const watching = (await flows.watched.onTable(name)).filter(({ trigger }) => trigger.kind === "table" && trigger.events.includes(event));
  if (watching.length === 0) return;
  const table = await flows.tables.catalogue.table(name);
  for (const rights of RIGHTS) {
    // Waiting runs follow the definition with which they began, whatever the automation says now.
    const wanted = watching.filter((it) => !it.trigger.starts || it.rights === rights);
    const found = wanted.length > 0 ? await flows.nouns.read(change, rights) : null;
    if (!found) continue;
    for (const it of wanted)
      if (isMeant(it.trigger, table, found.asked))
        await tell(flows, it, { ...heard, data: { event, table: name, record: found.given }, rights });
  }
}

const READER: Caller = { userId: null, roles: [], server: true };

/**
 * Whether a record matches a trigger. A condition that cannot be evaluated, for instance on a dropped column,
 * does not match.
 */
export function isMeant(trigger: Trigger, table: Table, record: WireRecord): boolean {
  if (trigger.kind !== "table" || trigger.where === undefined) return trigger.kind === "table";
  try {
    return meets(conditionOn(table, READER, trigger.where), record);
  } catch (error) {
    if (error instanceof Refusal || error instanceof TableFault) return false;
    throw error;
  }
}

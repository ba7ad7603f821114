import { conditionOn, meets, TableFault, type Caller, type Table, type WireRecord } from "#backend/tables";
import type { Happening } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { Definition } from "./definition.ts";
import type { Flows } from "./flows.ts";
import { type Heard, tell } from "./telling.ts";
import type { Event, Trigger } from "./triggers.ts";

/** What happened to a record of a table that is not a program's own: which one it is, and where it stands. */
export type NounChange = { table: string; event: Event; ids: { objectId: string } & Record<string, string | null> };
/** A record as somebody's rights read it, to ask conditions of; and as a run gets it. */
export type NounRead = { asked: WireRecord; given: WireRecord };

/** Tables that others publish, as far as flows hear of them. What these are about, flows do not know. */
export type HeardNouns = {
  /** By the name of each, what may start flows; nothing for one that never does. */
  events: Readonly<Record<string, readonly Event[]>>;
  /** What a happening did to them: to each one thing at the most. */
  changesIn: (happening: Happening) => NounChange[];
  /** The record as it is by now, or what is left of one that went; null for what these rights do not read. */
  read: (change: NounChange, rights: Definition["rights"]) => Promise<NounRead | null>;
};

const RIGHTS = ["house", "starter"] as const;

/**
 * Starts flows and wakes runs for what happened to a published record. Nobody in particular did, so a run that has the rights of its starter
 * gets what nobody in particular reads.
 */
export async function hearNoun(flows: Flows, change: NounChange, heard: Omit<Heard, "data">): Promise<void> {
  const { table: name, event } = change;
  const watching = (await flows.watched.onTable(name)).filter(({ trigger }) => trigger.kind === "table" && trigger.events.includes(event));
  if (watching.length === 0) return;
  const table = await flows.tables.catalogue.table(name);
  for (const rights of RIGHTS) {
    // Runs that wait go by the definition with which they began, whatever the flow says now.
    const wanted = watching.filter((it) => !it.trigger.starts || it.rights === rights);
    const found = wanted.length > 0 ? await flows.nouns.read(change, rights) : null;
    if (!found) continue;
    for (const it of wanted)
      if (isMeant(it.trigger, table, found.asked))
        await tell(flows, it, { ...heard, data: { event, table: name, record: found.given }, rights });
  }
}

const READER: Caller = { userId: null, roles: [], server: true };

/** Whether a record is what a trigger asks for. What a condition cannot be asked of, it does not hold of: a column that is gone, say. */
export function isMeant(trigger: Trigger, table: Table, record: WireRecord): boolean {
  if (trigger.kind !== "table" || trigger.where === undefined) return trigger.kind === "table";
  try {
    return meets(conditionOn(table, READER, trigger.where), record);
  } catch (error) {
    if (error instanceof Refusal || error instanceof TableFault) return false;
    throw error;
  }
}

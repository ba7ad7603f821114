import { type Caller as TableCaller, CODES, findOne, meets, type Table, TableFault, type WireRecord } from "#backend/tables";
import { type ViewedChange, viewedChangesIn, viewedIn } from "#community/published";
import type { Viewer } from "#community/rules";
import type { Happening } from "#platform/outbox";
import { peopleAmong, type RealtimeHouse, type Room } from "../room.ts";
import type { Followed } from "./filing.ts";
import { tableCallerOf } from "./following.ts";
import { send } from "./telling.ts";

const EVENTS = ["created", "updated", "deleted"];

/** Whether an event may have changed an entity with subscribers. */
export const isViewed = (room: Room, happening: Happening): boolean =>
  viewedIn(happening).some((table) => EVENTS.some((event) => room.tables.has(table, event)));

/**
 * Delivers an entity change, to each subscriber with the record as they see it; the condition is checked on
 * that.
 */
export async function tellViewed(house: RealtimeHouse, room: Room, happening: Happening): Promise<void> {
  for (const change of await viewedChangesIn(house.db, happening, peopleAmong(room.callers))) await tellOne(house, room, change);
}

async function tellOne(house: RealtimeHouse, room: Room, change: ViewedChange) {
  const { table: name, event, objectId, only } = change;
  const followers = room.tables.matching(name, event, { objectId }).filter(({ caller }) => !only || only.includes(caller.viewer.id ?? ""));
  if (followers.length === 0) return;
  const table = await house.tables.catalogue.table(name);
  const read = new Map<string, Promise<WireRecord | null>>();
  for (const followed of followers) {
    const who = await tableCallerOf(house, followed.caller);
    const key = `${who.server}/${who.userId}`;
    const reading = read.get(key) ?? (event === "deleted" ? goneFor(who, change) : recordFor(house, table, who, objectId));
    read.set(key, reading);
    tellAs(followed, event, await reading);
  }
}

/** Of what is gone there is no more to say than which it was; a condition is asked of what else is known of it. */
function tellAs(followed: Followed, event: string, record: WireRecord | null) {
  if (!record || !meets(followed.following.asksOfSight, record)) return;
  send(followed, event === "deleted" ? { ___class: record["___class"], objectId: record["objectId"] } : record);
}

/** Null for who could not read it. Whose own it was is known by `only`. */
async function goneFor({ viewer }: TableCaller, { table, objectId, ids, couldRead }: ViewedChange): Promise<WireRecord | null> {
  // Who a caller is to the rules, the real-time API itself has handed to the tables.
  return !couldRead || (await couldRead(viewer as Viewer)) ? { ___class: table, ...ids, objectId } : null;
}

/** Null when they cannot see it. */
async function recordFor(house: RealtimeHouse, table: Table, who: TableCaller, objectId: string): Promise<WireRecord | null> {
  try {
    return await findOne(house.tables, who, table, objectId);
  } catch (error) {
    if (error instanceof TableFault && error.code === CODES.objectNotFound) return null;
    throw error;
  }
}

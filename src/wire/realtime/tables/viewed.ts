import { type Caller as TableCaller, CODES, findOne, meets, type Table, TableFault, type WireRecord } from "#backend/tables";
import { type ViewedChange, viewedChangesIn, viewedIn } from "#community/published";
import type { Happening } from "#platform/outbox";
import { peopleAmong, type RealtimeHouse, type Room } from "../room.ts";
import type { Followed } from "./filing.ts";
import { tableCallerOf } from "./following.ts";
import { send } from "./telling.ts";

/** Whether anybody follows what this may have changed, of nouns that everybody reads as themselves. */
export function isViewed(room: Room, happening: Happening): boolean {
  const table = viewedIn(happening);
  return table !== null && (room.tables.has(table, "created") || room.tables.has(table, "updated"));
}

/** Tells who follows a noun of a change, each with the record as they find it; a condition is asked of that. */
export async function tellViewed(house: RealtimeHouse, room: Room, happening: Happening): Promise<void> {
  for (const change of await viewedChangesIn(house.db, happening, peopleAmong(room.callers))) await tellOne(house, room, change);
}

async function tellOne(house: RealtimeHouse, room: Room, { table: name, event, objectId, only }: ViewedChange) {
  const followers = room.tables.matching(name, event, { objectId }).filter(({ caller }) => !only || only.includes(caller.viewer.id ?? ""));
  if (followers.length === 0) return;
  const table = await house.tables.catalogue.table(name);
  const read = new Map<string, Promise<WireRecord | null>>();
  for (const followed of followers) {
    const who = await tableCallerOf(house, followed.caller);
    const key = `${who.server}/${who.userId}`;
    const reading = read.get(key) ?? recordFor(house, table, who, objectId);
    read.set(key, reading);
    tellAs(followed, await reading);
  }
}

function tellAs(followed: Followed, record: WireRecord | null) {
  if (record && meets(followed.following.asksOfSight, record)) send(followed, record);
}

/** Null for what they do not find. */
async function recordFor(house: RealtimeHouse, table: Table, who: TableCaller, objectId: string): Promise<WireRecord | null> {
  try {
    return await findOne(house.tables, who, table, objectId);
  } catch (error) {
    if (error instanceof TableFault && error.code === CODES.objectNotFound) return null;
    throw error;
  }
}

import type { Happening } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { Caller } from "../caller.ts";
import type { RealtimeHouse, Room } from "../room.ts";
import type { Followed } from "./filing.ts";
import { codeOf, faceOf, followingOn, tableCallerOf } from "./following.ts";

/** Drops cached roles that an event may have changed. Returns the callers concerned. */
export function forgetRoles(room: Room, { type, personId }: Happening): Caller[] {
  if (!/^(role|person)\./.test(type)) return [];
  const concerned = [...room.callers].filter(({ viewer }) => type === "role.dropped" || (viewer.id !== null && viewer.id === personId));
  for (const caller of concerned) caller.forgetRoles();
  return concerned.filter(({ subscriptions }) => [...subscriptions.values()].some(({ kind }) => kind === "table"));
}

/** Checks the table subscriptions of these callers again. */
export async function askAgain(house: RealtimeHouse, room: Room, callers: Caller[]): Promise<void> {
  for (const caller of callers) {
    const followings = [...caller.subscriptions.values()].filter((it) => it.kind === "table");
    for (const following of followings) await again(house, room, { caller, following });
  }
}

/** After schema changes: reads subscriptions to the changed tables again. */
export async function tablesChanged(house: RealtimeHouse, room: Room): Promise<void> {
  for (const name of room.tables.tables()) {
    const table = await house.tables.catalogue.table(name).catch(() => null);
    const face = table && faceOf(table);
    const followers = room.tables.followersOf(name).filter(({ following }) => following.face !== face);
    for (const followed of followers) await again(house, room, followed);
  }
}

/** Reads a subscription again and continues with it, or closes it with the refusal a new one would get. */
async function again(house: RealtimeHouse, room: Room, { caller, following }: Followed) {
  try {
    const table = await house.tables.catalogue.table(following.table);
    const fresh = followingOn(table, await tableCallerOf(house, caller), following.id, following.asked);
    if (caller.subscriptions.get(following.id) === following) room.open(caller, fresh);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (caller.subscriptions.get(following.id) !== following) return;
    room.close(caller, following.id);
    caller.refuse("SUB_RES", following.id, error, codeOf(error));
  }
}

import { Refusal } from "#platform/refusal";
import type { Caller } from "./caller.ts";
import { depart } from "./channels.ts";
import { type Who, whoIs } from "./handshake.ts";
import { isFree, showChange } from "./pub-sub/index.ts";
import type { RealtimeHouse, Room } from "./room.ts";
import { becameAnother, leaveShared } from "./shared/index.ts";
import { askAgain } from "./tables/again.ts";
import { closeWhereShut } from "./telling.ts";

/**
 * Whoever this token stands for speaks from now on. Tokens are looked at in the order in which they came: to find somebody takes longer
 * than to find nobody, and who has signed out would be signed in again. One that stands for nobody ends the line, since whoever spoke
 * before has said that they do no more; who comes back is asked at the door.
 */
export function speaksAs(house: RealtimeHouse, room: Room, caller: Caller, id: string, token: string | null): Promise<void> {
  const turn = caller.becoming.then(() => named(house, room, caller, id, token));
  caller.becoming = turn.catch(() => {});
  return turn;
}

async function named(house: RealtimeHouse, room: Room, caller: Caller, id: string, token: string | null) {
  try {
    await becomes(house, room, caller, await whoIs(house, token, caller.withServerKey));
  } catch (error) {
    if (error instanceof Refusal) caller.refuse("MET_RES", id, error);
    caller.end();
    throw error;
  }
}

/** Somebody else speaks from now on: channels were those of the one before, and places are asked about again. */
async function becomes(house: RealtimeHouse, room: Room, caller: Caller, who: Who) {
  if (who.viewer.id !== caller.viewer.id)
    for (const it of caller.subscriptions.values())
      if ((it.kind === "channel" && !isFree(it.channel)) || it.kind === "console") {
        await unsubscribe(house, room, caller, it.id);
        caller.refuse("SUB_RES", it.id, new Refusal("not-signed-in", "Somebody else is signed in here now. Connect again."));
      }
  const before = caller.viewer.id;
  Object.assign(caller, who);
  caller.forgetRoles();
  if (before !== who.viewer.id) {
    await showChange(house, room, caller);
    await becameAnother(house, room, caller);
  }
  await closeWhereShut(house, room, (it) => it === caller);
  await askAgain(house, room, [caller]);
}

/** Somebody listens no more to what they asked for under this id. */
export async function unsubscribe(house: RealtimeHouse, room: Room, caller: Caller, id: string) {
  caller.beginning.delete(id);
  const closed = room.close(caller, id);
  if (closed?.kind === "shared") return leaveShared(house, room, caller, closed);
  if (closed?.kind !== "channel" || closed.side !== "connect" || room.on(closed.channel, "connect").has(caller)) return;
  await depart(house, room, caller, closed.channel);
}

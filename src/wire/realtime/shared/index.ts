import { Refusal } from "#platform/refusal";
import type { Caller, Sharing } from "../caller.ts";
import type { RealtimeHouse, Room } from "../room.ts";
import { announce, greet } from "./company.ts";
import type { Deed } from "./deeds.ts";
import { earsOf, mayShare } from "./subscribing.ts";
import { tellDeed } from "./telling.ts";

export type { Deed } from "./deeds.ts";
export { isSharedMethod, onShared } from "./methods.ts";
export { Order } from "./order.ts";
export { assertSharing, isSharing, sharedName, sharing } from "./subscribing.ts";
export { Turns } from "./turns.ts";

/** Delivers events of other processes to local listeners. If that fails, they are disconnected and reload. */
export const startSharing =
  (house: RealtimeHouse, room: Room) =>
  (deed: Deed): void => {
    if (earsOf(room, deed.name, "connect").size === 0) return;
    const done = async () => {
      room.turns.assertFree(deed.name);
      await room.turns.run(deed.name, () => tellDeed(house, room, deed));
    };
    done().catch((error: unknown) => {
      house.log.warn({ err: error }, "what was done with a shared object could not be shown on sockets");
      for (const caller of earsOf(room, deed.name, "connect").keys()) caller.end();
    });
  };

/** Opens a subscription to one side of an object. */
export async function enterShared(house: RealtimeHouse, room: Room, caller: Caller, { id, name, side }: Sharing): Promise<void> {
  if (side === "users") return greet(house, room, caller, name, id);
  if (side === "connect" && earsOf(room, name, side).get(caller)?.size === 1) await announce(house, room, caller, name, "CONNECTED");
}

/** Closes a subscription to one side of an object. */
export async function leaveShared(house: RealtimeHouse, room: Room, caller: Caller, { name, side }: Sharing): Promise<void> {
  if (side !== "connect" || earsOf(room, name, side).has(caller)) return;
  if (earsOf(room, name, side).size === 0) room.order.forget(name);
  await announce(house, room, caller, name, "DISCONNECTED");
}

/** After a user change: announces it, and closes subscriptions the new user may not have. */
export async function becameAnother(house: RealtimeHouse, room: Room, caller: Caller): Promise<void> {
  const may = await mayShare(house, caller);
  for (const it of caller.subscriptions.values()) {
    if (it.kind !== "shared") continue;
    if (may && it.side === "connect") await announce(house, room, caller, it.name, "USERUPDATE");
    if (may || !room.close(caller, it.id)) continue;
    caller.refuse("SUB_RES", it.id, new Refusal("not-signed-in", "Shared objects are for those who are signed in here."));
    await leaveShared(house, room, caller, it);
  }
}

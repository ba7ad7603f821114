import { Refusal } from "#platform/refusal";
import { sharedObjectRules } from "#community/rules";
import type { Caller, Sharing } from "../caller.ts";
import type { RealtimeHouse, Room } from "../room.ts";
import { parsed } from "../parsed.ts";
import { InObject } from "./packets.ts";

const SIDES: Record<string, Sharing["side"]> = {
  RSO_CONNECT: "connect",
  RSO_CHANGES: "changes",
  RSO_CLEARED: "cleared",
  RSO_COMMANDS: "commands",
  RSO_INVOKE: "invoke",
  RSO_USERS: "users",
};

export const isSharing = (name: string): boolean => Object.hasOwn(SIDES, name);

/**
 * Reads a subscription to one side of an object.
 * @throws `invalid`
 */
export function sharing({ id, name, options }: { id: string; name: string; options?: unknown }): Sharing {
  return { kind: "shared", id, name: parsed(InObject, options).name, side: SIDES[name]!, scopes: [] };
}

const nameOf = (name: string, side: Sharing["side"]) => `shared/${side}/${name}`;
/** Listener name of a shared-object subscription. */
export const sharedName = ({ name, side }: Sharing): string => nameOf(name, side);

/** Listeners of one side of an object. */
export const earsOf = (room: Room, name: string, side: Sharing["side"]) => room.listeners.under(nameOf(name, side));

/** Whether a caller may use shared objects at all. */
export async function mayShare({ settings }: RealtimeHouse, { viewer, withServerKey }: Caller): Promise<boolean> {
  return sharedObjectRules.use(viewer, (await settings.get()).whoShares, withServerKey);
}

/** @throws `not-signed-in` */
export async function assertSharing(house: RealtimeHouse, caller: Caller): Promise<void> {
  if (!(await mayShare(house, caller))) throw new Refusal("not-signed-in", "Shared objects are for those who are signed in here.");
}

/** Listeners of a side that are connected to the object and permitted. */
export async function listening(house: RealtimeHouse, room: Room, name: string, side: Sharing["side"]) {
  const connected = earsOf(room, name, "connect");
  const ears = [...earsOf(room, name, side)].filter(([caller]) => connected.has(caller));
  const may = await Promise.all(ears.map(([caller]) => mayShare(house, caller)));
  return ears.filter((_, i) => may[i]);
}

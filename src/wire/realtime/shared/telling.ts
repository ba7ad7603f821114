import { readSharedSince } from "#backend/shared-objects";
import type { Caller } from "../caller.ts";
import type { RealtimeHouse, Room } from "../room.ts";
import { answerWho, showOthers, showStatus } from "./company.ts";
import type { By, Deed, Done } from "./deeds.ts";
import { type AsKnown, knownTo } from "./names.ts";
import { earsOf, listening } from "./subscribing.ts";

/** Delivers an event of this or another process to listeners. Runs in the object's queue. */
export async function tellDeed(house: RealtimeHouse, room: Room, deed: Deed): Promise<void> {
  if (deed.what === "set") return tellSet(house, room, deed);
  if (deed.what === "clear") return tellClear(house, room, deed);
  if (deed.what === "command") return tellCommand(house, room, deed);
  if (deed.what === "invoke") return tellInvoke(house, room, deed);
  if (deed.what === "status") return showStatus(house, room, deed);
  if (deed.what === "who") return answerWho(house, room, deed);
  return showOthers(house, room, deed);
}

type Heard = Awaited<ReturnType<typeof listening>>;
const known = (house: RealtimeHouse, by: By, ears: Heard): Promise<AsKnown> =>
  knownTo(
    house,
    by,
    ears.map(([caller]) => caller),
  );
const say = (ears: Heard, data: (caller: Caller) => object) => {
  for (const [caller, ids] of ears) for (const id of ids) caller.send("SUB_RES", { id, data: data(caller) });
};

/** Without connected clients the delivery order need not be kept. */
function isDeserted(room: Room, name: string): boolean {
  if (earsOf(room, name, "connect").size > 0) return false;
  room.order.forget(name);
  return true;
}

async function tellSet(house: RealtimeHouse, room: Room, { name, key, data, version, by }: Done<"set">) {
  if (isDeserted(room, name) || !room.order.set(name, key, version, by)) return;
  const ears = await listening(house, room, name, "changes");
  const asKnown = await known(house, by, ears);
  say(ears, (caller) => ({ key, data, ...asKnown(caller) }));
}

async function tellClear(house: RealtimeHouse, room: Room, { name, version, by }: Done<"clear">) {
  if (isDeserted(room, name)) return;
  const setAfter = room.order.clear(name, version);
  if (setAfter === null) return;
  const ears = await listening(house, room, name, "cleared");
  const asKnown = await known(house, by, ears);
  say(ears, asKnown);
  if (setAfter.size === 0) return;
  // A key set after the clearing but delivered before it is delivered again, since clients now take it for
  // cleared.
  const changes = await listening(house, room, name, "changes");
  for (const { key, data } of await readSharedSince(house.sharedObjects, name, version)) {
    const author = setAfter.get(key)?.by;
    const told = author && (await known(house, author, changes));
    if (told) say(changes, (caller) => ({ key, data, ...told(caller) }));
  }
}

async function tellCommand(house: RealtimeHouse, room: Room, { name, type, data, by }: Done<"command">) {
  const ears = await listening(house, room, name, "commands");
  const asKnown = await known(house, by, ears);
  // Sent both flat and nested: clients differ in where they look.
  say(ears, (caller) => ({ type, data, ...asKnown(caller), userInfo: asKnown(caller) }));
}

/** Invokes a method on connected clients: all, or targets by connection, person, or null for guests. */
async function tellInvoke(house: RealtimeHouse, room: Room, { name, method, args, targets, by }: Done<"invoke">) {
  const isMeant = ({ connectionId, viewer }: Caller) => targets === null || targets.includes(connectionId) || targets.includes(viewer.id);
  const ears = (await listening(house, room, name, "invoke")).filter(([caller]) => isMeant(caller));
  const asKnown = await known(house, by, ears);
  const connected = earsOf(room, name, "connect");
  for (const [caller, ids] of ears) {
    // A reconnected client repeats its subscriptions: one call per object of the client, and none twice.
    const once = [...ids].slice(0, connected.get(caller)?.size ?? 0);
    for (const id of once) caller.send("SUB_RES", { id, data: { method, args, ...asKnown(caller) } });
  }
}

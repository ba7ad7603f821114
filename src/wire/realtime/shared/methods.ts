import { assertShareable, clearShared, readShared, setShared } from "#backend/shared-objects";
import { isId } from "#platform/ids";
import type { Caller } from "../caller.ts";
import { parsed } from "../parsed.ts";
import type { RealtimeHouse, Room } from "../room.ts";
import { byOf } from "./company.ts";
import type { Deed } from "./deeds.ts";
import { knownBy } from "./names.ts";
import { Command, Get, InObject, Invoke, Set as SetOptions } from "./packets.ts";
import { assertSharing } from "./subscribing.ts";
import { tellDeed } from "./telling.ts";

/** Calls per session, or per address without one. A shared pointer moves thirty times a second. */
const CALLS = { points: 3_000, seconds: 60 };
/** Cost of reading a whole object, in calls. */
const WHOLE = 5;

type Method = (house: RealtimeHouse, room: Room, caller: Caller, options: unknown) => Promise<unknown>;

const METHODS: Record<string, Method> = {
  async RSO_GET(house, _room, caller, options) {
    const { name, key } = parsed(Get, options);
    await count(house, caller, key === undefined ? WHOLE : 1);
    return readShared(house.sharedObjects, name, key);
  },
  async RSO_SET(house, room, caller, options) {
    const { name, key, data = null } = parsed(SetOptions, options);
    await count(house, caller);
    await inTurn(room, name, async () => {
      const version = await setShared(house.sharedObjects, name, key, data);
      await does(house, room, { what: "set", name, key, data, version, by: byOf(caller) });
    });
  },
  async RSO_CLEAR(house, room, caller, options) {
    const { name } = parsed(InObject, options);
    await count(house, caller);
    await inTurn(room, name, async () => {
      const version = await clearShared(house.sharedObjects, name);
      await does(house, room, { what: "clear", name, version, by: byOf(caller) });
    });
  },
  async RSO_COMMAND(house, room, caller, options) {
    const { name, type, data = null } = parsed(Command, options);
    assertShareable(data);
    await count(house, caller);
    await inTurn(room, name, () => does(house, room, { what: "command", name, type, data, by: byOf(caller) }));
  },
  async RSO_INVOKE(house, room, caller, options) {
    const { name, method, targets, args } = parsed(Invoke, options);
    assertShareable(args);
    await count(house, caller);
    const meant = targets ? await knownTargets(house, caller, targets) : null;
    const deed: Deed = { what: "invoke", name, method, args: args ?? [], targets: meant, by: byOf(caller) };
    await inTurn(room, name, () => does(house, room, deed));
  },
};

export const isSharedMethod = (name: string): boolean => Object.hasOwn(METHODS, name);

/**
 * Runs a shared-object method.
 * @throws `invalid`, `not-signed-in`, `too-large`, `too-many`
 */
export async function onShared(house: RealtimeHouse, room: Room, caller: Caller, name: string, options: unknown): Promise<unknown> {
  await assertSharing(house, caller);
  return METHODS[name]!(house, room, caller, options);
}

async function count({ limits }: RealtimeHouse, { withServerKey, sessionId, address }: Caller, cost = 1) {
  if (!withServerKey) await limits.take("shared-objects", CALLS, sessionId ?? address, cost);
}

function inTurn(room: Room, name: string, work: () => Promise<void>) {
  room.turns.assertFree(name);
  return room.turns.run(name, work);
}

/** In this process at once, then in the others. */
async function does(house: RealtimeHouse, room: Room, deed: Deed) {
  house.shareWithOthers(deed);
  await tellDeed(house, room, deed);
}

/** A person may be a target only for callers who may see that they are present. */
async function knownTargets(house: RealtimeHouse, caller: Caller, targets: (string | null)[]) {
  const people = targets.filter((it) => it !== null && isId(it)).map((userId) => ({ connectionId: "", userId }));
  const known = new Set((await knownBy(house, caller, people)).map(({ userId }) => userId));
  return targets.filter((it) => it === null || !isId(it) || known.has(it));
}

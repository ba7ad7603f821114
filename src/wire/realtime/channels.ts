export { plainMessage as messageOf } from "#backend/channels";
import { companyOf } from "#community/published";
import { Refusal } from "#platform/refusal";
import type { Caller } from "./caller.ts";
import * as free from "./pub-sub/index.ts";
import { peopleAmong, type RealtimeHouse, type Room, type Said } from "./room.ts";

/**
 * Commands allowed on discussion and conversation channels. They carry no content, so that nothing bypasses
 * moderation.
 */
const COMMANDS = ["typing"];
/** Discussion or conversation of a channel; null for a person's own channel. */
function placeOf(channel: string): { kind: "discussion" | "conversation"; id: string } | null {
  const [kind, id = ""] = channel.split(":");
  return kind === "discussion" || kind === "conversation" ? { kind, id } : null;
}
const person = ({ viewer, connectionId }: Caller) => ({ connectionId, userId: viewer.id });

/** Joins a channel; people who may see the person are informed. */
export const arrive = (house: RealtimeHouse, room: Room, caller: Caller, channel: string) =>
  free.isFree(channel) ? free.arrive(house, room, caller, channel) : show(house, room, caller, channel);
/** Leaves a channel, or disconnects. */
export const depart = (house: RealtimeHouse, room: Room, caller: Caller, channel: string) =>
  free.isFree(channel) ? free.depart(house, room, caller, channel) : sayGoodbye(room, caller, channel);

async function show(house: RealtimeHouse, room: Room, caller: Caller, channel: string) {
  const place = placeOf(channel);
  const listeners = room.on(channel, "users");
  const me = caller.viewer.id;
  if (place === null || me === null || listeners.size === 0) return;
  const { shownTo } = await companyOf(house.db, place, me, peopleAmong(listeners.keys()));
  for (const [other, ids] of listeners)
    if (other !== caller && other.viewer.id !== null && shownTo(other.viewer.id) && room.met.show(other, channel, caller))
      for (const id of ids) other.send("SUB_RES", { id, data: { status: "CONNECTED", data: [person(caller)] } });
}

/** Announces a departure to those, of `whom`, who had seen the person. */
export function sayGoodbye(room: Room, caller: Caller, channel: string, whom: (other: Caller) => boolean = () => true): void {
  for (const [other, ids] of room.on(channel, "users"))
    if (other !== caller && whom(other) && room.met.part(other, channel, caller))
      for (const id of ids) other.send("SUB_RES", { id, data: { status: "DISCONNECTED", data: [person(caller)] } });
}

/** After a privacy change: announces a departure to people who may no longer see the person. */
export async function hideAnew(house: RealtimeHouse, room: Room, caller: Caller, channel: string): Promise<void> {
  const place = placeOf(channel);
  const listeners = room.on(channel, "users");
  if (place === null || caller.viewer.id === null || listeners.size === 0) return;
  const { shownTo } = await companyOf(house.db, place, caller.viewer.id, peopleAmong(listeners.keys()));
  sayGoodbye(room, caller, channel, ({ viewer }) => viewer.id === null || !shownTo(viewer.id));
}

/** Sends a listener the people already present. */
export async function greet(house: RealtimeHouse, room: Room, caller: Caller, channel: string, id: string): Promise<void> {
  if (free.isFree(channel)) return free.greet(house, room, caller, channel, id);
  const place = placeOf(channel);
  if (place === null || caller.viewer.id === null) return;
  // A person arriving during this lookup is announced separately and may be in the list as well.
  room.met.list(caller, channel, []);
  const { sees } = await companyOf(house.db, place, caller.viewer.id, peopleAmong(room.on(channel, "connect").keys()));
  const seen = [...room.on(channel, "connect").keys()].filter(
    (other) => other === caller || room.met.knows(caller, channel, other) || (other.viewer.id !== null && sees(other.viewer.id)),
  );
  caller.send("SUB_RES", { id, data: { status: "LISTING", data: room.met.list(caller, channel, seen).map(person) } });
}

type Say = { channel: string; type: string; data?: unknown };

/**
 * Sends a command to a channel.
 * @throws `not-found` without a connection to it, `invalid` for unknown commands
 */
export async function command(house: RealtimeHouse, room: Room, caller: Caller, said: Say) {
  const { channel, type } = said;
  if (free.isFree(channel)) return free.command(house, room, caller, said);
  if (!room.on(channel, "connect").has(caller) || placeOf(channel) === null)
    throw new Refusal("not-found", "Connect to the channel first.");
  if (!COMMANDS.includes(type)) throw new Refusal("invalid", `What can be said here: ${COMMANDS.join(", ")}.`);
  const word: Said = { channel, type, connectionId: caller.connectionId, userId: caller.viewer.id! };
  house.tellOthers(word);
  await pass(house, room, word);
}

/** Delivers a command from this or another process to people who may see its sender. */
export async function pass(house: RealtimeHouse, room: Room, { channel, type, connectionId, userId }: Said): Promise<void> {
  const place = placeOf(channel);
  const listeners = room.on(channel, "commands");
  if (place === null || listeners.size === 0) return;
  const { shownTo } = await companyOf(house.db, place, userId, peopleAmong(listeners.keys()));
  for (const [other, ids] of listeners)
    if (other.connectionId !== connectionId && other.viewer.id !== null && shownTo(other.viewer.id))
      for (const id of ids) other.send("SUB_RES", { id, data: { type, data: null, connectionId, userId } });
}

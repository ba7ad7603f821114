import { companyAnywhere } from "#community/published";
import { programRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { Caller } from "../caller.ts";
import { peopleAmong, type RealtimeHouse, type Room } from "../room.ts";
import type { Change } from "./elsewhere.ts";
import type { Present, Status } from "./words.ts";

/** People of one list. */
const MOST_LISTED = 1_000;
/** Commands of one person, or of one address without one. Whoever shows where their pointer is says so thirty times a second. */
const COMMANDS = { points: 600, seconds: 20 };

const presentOn = (channel: string, { connectionId, viewer }: Caller): Present => ({ channel, connectionId, userId: viewer.id });

/** Somebody has connected to a channel. */
export async function arrive(house: RealtimeHouse, room: Room, caller: Caller, channel: string): Promise<void> {
  if (caller.present.has(channel)) return;
  caller.present.add(channel);
  await announce(house, room, caller, channel, "CONNECTED");
}

/** Somebody has left it, or the line. */
export async function depart(house: RealtimeHouse, room: Room, caller: Caller, channel: string): Promise<void> {
  if (caller.present.delete(channel)) await announce(house, room, caller, channel, "DISCONNECTED");
}

/** Somebody else speaks through a connection from now on. */
export async function showChange(house: RealtimeHouse, room: Room, caller: Caller): Promise<void> {
  for (const channel of caller.present) await announce(house, room, caller, channel, "USERUPDATE");
}

async function announce(house: RealtimeHouse, room: Room, caller: Caller, channel: string, status: Status) {
  const change = { ...presentOn(channel, caller), status };
  house.tellOthers({ free: "status", from: room.id, ...change });
  caller.told = caller.told.catch(() => {}).then(() => showStatus(house, room, change, caller));
  await caller.told;
}

/** Tells those who listen for people. Who it is they learn as far as the two may know of each other; without that, a connection has come. */
export async function showStatus(house: RealtimeHouse, room: Room, { channel, connectionId, userId, status }: Change, self?: Caller) {
  const listeners = room.on(channel, "users");
  const nameFor = await namesFor(house, userId, listeners.keys());
  for (const [caller, ids] of listeners)
    // Who comes is not told so, but in the list that they ask for; who becomes somebody else is.
    if (caller !== self || status === "USERUPDATE")
      for (const id of ids) caller.send("SUB_RES", { id, data: { status, data: [{ connectionId, userId: nameFor(caller) }] } });
}

/** Tells who listens for people which of them are there already, in whatever process. */
export async function greet(house: RealtimeHouse, room: Room, caller: Caller, channel: string, id: string): Promise<void> {
  const here = [...room.on(channel, "connect").keys()].map((other) => presentOn(channel, other));
  const present = [...here, ...room.elsewhere.on(channel)].slice(0, MOST_LISTED);
  const mine = caller.viewer.id;
  const others = [...new Set(present.map(({ userId }) => userId))].filter((it): it is string => it !== null && it !== mine);
  const company = mine === null || others.length === 0 ? null : await companyAnywhere(house.db, mine, others);
  const known = (userId: string | null) =>
    userId !== null && (caller.withServerKey || userId === mine || company?.sees(userId)) ? userId : null;
  const data = present.map(({ connectionId, userId }) => ({ connectionId, userId: known(userId) }));
  caller.send("SUB_RES", { id, data: { status: "LISTING", data } });
}

type Say = { channel: string; type: string; data?: unknown };

/** Says something to all who are connected, its speaker among them. Throws `not-found` for who is not connected, `not-allowed`. */
export async function command(house: RealtimeHouse, room: Room, caller: Caller, { channel, type, data = null }: Say): Promise<void> {
  if (!caller.present.has(channel)) throw new Refusal("not-found", "Connect to the channel first.");
  const { whoPublishes } = await house.settings.get();
  if (!programRules.publish(caller.viewer, whoPublishes, caller.withServerKey))
    throw new Refusal("not-allowed", "You may listen on the channels of this community, and say nothing there.");
  if (!caller.withServerKey) await house.limits.take("commands", COMMANDS, caller.viewer.id ?? caller.address);
  const said = { type, data, ...presentOn(channel, caller) };
  house.tellOthers({ free: "command", ...said });
  await passOn(house, room, said);
}

/** Brings a command to those who are connected and listen for such. */
export async function passOn(house: RealtimeHouse, room: Room, said: Present & { type: string; data: unknown }): Promise<void> {
  const { channel, type, data, connectionId } = said;
  const connected = room.on(channel, "connect");
  const listeners = [...room.on(channel, "commands")].filter(([caller]) => connected.has(caller));
  const nameFor = await namesFor(
    house,
    said.userId,
    listeners.map(([caller]) => caller),
  );
  for (const [caller, ids] of listeners) {
    const userId = nameFor(caller);
    // Once flat and once beside: clients differ in where they look.
    for (const id of ids) caller.send("SUB_RES", { id, data: { type, data, connectionId, userId, userInfo: { connectionId, userId } } });
  }
}

/** Under which id each of these learns of somebody; null where they are not to know who it is. */
async function namesFor(
  house: RealtimeHouse,
  userId: string | null,
  listeners: Iterable<Caller>,
): Promise<(caller: Caller) => string | null> {
  if (userId === null) return () => null;
  const others = peopleAmong(listeners).filter((it) => it !== userId);
  const company = others.length === 0 ? null : await companyAnywhere(house.db, userId, others);
  return ({ viewer, withServerKey }) =>
    withServerKey || viewer.id === userId || (viewer.id !== null && company?.shownTo(viewer.id)) ? userId : null;
}

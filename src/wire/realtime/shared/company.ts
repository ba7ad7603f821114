import type { Caller } from "../caller.ts";
import type { RealtimeHouse, Room } from "../room.ts";
import type { By, Done, Status } from "./deeds.ts";
import { knownBy, knownTo } from "./names.ts";
import { earsOf, listening } from "./subscribing.ts";

/** Maximum people in one list. */
const MOST_LISTED = 1_000;

export const byOf = ({ connectionId, viewer }: Caller): By => ({ connectionId, userId: viewer.id });

/** Announces an arrival, departure or user change on an object. */
export async function announce(house: RealtimeHouse, room: Room, caller: Caller, name: string, status: Status): Promise<void> {
  const deed: Done<"status"> = { what: "status", name, status, by: byOf(caller) };
  house.shareWithOthers(deed);
  await room.turns.run(name, () => showStatus(house, room, deed, caller));
}

/** Delivers a presence change to listeners. A new client finds itself only in the list it requests. */
export async function showStatus(house: RealtimeHouse, room: Room, { name, status, by }: Done<"status">, self?: Caller): Promise<void> {
  const ears = (await listening(house, room, name, "users")).filter(([caller]) => caller !== self || status === "USERUPDATE");
  const asKnown = await knownTo(
    house,
    by,
    ears.map(([caller]) => caller),
  );
  for (const [caller, ids] of ears) for (const id of ids) caller.send("SUB_RES", { id, data: { status, data: [asKnown(caller)] } });
}

const here = (room: Room, name: string) => [...earsOf(room, name, "connect").keys()].slice(0, MOST_LISTED).map(byOf);

/** Sends a listener everyone present: local clients at once, others as their processes answer. */
export async function greet(house: RealtimeHouse, room: Room, caller: Caller, name: string, id: string): Promise<void> {
  caller.send("SUB_RES", { id, data: { status: "LISTING", data: await knownBy(house, caller, here(room, name)) } });
  house.shareWithOthers({ what: "who", name, asker: caller.connectionId, id });
}

/** Answers another process's request for local clients. */
export function answerWho(house: RealtimeHouse, room: Room, { name, asker, id }: Done<"who">): void {
  const people = here(room, name);
  if (people.length > 0) house.shareWithOthers({ what: "here", name, asker, id, people });
}

/** Delivers the answer of another process. */
export async function showOthers(house: RealtimeHouse, room: Room, { name, asker, id, people }: Done<"here">): Promise<void> {
  for (const [caller, ids] of earsOf(room, name, "users"))
    if (caller.connectionId === asker && ids.has(id))
      caller.send("SUB_RES", { id, data: { status: "CONNECTED", data: await knownBy(house, caller, people) } });
}

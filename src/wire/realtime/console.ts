import { type Batch, batchOf, type Kind } from "#backend/logs";
import { notFound } from "#platform/refusal";
import type { Caller, Overhearing } from "./caller.ts";
import { peopleAmong, type RealtimeHouse, type Room } from "./room.ts";

const KINDS: Record<string, Kind> = {
  LOGGING_MESSAGES: "logging",
  CONSOLE_MESSAGES: "console",
  DEVELOPER_MESSAGES: "developer",
  AUTOMATION_MESSAGES: "automation",
};
/** Lines of one packet: whoever wants them all finds them in the log. */
const MOST_TOLD = 100;

/** Lines that were kept in another process. */
export type KeptElsewhere = Pick<Batch, "kind" | "id">;

export const isConsole = (name: string): boolean => Object.hasOwn(KINDS, name);

/** Reads what somebody wants to overhear. For all but admins, and who has the server key, there is no such thing. */
export function overhearing({ viewer, withServerKey }: Caller, { id, name }: { id: string; name: string }): Overhearing {
  if (viewer.role !== "admin" && !withServerKey) throw notFound();
  return { kind: "console", id, about: KINDS[name]!, scopes: [] };
}

const under = (about: Kind) => `console/${about}`;
/** Under which name such a subscription is filed. */
export const consoleName = ({ about }: Overhearing): string => under(about);

/** Brings lines to those who overhear them, as long as they are admins: that is asked again, and not remembered. */
export async function tellConsole(house: RealtimeHouse, room: Room, { kind, lines }: Batch): Promise<void> {
  const ears = [...room.listeners.under(under(kind))];
  if (ears.length === 0) return;
  const admins = await house.accounts.adminsAmong(peopleAmong(ears.map(([caller]) => caller)));
  const data = lines.slice(-MOST_TOLD);
  for (const [caller, ids] of ears) {
    const may = caller.withServerKey || (caller.viewer.id !== null && admins.has(caller.viewer.id));
    for (const id of ids)
      if (may) caller.send("SUB_RES", { id, data });
      else if (room.close(caller, id)) caller.refuse("SUB_RES", id, notFound());
  }
}

/** The same for lines that another process has kept, where somebody listens. */
export async function tellKeptElsewhere(house: RealtimeHouse, room: Room, { kind, id }: KeptElsewhere): Promise<void> {
  if (room.listeners.under(under(kind)).size > 0) await tellConsole(house, room, await batchOf(house.logs, kind, id));
}

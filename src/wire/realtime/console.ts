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
/** Lines per packet; the complete ones are in the log. */
const MOST_TOLD = 100;

/** Reference to lines stored by another process. */
export type KeptElsewhere = Pick<Batch, "kind" | "id">;

export const isConsole = (name: string): boolean => Object.hasOwn(KINDS, name);

/** Reads a log subscription. To callers other than admins and the server key it does not exist. */
export function overhearing({ viewer, withServerKey }: Caller, { id, name }: { id: string; name: string }): Overhearing {
  if (viewer.role !== "admin" && !withServerKey) throw notFound();
  return { kind: "console", id, about: KINDS[name]!, scopes: [] };
}

const under = (about: Kind) => `console/${about}`;
/** Listener name of a log subscription. */
export const consoleName = ({ about }: Overhearing): string => under(about);

/** Delivers log lines to subscribed admins; the role is checked again on each delivery. */
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

/** Loads and delivers lines of another process if anyone listens here. */
export async function tellKeptElsewhere(house: RealtimeHouse, room: Room, { kind, id }: KeptElsewhere): Promise<void> {
  if (room.listeners.under(under(kind)).size > 0) await tellConsole(house, room, await batchOf(house.logs, kind, id));
}

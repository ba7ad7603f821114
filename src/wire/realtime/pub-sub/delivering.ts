import { dueMessage, type Published } from "#backend/channels";
import { selects } from "#backend/tables";
import type { Happening } from "#platform/outbox";
import type { RealtimeHouse, Room } from "../room.ts";

/** Brings a message to those who are connected to its channel and listen for such. A selector that many have is asked once. */
export function deliver(room: Room, { channel, message }: Published): void {
  const connected = room.on(channel, "connect");
  const answers = new Map<string, boolean>();
  for (const [caller, ids] of room.on(channel, "messages")) {
    if (!connected.has(caller)) continue;
    for (const id of ids) {
      const subscription = caller.subscriptions.get(id);
      if (subscription?.kind !== "channel") continue;
      const { selector } = subscription;
      if (selector !== null && !answers.has(selector.text)) answers.set(selector.text, selects(selector.condition, message.headers));
      if (selector === null || answers.get(selector.text)) caller.send("SUB_RES", { id, data: message });
    }
  }
}

/** Brings a message that was due, where somebody listens. */
export async function deliverDue(house: RealtimeHouse, room: Room, { channel, messageId, at }: Happening): Promise<void> {
  if (room.on(String(channel), "messages").size === 0) return;
  const due = await dueMessage(house.channels, String(messageId), new Date(Number(at)));
  if (due) deliver(room, due);
}

import type { ChannelMessage } from "#baas/messaging";

/** A client on a pub/sub channel. */
export type PresentClient = { channel: string; connectionId: string; userId: string | null };
export type PresenceStatus = "CONNECTED" | "DISCONNECTED" | "USERUPDATE";

/**
 * Messages between processes about pub/sub channels: a message, a command, a presence change; the number of
 * clients (`beat`), so that a process with another number requests the list; and that list.
 */
export type PubSubMessage =
  | { free: "message"; channel: string; message: ChannelMessage }
  | ({ free: "command"; type: string; data: unknown } & PresentClient)
  | ({ free: "status"; from: string; status: PresenceStatus } & PresentClient)
  | { free: "beat"; from: string; count: number }
  | { free: "ask" }
  | { free: "here"; from: string; people: PresentClient[] };

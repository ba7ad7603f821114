import type { ChannelMessage } from "#baas/messaging";

/** A client on a pub/sub channel. */
export type PresentClient = { channel: string; connectionId: string; userId: string | null };
export type PresenceStatus = "CONNECTED" | "DISCONNECTED" | "USERUPDATE";

/**
 * Messages between processes about pub/sub channels: a published message, a command, a presence change, a
 * client count (`beat`), a request for the list of clients, and that list. A process that counts a different
 * number of clients requests the list.
 */
export type PubSubMessage =
  | { free: "message"; channel: string; message: ChannelMessage }
  | ({ free: "command"; type: string; data: unknown } & PresentClient)
  | ({ free: "status"; from: string; status: PresenceStatus } & PresentClient)
  | { free: "beat"; from: string; count: number }
  | { free: "ask" }
  | { free: "here"; from: string; people: PresentClient[] };

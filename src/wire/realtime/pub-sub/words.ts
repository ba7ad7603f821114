import type { Message } from "#backend/channels";

/** A client on a pub/sub channel. */
export type Present = { channel: string; connectionId: string; userId: string | null };
export type Status = "CONNECTED" | "DISCONNECTED" | "USERUPDATE";

/**
 * Messages between processes about pub/sub channels: a message, a command, a presence change; the number of
 * clients (`beat`), so that a process with another number requests the list; and that list.
 */
export type Word =
  | { free: "message"; channel: string; message: Message }
  | ({ free: "command"; type: string; data: unknown } & Present)
  | ({ free: "status"; from: string; status: Status } & Present)
  | { free: "beat"; from: string; count: number }
  | { free: "ask" }
  | { free: "here"; from: string; people: Present[] };

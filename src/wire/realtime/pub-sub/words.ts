import type { Message } from "#backend/channels";

/** Somebody on a channel of programs. */
export type Present = { channel: string; connectionId: string; userId: string | null };
export type Status = "CONNECTED" | "DISCONNECTED" | "USERUPDATE";

/**
 * What processes tell each other about channels of programs: a message, a command, that somebody came, went or is somebody else now; how
 * many there are (`beat`), so that whoever knows of others asks; and all of them, to whoever asked.
 */
export type Word =
  | { free: "message"; channel: string; message: Message }
  | ({ free: "command"; type: string; data: unknown } & Present)
  | ({ free: "status"; from: string; status: Status } & Present)
  | { free: "beat"; from: string; count: number }
  | { free: "ask" }
  | { free: "here"; from: string; people: Present[] };

import type { Tx } from "#platform/database";
import type { Channels } from "./channels.ts";
import type { Message, Publishing } from "./message.ts";

const NOBODY_PUSHES = "No device was told: this server does not push messages of programs.";

/** Whether listeners hear of it: what is for devices alone they do not. */
export const isHeard = ({ publishPolicy }: Pick<Publishing, "publishPolicy">): boolean => publishPolicy !== "PUSH";

/** Whether devices are to hear of it. */
export const isForDevices = ({ publishPolicy, pushBroadcast, pushSinglecast }: Publishing): boolean =>
  publishPolicy === "PUSH" || publishPolicy === "BOTH" || (publishPolicy === null && (pushBroadcast !== null || pushSinglecast !== null));

/** Hands a message for devices to whoever pushes. What could not be done, in a sentence, or null. */
export async function toDevices({ push }: Pick<Channels, "push">, tx: Tx, message: Message, said: Publishing): Promise<string | null> {
  if (!isForDevices(said)) return null;
  return push === null ? NOBODY_PUSHES : push(tx, { ...message, pushSinglecast: said.pushSinglecast });
}

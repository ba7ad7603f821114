import type { Tx } from "#platform/database";
import type { Channels } from "./channels.ts";
import type { Published, Publishing } from "./message.ts";

const NOBODY_PUSHES = "No device was told: this server does not push messages of programs.";

/** Whether listeners hear of it: what is for devices alone they do not. */
export const isHeard = ({ publishPolicy }: Pick<Publishing, "publishPolicy">): boolean => publishPolicy !== "PUSH";

/** Headers that say how a device shows it. */
const FOR_DEVICES = /^(ios|android|wp)-/;

/** Whether devices are to hear of it: where that is said, or whom of them it is for, or how they show it. */
export const isForDevices = ({ publishPolicy, pushBroadcast, pushSinglecast, headers }: Publishing): boolean =>
  publishPolicy === null
    ? pushBroadcast !== null || pushSinglecast !== null || Object.keys(headers).some((name) => FOR_DEVICES.test(name))
    : publishPolicy !== "PUBSUB";

/** Hands a message for devices to whoever pushes. What could not be done, in a sentence, or null. */
export async function toDevices(
  { push }: Pick<Channels, "push">,
  tx: Tx,
  { channel, message }: Published,
  said: Publishing,
): Promise<string | null> {
  if (!isForDevices(said)) return null;
  return push === null ? NOBODY_PUSHES : push(tx, { channel, message, said });
}

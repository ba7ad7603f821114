import type { Tx } from "#platform/database";
import type { Channels } from "./channels.ts";
import type { Published, Publishing } from "./message.ts";

const NOBODY_PUSHES = "No device was told: this server does not push messages of programs.";

/** Whether listeners receive the message: not if it is for devices only. */
export const isHeard = ({ publishPolicy }: Pick<Publishing, "publishPolicy">): boolean => publishPolicy !== "PUSH";

/** Headers that describe how a device shows the message. */
const FOR_DEVICES = /^(ios|android|wp)-/;

/** Whether devices receive the message: if its policy, its recipients or its headers say so. */
export const isForDevices = ({ publishPolicy, pushBroadcast, pushSinglecast, headers }: Publishing): boolean =>
  publishPolicy === null
    ? pushBroadcast !== null || pushSinglecast !== null || Object.keys(headers).some((name) => FOR_DEVICES.test(name))
    : publishPolicy !== "PUBSUB";

/** Queues a message for devices. Returns a sentence about what was not possible, or null. */
export async function toDevices(
  { push }: Pick<Channels, "push">,
  tx: Tx,
  { channel, message }: Published,
  said: Publishing,
): Promise<string | null> {
  if (!isForDevices(said)) return null;
  return push === null ? NOBODY_PUSHES : push(tx, { channel, message, said });
}

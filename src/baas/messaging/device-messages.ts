import type { Tx } from "#platform/database";
import type { Messaging } from "./channels.ts";
import type { PublishedMessage, PublishInput } from "./channel-message.ts";

const PUSH_UNAVAILABLE = "Not pushed: this server does not push messages of API clients.";

/** Whether listeners receive the message. They do unless it is for devices only. */
export const isSentToListeners = ({ publishPolicy }: Pick<PublishInput, "publishPolicy">): boolean =>
  publishPolicy !== "PUSH";

/** Headers that describe how a device shows the message. */
const DEVICE_HEADER = /^(ios|android|wp)-/;

/** Whether devices receive the message, because of its policy, its recipients or its headers. */
export const isSentToDevices = ({
  publishPolicy,
  pushBroadcast,
  pushSinglecast,
  headers,
}: PublishInput): boolean =>
  publishPolicy === null
    ? pushBroadcast !== null ||
      pushSinglecast !== null ||
      Object.keys(headers).some((name) => DEVICE_HEADER.test(name))
    : publishPolicy !== "PUBSUB";

/**
 * Queues a message for devices. Returns an error message for the publisher if a push is not possible, null
 * otherwise.
 */
export async function pushToDevices(
  { push }: Pick<Messaging, "push">,
  tx: Tx,
  { channel, message }: PublishedMessage,
  input: PublishInput,
): Promise<string | null> {
  if (!isSentToDevices(input)) return null;
  return push === null ? PUSH_UNAVAILABLE : push(tx, { channel, message, input });
}

import { type MessageInfo, getMessageStatus } from "#baas/messaging";
import { type PushOutcome, getPushOutcome } from "#baas/devices";
import { getEmailStatus } from "#baas/email";
import { z } from "zod";
import { Refusal } from "#platform/refusal";
import type { RestContext } from "../rest-route.ts";

/** Status of a channel message, an email or a push. */
export const MessageStatus = z
  .looseObject({
    messageId: z.string(),
    status: z.enum(["scheduled", "published", "cancelled", "failed"]),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: "MessageStatus" });

/**
 * Finds the status of an email or a message. A message has one status on its channel and one on devices; a
 * push-only message has only the status on devices.
 */
export async function findStatus(
  app: Pick<RestContext, "channels" | "mails" | "devices" | "now">,
  messageId: string,
): Promise<MessageInfo & Partial<Pick<PushOutcome, "devices">>> {
  const { channels, devices, mails, now } = app;
  const mailed = await getEmailStatus(mails, messageId, now());
  if (mailed !== null) return mailed;
  const pushed = await getPushOutcome(devices, messageId);
  if (pushed === null) return getMessageStatus(channels, messageId);
  const { status, errorMessage, alone, devices: tally } = pushed;
  const messageInfo = await getMessageStatus(channels, messageId).catch((error: unknown) => {
    // A template push has no channel status, and the channel status of an immediate message is deleted after
    // a day. The status on devices may still exist.
    if (!(error instanceof Refusal)) throw error;
    return null;
  });
  const goesOn =
    messageInfo !== null && (messageInfo.status === "scheduled" || messageInfo.status === "cancelled");
  const fits = alone && !goesOn ? status : (messageInfo?.status ?? "published");
  return { messageId, status: fits, errorMessage: messageInfo?.errorMessage ?? errorMessage, devices: tally };
}

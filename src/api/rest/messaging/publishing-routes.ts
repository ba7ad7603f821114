import { cancelMessage, type MessageInfo, getMessageStatus, publish, PublishInput } from "#baas/messaging";
import { type PushOutcome, getPushOutcome } from "#baas/devices";
import { cancelEmail, getEmailStatus } from "#baas/email";
import { Refusal } from "#platform/refusal";
import { parseInput } from "../parse-input.ts";
import { emailSender } from "../email/send-email.ts";
import type { RestContext, Route } from "../rest-route.ts";
import { assertMayPublish, publisherOf } from "./publisher.ts";

/** Maximum bytes of a body: the largest message, with whitespace and escapes. */
const MAX_BODY = 400_000;

/** Publishing now or later; status of a message or email, and its cancellation. */
export const publishingRoutes: Route[] = [
  {
    method: "POST",
    path: "/messaging/:channel",
    most: MAX_BODY,
    async handle(call) {
      await assertMayPublish(call);
      return publish(
        call.app.channels,
        publisherOf(call),
        call.params["channel"]!,
        parseInput(PublishInput, call.body),
      );
    },
  },
  {
    method: "GET",
    path: "/messaging/:messageId",
    handle: ({ app, params }) => findStatus(app, params["messageId"]!),
  },
  {
    method: "DELETE",
    path: "/messaging/:messageId",
    handle: async (call) => {
      const { app, params } = call;
      const messageId = params["messageId"]!;
      return (
        (await cancelEmail(app.mails, emailSender(call), messageId)) ??
        cancelMessage(app.channels, publisherOf(call), messageId)
      );
    },
  },
];

/**
 * Status of an email or of a message, on its channel and its devices: a push-only message has the status of
 * its devices.
 */
async function findStatus(
  app: RestContext,
  messageId: string,
): Promise<MessageInfo & Partial<Pick<PushOutcome, "devices">>> {
  const { channels, devices, mails, now } = app;
  const mailed = await getEmailStatus(mails, messageId, now());
  if (mailed !== null) return mailed;
  const pushed = await getPushOutcome(devices, messageId);
  if (pushed === null) return getMessageStatus(channels, messageId);
  const { status, errorMessage, alone, devices: tally } = pushed;
  const said = await getMessageStatus(channels, messageId).catch((error: unknown) => {
    // A template push has no channel status, and a channel keeps the status of immediate messages for one
    // day.
    if (!(error instanceof Refusal)) throw error;
    return null;
  });
  const goesOn = said !== null && (said.status === "scheduled" || said.status === "cancelled");
  const fits = alone && !goesOn ? status : (said?.status ?? "published");
  return { messageId, status: fits, errorMessage: said?.errorMessage ?? errorMessage, devices: tally };
}

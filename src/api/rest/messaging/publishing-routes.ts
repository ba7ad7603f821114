import { cancelMessage, publish, PublishInput } from "#baas/messaging";
import { cancelEmail } from "#baas/email";
import { defineEndpoint } from "../endpoint.ts";
import { getEmailSender } from "../email/send-email.ts";
import { findStatus, MessageStatus } from "./message-status.ts";
import { PUBLISH_PERMISSION, publisherOf } from "./publisher.ts";

/** Maximum bytes of a body: the largest message, with whitespace and escapes. */
const MAX_BODY = 400_000;

const params = { messageId: "01900000-0000-7000-8000-000000000001" };

/** Endpoints to publish a message at once or later, and to read or cancel messages and emails. */
export const publishingEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/messaging/:channel",
    summary: "Publishes a message on a channel: now, at a time, or repeatedly.",
    permission: PUBLISH_PERMISSION,
    most: MAX_BODY,
    body: PublishInput,
    response: MessageStatus,
    example: {
      params: { channel: "garden" },
      body: { message: "Frost tonight", headers: { degrees: "-3" } },
    },
    handle: (call) => publish(call.app.channels, publisherOf(call), call.params.channel, call.body),
  }),
  defineEndpoint({
    method: "GET",
    path: "/messaging/:messageId",
    summary:
      "Returns the status of a message or an email, `scheduled`, `published`, `cancelled` or `failed`: " +
      "for a day, of scheduled messages for a week after their end.",
    response: MessageStatus,
    example: { params },
    handle: ({ app, params: { messageId } }) => findStatus(app, messageId),
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/messaging/:messageId",
    summary:
      "Cancels a scheduled message or a queued email and returns its status: `published` if it was sent already.",
    response: MessageStatus,
    example: { params },
    handle: async (call) =>
      (await cancelEmail(call.app.mails, getEmailSender(call), call.params.messageId)) ??
      cancelMessage(call.app.channels, publisherOf(call), call.params.messageId),
  }),
];

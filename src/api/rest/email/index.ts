import { defineEndpoint, type Permission } from "../endpoint.ts";
import { MessageStatus } from "../messaging/message-status.ts";
import { PlainEmail, TemplateEmail } from "./email-schemas.ts";
import { assertMaySendTemplate, assertMaySendText, sendEmailFor } from "./send-email.ts";

export { readEmailRules } from "./email-rules.ts";

/** Maximum bytes of a body: the longest text, plus escapes. */
const MAX_BODY = 3_000_000;

const sender = (check: Permission["check"]): Permission => ({
  name: "the server key, admins, and the roles chosen by admins",
  caller: "server key",
  refusal: { status: 403, code: 403 },
  check,
});

/** Endpoints by which apps send email. The status of an email is requested like that of a message. */
export const mailEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/messaging/email",
    summary: "Sends an email, with the paths of attached files in `attachment`.",
    permission: sender(assertMaySendText),
    most: MAX_BODY,
    body: PlainEmail,
    response: MessageStatus,
    example: {
      body: {
        subject: "Frost",
        bodyparts: { textmessage: "Close the windows." },
        to: ["ines@example.org"],
      },
    },
    handle: (call) => sendEmailFor(call, call.body),
  }),
  defineEndpoint({
    method: "POST",
    path: "/emailtemplate/send",
    summary: "Sends an email from a template to addresses, and to the people who match `criteria`.",
    permission: sender(assertMaySendTemplate),
    most: MAX_BODY,
    body: TemplateEmail,
    response: MessageStatus,
    example: {
      body: {
        "template-name": "frost",
        "template-values": { name: "Ines" },
        addresses: ["ines@example.org"],
      },
    },
    handle: (call) => sendEmailFor(call, call.body),
  }),
];

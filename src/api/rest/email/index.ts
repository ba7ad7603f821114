import { parseInput } from "../parse-input.ts";
import type { Route } from "../rest-route.ts";
import { PlainEmail, TemplateEmail } from "./email-schemas.ts";
import { assertMaySendTemplate, assertMaySendText, sendEmailFor } from "./send-email.ts";

export { readEmailRules } from "./email-rules.ts";

/** Maximum bytes of a body: the longest text, plus escapes. */
const MAX_BODY = 3_000_000;

/** Email sent by apps. Status requests go through messages. */
export const mailRoutes: Route[] = [
  {
    method: "POST",
    path: "/messaging/email",
    most: MAX_BODY,
    before: assertMaySendText,
    handle: (call) => sendEmailFor(call, parseInput(PlainEmail, call.body)),
  },
  {
    method: "POST",
    path: "/emailtemplate/send",
    most: MAX_BODY,
    before: assertMaySendTemplate,
    handle: (call) => sendEmailFor(call, parseInput(TemplateEmail, call.body)),
  },
];

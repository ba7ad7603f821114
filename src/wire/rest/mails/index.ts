import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { PlainMail, TemplateMail } from "./forms.ts";
import { assertMayMailTemplate, assertMayMailText, sendFor } from "./sending.ts";

export { mailRulesIn } from "./rules.ts";

/** Maximum bytes of a body: the longest text, plus escapes. */
const LARGEST = 3_000_000;

/** Email sent by apps. Status requests go through messages. */
export const mailRoutes: Route[] = [
  {
    method: "POST",
    path: "/messaging/email",
    most: LARGEST,
    before: assertMayMailText,
    handle: (call) => sendFor(call, parsed(PlainMail, call.body)),
  },
  {
    method: "POST",
    path: "/emailtemplate/send",
    most: LARGEST,
    before: assertMayMailTemplate,
    handle: (call) => sendFor(call, parsed(TemplateMail, call.body)),
  },
];

import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { PlainMail, TemplateMail } from "./forms.ts";
import { assertMayMail, sendFor } from "./sending.ts";

export { mailRulesIn } from "./rules.ts";

/** Mail that programs send. What became of one is asked as of any message. */
export const mailRoutes: Route[] = [
  {
    method: "POST",
    path: "/messaging/email",
    before: assertMayMail,
    handle: (call) => sendFor(call, parsed(PlainMail, call.body)),
  },
  {
    method: "POST",
    path: "/emailtemplate/send",
    before: assertMayMail,
    handle: (call) => sendFor(call, parsed(TemplateMail, call.body)),
  },
];

import { MAX_ATTACHMENTS } from "#baas/email";
import { z } from "zod";

/** Maximum addresses per call, over all lists. */
const MAX_ADDRESSES = 500;

const text = z.string("is a text").transform((it) => it.replaceAll("\0", "").toWellFormed());
const address = z.string("is a mail address").trim().max(254, "is a mail address").pipe(z.email("is a mail address"));
const addresses = z
  .array(address, "is a list of mail addresses")
  .max(MAX_ADDRESSES, `has ${MAX_ADDRESSES} addresses at the most`)
  .nullish()
  .transform((it) => it ?? []);
const attachments = z
  .array(z.string("is the path of a file").max(2_000, "is the path of a file"), "is a list of paths of files")
  .max(MAX_ATTACHMENTS, `has ${MAX_ATTACHMENTS} files at the most`)
  .nullish()
  .transform((it) => it ?? []);
const criteria = z
  .string("is a condition")
  .trim()
  .max(20_000, "has 20000 characters at the most")
  .nullish()
  .transform((it) => it || null);
const unique = z
  .boolean("is true or false")
  .nullish()
  .transform((it) => it ?? false);
const values = z
  .record(
    z.string().max(64, "are called by 64 characters at the most"),
    z.union(
      [z.string().max(10_000), z.number(), z.boolean(), z.null()],
      "is a text of 10000 characters at the most, a number, true, false or null",
    ),
    "is an object",
  )
  .nullish()
  .transform((it) => it ?? {})
  .refine((it) => Object.keys(it).length <= 100, "has 100 values at the most");

const hasRecipients = ({ to, cc, bcc, criteria: clause }: { to: string[]; cc: string[]; bcc: string[]; criteria: string | null }) =>
  clause !== null || to.length + cc.length + bcc.length > 0;

/** An email an app wants to send, in one shape. */
export type EmailRequest = {
  to: string[];
  cc: string[];
  bcc: string[];
  criteria: string | null;
  unique: boolean;
  attachments: string[];
  words: { subject: string; text: string; html: string } | { template: string; values: z.output<typeof values> };
};

/** `POST /messaging/email`. */
export const PlainEmail = z
  .object({
    subject: text,
    bodyparts: z.object({ textmessage: text.nullish(), htmlmessage: text.nullish() }, "is an object of textmessage, htmlmessage or both"),
    to: addresses.refine((it) => it.length > 0, "names somebody"),
    attachment: attachments,
  })
  .transform(({ subject, bodyparts: { textmessage, htmlmessage }, to, attachment }): EmailRequest => ({
    to,
    cc: [],
    bcc: [],
    criteria: null,
    unique: false,
    attachments: attachment,
    words: { subject, text: textmessage ?? "", html: htmlmessage ?? "" },
  }));

const templateName = z.string("is the name of a template").min(1, "is the name of a template").max(250, "is the name of a template");

/** `POST /emailtemplate/send`. */
export const TemplateEmail = z
  .object({
    addresses,
    "cc-addresses": addresses,
    "bcc-addresses": addresses,
    criteria,
    uniqueEmails: unique,
    "template-name": templateName,
    "template-values": values,
    attachment: attachments,
  })
  .transform((it): EmailRequest => ({
    to: it.addresses,
    cc: it["cc-addresses"],
    bcc: it["bcc-addresses"],
    criteria: it.criteria,
    unique: it.uniqueEmails,
    attachments: it.attachment,
    words: { template: it["template-name"], values: it["template-values"] },
  }))
  .refine(hasRecipients, { path: ["addresses"], error: "names somebody, or criteria do" });

/** An email from an extension. */
export const ExtensionEmail = z
  .strictObject({
    to: addresses,
    cc: addresses,
    bcc: addresses,
    criteria,
    unique,
    attachments,
    subject: text.optional(),
    text: text.optional(),
    html: text.optional(),
    template: templateName.optional(),
    values,
  })
  .refine(hasRecipients, { path: ["to"], error: "names somebody, or criteria do" })
  .refine(({ template, subject }) => (template === undefined) !== (subject === undefined), {
    path: ["subject"],
    error: "is given where no template is, and not otherwise",
  })
  .transform(({ subject, text: words, html, template, values: given, ...it }): EmailRequest => ({
    ...it,
    words: template === undefined ? { subject: subject!, text: words ?? "", html: html ?? "" } : { template, values: given },
  }));

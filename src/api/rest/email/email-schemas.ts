import { MAX_ATTACHMENTS } from "#baas/email";
import { z } from "zod";

/** Maximum addresses per call, over all lists. */
const MAX_ADDRESSES = 500;

const text = z.string("must be a string").transform((it) => it.replaceAll("\0", "").toWellFormed());
const address = z
  .string("must be a mail address")
  .trim()
  .max(254, "must be a mail address")
  .pipe(z.email("must be a mail address"));
const addresses = z
  .array(address, "must be a list of mail addresses")
  .max(MAX_ADDRESSES, `can have at most ${MAX_ADDRESSES} addresses`)
  .nullish()
  .transform((it) => it ?? []);
const attachments = z
  .array(
    z.string("must be the path of a file").max(2_000, "must be the path of a file"),
    "must be a list of paths of files",
  )
  .max(MAX_ATTACHMENTS, `can have at most ${MAX_ATTACHMENTS} files`)
  .nullish()
  .transform((it) => it ?? []);
const criteria = z
  .string("must be a condition")
  .trim()
  .max(20_000, "can have at most 20000 characters")
  .nullish()
  .transform((it) => it || null);
const unique = z
  .boolean("must be true or false")
  .nullish()
  .transform((it) => it ?? false);
const values = z
  .record(
    z.string().max(64, "can have names of at most 64 characters"),
    z.union(
      [z.string().max(10_000), z.number(), z.boolean(), z.null()],
      "must be a string of at most 10000 characters, a number, true, false or null",
    ),
    "must be an object",
  )
  .nullish()
  .transform((it) => it ?? {})
  .refine((it) => Object.keys(it).length <= 100, "can have at most 100 values");

const hasRecipients = ({
  to,
  cc,
  bcc,
  criteria: clause,
}: {
  to: string[];
  cc: string[];
  bcc: string[];
  criteria: string | null;
}) => clause !== null || to.length + cc.length + bcc.length > 0;

/** An email that an app wants to send, whichever endpoint it was sent to. */
export type EmailRequest = {
  to: string[];
  cc: string[];
  bcc: string[];
  criteria: string | null;
  unique: boolean;
  attachments: string[];
  words:
    | { subject: string; text: string; html: string }
    | { template: string; values: z.output<typeof values> };
};

/** Body of `POST /messaging/email`. */
export const PlainEmail = z
  .object({
    subject: text,
    bodyparts: z.object(
      { textmessage: text.nullish(), htmlmessage: text.nullish() },
      "must be an object of textmessage, htmlmessage or both",
    ),
    to: addresses.refine((it) => it.length > 0, "must name a recipient"),
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

const templateName = z
  .string("must be the name of a template")
  .min(1, "must be the name of a template")
  .max(250, "must be the name of a template");

/** Body of `POST /emailtemplate/send`. */
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
  .refine(hasRecipients, { path: ["addresses"], error: "must name recipients if there are no criteria" });

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
  .refine(hasRecipients, { path: ["to"], error: "must name recipients if there are no criteria" })
  .refine(({ template, subject }) => (template === undefined) !== (subject === undefined), {
    path: ["subject"],
    error: "must be given if no template is, and not otherwise",
  })
  .transform(({ subject, text: words, html, template, values: input, ...it }): EmailRequest => ({
    ...it,
    words:
      template === undefined
        ? { subject: subject!, text: words ?? "", html: html ?? "" }
        : { template, values: input },
  }));

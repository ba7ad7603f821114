import type { SendMailOptions } from "nodemailer";
import { taggedAddress } from "./mail-addresses.ts";
import type { MailBody } from "./mail-bodies.ts";
import type { EmailContent } from "./email-content.ts";
import type { MailHeaders, MailKind } from "./queue-mail.ts";

/** A mail claimed for sending. */
export type ClaimedMail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  /** Null for a mail with its own HTML, or for one queued before templates existed. */
  letter: EmailContent | null;
  html: string;
  kind: MailKind;
  headers: MailHeaders;
  /** Shared body of a mail to many recipients. */
  bodyId: string | null;
  name: string;
};

/** Prefix of the tag in bounce addresses. */
export const BOUNCE_TAG = "back-";

type MessageOptions = {
  from: string;
  own: { address: string; host: string };
  replyBox: string | null;
  html: string;
  body: MailBody | null;
};

/** Builds the message for the SMTP server. */
export function toSmtpMessage(
  mail: ClaimedMail,
  { from, own, replyBox, html, body }: MessageOptions,
): SendMailOptions {
  const { inReplyTo, answers, list, unsubscribe, replyTo, fromName, shared } = mail.headers;
  const named = (name: string) => `<${name}@${own.host}>`;
  const before = [...(inReplyTo ? [named(inReplyTo)] : []), ...(answers ? [answers] : [])];
  const back = replyBox
    ? taggedAddress(replyBox, `${BOUNCE_TAG}${mail.id.replaceAll("-", "")}`)
    : own.address;
  return {
    from: fromName
      ? { name: mail.letter ? `${fromName} (${mail.letter.community})` : fromName, address: own.address }
      : from,
    ...(shared && body ? { to: body.to, cc: body.cc } : { to: mail.to }),
    replyTo,
    subject: mail.subject,
    text: body?.text ?? mail.text,
    ...(html !== "" && { html }),
    attachments:
      body?.attachments.map(({ name, mime, bytes }) => ({
        filename: name,
        contentType: mime,
        content: bytes,
      })) ?? [],
    ...(mail.letter?.calendar && {
      icalEvent: { method: mail.letter.calendar.method, content: mail.letter.calendar.text },
    }),
    // Message content must never make the mailer read a local file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
    // With a stable Message-ID the receiving server recognises a mail that is resent after a lost answer.
    messageId: named(mail.name),
    ...(before.length > 0 && { inReplyTo: before.at(-1)!, references: before }),
    // The envelope names this recipient alone: the other recipients in the headers get copies of their own.
    ...((replyBox || shared) && { envelope: { from: back, to: mail.to } }),
    headers: {
      "Auto-Submitted": mail.kind === "answer" ? "auto-replied" : "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(list && { "List-Id": { prepared: true, value: `<${list.id}.${own.host}>` }, Precedence: "list" }),
      ...(mail.kind === "digest" && { Precedence: "bulk" }),
      ...(unsubscribe && {
        "List-Unsubscribe": { prepared: true, value: `<${unsubscribe}>` },
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
  };
}

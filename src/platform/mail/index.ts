export { queueMail, queueMails } from "./queue-mail.ts";
export type { Mail, MailHeaders, MailKind } from "./queue-mail.ts";
export { queueMassMail } from "./mass-mail.ts";
export type { MailAttachment, MailCopy, MassMail } from "./mass-mail.ts";
export { deleteMailBody, purgeBodies, countWaitingBytes } from "./mail-bodies.ts";
export { htmlToText } from "./html-to-text.ts";
export { BOUNCE_TAG } from "./smtp-message.ts";
export { createMailSender, requeueDroppedMail } from "./mail-delivery.ts";
export type { EmailRenderer, MailSender } from "./mail-delivery.ts";
export { parseMailAddress, taggedAddress, readAddressTag } from "./mail-addresses.ts";
export { renderEmailText } from "./email-content.ts";
export type { EmailContent, EmailPart } from "./email-content.ts";
export { correctCharsets } from "./correct-charsets.ts";
export {
  countBounce,
  BOUNCE_WEIGHT,
  deleteOldBounces,
  isBounceLimited,
  listBounceLimited,
  BOUNCE_LIMIT,
} from "./bounces.ts";
export { listMailbox, getMailboxEntry } from "./mailbox.ts";
export type { MailboxEntry } from "./mailbox.ts";
export { parseMail } from "./parse-mail.ts";

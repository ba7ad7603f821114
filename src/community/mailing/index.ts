export { countStops, resumeAllMail, resumeMail, getMailStop, stopMail } from "./stopping.ts";
export type { MailStop, Scope } from "./stopping.ts";
export { processMailFolder } from "./pickup.ts";
export { processInboundMail } from "./incoming.ts";
export type { InboundContext, InboundResult } from "./incoming.ts";
export { sendNotificationMail } from "./due.ts";
export { listApiMailRecipients } from "./of-programs.ts";
export { deleteOldDigests, mailDigests } from "./digest.ts";
export { deleteExpiredReplyAddresses } from "./reply-addresses.ts";
export type { MailContext } from "./house.ts";

// Push uses the same notices as mail.
export { createNotice } from "./notices.ts";
export type { NotificationRow as NoticeRow } from "./notices.ts";
export { getReader } from "./recipient.ts";
export type { NotificationReader } from "./recipient.ts";
export { MAILED_KINDS } from "./due.ts";
export { mailMessagesFor } from "./words/index.ts";
